import { kindOf } from "../names.ts";
import { isReaderOf, isSamePath } from "../needs.ts";
import type { Operation } from "../operations.ts";
import { shuffle } from "../random.ts";
import type { Call } from "./call.ts";
import { changedBy } from "./calls_before.ts";
import type { Chain } from "./chain.ts";

/**
 * Plans several changes of the same things, one after another, and then the operation, twice: many faults need a state
 * to which some changes lead in one order only.
 *
 * @param chain What the calls are planned with.
 * @returns The calls.
 */
export async function planWalk(chain: Chain): Promise<readonly Call[]> {
  const { target, needed, actor, operations, callOf } = chain;
  const calls: Call[] = [];
  for (const need of needed) calls.push(await callOf(need, actor));
  for (const change of changesOf(chain)) calls.push(await callOf(change, actor));
  const call = await callOf(target, actor);
  calls.push(call, call);
  for (const reader of operations.filter((other) => isReaderOf(other, target.segments) && other !== target)) {
    calls.push(await callOf(reader, actor));
  }
  return calls.map((each) => ({ ...each, isLatest: true }));
}

/** Some changes of what the operation needs, in any order. One that deletes comes last, and seldom. */
function changesOf({ target, needed, operations, random }: Chain): readonly Operation[] {
  const kinds = new Set([...needed, target].map(({ segments }) => kindOf(segments)));
  const changes = operations.filter(({ isSafe, segments }) =>
    !isSafe && segments.some((segment) => segment.startsWith(":")) && kinds.has(changedBy(segments)) &&
    !isSamePath(segments, target.segments)
  );
  const deletes = changes.filter(({ method }) => method === "DELETE");
  const others = shuffle(changes.filter(({ method }) => method !== "DELETE"), random).slice(0, CHANGES);
  const last = random.chance(DELETE) ? random.of(deletes) : undefined;
  return last === undefined ? others : [...others, last];
}

/** How many changes a walk has. */
const CHANGES = 4;

/** How probable it is that the last change is a DELETE. */
const DELETE = 0.15;
