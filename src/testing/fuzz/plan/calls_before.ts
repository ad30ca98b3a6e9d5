import type { Edge } from "../edges.ts";
import { kindOf } from "../names.ts";
import { isReaderOf, isSamePath, makerOf } from "../needs.ts";
import type { Operation } from "../operations.ts";
import type { Call } from "./call.ts";
import type { UsualChain } from "./chain.ts";
import { isBare } from "./visit.ts";

/**
 * Plans what comes before the call of an operation: calls that make what it needs, and calls that change or read that.
 *
 * @param chain What the calls are planned with.
 * @returns The calls.
 */
export async function callsBefore(chain: UsualChain): Promise<readonly Call[]> {
  return [
    ...chain.visit.purpose === "rival" ? await needsOfActor(chain) : [],
    ...await needsOfActor(chain),
    ...await needsOfSender(chain),
    ...await readsBeforeDelete(chain),
    ...await itemsOfList(chain),
    ...await firstPage(chain),
    ...await changesBetween(chain),
    ...await readsOfVersion(chain),
  ];
}

/** Whether an operation lists things in pages. */
export function hasPages({ places }: Operation): boolean {
  return places.size > 0;
}

/** Makes what an operation needs. If the operation has no values of its own, these things are at an end more often. */
async function needsOfActor({ target, visit, needed, actor, callOf, random }: UsualChain): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const takesValues = !isBare(target);
  for (const need of needed) {
    if (visit.isCertain || visit.purpose === "early" || random.chance(NEED)) {
      const edge = random.chance(takesValues ? EDGE_OF_NEED : EDGE_OF_ONLY_VALUES)
        ? random.of(EDGES_OF_NEEDS)
        : undefined;
      calls.push(await callOf(need, actor, { edge: takesValues ? edge : visit.early?.edge ?? edge }));
    }
  }
  return calls;
}

/** Makes the same for a sender who is another actor: a fault may need a thing of each. */
async function needsOfSender({ needed, actor, sender, callOf, random }: UsualChain): Promise<readonly Call[]> {
  const calls: Call[] = [];
  if (sender === actor || sender === undefined) return calls;
  for (const need of needed) if (random.chance(NEED_OF_SENDER)) calls.push(await callOf(need, sender));
  return calls;
}

/** Reads what will be deleted: the app may keep what it has read. */
async function readsBeforeDelete(
  { target: { method, segments }, somebody, operations, callOf, random }: UsualChain,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  if (method !== "DELETE" || !random.chance(READ_BEFORE_DELETE)) return calls;
  for (const reader of operations.filter((other) => isReaderOf(other, segments))) {
    calls.push(await callOf(reader, somebody));
  }
  return calls;
}

/** Makes items of the list that an operation reads. A list with pages gets several: one page leads to the next. */
async function itemsOfList(
  { target, visit, somebody, operations, callOf, random }: UsualChain,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const { segments, isSafe } = target;
  const count = hasPages(target) ? ITEMS_OF_PAGES : Number(visit.isHistory || random.chance(ITEM));
  const maker = isSafe ? makerOf(kindOf(segments), operations, segments) : undefined;
  if (maker === undefined || maker === target || !isSamePath(maker.segments, segments)) return calls;
  while (calls.length < count) calls.push(await callOf(maker, somebody));
  return calls;
}

/** Reads a small page, whose response leads to the page that the operation asks for. */
async function firstPage({ target, sender, callOf }: UsualChain): Promise<readonly Call[]> {
  return hasPages(target) ? [await callOf(target, sender, { isSmall: true })] : [];
}

/** Changes or deletes something that the operation needs. */
async function changesBetween(chain: UsualChain): Promise<readonly Call[]> {
  const { target, visit, needed, actor, somebody, callOf, random } = chain;
  const probability = target.isSafe ? CHANGE_BEFORE_SAFE : CHANGE;
  if (needed.length === 0 || !visit.isHistory && !random.chance(probability)) return [];
  const change = changeOf(chain);
  return change === undefined ? [] : [await callOf(change, visit.isHistory ? actor : somebody)];
}

/** An operation that changes or deletes what the target needs. */
function changeOf({ target, visit, needed, operations, random }: UsualChain): Operation | undefined {
  const kinds = needed.map(({ segments }) => kindOf(segments));
  const changes = operations.filter(({ isSafe, segments }) =>
    !isSafe && segments.some((segment) => segment.startsWith(":")) && kinds.includes(changedBy(segments)) &&
    !isSamePath(segments, target.segments)
  );
  const deletes = changes.filter(({ method }) => method === "DELETE");
  const others = changes.filter(({ method }) => method !== "DELETE");
  const isStuck = visit.purpose === "stuck";
  if (deletes.length > 0 && random.chance(isStuck ? DELETE_IF_STUCK : DELETE)) return random.of(deletes);
  return random.of(isStuck ? random.chance(CLOSEST) ? closest(others, target) : others : changes);
}

/**
 * The operations on the thing of an operation, if there are any; else all. An invoice is paid when it has been sent,
 * and restored when it has been deleted: something else comes first.
 */
function closest(operations: readonly Operation[], target: Operation): readonly Operation[] {
  const end = target.segments.findLastIndex((segment) => segment.startsWith(":")) + 1;
  const thing = target.segments.slice(0, end);
  const near = operations.filter(({ segments }) => isSamePath(segments.slice(0, end), thing));
  return near.length > 0 ? near : operations;
}

/** What an operation changes: the order of `/orders/:id` and of `/orders/:id/cancel`. */
export function changedBy(segments: readonly string[]): string {
  return kindOf(segments.at(-2)?.startsWith(":") ? segments.slice(0, -1) : segments);
}

/** Reads the version of a thing, if the operation asks for the version of what it changes. */
async function readsOfVersion(
  { target, visit, actor, somebody, operations, callOf }: UsualChain,
): Promise<readonly Call[]> {
  const reader = target.takesVersion ? operations.find((other) => isReaderOf(other, target.segments)) : undefined;
  return reader === undefined ? [] : [await callOf(reader, visit.isHistory ? actor : somebody)];
}

/** At which ends needed things are. `mixed` is there twice: things with all values at one end are often refused. */
const EDGES_OF_NEEDS: readonly Edge[] = ["most", "least", "mixed", "mixed"];

/** How many items a list with pages gets. */
const ITEMS_OF_PAGES = 2;

/** How probable it is that a thing which the operation needs is made. */
const NEED = 0.93;

/** How probable it is that such a thing is at an end: if the operation has values of its own, and if it has none. */
const EDGE_OF_NEED = 0.2;
const EDGE_OF_ONLY_VALUES = 0.5;

/** How probable it is that a sender who is another actor makes such a thing, too. */
const NEED_OF_SENDER = 0.5;

/** How probable it is that a thing is read before it is deleted. */
const READ_BEFORE_DELETE = 0.5;

/** How probable it is that a list without pages gets an item. */
const ITEM = 0.4;

/** How probable it is that a change comes before: if the operation is unsafe, and if it is safe. */
const CHANGE = 0.2;
const CHANGE_BEFORE_SAFE = 0.1;

/** How probable it is that this change is a DELETE: usually, and if the operation is stuck. */
const DELETE = 0.7;
const DELETE_IF_STUCK = 0.6;

/** How probable it is that another change for a stuck operation is one of its thing: else, of anything that it needs. */
const CLOSEST = 0.6;
