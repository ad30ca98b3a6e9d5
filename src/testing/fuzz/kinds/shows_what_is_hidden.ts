import { headersOf } from "../actors.ts";
import type { Exchange } from "../exchange.ts";
import { mutateText } from "../mutate.ts";
import { isReaderOf } from "../needs.ts";
import type { Operation } from "../operations.ts";
import { isSuccess } from "../run.ts";
import type { KindOfResponse } from "./kind.ts";

/** A path that forgets the check of the path above it. */
export const showsWhatIsHidden: KindOfResponse<"shows what is hidden"> = {
  kind: "shows what is hidden",
  meaning:
    "With `actors`, a GET responds with 200 below a resource, and the GET of the resource itself responds with 404 to the same user. Another user can read the resource.",
  shownBy: "response",
  async judge(exchange) {
    const { operation, actor, prepared, isOk, isOwn, foreign, pasts, run, isForAll } = exchange;
    // What another actor has made is judged by another kind.
    if (isOwn && foreign !== undefined) return undefined;
    const above = isOk && actor !== undefined && operation.method === "GET" ? resourceAbove(exchange) : undefined;
    // Who shares only what is below has said that it is for all.
    if (above === undefined || isForAll(operation) && !isForAll(above.reader)) return undefined;
    // Who has never read a resource there may not have the right to, whatever is below.
    if (pasts.get(above.reader)?.served.has(actor) !== true) return undefined;
    const statusFor = async (name: string | undefined) => {
      const headers = headersOf(run.actors, name);
      const read = { ...prepared, operation: above.reader, actor: name, headers, path: above.path, query: "" };
      return (await run.probe(read)).status;
    };
    if (await statusFor(actor) !== 404) return undefined;
    for (const other of run.actors.keys()) {
      if (other === actor || !isSuccess(await statusFor(other))) continue;
      // What responds to any id says nothing about this one.
      const path = `${above.path.replace(/[^/]+$/, mutateText)}${prepared.path.slice(above.path.length)}`;
      const control = await run.probe({ ...prepared, path });
      if (isSuccess(control.status)) return undefined;
      return {
        what: `shows ${actor} data below ${above.path}. That path itself is a 404 for ${actor}, but not for ${other}`,
      };
    }
    return undefined;
  },
};

/** The closest resource above what a request reads. */
function resourceAbove(
  { operation: { segments, security }, prepared: { path }, operations }: Exchange,
): { readonly reader: Operation; readonly path: string } | undefined {
  for (let count = segments.length - 1; count > 0; count--) {
    const reader = segments[count - 1]?.startsWith(":")
      ? operations.find((other) => isReaderOf(other, segments.slice(0, count)))
      : undefined;
    if (reader === undefined) continue;
    if (security === "none" || reader.security === "none") return undefined;
    return { reader, path: path.split("/").slice(0, count + 1).join("/") };
  }
  return undefined;
}
