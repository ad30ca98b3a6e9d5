/**
 * An HTTP framework for Deno, Bun, Node.js and Cloudflare Workers. It turns declared routes into one fetch handler:
 * `app.fetch(request)`. A route that forgets its guard, its status, its body or its endpoint does not compile.
 *
 * For each request the framework reads the path parameters, the query and the body, and validates them. Guards and
 * handlers decide on the response. The framework sends none of its own, except an empty 404 if no route matches.
 *
 * What an app imports besides: `@fw/core/standard-schema` to validate with Zod, Valibot or ArkType, `@fw/core/client` for
 * a typed client, `@fw/core/openapi` for the document, `@fw/core/events` for server-sent events, `@fw/core/body` for forms
 * and uploads, `@fw/core/hooks` for CORS, logs and headers, `@fw/core/session` for sessions and CSRF,
 * `@fw/core/rate-limit`, `@fw/core/telemetry`, `@fw/core/testing` and `@fw/core/lint`.
 *
 * @example An app, held to its endpoints
 * ```ts
 * // app.ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { z } from "zod";
 *
 * const book = z.object({ id: z.string(), title: z.string() });
 * export const api = {
 *   showBook: endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: {} } }),
 * };
 * const rows = [{ id: "1", title: "Emma", price: 9 }];
 *
 * const showBook = route.on(api.showBook, {
 *   resolve: (c) => {
 *     const row = rows.find(({ id }) => id === c.raw.params.id);
 *     return row ? reply(200, { id: row.id, title: row.title }) : reply(404);
 *   },
 * });
 *
 * export default setup({ endpoints: api, handlers: [showBook] });
 * ```
 *
 * @example A request without a server
 * ```ts
 * import { allow, type Context, deny, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const signedIn = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "Ada" })
 *     : deny(new Response("Who are you?", { status: 401 }));
 *
 * const app = setup({
 *   handlers: [
 *     route.get("/hello/:place", {
 *       guards: [signedIn],
 *       resolve: (c) => new Response(`${c.locals.user} greets ${c.raw.params.place}`),
 *     }),
 *   ],
 * });
 *
 * const url = "http://localhost/hello/world";
 * const greeting = await app.fetch(new Request(url, { headers: { authorization: "Bearer ada" } }));
 * assertEquals(await greeting.text(), "Ada greets world");
 *
 * const denied = await app.fetch(new Request(url));
 * assertEquals(denied.status, 401);
 * ```
 *
 * @module
 */

export { endpoint } from "./src/core/declare/endpoint.ts";
export { route } from "./src/core/declare/route.ts";
export { every } from "./src/core/guards/every.ts";
export { allow, beforeBody, deny, denyInvalid } from "./src/core/guards/guard.ts";
export { reply } from "./src/core/responses/reply.ts";
export { replyAs } from "./src/core/responses/reply_as.ts";
export { setup } from "./src/core/setup.ts";

export type { AnyHandler, AnyRoute, Route } from "./src/core/declare/declared_route.ts";
export type { RouteDocs, SecurityRequirement } from "./src/core/declare/docs.ts";
export type {
  DeclareEndpoint,
  DeclareEndpointOn,
  EndpointFactory,
  EndpointOptions,
  EndpointScopeOptions,
  OptionsOfEndpoint,
  OptionsOfEndpointScope,
  ScopeEndpoints,
} from "./src/core/declare/endpoint.ts";
export type { DeclareOn, DeclareRoute, RouteFactory, ScopeRoutes } from "./src/core/declare/route.ts";
export type {
  ImplementOptions,
  OptionsOfImplementation,
  OptionsOfRoute,
  RouteOptions,
} from "./src/core/declare/route_options.ts";
export type { RootScope, Scope } from "./src/core/declare/route_scope.ts";
export type { Unconditional } from "./src/core/declare/scope.ts";
export type { OptionsOfScope, ScopeOptions } from "./src/core/declare/scope_options.ts";
export type { Converted, Endpoint, EndpointTypes, TypedEndpoint } from "./src/core/declare/typed_endpoint.ts";
export type { EveryGuard } from "./src/core/guards/every.ts";
export type { Context, HookContext, NoLocals, Stage } from "./src/core/guards/context.ts";
export type {
  Allow,
  AllowInit,
  AnyGuard,
  BeforeBody,
  Deny,
  GuardFn,
  GuardResult,
  UntypedResponse,
  ValidInputGuard,
} from "./src/core/guards/guard.ts";
export type { InlineGuard } from "./src/core/guards/guard_list.ts";
export type { BodyIssue } from "./src/core/input/body.ts";
export type { BodyReader, BodyReaderResult } from "./src/core/input/body_reader.ts";
export type {
  AnyInput,
  InferOutput,
  Input,
  InvalidInput,
  InvalidInputUntil,
  RawCookies,
  RawHeaders,
  RawInput,
  RawQuery,
  TypePredicate,
  ValidationIssue,
  ValidInput,
} from "./src/core/input/input.ts";
export type { PossibleSchemas } from "./src/core/input/possible_schemas.ts";
export type { JoinedSchema } from "./src/core/input/scope_schemas.ts";
export type { InputPart, NoSchemas, RequestSchemas, ScopeSchemas } from "./src/core/input/request_schemas.ts";
export type { ValidationResult, Validator } from "./src/core/input/validator.ts";
export type { OwnAnswer, OwnAnswerWith, SentAlone } from "./src/core/responses/reply_arguments.ts";
export type { ReplyAs, ReplyAsInit } from "./src/core/responses/reply_as.ts";
export type {
  Answer,
  AnyAnswer,
  AsItIs,
  AsJson,
  HeaderValue,
  InferredInit,
  MustReturn,
  Replied,
  Reply,
  ReplyHeaders,
  ReplyInit,
  SentAs,
  SentAsOneOf,
} from "./src/core/responses/reply_type.ts";
export type {
  BodilessResponse,
  DeclaredStream,
  EventsBody,
  LinesBody,
  ReceivedStream,
  ResponseHeader,
  RouteResponse,
  RouteResponses,
} from "./src/core/responses/responses.ts";
export type { MatchedRoute } from "./src/core/routing/matched_route.ts";
export type { PathParams, RawParams } from "./src/core/routing/pattern.ts";
export type { App, ServedRoute } from "./src/core/setup.ts";
export type { OnErrorArgs, OnRequestArgs, OnResponseArgs, SetupOptions } from "./src/core/setup_options.ts";
