import { deny, reply } from "@fw/core";
import { ifMatch, ifNoneMatch } from "./etag.ts";

/** The response, or 304 if the client has this version. Declare both: `responses: { 200: …, 304: {} }`. */
export function replyUnlessKnown<Body>({ headers }: Request, etag: string, body: Body) {
  return ifNoneMatch(headers.get("if-none-match"), etag)
    ? reply(200, body, { headers: describeVersion(etag) })
    : reply(304, undefined, { headers: describeVersion(etag) });
}

/**
 * Requires `If-Match` with the tag of the current version: whoever has not seen that version must not overwrite it. The
 * version may still change until you write: compare it again in the statement that writes.
 *
 * @returns `undefined`, or the denial for a guard to return.
 */
export function denyUnlessCurrent({ headers }: Request, etag: string) {
  const condition = headers.get("if-match");
  if (condition === null) return deny(reply(428, { error: "Send If-Match with the ETag" }));
  return ifMatch(condition, etag) ? undefined : deny(replyOutdated());
}

/** The response to a client that would overwrite a version that it has not seen. */
export function replyOutdated() {
  return reply(412, { error: "There is a newer version: read it again" });
}

/** Caches ask each time. Nobody compresses: the ETag would become weak, and `If-Match` compares only strong ones. */
export function describeVersion(etag: string): Record<string, string> {
  return { etag, "cache-control": "no-cache, no-transform" };
}
