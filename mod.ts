/**
 * Turns declared routes into one fetch handler, the same on Deno, Bun, Node.js and Workers.
 *
 * For each request the framework reads the path parameters, the query and the body, and validates them. Guards and handlers
 * decide on the response. The framework sends none of its own, except an empty 404 if no route matches.
 *
 * @example A typed route behind a guard
 * ```ts
 * import { allow, type Context, deny, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "Ada" })
 *     : deny(new Response("Who are you?", { status: 401 }));
 *
 * const app = setup({
 *   handlers: [
 *     route.get("/hello/:place", {
 *       guards: [authenticated],
 *       resolve: (c) =>
 *         new Response(`${c.locals.user} greets ${c.raw.params.place}`),
 *     }),
 *   ],
 * });
 *
 * const url = "http://localhost/hello/world";
 * const headers = { authorization: "Bearer ada" };
 * const greeting = await app.fetch(new Request(url, { headers }));
 * assertEquals(await greeting.text(), "Ada greets world");
 *
 * const denied = await app.fetch(new Request(url));
 * assertEquals(denied.status, 401);
 * ```
 *
 * @module
 */

export { endpoint } from "./src/endpoint.ts";
export { allow, beforeBody, deny, denyInvalid } from "./src/guard.ts";
export { reply } from "./src/reply.ts";
export { route } from "./src/route.ts";
export { setup } from "./src/setup.ts";

export type { App } from "./src/app.ts";
export type { BodyIssue } from "./src/body.ts";
export type { BodyReader, BodyReaderResult } from "./src/body_reader.ts";
export type { Context, HookContext, MatchedRoute, NoLocals, Stage } from "./src/context.ts";
export type { AnyRoute, Route } from "./src/declared_route.ts";
export type { ResponseHeader, RouteDocs, RouteResponse, RouteResponses, SecurityRequirement } from "./src/docs.ts";
export type { EndpointFactory, EndpointOptions, EndpointScopeOptions } from "./src/endpoint_factory.ts";
export type { Allow, BeforeBody, Deny, GuardFn, GuardResult, ValidInputGuard } from "./src/guard_fn.ts";
export type {
  AnyInput,
  InferOutput,
  Input,
  InputPart,
  InvalidInput,
  RawCookies,
  RawHeaders,
  RawInput,
  RawQuery,
  RequestSchemas,
  ValidationIssue,
  ValidInput,
} from "./src/input.ts";
export type { PathParams, RawParams } from "./src/path_params.ts";
export type { Answer, Reply } from "./src/reply.ts";
export type { ImplementOptions, RouteFactory, RouteOptions, ScopeOptions } from "./src/route_factory.ts";
export type { OnErrorArgs, OnRequestArgs, OnResponseArgs, SetupOptions } from "./src/setup_options.ts";
export type { Converted, Endpoint, TypedEndpoint } from "./src/typed_endpoint.ts";
export type { ValidationResult, Validator } from "./src/validator.ts";
