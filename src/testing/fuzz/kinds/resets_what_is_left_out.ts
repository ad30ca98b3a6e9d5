import type { Exchange } from "../exchange.ts";
import type { Operation } from "../operations.ts";
import type { Prepared } from "../prepare.ts";
import { readerOf } from "../reader.ts";
import { isSuccess, type Run } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A change of what the request does not mention. */
export const resetsWhatIsLeftOut: KindOfResponse<"resets what is left out"> = {
  kind: "resets what is left out",
  meaning: "A PATCH with the body `{}` changes a property, though it mentions none.",
  shownBy: "response",
  async judge({ operation: { parts }, isOk, result, before, run }) {
    if (!isOk || before === undefined) return undefined;
    const was: { readonly [name: string]: unknown } = Object(before.result.json);
    const shown: { readonly [name: string]: unknown } = Object(result.json);
    const names = parts.filter(({ name }) => name === "body").flatMap(({ optional }) => [...optional])
      .filter((name) => Object.hasOwn(was, name) && !MOVED.test(name));
    if (names.length === 0) return undefined;
    const isShown = names.every((name) => Object.hasOwn(shown, name));
    const is = isShown ? shown : Object((await run.probe(before.reader)).json);
    const changed = names.find((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
    if (changed === undefined) return undefined;
    const [from, to] = [was[changed], is[changed]].map((value) => String(JSON.stringify(value)).slice(0, 60));
    return { what: `changes ${changed} from ${from} to ${to}, though the body is {}`, key: `resets ${changed}` };
  },
};

/** Names of what the server changes with each request. */
const MOVED = /^(?:version|revision|etag|(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|by))?)$/i;

/** The body of a request that changes nothing. */
const EMPTY = "{}";

/**
 * Reads a thing before a PATCH that changes nothing.
 *
 * @param prepared The PATCH, or another request.
 * @param operations All operations.
 * @param run The run.
 * @returns The request that reads it, and its response; `undefined` for another request, and for what cannot be read.
 */
export async function readBefore(
  prepared: Prepared,
  operations: readonly Operation[],
  run: Run,
): Promise<Exchange["before"]> {
  const isEmptyPatch = prepared.operation.method === "PATCH" && prepared.body === EMPTY;
  const reader = isEmptyPatch ? readerOf(prepared, prepared.path, operations) : undefined;
  if (reader === undefined) return undefined;
  const result = await run.probe(reader);
  return isSuccess(result.status) ? { reader, result } : undefined;
}
