import type { AnyGuard } from "../guards/guard.ts";
import type { Both, Disorder } from "../guards/guard_list.ts";
import type { MergeExtras } from "../guards/extra.ts";
import type { AnyInput } from "../input/input.ts";
import {
  type BodyFor,
  type NoSchemas,
  type RequestSchemas,
  requireRequest,
  type SchemasWith,
} from "../input/request_schemas.ts";
import type { DenialsOf } from "../responses/check_responses.ts";
import type { MergeResponses, RouteResponses } from "../responses/responses.ts";
import { describeRoute, isRecord, requireOptions, requireRouteKeys } from "../values/assert.ts";
import type { AnyHandler, Route } from "./declared_route.ts";
import type { RouteDocs } from "./docs.ts";
import type { ImplementOptions, RouteOptions, ScopeOptions } from "./route_options.ts";
import type { FoldInScope, InputFor, RootScope, Scope } from "./route_scope.ts";
import { createFactory, joinPaths, mergeDefaults, type ScopeDefaults } from "./scope.ts";
import type { CheckEndpoint, Endpoint, EndpointOfRoute, InputAt, PathAt } from "./typed_endpoint.ts";

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
 * text, `:name` for one non-empty segment, or a final `*` for the rest. Paths are case-sensitive, and `/a` is not
 * `/a/`. If several patterns match, the most specific one wins: literal before parameter before wildcard, segment by
 * segment.
 *
 * @typeParam Of The types that the scope gives to its routes. TypeScript infers them.
 */
export interface RouteFactory<Of extends Scope = RootScope> {
  /** Declares a route for GET. HEAD is a method of its own: `route.on(["GET", "HEAD"], …)` declares both. */
  readonly get: DeclareRoute<Of, "GET">;
  /** Declares a route for POST. */
  readonly post: DeclareRoute<Of, "POST">;
  /** Declares a route for PUT. */
  readonly put: DeclareRoute<Of, "PUT">;
  /** Declares a route for PATCH. */
  readonly patch: DeclareRoute<Of, "PATCH">;
  /** Declares a route for DELETE. */
  readonly delete: DeclareRoute<Of, "DELETE">;
  /** Declares a route for HEAD. */
  readonly head: DeclareRoute<Of, "HEAD">;
  /** Declares a route for OPTIONS. */
  readonly options: DeclareRoute<Of, "OPTIONS">;
  /** Declares a route for every method. On the same pattern, a route for a named method takes precedence. */
  readonly all: DeclareRoute<Of, "ALL">;
  /**
   * Declares a route for any method, or for several: `route.on(["GET", "HEAD"], "/books", { resolve })`.
   *
   * @param method The method or methods, in capital letters: HTTP methods are case-sensitive.
   * @param path The pattern.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `guards` is `undefined`.
   */
  on<
    const Method extends string | readonly string[],
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Guards extends readonly unknown[] = readonly unknown[],
    Extra extends readonly unknown[] = readonly unknown[],
    const Responses extends RouteResponses = never,
  >(
    method: Method,
    path: Path,
    options: RouteOptions<Path, Schemas, Guards, Extra, Responses, Of>,
  ):
    & Route<
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
      MergeExtras<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["extra"], NoInfer<Extra>>
    >
    & EndpointOfRoute<Method, Path, Schemas, Of, Responses>
    & Disorder<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"], Of["needs"], Guards>;
  /**
   * Declares the route of an endpoint: `route.on(showBook, { resolve })`. The scope must not have a prefix: an endpoint
   * has its whole path.
   *
   * @param endpoint The endpoint. Its responses must include what guards deny with; those of the scope do not count.
   * @param options Docs, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, if `guards` is `undefined`, or if the scope has a prefix.
   */
  on<
    const At extends Endpoint,
    const Guards extends readonly unknown[] = readonly unknown[],
    Extra extends readonly unknown[] = readonly unknown[],
  >(
    endpoint: At & CheckEndpoint<Of["prefix"], Of["denied"] | DenialsOf<Guards>, At>,
    options: ImplementOptions<At, Guards, Extra, Of>,
  ):
    & Route<
      FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["needs"],
      MergeExtras<FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["extra"], NoInfer<Extra>>
    >
    & At
    & Disorder<FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["needs"], Of["needs"], Guards>;
  /**
   * Makes a scope whose guards and handlers may read these locals. `onRequest` must provide them, or the call of
   * `setup` does not compile.
   *
   * @typeParam Locals The locals.
   * @returns The scope.
   */
  with<Locals extends object>(): RouteFactory<{
    readonly prefix: Of["prefix"];
    readonly needs: Both<Of["needs"], Locals>;
    readonly added: Of["added"];
    readonly extra: Of["extra"];
    readonly valid: Of["valid"];
    readonly responses: Of["responses"];
    readonly denied: Of["denied"];
  }>;
  /**
   * Makes a scope. Its prefix is put before the path of each route, its guards run before the route's own, and its
   * responses and docs are defaults for the routes' own.
   *
   * @param scope Prefix, responses, docs and guards. The prefix must begin with a slash and must not end with one.
   * @returns The scope.
   * @throws A `TypeError` if an option is unknown, if the prefix begins or ends otherwise, or if `guards` is
   * `undefined`.
   */
  with<
    const Guards extends readonly unknown[],
    const Prefix extends string = "",
    const Responses extends RouteResponses = never,
  >(
    scope: ScopeOptions<Prefix, Guards, Responses, Of>,
  ): RouteFactory<{
    readonly prefix: `${Of["prefix"]}${Prefix}`;
    readonly needs: FoldInScope<Of, Prefix, Guards, AnyInput>["needs"];
    readonly added: FoldInScope<Of, Prefix, Guards, AnyInput>["added"];
    readonly extra: FoldInScope<Of, Prefix, Guards, AnyInput>["extra"];
    readonly valid: FoldInScope<Of, Prefix, Guards, AnyInput>["input"] extends { readonly ok: true } ? true : false;
    readonly responses: MergeResponses<Of["responses"], Responses>;
    readonly denied: Of["denied"] | DenialsOf<Guards>;
  }>;
}

