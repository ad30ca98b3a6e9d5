/**
 * Turns declared routes into one fetch handler, the same on Deno, Bun, Node.js and Workers.
 *
 * For each request the framework reads the path parameters, the query and the body, and validates them. Guards and
 * handlers decide on the response. The framework sends none of its own, except an empty 404 if no route matches.
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

export { endpoint } from "./src/declare/endpoint.ts";
export { route } from "./src/declare/route.ts";
export { allow, beforeBody, deny, denyInvalid } from "./src/guards/guard.ts";
export { reply } from "./src/responses/reply.ts";
export { replyAs } from "./src/responses/reply_as.ts";
export { setup } from "./src/setup.ts";

export type { AnyRoute, Route } from "./src/declare/declared_route.ts";
export type { RouteDocs, SecurityRequirement } from "./src/declare/docs.ts";
export type { EndpointFactory, EndpointOptions, EndpointScopeOptions } from "./src/declare/endpoint.ts";
export type { RouteFactory } from "./src/declare/route.ts";
export type { ImplementOptions, RouteOptions, ScopeOptions } from "./src/declare/route_options.ts";
export type { Converted, Endpoint, TypedEndpoint } from "./src/declare/typed_endpoint.ts";
export type { Context, HookContext, NoLocals, Stage } from "./src/guards/context.ts";
export type { Allow, AllowInit, BeforeBody, Deny, GuardFn, GuardResult, ValidInputGuard } from "./src/guards/guard.ts";
export type { BodyIssue } from "./src/input/body.ts";
export type { BodyReader, BodyReaderResult } from "./src/input/body_reader.ts";
export type {
  AnyInput,
  InferOutput,
  Input,
  InvalidInput,
  RawCookies,
  RawHeaders,
  RawInput,
  RawQuery,
  ValidationIssue,
  ValidInput,
} from "./src/input/input.ts";
export type { InputPart, RequestSchemas } from "./src/input/request_schemas.ts";
export type { ValidationResult, Validator } from "./src/input/validator.ts";
export type { ReplyAs, ReplyAsInit } from "./src/responses/reply_as.ts";
export type {
  Answer,
  AnyAnswer,
  AsItIs,
  AsJson,
  HeaderValue,
  Reply,
  ReplyHeaders,
  ReplyInit,
  SentAs,
} from "./src/responses/reply_type.ts";
export type {
  DeclaredStream,
  ReceivedStream,
  ResponseHeader,
  RouteResponse,
  RouteResponses,
} from "./src/responses/responses.ts";
export type { MatchedRoute } from "./src/routing/matched_route.ts";
export type { PathParams, RawParams } from "./src/routing/pattern.ts";
export type { App } from "./src/setup.ts";
export type { OnErrorArgs, OnRequestArgs, OnResponseArgs, SetupOptions } from "./src/setup_options.ts";
