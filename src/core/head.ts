import { andThen } from "./values/maybe_promise.ts";
import { isResponse } from "./values/assert.ts";

/** @internal A handler whose types are not known. */
export type UntypedHandler = (c: { readonly request: Request }, ...extra: readonly unknown[]) => unknown;

/**
 * Drops the body of each response to HEAD. Deno and Node.js read that body to its end, although they do not send it: a
 * stream would run for nobody, and without end.
 *
 * @param resolve The handler.
 * @returns A handler whose responses to HEAD have no body.
 */
export function withoutBodyForHead(resolve: UntypedHandler): UntypedHandler {
  return (c, ...extra) =>
    andThen(
      resolve(c, ...extra),
      (response) => c.request.method === "HEAD" && isResponse(response) ? new Response(null, response) : response,
    );
}
