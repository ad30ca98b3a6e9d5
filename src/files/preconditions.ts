import { isRead } from "../core/routing/method.ts";
import { type ConditionalRequest, inSeconds, parseDate, requireValidators, type Validators } from "./validators.ts";

/**
 * Why a request must not be carried out: `"not-modified"` for a 304, `"failed"` for a 412.
 */
export type Precondition = "not-modified" | "failed";

/**
 * Evaluates `If-Match`, `If-Unmodified-Since`, `If-None-Match` and `If-Modified-Since` in the order of RFC 9110,
 * section 13.2.2.
 *
 * Call it where the request would otherwise succeed: conditions do not change a 404 or a 403 (13.2.1). Give a 304 the
 * headers `ETag`, `Cache-Control`, `Vary` and `Expires` of the 200 (15.4.5).
 *
 * A QUERY is evaluated as a GET (RFC 10008, 2.6). `If-Match` compares tags strongly, so a weak tag never matches
 * there. `If-None-Match` ignores `W/`. Malformed tags match nothing, and malformed dates are ignored.
 *
 * The version can change after this call. A write must compare the version again: `UPDATE … WHERE version = ?`.
 *
 * @param request The request.
 * @param current The validators of the current version. `undefined` if the resource does not exist, such as before a
 * PUT that creates it; `{}` if it exists and has no validators.
 * @returns Which response to send instead; `undefined` if the handler may continue.
 * @throws A `TypeError` if a validator has the wrong shape.
 *
 * @example A write that must not overwrite what the client has not seen
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { preconditions } from "@fw/core/files";
 * import { assertEquals } from "@std/assert";
 *
 * let note = { text: "Buy milk", version: 1 };
 *
 * const app = setup({
 *   handlers: [
 *     route.put("/note", {
 *       resolve: async ({ request }) => {
 *         if (!request.headers.has("if-match")) return reply(428, { error: "Send If-Match with the ETag" });
 *         if (preconditions(request, { etag: `"${note.version}"` })) return reply(412, { error: "Read it again" });
 *         note = { text: await request.text(), version: note.version + 1 };
 *         return reply(200, note, { headers: { etag: `"${note.version}"` } });
 *       },
 *     }),
 *   ],
 * });
 *
 * const put = (etag: string) => {
 *   const init = { method: "PUT", headers: { "if-match": etag }, body: "Buy bread" };
 *   return app.fetch(new Request("http://localhost/note", init));
 * };
 * assertEquals((await put('"1"')).status, 200);
 * assertEquals((await put('"1"')).status, 412);
 * ```
 *
 * @example A read that sends nothing new
 * ```ts
 * import { reply, route } from "@fw/core";
 * import { preconditions, strongTag } from "@fw/core/files";
 *
 * const books = [{ title: "Emma" }];
 *
 * const listBooks = route.on(["GET", "HEAD"], "/books", {
 *   resolve: async ({ request }) => {
 *     const headers = { etag: await strongTag(JSON.stringify(books)), "cache-control": "no-cache" };
 *     return preconditions(request, { etag: headers.etag }) === undefined
 *       ? reply(200, books, { headers })
 *       : reply(304, undefined, { headers });
 *   },
 * });
 * ```
 */
export function preconditions(request: ConditionalRequest, current: Validators | undefined): Precondition | undefined {
  if (current !== undefined) requireValidators(current, "preconditions");
  return evaluate(request, current);
}

/** Does what {@linkcode preconditions} does, without a check of the validators. */
export function evaluate(
  { method, headers }: ConditionalRequest,
  current: Validators | undefined,
): Precondition | undefined {
  // These select no representation (13.2.1).
  if (/^(CONNECT|OPTIONS|TRACE)$/.test(method)) return undefined;
  const modified = inSeconds(current?.lastModified);
  const match = headers.get("if-match");
  // A comparison with NaN is false: a date that is absent or malformed is ignored.
  const hasFailed = match === null
    ? modified > parseDate(headers.get("if-unmodified-since"))
    : !matches(match, current, (tag) => tag);
  if (hasFailed) return "failed";

  // A conditional QUERY is evaluated as a conditional GET (RFC 10008, 2.6).
  const isReading = isRead(method);
  const noneMatch = headers.get("if-none-match");
  if (noneMatch === null) {
    return isReading && modified <= parseDate(headers.get("if-modified-since")) ? "not-modified" : undefined;
  }
  if (!matches(noneMatch, current, (tag) => tag.replace(/^W\//, ""))) return undefined;
  return isReading ? "not-modified" : "failed";
}

/**
 * Whether a list contains the tag of the current version, or is `*` while there is one. Tags are compared strongly (RFC
 * 9110, 8.8.3.2), after `normalize`: without `W/`, this is the weak comparison.
 */
function matches(list: string, current: Validators | undefined, normalize: (tag: string) => string): boolean {
  if (current === undefined) return false;
  if (list.trim() === "*") return true;
  const etag = normalize(current.etag ?? "W/");
  // Commas may stand within a tag.
  const elements = list.match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return !etag.startsWith("W/") && elements.some((element) => normalize(element.trim()) === etag);
}
