import type { AnyGuard } from "../guards/guard.ts";
import type { Merge, NeedBoth, NoGuards } from "../guards/guard_list.ts";
import type { Simplify } from "../values/types.ts";
import type { MergeExtras } from "../guards/extra.ts";
import { rememberEndpoint } from "../guards/made_guards.ts";
import type { BodyReader } from "../input/body_reader.ts";
import type { JoinRequests } from "../input/scope_schemas.ts";
import type { BodyFor, NoSchemas, RequestSchemas, SchemasWith, ScopeSchemas } from "../input/request_schemas.ts";
import type { DenialsOf, ReportedOnce } from "../responses/check_responses.ts";
import type { MergeResponses, RouteResponses } from "../responses/responses.ts";
import { describeRoute, isRecord, requireFunction, requireOptions } from "../values/assert.ts";
import type { AnyHandler, Route } from "./declared_route.ts";
import type { RouteDocs } from "./docs.ts";
import type { ImplementOptions, RouteOptions } from "./route_options.ts";
import type {
  ExtraInScope,
  FoldInScope,
  InputFor,
  InputOfScope,
  RootScope,
  Scope,
  UnmetDemands,
} from "./route_scope.ts";
import type { ScopeOptions } from "./scope_options.ts";
import {
  createFactory,
  declareIn,
  joinPaths,
  mergeDefaults,
  type PathFault,
  type PathMessages,
  type ScopeDefaults,
} from "./scope.ts";
import type { Endpoint, EndpointOfRoute, InputAt, KnownEndpoint, PathAt } from "./typed_endpoint.ts";

/**
 * Declares routes: method, path pattern, schemas, guards and handler. A declaration is plain data; `setup` serves it.
 *
 * @example A route with a path parameter
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const hello = route.get("/hello/:name", {
 *   resolve: (c) => new Response(`Hello ${c.raw.params.name}!`),
 * });
 *
 * const app = setup({ handlers: [hello] });
 * const response = await app.fetch(new Request("http://localhost/hello/Ada"));
 * assertEquals(await response.text(), "Hello Ada!");
 * ```
 *
 * @example A scope: a prefix, and guards before each route's own
 * ```ts
 * import { allow, type Context, deny, route } from "@fw/core";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.has("authorization") ? allow({ user: "ada" }) : deny(new Response(null, { status: 401 }));
 *
 * const orgs = route.with({ prefix: "/orgs/:orgId", guards: [authenticated] });
 * const members = orgs.get("/members", {
 *   resolve: (c) => new Response(`${c.locals.user} reads the members of ${c.raw.params.orgId}`),
 * });
 * ```
 */
export const route: RouteFactory = /* @__PURE__ */ createFactory("route", ["guards"], declare) as RouteFactory;

/**
 * Declares routes. `with` makes a scope, which adds a prefix, guards, responses, docs or the types of locals to its
 * routes.
 *
 * `get` and the other methods take a path pattern and the {@linkcode RouteOptions}. They throw a `TypeError` if an
 * option is unknown, or if a schema or `guards` is `undefined`. A pattern begins with a slash. Its segments are literal
 * text, `:name` for one non-empty segment, `:name+` for one or more, or a final `*` for the rest. Paths are
 * case-sensitive, and `/a` is not `/a/`. If several patterns match, the most specific one wins: literal before `:name`
 * before `:name+` before `*`, segment by segment; after `:name+`, the pattern with more segments.
 *
 * A scope does not pass for another scope. A function that takes `typeof members` accepts neither `route` nor any other
 * scope. A function that takes `RouteFactory` accepts only `route` and scopes that change nothing in the types of their
 * routes.
 *
 * @typeParam InScope The types that the scope gives to its routes. TypeScript infers them.
 */
export interface RouteFactory<in out InScope extends Scope = RootScope> {
  /** Declares a route for GET. HEAD is a method of its own: `route.on(["GET", "HEAD"], …)` declares both. */
  readonly get: DeclareRoute<InScope, "GET">;
  /** Declares a route for POST. */
  readonly post: DeclareRoute<InScope, "POST">;
  /** Declares a route for PUT. */
  readonly put: DeclareRoute<InScope, "PUT">;
  /** Declares a route for PATCH. */
  readonly patch: DeclareRoute<InScope, "PATCH">;
  /** Declares a route for DELETE. */
  readonly delete: DeclareRoute<InScope, "DELETE">;
  /** Declares a route for HEAD. */
  readonly head: DeclareRoute<InScope, "HEAD">;
  /** Declares a route for OPTIONS. */
  readonly options: DeclareRoute<InScope, "OPTIONS">;
  /** Declares a route for QUERY (RFC 10008): it changes nothing, as GET, and its requests have a body. */
  readonly query: DeclareRoute<InScope, "QUERY">;
  /** Declares a route for every method. On the same pattern, a route for a named method takes precedence. */
  readonly all: DeclareRoute<InScope, "ALL">;
  /**
   * Declares a route for any method, or for several: `route.on(["GET", "HEAD"], "/books", { resolve })`. Also declares
   * the route of an endpoint: `route.on(showBook, { resolve })`.
   */
  readonly on: DeclareOn<InScope>;
  /**
   * Makes a scope: `route.with({ prefix: "/v1", guards: [signedIn] })`. Also says which locals `onRequest` provides:
   * `route.with<{ start: number }>()`.
   */
  readonly with: ScopeRoutes<InScope>;
}

