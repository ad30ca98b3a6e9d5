import { kindOf } from "../names.ts";
import { isReaderOf } from "../needs.ts";
import type { Operation } from "../operations.ts";
import type { Call } from "./call.ts";
import type { UsualChain } from "./chain.ts";

/**
 * Plans what follows the call of an operation: the same call of the owner, further calls, and calls that read.
 *
 * @param chain What the calls are planned with.
 * @param call The call of the operation.
 * @param length How many calls the chain has so far.
 * @returns The calls.
 */
export async function callsAfter(
  chain: UsualChain,
  call: Call,
  length: number,
): Promise<readonly Call[]> {
  const calls = [
    ...sameOfOwner(chain, call),
    ...await fullAndEmptyChange(chain),
    ...await heapOf(chain),
  ];
  return [
    ...calls,
    ...await repeatsOf(chain, call, length + calls.length),
    ...await readsAfter(chain),
  ];
}

/** The owner sends the same request as another actor: the response may differ. */
function sameOfOwner({ visit, actor, sender }: UsualChain, call: Call): readonly Call[] {
  return visit.isHistory && sender !== actor ? [{ ...call, actor, chooser: actor }] : [];
}

/** Changes all properties, and then none: the second request must leave the values of the first. */
async function fullAndEmptyChange(
  { target, somebody, operations, callOf, random }: UsualChain,
): Promise<readonly Call[]> {
  if (!isPartial(target) || !random.chance(FULL_AND_EMPTY)) return [];
  const calls: Call[] = [];
  const reader = target.takesVersion ? operations.find((other) => isReaderOf(other, target.segments)) : undefined;
  for (const replaced of [{}, { body: {} }]) {
    if (reader !== undefined) calls.push({ ...await callOf(reader, somebody), isLatest: true });
    const full = await callOf(target, somebody, { edge: "most" });
    calls.push({ ...full, values: { ...full.values, ...replaced }, isLatest: true });
  }
  return calls;
}

/** Whether a PATCH may leave out all of its properties. */
function isPartial({ method, parts }: Operation): boolean {
  return method === "PATCH" &&
    parts.some(({ name, properties, optional }) =>
      name === "body" && optional.size > 0 && optional.size === Object.keys(properties).length
    );
}

/** Makes many things that belong together: there may be a limit. */
async function heapOf({ target, visit, actor, callOf }: UsualChain): Promise<readonly Call[]> {
  const calls: Call[] = [];
  while (visit.purpose === "heap" && calls.length < HEAP) calls.push(await callOf(target, actor));
  return calls;
}

/** Sends the operation again: with the same values, which may be taken, or with others, which may be one too many. */
async function repeatsOf(
  { target, sender, callOf, random }: UsualChain,
  call: Call,
  length: number,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  let probability = length < 2 ? REPEAT_ALONE : REPEAT;
  while (random.chance(probability) && length + calls.length < MOST_CALLS) {
    const again = random.chance(SAME_VALUES) ? call : { ...await callOf(target, sender), seed: call.seed };
    calls.push(random.chance(SAME_SEED) ? again : { ...again, seed: call.seed + 1 });
    probability = REPEAT_AGAIN;
  }
  return calls;
}

/** Reads the thing that the operation has changed, and one of those that it needs. */
async function readsAfter(
  { target, needed, sender, operations, callOf, random }: UsualChain,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  if (target.method === "GET" || target.method !== "DELETE" && !random.chance(READS)) return calls;
  const paths = [target.segments, target.segments.slice(0, -1)];
  const readers = operations.filter((other) => paths.some((path) => isReaderOf(other, path)));
  const kinds = needed.map(({ segments }) => kindOf(segments));
  const others = operations.filter(({ method, segments }) =>
    method === "GET" && kinds.includes(kindOf(segments)) && !readers.some((reader) => reader.segments === segments)
  );
  const other = random.of(others);
  for (const reader of other === undefined ? readers : [...readers, other]) calls.push(await callOf(reader, sender));
  return calls;
}

/** How many further calls a heap has. */
const HEAP = 4;

/** The operation is not sent again if the chain has this many calls. */
const MOST_CALLS = 8;

/** How probable it is that a PATCH changes everything, and then nothing. */
const FULL_AND_EMPTY = 0.3;

/** How probable it is that the operation is sent again: if it is alone, if it is not, and after it was sent again. */
const REPEAT_ALONE = 0.1;
const REPEAT = 0.25;
const REPEAT_AGAIN = 0.4;

/** How probable it is that it has the same values then, and that it takes the same from earlier responses. */
const SAME_VALUES = 0.5;
const SAME_SEED = 0.5;

/** How probable it is that reads follow. After a DELETE, they always do; after a GET, never. */
const READS = 0.3;
