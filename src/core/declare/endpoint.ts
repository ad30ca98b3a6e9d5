import type { NoLocals } from "../guards/context.ts";
import type { NeedBoth } from "../guards/guard_list.ts";
import type { PossibleSchemas } from "../input/possible_schemas.ts";
import type { JoinRequests } from "../input/scope_schemas.ts";
import type { BodyFor, NoSchemas, RequestSchemas, SchemasWith, ScopeSchemas } from "../input/request_schemas.ts";
import type { CheckResponses } from "../responses/check_responses.ts";
import type { MergeResponses, ResponsesFor, RouteResponses } from "../responses/responses.ts";
import { describeRoute, requireOptions } from "../values/assert.ts";
import type { RouteDocs } from "./docs.ts";
import type { Demand, Present } from "./route_scope.ts";
import {
  type CheckedPrefix,
  createFactory,
  declareIn,
  joinPaths,
  type PathFault,
  type PathMessages,
  type PrefixKey,
  type RequestKey,
  type ScopeDefaults,
  type Unconditional,
} from "./scope.ts";
import type { Endpoint, TypedEndpointOf } from "./typed_endpoint.ts";

/**
 * Declares endpoints: the part of routes that clients see. An endpoint is plain data without a handler, so a server,
 * its clients and its document can share a file of endpoints. `route.on(endpoint, { resolve })` adds guards and a
 * handler.
 *
 * @example An endpoint, and the route that implements it
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const showBook = endpoint.get("/books/:id", {
 *   responses: { 200: { schema: z.object({ id: z.string() }) } },
 * });
 *
 * const app = setup({
 *   handlers: [
 *     route.on(showBook, { resolve: (c) => reply(200, { id: c.raw.params.id }) }),
 *   ],
 * });
 * const response = await app.fetch(new Request("http://localhost/books/emma"));
 * assertEquals(await response.json(), { id: "emma" });
 * ```
 *
 * @example A scope of endpoints: a prefix, and responses that each of them has
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const v1 = endpoint.with({ prefix: "/v1", responses: { 401: { description: "Sign in first" } } });
 * const deleteBook = v1.delete("/books/:id", { responses: { 204: {} } });
 * assertEquals(deleteBook.path, "/v1/books/:id");
 * ```
 */
export const endpoint: EndpointFactory = /* @__PURE__ */ createFactory("endpoint", [], declare) as EndpointFactory;

/**
 * Declares endpoints. `with` makes a scope, which adds a prefix, responses or docs to its endpoints.
 *
 * `get` and the other methods take a path pattern and the {@linkcode EndpointOptions}. They throw a `TypeError` if an
 * option is unknown, or if a schema or `responses` is `undefined`.
 *
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Defaults The responses of the scope; `never` if it has none.
 * @typeParam Needs The locals that routes of the endpoints need.
 * @typeParam Request The schemas of the scope; `never` if it has none.
 */
export interface EndpointFactory<
  in out Prefix extends string = "",
  in out Defaults extends object = never,
  in out Needs extends object = NoLocals,
  in out Request extends object = never,
> {
  /** Declares an endpoint for GET. */
  readonly get: DeclareEndpoint<Prefix, Defaults, "GET", Needs, Request>;
  /** Declares an endpoint for POST. */
  readonly post: DeclareEndpoint<Prefix, Defaults, "POST", Needs, Request>;
  /** Declares an endpoint for PUT. */
  readonly put: DeclareEndpoint<Prefix, Defaults, "PUT", Needs, Request>;
  /** Declares an endpoint for PATCH. */
  readonly patch: DeclareEndpoint<Prefix, Defaults, "PATCH", Needs, Request>;
  /** Declares an endpoint for DELETE. */
  readonly delete: DeclareEndpoint<Prefix, Defaults, "DELETE", Needs, Request>;
  /** Declares an endpoint for HEAD. */
  readonly head: DeclareEndpoint<Prefix, Defaults, "HEAD", Needs, Request>;
  /** Declares an endpoint for OPTIONS. */
  readonly options: DeclareEndpoint<Prefix, Defaults, "OPTIONS", Needs, Request>;
  /** Declares an endpoint for QUERY (RFC 10008): it changes nothing, as GET, and its requests have a body. */
  readonly query: DeclareEndpoint<Prefix, Defaults, "QUERY", Needs, Request>;
  /** Declares an endpoint for every method. */
  readonly all: DeclareEndpoint<Prefix, Defaults, "ALL", Needs, Request>;
  /** Declares an endpoint for any method, or for several: `endpoint.on(["GET", "HEAD"], "/books")`. */
  readonly on: DeclareEndpointOn<Prefix, Defaults, Needs, Request>;
  /**
   * Makes a scope of endpoints: `endpoint.with({ prefix: "/v1" })`. Also demands locals of their routes:
   * `endpoint.with<{ user: unknown }>()`.
   */
  readonly with: ScopeEndpoints<Prefix, Defaults, Needs, Request>;
}