/**
 * Declares a route for one method: `route.get("/books/:id", { resolve })`.
 *
 * @internal
 */
export interface DeclareRoute<Of extends Scope, Method extends string> {
  /**
   * @param path The pattern: literal segments, `:name` for one non-empty segment, a final `*` for the rest.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `guards` is `undefined`.
   */
  <
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Guards extends readonly unknown[] = readonly unknown[],
    Extra extends readonly unknown[] = readonly unknown[],
    const Responses extends RouteResponses = never,
  >(
    path: Path,
    options: RouteOptions<Path, Schemas, Guards, Extra, Responses, Of>,
  ):
    & Route<
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
      MergeExtras<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["extra"], NoInfer<Extra>>
    >
    & EndpointOfRoute<Method, Path, Schemas, Of, Responses>
    & Disorder<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"], Of["needs"], Guards>;
}

/** Untyped view of `RouteOptions`, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs;
  readonly guards?: readonly unknown[];
  readonly resolve?: unknown;
}

/** Both kinds of call: `on(method, path, options)` and `on(endpoint, options)`. */
function declare(
  scope: ScopeDefaults,
  method: string | readonly string[] | Endpoint,
  path: string | Declaration,
  options?: Declaration,
): Route<unknown, readonly unknown[]> {
  const isEndpoint = isRecord(method);
  const at = (isEndpoint ? method : { method, path: joinPaths(scope.prefix, path as string) }) as Endpoint;
  const own = (isEndpoint ? path : options) as Declaration;
  const owner = `route ${describeRoute(at)}`;
  if (isEndpoint && scope.prefix !== "") {
    throw new TypeError(
      `Endpoint of ${owner} must not be in a scope with prefix "${scope.prefix}"`,
    );
  }
  // The endpoint has the schemas and the responses of its route.
  const defined = isEndpoint ? ["guards"] : ["request", "responses", "guards"];
  requireOptions(own, owner, defined, ["docs", "resolve"], " such as { resolve: … }");
  if (isEndpoint) requireRouteKeys(at, owner);
  const { request, responses } = isEndpoint ? at : own;
  requireRequest(request, at.method, owner);
  // Not `?? []`: guards that are `null` must not serve an unguarded route.
  const { guards = [], resolve } = own;
  const docs = mergeDefaults(scope.docs, mergeDefaults(at.docs, own.docs));
  const merged = isEndpoint ? responses : mergeDefaults(scope.responses, responses);
  return {
    method: at.method,
    path: at.path,
    ...request !== undefined && { request },
    ...merged !== undefined && { [responses === undefined ? "scopeResponses" : "responses"]: merged },
    ...docs !== undefined && { docs },
    // The compiler checks the items of the lists, and setup checks them again.
    guards: scope.guards.concat(guards) as readonly AnyGuard[],
    resolve: resolve as AnyHandler,
  };
}