/**
 * Makes a scope of routes: `route.with`.
 *
 * @typeParam InScope The enclosing scope. TypeScript infers it.
 */
export interface ScopeRoutes<in out InScope extends Scope> {
  /**
   * Makes a scope whose guards and handlers may read these locals and these extra arguments. `onRequest` must provide
   * the locals, or the call of `setup` does not compile. `app.fetch` requires the extra arguments, and handlers need not
   * annotate them: `route.with<NoLocals, [Env]>().get("/", { resolve: (c, env) => … })`.
   *
   * @typeParam Locals The locals; `NoLocals` for none.
   * @typeParam Extra The extra arguments, as a tuple.
   * @returns The scope.
   */
  <Locals extends object, Extra extends readonly unknown[] = []>(): RouteFactory<{
    readonly prefix: InScope["prefix"];
    readonly needs: NeedBoth<InScope["needs"], Locals>;
    readonly added: InScope["added"];
    readonly extra: MergeExtras<InScope["extra"], Extra>;
    readonly valid: InScope["valid"];
    readonly request: InScope["request"];
    readonly promised: InScope["promised"];
    readonly responses: InScope["responses"];
    readonly denied: InScope["denied"];
  }>;
  /**
   * Makes a scope. Its prefix is put before the path of each route, its schemas are run beside the route's own, its
   * guards run before the route's own, and its responses and docs are defaults for the routes' own.
   *
   * @param scope Prefix, schemas, responses, docs and guards. The prefix must begin with a slash and must not end with
   * one.
   * @returns The scope.
   * @throws A `TypeError` if an option is unknown, if the prefix begins or ends otherwise, or if `guards` is
   * `undefined`.
   */
  <
    const Guards extends readonly unknown[] = NoGuards,
    const Prefix extends string = "",
    const Responses extends RouteResponses = never,
    const Schemas extends ScopeSchemas = never,
  >(
    scope: ScopeOptions<Prefix, Guards, Responses, InScope, Schemas>,
  ): RouteFactory<{
    readonly prefix: `${InScope["prefix"]}${Prefix}`;
    readonly needs: InScope["needs"];
    readonly added: Simplify<FoldInScope<InScope, Prefix, Guards, InputOfScope<InScope, Schemas>>["added"]>;
    readonly extra: FoldInScope<InScope, Prefix, Guards, InputOfScope<InScope, Schemas>>["extra"];
    readonly valid: FoldInScope<InScope, Prefix, Guards, InputOfScope<InScope, Schemas>>["input"] extends
      { readonly ok: true } ? true : false;
    readonly request: JoinRequests<InScope["request"], Schemas>;
    readonly promised: NoGuards extends Guards ? InScope["promised"] : JoinRequests<InScope["request"], Schemas>;
    readonly responses: MergeResponses<InScope["responses"], Responses>;
    readonly denied: ReportedOnce<InScope["denied"] | DenialsOf<Guards>, InScope["responses"], Responses>;
  }>;
}

/**
 * Declares a route for one method: `route.get("/books/:id", { resolve })`.
 *
 * @typeParam InScope The scope of the route.
 * @typeParam Method The method.
 */
export interface DeclareRoute<in out InScope extends Scope, Method extends string> {
  /**
   * @param path The pattern: literal segments, `:name` for one non-empty segment, `:name+` for one or more, a final
   * `*` for the rest.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `guards` is `undefined`.
   */
  <
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Guards extends readonly unknown[] = NoGuards,
    Extra extends readonly unknown[] = ExtraInScope<InScope>,
    const Responses extends RouteResponses = never,
  >(
    path: Path & PathMessages[PathFault<InScope, Path>],
    options: RouteOptions<Path, Schemas, Guards, Extra, Responses, InScope>,
  ):
    & Route<
      InScope["needs"],
      MergeExtras<FoldInScope<InScope, Path, Guards, InputFor<InScope, Schemas>>["extra"], NoInfer<Extra>>
    >
    & EndpointOfRoute<Method, Path, Schemas, InScope, Responses>;
}

/**
 * Declares a route for any method, for several, or for an endpoint: `route.on`.
 *
 * @typeParam InScope The scope of the route.
 */
