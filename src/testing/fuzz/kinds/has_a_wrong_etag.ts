import type { Exchange } from "../exchange.ts";
import { placeOf, readerOf } from "../reader.ts";
import { keyOfShown } from "../shown.ts";
import type { Found, KindOfResponse } from "./kind.ts";

/** A version that does not say what it is the version of. */
export const hasAWrongEtag: KindOfResponse<"has a wrong ETag"> = {
  kind: "has a wrong ETag",
  meaning:
    "Two different responses to the same GET have the same strong `ETag`, or a PUT or PATCH responds with another `ETag` than the next GET, whose body is the same.",
  shownBy: "response",
  async judge(exchange) {
    const { operation: { method }, result: { status, headers, json } } = exchange;
    const etag = headers.get("etag");
    if (etag === null || json === undefined || status < 200 || status > 299) return undefined;
    if (method === "GET") return sameForAnother(exchange, etag);
    return method === "PUT" || method === "PATCH" ? await otherForSame(exchange, etag) : undefined;
  },
};

function sameForAnother({ prepared, result, shown }: Exchange, etag: string): Found | undefined {
  const earlier = shown.get(keyOfShown(prepared));
  if (earlier === undefined || earlier.etag !== etag || etag.startsWith("W/") || earlier.text === result.text) {
    return undefined;
  }
  return { what: `has another body than before, but the same ETag ${etag}` };
}

async function otherForSame(
  { operations, prepared, result, run }: Exchange,
  etag: string,
): Promise<Found | undefined> {
  const reader = prepared.signed.length > 0 ? undefined : readerOf(prepared, placeOf(prepared, result), operations);
  if (reader === undefined) return undefined;
  const read = await run.probe(reader);
  const next = read.headers.get("etag");
  if (next === null || bare(next) === bare(etag) || JSON.stringify(read.json) !== JSON.stringify(result.json)) {
    return undefined;
  }
  // A version that is another one each time says nothing.
  const again = await run.probe(reader);
  if (again.headers.get("etag") !== next) return undefined;
  return {
    what: `responds with ETag ${etag}, but the next GET with ${next}, though the body is the same`,
    key: "other ETag",
  };
}

/** An entity tag without the mark of weak ones. */
function bare(etag: string): string {
  return etag.replace(/^W\//, "");
}