/**
 * Declares an endpoint for any method, or for several: `endpoint.on`.
 *
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Defaults The responses of the scope; `never` if it has none.
 * @typeParam Needs The locals that routes of the endpoint need.
 */
export interface DeclareEndpointOn<
  in out Prefix extends string,
  in out Defaults extends object,
  in out Needs extends object,
  in out Request extends object = never,
> {
  /**
   * @param method The method or methods, in capital letters.
   * @param path The pattern.
   * @param options Schemas, responses and docs.
   * @returns The endpoint.
   * @throws A `TypeError` if an option is unknown, or if a schema or `responses` is `undefined`.
   */
  <
    const Method extends string | readonly string[],
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Responses extends ResponsesFor<Method> = never,
  >(
    method: Method,
    path: Path & PathMessages[PathFault<{ readonly prefix: Prefix }, Path>],
    options?: EndpointOptions<Schemas, Responses, Prefix, Path, Request>,
  ): TypedEndpointOf<Method, `${Prefix}${Path}`, JoinRequests<Request, Schemas>, Defaults, Responses> & Demand<Needs>;
}

/**
 * Makes a scope of endpoints: `endpoint.with`.
 *
 * @typeParam Prefix The prefix of the enclosing scope.
 * @typeParam Defaults The responses of the enclosing scope; `never` if it has none.
 * @typeParam Needs The locals that routes of the endpoints need.
 * @typeParam Request The schemas of the scope; `never` if it has none.
 */
export interface ScopeEndpoints<
  in out Prefix extends string,
  in out Defaults extends object,
  in out Needs extends object,
  in out Request extends object = never,
> {
  /**
   * Makes a scope whose endpoints need these locals. A route that implements one of them must have a guard that adds
   * them, also if its handler reads none, or stand in a scope that says that `onRequest` returns them. Otherwise
   * `route.on` does not compile. `unknown` is any value but `undefined` and `null`. With such a scope, a route cannot
   * forget the guard for the credentials that `docs.security` documents. Clients and documents do not see the locals.
   * The prefix and the responses of the scope follow in a second call: `endpoint.with<Locals>().with({ prefix })`.
   *
   * @typeParam Locals The locals, such as `{ user: unknown }`.
   * @returns The scope.
   *
   * @example A route without the guard that its endpoint documents does not compile
   * ```ts
   * import { allow, type Context, deny, endpoint, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const member = endpoint.with<{ user: unknown }>().with({ prefix: "/v1", docs: { security: [{ token: [] }] } });
   * const signOut = member.post("/sign-out");
   *
   * const authenticated = (c: Context) =>
   *   c.request.headers.has("authorization") ? allow({ user: "ada" }) : deny(new Response(null, { status: 401 }));
   *
   * // Without the guard, the compiler says: The endpoint demands the local "user"
   * const app = setup({
   *   handlers: [
   *     route.on(signOut, { guards: [authenticated], resolve: () => new Response(null, { status: 204 }) }),
   *   ],
   * });
   * const stranger = new Request("http://localhost/v1/sign-out", { method: "POST" });
   * assertEquals((await app.fetch(stranger)).status, 401);
   * ```
   */
  <Locals extends object>(
    this: string extends keyof Locals ? "Name the locals that routes need: with any key, no local would be required"
      : unknown,
  ): EndpointFactory<Prefix, Defaults, NeedBoth<Needs, Present<Locals>>, Request>;
  /**
   * Makes a scope. The prefix of the scope is put before the path of each endpoint. Each endpoint also has the schemas
   * and the responses of the scope. The docs of the scope are defaults.
   *
   * @param scope Prefix, schemas, responses and docs. The prefix must begin with a slash and must not end with one.
   * @returns The scope.
   * @throws A `TypeError` if an option is unknown, if the prefix begins or ends otherwise, or if `responses` is
   * `undefined`.
   */
  <
    const Own extends string = "",
    const Responses extends RouteResponses = never,
    const Schemas extends ScopeSchemas = never,
  >(
    scope: EndpointScopeOptions<Own, Responses, Schemas, Prefix, Request>,
  ): EndpointFactory<`${Prefix}${Own}`, MergeResponses<Defaults, Responses>, Needs, JoinRequests<Request, Schemas>>;
}

