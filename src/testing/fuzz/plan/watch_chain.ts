import { needsOf } from "../needs.ts";
import type { Operation } from "../operations.ts";
import { kindsOf, type Ways } from "../pool.ts";
import { shuffle } from "../random.ts";
import type { Call } from "./call.ts";
import type { Chain } from "./chain.ts";

/**
 * Plans a stream, and changes of what it may show while it is open.
 *
 * @param chain What the calls are planned with.
 * @param ways What leads from a response to a request.
 * @returns The calls.
 */
export async function planWatch(chain: Chain, ways: Ways): Promise<readonly Call[]> {
  const { target, needed: makers, actor, operations, callOf } = chain;
  const changes = changesOf(chain);
  const needed = new Set([...makers, ...changes.flatMap((each) => needsOf(each, operations, ways))]);
  const calls: Call[] = [];
  for (const need of needed) if (need !== target) calls.push(await callOf(need, actor));
  calls.push({ ...await callOf(target, actor), staysOpen: true });
  for (const change of changes) calls.push(await callOf(change, actor));
  return calls.map((call) => ({ ...call, isLatest: true }));
}

/** Some changes of what a stream may show; of anything, if none is of its kinds. Those that delete come last. */
function changesOf({ target, needed, operations, random }: Chain): readonly Operation[] {
  const kinds = kindsOf(target);
  // What makes another thing changes nothing of this one.
  const changes = operations.filter((other) => !other.isSafe && !needed.includes(other));
  const near = changes.filter((other) => kindsOf(other).some((kind) => kinds.includes(kind)));
  const chosen = shuffle(near.length > 0 ? near : changes, random).slice(0, CHANGES);
  // What is gone does not change any more.
  return chosen.toSorted((one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"));
}

/** How many requests are sent while a stream is open. */
const CHANGES = 3;
