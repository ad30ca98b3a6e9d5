import { copyResponse } from "../values/copy_response.ts";

/** The key of the headers in a context. It is a symbol, so that guards and handlers do not see it. */
export const HEADERS: unique symbol = /* @__PURE__ */ Symbol();

/**
 * Merges headers. `Set-Cookie` and `Vary` add up; of any other name the later value wins.
 *
 * @param earlier The earlier headers. They are not changed.
 * @param later The later headers.
 * @returns All headers.
 */
export function mergeHeaders(earlier: Headers | undefined, later: Headers): Headers {
  const merged = new Headers(earlier);
  // The names are in lower case.
  later.forEach((value, name) => merged[/^(set-cookie|vary)$/.test(name) ? "append" : "set"](name, value));
  return merged;
}

/**
 * Adds the headers of guards to a response, as earlier ones than its own: a cookie that the response deletes stays
 * deleted if a guard has renewed it.
 *
 * @param response The response. It is not changed.
 * @param c The context, with the headers, if any guard gave some; absent if no route was found.
 * @returns A copy with the headers; the response itself if there are none, or if its status is 101, which no copy can
 * have.
 */
export function withHeaders(response: Response, c?: { readonly [HEADERS]?: Headers }): Response {
  const added = c?.[HEADERS];
  return added === undefined || response.status === 101
    ? response
    : copyResponse(response, mergeHeaders(added, response.headers));
}