// The form for an endpoint comes first: if a call does not compile, TypeScript types the handler by the first form that
// has enough parameters, and reports each untyped one. It is no method of `RouteFactory`: TypeScript compares methods
// loosely, so `on` of one scope would pass for that of another.
export interface DeclareOn<in out InScope extends Scope> {
  /**
   * Declares the route of an endpoint: `route.on(showBook, { resolve })`. The scope must have neither a prefix nor
   * `request`: an endpoint has its whole path and all its schemas.
   *
   * @param endpoint The endpoint. Its responses must include the responses with which guards deny. Responses of the
   * scope do not count.
   * @param options Docs, the reader of the body, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, if `guards` is `undefined`, if the scope has a prefix or
   * `request`, or if the endpoint is a route, which has guards and a handler already.
   */
  <
    const E extends Endpoint,
    const Guards extends readonly unknown[] = NoGuards,
    Extra extends readonly unknown[] = ExtraInScope<InScope>,
  >(
    endpoint: KnownEndpoint<
      InScope,
      InScope["denied"] | DenialsOf<Guards>,
      UnmetDemands<E, Merge<InScope["needs"], FoldInScope<InScope, PathAt<E>, Guards, InputAt<E>>["added"]>>,
      E
    >,
    options: ImplementOptions<E, Guards, Extra, InScope>,
  ):
    & Route<
      InScope["needs"],
      MergeExtras<FoldInScope<InScope, PathAt<E>, Guards, InputAt<E>>["extra"], NoInfer<Extra>>
    >
    & E
    & {
      /** The guards. A copy of the route with others does not implement the endpoint. */
      readonly guards: { readonly "~endpoint"?: true };
    };
  /**
   * Declares a route for any method, or for several: `route.on(["GET", "HEAD"], "/books", { resolve })`.
   *
   * @param method The method or methods, in capital letters: HTTP methods are case-sensitive.
   * @param path The pattern.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `guards` is `undefined`.
   */
  <
    const Method extends string | readonly string[],
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Guards extends readonly unknown[] = NoGuards,
    Extra extends readonly unknown[] = ExtraInScope<InScope>,
    const Responses extends RouteResponses = never,
  >(
    method: Method,
    path: Path & PathMessages[PathFault<InScope, Path>],
    options: RouteOptions<Path, Schemas, Guards, Extra, Responses, InScope>,
  ):
    & Route<
      InScope["needs"],
      MergeExtras<FoldInScope<InScope, Path, Guards, InputFor<InScope, Schemas>>["extra"], NoInfer<Extra>>
    >
    & EndpointOfRoute<Method, Path, Schemas, InScope, Responses>;
}

/** Untyped view of `RouteOptions`, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs | undefined;
  readonly bodyReader?: BodyReader;
  readonly guards?: readonly unknown[];
  readonly resolve?: unknown;
}

/** Intersect kinds of call: `on(method, path, options)` and `on(endpoint, options)`. */
function declare(
  scope: ScopeDefaults,
  method: string | readonly string[] | Endpoint,
  path: string | Declaration,
  options?: Declaration,
): Route<unknown, readonly unknown[]> {
  requireOptions({ endpoint: method }, "route.on", ["endpoint"], []);
  const isEndpoint = isRecord(method);
  const at = (isEndpoint ? method : { method, path: joinPaths(scope.prefix, path as string) }) as Endpoint;
  const own = (isEndpoint ? path : options) as Declaration;
  const owner = `route ${describeRoute(at)}`;
  if (isEndpoint) {
    if (scope.prefix !== "") {
      throw new TypeError(
        `Endpoint of ${owner} has its whole path: implement it in a scope without a prefix, not in "${scope.prefix}"`,
      );
    }
    if (scope.request !== undefined) {
      throw new TypeError(
        `Endpoint of ${owner} has its whole request: implement it in a scope without request, and declare it by endpoint.with({ request })`,
      );
    }
    if ("resolve" in at || "guards" in at) {
      throw new TypeError(
        `Endpoint of ${owner} is a route, whose guards and handler would be dropped: implement its endpoint`,
      );
    }
  }
  // The endpoint has the schemas and the responses of its route.
  const defined = isEndpoint ? ["bodyReader", "guards"] : ["request", "responses", "guards"];
  requireOptions(own, owner, defined, ["docs", "resolve"], " such as { resolve: … }");
  // Not `?? []`: guards that are `null` must not serve an unguarded route.
  const { guards = [], resolve, bodyReader, ...declared } = own;
  requireFunction(`Handler (resolve) of ${owner}`, resolve);
  if (bodyReader !== undefined && at.request?.body === undefined) {
    throw new TypeError(`Option bodyReader of ${owner} needs an endpoint with a body schema`);
  }
  const request = bodyReader === undefined ? undefined : { request: { ...at.request, bodyReader } };
  const responses = isEndpoint ? at.scopeResponses : scope.responses;
  const list = scope.guards.concat(guards) as readonly AnyGuard[];
  // Not `{ ...declared, guards, resolve }`: V8 would make a hidden class for each route, of 216 bytes.
  return Object.assign(
    declareIn(
      { docs: mergeDefaults(scope.docs, at.docs), responses, request: scope.request },
      { ...at, ...declared, ...request },
      owner,
    ),
    // The compiler checks the items of the lists, and setup checks them again.
    { guards: isEndpoint ? rememberEndpoint(list, at) : list, resolve: resolve as AnyHandler },
  );
}
