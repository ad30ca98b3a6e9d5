/**
 * What most apps do in the hooks of `setup`, as concerns that {@linkcode compose} puts together: an id for each
 * request, an access log, CORS, security headers, 404 and 405 in the app's own format, and `Server-Timing`. Also
 * {@linkcode withHead}, which lets routes for GET respond to HEAD.
 *
 * Nothing is decided by default: a policy is an argument, and a mistake in it throws where it is made.
 *
 * @example The hooks of an app
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { accessLog, compose, cors, requestId, securityHeaders, unmatched, withHead } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const policy = cors({ origins: ["https://app.example.com"], maxAge: 600 });
 * const routes = [route.get("/books", { resolve: () => reply(200, ["Emma"]) })];
 *
 * const app = setup({
 *   handlers: policy.preflights(withHead(routes)),
 *   ...compose(
 *     requestId(),
 *     accessLog({ log: (entry) => console.log(JSON.stringify(entry)) }),
 *     policy,
 *     securityHeaders({ "x-content-type-options": "nosniff" }),
 *     unmatched({
 *       notFound: () => reply(404, { error: "Not found" }),
 *       methodNotAllowed: () => reply(405, { error: "Method not allowed" }),
 *     }),
 *   ),
 *   onError: () => reply(500, { error: "Internal server error" }),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/books", { method: "PUT" }));
 * assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
 * ```
 *
 * @module
 */

export type { MadeByCompose } from "../core/composed.ts";
export { accessLog, type AccessLogConcern, type AccessLogEntry, type AccessLogOptions } from "./access_log.ts";
export { type AddedBy, compose, type Concern, type ExtraOf, type Hooks, type SetHeaders } from "./compose.ts";
export {
  cors,
  type CorsHeaders,
  type CorsOfAny,
  type CorsOfFunction,
  type CorsOfOrigins,
  type CorsOptions,
  type CorsPolicy,
  type PreflightRoute,
} from "./cors.ts";
export { requestId, type RequestIdConcern, type RequestIdOptions } from "./request_id.ts";
export {
  type SecurityHeaderName,
  type SecurityHeaders,
  securityHeaders,
  type SecurityHeadersConcern,
} from "./security_headers.ts";
export { serverTiming, type ServerTimingConcern, type ServerTimingOptions } from "./server_timing.ts";
export { unmatched, type UnmatchedConcern, type UnmatchedOptions } from "./unmatched.ts";
export { withHead } from "./with_head.ts";