/**
 * Declares an endpoint for one method: `endpoint.get("/books/:id", { responses })`.
 *
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Defaults The responses of the scope; `never` if it has none.
 * @typeParam Method The method.
 * @typeParam Needs The locals that routes of the endpoint need.
 */
export interface DeclareEndpoint<
  in out Prefix extends string,
  in out Defaults extends object,
  Method extends string,
  in out Needs extends object,
  in out Request extends object = never,
> {
  /**
   * @param path The pattern: literal segments, `:name` for one non-empty segment, `:name+` for one or more, a final
   * `*` for the rest.
   * @param options Schemas, responses and docs.
   * @returns The endpoint, for `route.on` and `openapi`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `responses` is `undefined`.
   */
  <
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Responses extends ResponsesFor<Method> = never,
  >(
    path: Path & PathMessages[PathFault<{ readonly prefix: Prefix }, Path>],
    options?: EndpointOptions<Schemas, Responses, Prefix, Path, Request>,
  ): TypedEndpointOf<Method, `${Prefix}${Path}`, JoinRequests<Request, Schemas>, Defaults, Responses> & Demand<Needs>;
}

/**
 * The options of an endpoint.
 *
 * @typeParam Schemas The schemas.
 * @typeParam Responses The responses.
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Path The path pattern, without the prefix.
 * @typeParam Request The schemas of the scope; `never` if it has none.
 */
export type EndpointOptions<
  Schemas extends RequestSchemas = NoSchemas,
  Responses extends RouteResponses = never,
  Prefix extends string = "",
  Path extends string = string,
  Request extends object = never,
> =
  & OptionsOfEndpoint<Schemas, Responses, Prefix, Path, Request>
  & Unconditional<RequestKey<Schemas>>;

/**
 * The options of an endpoint, each of which may be absent. {@linkcode EndpointOptions} also says which of them must be
 * there.
 */
export interface OptionsOfEndpoint<
  Schemas extends RequestSchemas = NoSchemas,
  Responses extends RouteResponses = never,
  Prefix extends string = "",
  Path extends string = string,
  Request extends object = never,
> {
  /**
   * Schemas for the parts of the request. The server validates with them; a client's call takes the types that they
   * accept.
   *
   * @example An endpoint with a query
   * ```ts
   * import { endpoint, reply, route, setup } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const api = {
   *   listBooks: endpoint.get("/books", {
   *     request: { query: z.object({ limit: z.coerce.number<string>() }) },
   *     responses: { 200: { schema: z.number() }, 400: {} },
   *   }),
   * };
   *
   * const app = setup({
   *   validator: standardSchema,
   *   handlers: [
   *     route.on(api.listBooks, { resolve: ({ input }) => input.ok ? reply(200, input.query.limit) : reply(400) }),
   *   ],
   * });
   * const client = createClient(api, { fetch: app.fetch });
   * assertEquals((await client.listBooks({ query: { limit: 5 } })).body, 5);
   * ```
   */
  readonly request?:
    & Schemas
    & PossibleSchemas<Schemas, { prefix: Prefix; request: Request; promised: never }, NoInfer<Path>>;
  /**
   * The responses by status, merged over those of the scope. A route that implements the endpoint must return one of
   * them. A client's call returns the declared ones as a union that `status` tells apart.
   *
   * @example An endpoint with two responses
   * ```ts
   * import { endpoint, reply, route, setup } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const api = {
   *   showBook: endpoint.get("/books/:id", {
   *     responses: {
   *       200: { schema: z.object({ title: z.string() }) },
   *       404: { description: "No such book" },
   *     },
   *   }),
   * };
   *
   * const app = setup({ handlers: [route.on(api.showBook, { resolve: () => reply(200, { title: "Emma" }) })] });
   * const client = createClient(api, { fetch: app.fetch });
   * const answer = await client.showBook({ params: { id: 7 } });
   * assertEquals(answer.status === 200 ? answer.body.title : "missing", "Emma");
   * ```
   */
  readonly responses?: Responses & CheckResponses<never, never, Responses>;
  /**
   * Documentation, for tools such as `@fw/core/openapi`. Each key replaces the same key of the scope.
   *
   * @example A description for the OpenAPI document
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { openapi } from "@fw/core/openapi";
   * import { assertEquals } from "@std/assert";
   *
   * const listBooks = endpoint.get("/books", { docs: { summary: "Lists the books" } });
   *
   * const { paths } = openapi({ info: { title: "Books", version: "1.0.0" }, routes: [listBooks] });
   * assertEquals(paths["/books"]?.get?.summary, "Lists the books");
   * ```
   */
  readonly docs?: RouteDocs | undefined;
}

