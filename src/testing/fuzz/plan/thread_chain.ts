import { kindOf } from "../names.ts";
import { kindsOfThread } from "../threads.ts";
import type { Call } from "./call.ts";
import type { Chain } from "./chain.ts";

/**
 * Plans things that refer to each other, each to the one before, and what shows them.
 *
 * @param chain What the calls are planned with.
 * @param names The names of the parameters and the properties that refer to the thing before.
 * @returns The calls.
 */
export async function planThread(
  { target, needed, actor, operations, callOf, random }: Chain,
  names: ReadonlySet<string>,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for (const need of needed) calls.push(await callOf(need, actor));
  for (let depth = 0; depth < DEPTH; depth++) {
    calls.push(await callOf(target, actor, { thread: { names, isFirst: depth === 0 } }));
  }
  const kinds = kindsOfThread(target, names);
  const about = operations.filter(({ segments }) => kinds.has(kindOf(segments)));
  const removal = random.chance(REMOVAL) ? random.of(about.filter(({ method }) => method === "DELETE")) : undefined;
  if (removal !== undefined) calls.push(await callOf(removal, actor));
  const shown = new Set([...kinds, ...needed.map(({ segments }) => kindOf(segments))]);
  const readers = operations.filter(({ method, segments }) => method === "GET" && shown.has(kindOf(segments)));
  for (const reader of readers) calls.push(await callOf(reader, actor));
  // Any thing of the thread may be the one that is removed.
  return calls.map((call) => ({ ...call, isLatest: call.operation !== removal }));
}

/** How many things a thread has. */
const DEPTH = 4;

/** How probable it is that one of the things is removed before they are shown. */
const REMOVAL = 0.3;