/**
 * The options of a scope of endpoints.
 *
 * @typeParam Prefix The prefix.
 * @typeParam Responses The responses.
 * @typeParam Schemas The schemas; `never` if there are none.
 * @typeParam OuterPrefix The prefix of the enclosing scope.
 * @typeParam Outer The schemas of the enclosing scope; `never` if it has none.
 */
export type EndpointScopeOptions<
  Prefix extends string = "",
  Responses extends RouteResponses = never,
  Schemas extends ScopeSchemas = never,
  OuterPrefix extends string = "",
  Outer extends object = never,
> =
  & OptionsOfEndpointScope<Prefix, Responses, Schemas, OuterPrefix, Outer>
  & Unconditional<PrefixKey<Prefix> | ([Schemas] extends [never] ? never : RequestKey<Schemas>)>;

/**
 * The options of a scope of endpoints, each of which may be absent. {@linkcode EndpointScopeOptions} also says which of
 * them must be there.
 */
export interface OptionsOfEndpointScope<
  Prefix extends string = "",
  Responses extends RouteResponses = never,
  Schemas extends ScopeSchemas = never,
  OuterPrefix extends string = "",
  Outer extends object = never,
> {
  /**
   * The prefix of the path of each endpoint, itself a pattern. It begins with a slash and does not end with one.
   *
   * @example The endpoints of a version
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const v1 = endpoint.with({ prefix: "/v1" });
   * assertEquals(v1.get("/books").path, "/v1/books");
   * ```
   */
  readonly prefix?: CheckedPrefix<Prefix>;
  /**
   * Schemas that each endpoint has for parts of its request: the parameters of the prefix, the query, headers and
   * cookies. A scope has no body. If an endpoint has a schema for the same part, the server runs both on it, and both
   * must accept the keys of the other one. Clients send the input of both schemas.
   *
   * @example A header that each endpoint has
   * ```ts
   * import { endpoint, reply, route, setup } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const org = endpoint.with({
   *   prefix: "/orgs/:orgId",
   *   request: { params: z.object({ orgId: z.coerce.number() }), headers: z.object({ "x-tenant": z.string() }) },
   * });
   * const api = { showOrg: org.get("", { responses: { 200: { schema: z.string() }, 400: {} } }) };
   *
   * const app = setup({
   *   validator: standardSchema,
   *   handlers: [
   *     route.on(api.showOrg, {
   *       resolve: ({ input }) => input.ok ? reply(200, `${input.params.orgId} of ${input.headers["x-tenant"]}`) : reply(400),
   *     }),
   *   ],
   * });
   * const client = createClient(api, { fetch: app.fetch });
   * const answer = await client.showOrg({ params: { orgId: 7 }, headers: { "x-tenant": "acme" } });
   * assertEquals(answer.body, "7 of acme");
   * ```
   */
  readonly request?:
    & Schemas
    & PossibleSchemas<Schemas, { prefix: OuterPrefix; request: Outer; promised: never }, Prefix>;
  /**
   * Responses that each endpoint has. Routes that implement the endpoints may return them. If an endpoint declares the
   * same status, its response replaces that of the scope.
   *
   * @example A response that each endpoint has
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const member = endpoint.with({ responses: { 401: { description: "Sign in first" } } });
   * const deleteBook = member.delete("/books/:id", { responses: { 204: {} } });
   * assertEquals(Object.keys(deleteBook.responses ?? {}), ["204", "401"]);
   * ```
   */
  readonly responses?: Responses & CheckResponses<never, never, Responses>;
  /**
   * Default docs. Each key of an endpoint's own docs replaces the same key of the scope.
   *
   * @example One tag for all endpoints of a file
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const books = endpoint.with({ docs: { tags: ["books"] } });
   * assertEquals(books.get("/books").docs, { tags: ["books"] });
   * ```
   */
  readonly docs?: RouteDocs | undefined;
}

/** Untyped view of `EndpointOptions`, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs | undefined;
}

function declare(
  scope: ScopeDefaults,
  method: string | readonly string[],
  ending: string,
  // Not a default parameter: options that are `undefined`, as a condition leaves them, must not be ignored.
  ...given: readonly (Declaration | undefined)[]
): Endpoint {
  const options = given.length === 0 ? {} : given[0];
  const path = joinPaths(scope.prefix, ending);
  const owner = `endpoint ${describeRoute({ method, path })}`;
  requireOptions(options, owner, ["request", "responses"], ["docs"], " such as { responses: … }");
  const { responses } = scope;
  return declareIn(scope, { ...responses && { responses }, ...options, method, path }, owner);
}
