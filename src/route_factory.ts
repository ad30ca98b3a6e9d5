/** The types of `route`: its functions and their options. Types only. */

import type { Context } from "./context.ts";
import type { Route } from "./declared_route.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { Both, Disorder, GuardList, InlineGuards, Merge } from "./guard_list.ts";
import type { AnyInput, NoSchemas, RequestSchemas } from "./input.ts";
import type { MergePlatforms } from "./platform.ts";
import type { BodyFor, PossibleSchemas, SchemasWith } from "./possible_schemas.ts";
import type { CheckResponses, DenialsOf, MergeResponses, ResultOf } from "./responses.ts";
import type {
  CheckedPrefix,
  ContextInScope,
  FoldInScope,
  InputFor,
  ParamsInScope,
  RootScope,
  Scope,
} from "./route_scope.ts";
import type { CheckEndpoint, Endpoint, EndpointOfRoute, InputAt, PathAt, ResultAt } from "./typed_endpoint.ts";

/**
 * Declares routes. A scope made by `with` adds a prefix, guards, docs or the types of locals to its routes.
 *
 * `get` and the other methods take a path pattern and the {@linkcode RouteOptions}. They throw a `TypeError` if an option is
 * unknown, or if a schema or `guards` is `undefined`. A pattern begins with a slash. Its segments are literal text, `:name`
 * for one non-empty segment, or a final `*` for the rest. Paths are case-sensitive, and `/a` is not `/a/`. If several
 * patterns match, the most specific one wins: literal before parameter before wildcard, segment by segment.
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
    Platform extends readonly unknown[] = readonly unknown[],
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
    const Responses extends RouteResponses = never,
  >(
    method: Method,
    path: Path,
    options: RouteOptions<Of, Path, Schemas, Guards, Platform, First, Second, Third, Responses>,
  ):
    & Route<
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
      MergePlatforms<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["platform"], NoInfer<Platform>>
    >
    & EndpointOfRoute<Method, `${Of["prefix"]}${Path}`, Schemas, Of["responses"], Responses>
    & Disorder<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"], Of["needs"], Guards>;
  /**
   * Declares the route of an endpoint: `route.on(showBook, { resolve })`. The scope must not have a prefix: an endpoint has its
   * whole path.
   *
   * @param endpoint The endpoint. Its responses must include what guards deny with; those of the scope do not count.
   * @param options Docs, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is unknown, if `guards` is `undefined`, or if the scope has a prefix.
   */
  on<
    const At extends Endpoint,
    const Guards extends readonly unknown[] = readonly unknown[],
    Platform extends readonly unknown[] = readonly unknown[],
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
  >(
    endpoint: At & CheckEndpoint<Of["prefix"], Of["denied"] | DenialsOf<Guards>, At>,
    options: ImplementOptions<Of, At, Guards, Platform, First, Second, Third>,
  ):
    & Route<
      FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["needs"],
      MergePlatforms<FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["platform"], NoInfer<Platform>>
    >
    & At
    & Disorder<FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["needs"], Of["needs"], Guards>;
  /**
   * Makes a scope whose guards and handlers may read these locals. `onRequest` must provide them, or the call of `setup` does
   * not compile.
   *
   * @typeParam Locals The locals.
   * @returns The scope.
   */
  with<Locals extends object>(): RouteFactory<{
    readonly prefix: Of["prefix"];
    readonly needs: Both<Of["needs"], Locals>;
    readonly added: Of["added"];
    readonly platform: Of["platform"];
    readonly valid: Of["valid"];
    readonly responses: Of["responses"];
    readonly denied: Of["denied"];
  }>;
  /**
   * Makes a scope. Its prefix is put before the path of each route, its guards run before the route's own, and its responses
   * and docs are defaults for the routes' own.
   *
   * @param scope Prefix, responses, docs and guards. The prefix must begin with a slash and must not end with one.
   * @returns The scope.
   * @throws A `TypeError` if an option is unknown, if the prefix begins or ends otherwise, or if `guards` is `undefined`.
   */
  with<
    const Guards extends readonly unknown[],
    const Prefix extends string = "",
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
    const Responses extends RouteResponses = never,
  >(
    scope: ScopeOptions<Of, Prefix, Guards, First, Second, Third, Responses>,
  ): RouteFactory<{
    readonly prefix: `${Of["prefix"]}${Prefix}`;
    readonly needs: FoldInScope<Of, Prefix, Guards, AnyInput>["needs"];
    readonly added: FoldInScope<Of, Prefix, Guards, AnyInput>["added"];
    readonly platform: FoldInScope<Of, Prefix, Guards, AnyInput>["platform"];
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
    Platform extends readonly unknown[] = readonly unknown[],
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
    const Responses extends RouteResponses = never,
  >(
    path: Path,
    options: RouteOptions<Of, Path, Schemas, Guards, Platform, First, Second, Third, Responses>,
  ):
    & Route<
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
      MergePlatforms<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["platform"], NoInfer<Platform>>
    >
    & EndpointOfRoute<Method, `${Of["prefix"]}${Path}`, Schemas, Of["responses"], Responses>
    & Disorder<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"], Of["needs"], Guards>;
}

/**
 * The options of a route declaration, next to method and path. TypeScript infers all type arguments, in the order `request`,
 * `guards`, `resolve`: write the options in this order.
 *
 * @typeParam Of The scope that the route is declared in.
 * @typeParam Path The pattern, without the prefix of the scope.
 * @typeParam Schemas The schemas.
 * @typeParam Guards The guards.
 * @typeParam Platform The extra arguments of `app.fetch` that the handler reads.
 * @typeParam First The first guard, if it is inline.
 * @typeParam Second The second guard, if it is inline.
 * @typeParam Third The third guard, if it is inline.
 * @typeParam Responses The responses.
 */
export interface RouteOptions<
  Of extends Scope,
  Path extends string,
  Schemas extends RequestSchemas,
  Guards extends readonly unknown[],
  Platform extends readonly unknown[],
  First = unknown,
  Second = unknown,
  Third = unknown,
  Responses extends RouteResponses = never,
> {
  /** Schemas for the parts of the request. A part without one is not validated; a body without one is not read. */
  readonly request?: Schemas & PossibleSchemas<Schemas, Of, Path>;
  /**
   * The responses by status, merged over those of the scope. With them, the handler must return one of them, made by `reply`,
   * and they must include what guards deny with. `{}` declares those of the scope. TypeScript checks this, at no cost at run
   * time.
   */
  readonly responses?: Responses & CheckResponses<Of["denied"] | DenialsOf<Guards>, Of["responses"], Responses>;
  /** Documentation of the route, for tools such as `@fw/core/openapi`. Each key replaces that of the scope. */
  readonly docs?: RouteDocs;
  /** Guards. They run in order after validation, whether the input is valid or not. */
  readonly guards?:
    & (Guards | InlineGuards<ContextInScope<Of, Path, InputFor<Schemas>>, First, Second, Third>)
    & FoldInScope<Of, Path, Guards, InputFor<Schemas>>["expected"];
  /**
   * The handler. It receives the context, then the extra arguments of `app.fetch`. It returns any response, or, if the route
   * declares `responses`, one of these.
   */
  readonly resolve: (
    c: Context<
      Merge<
        FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
        FoldInScope<Of, Path, Guards, InputFor<Schemas>>["added"]
      >,
      ParamsInScope<Of, Path>,
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["input"]
    >,
    // Keep the spread: without it TypeScript infers inline guards too late, and `resolve` misses their locals.
    ...platform: [...Platform]
  ) => ResultOf<Of["responses"], NoInfer<Responses>>;
}

/**
 * The options of a route that implements an endpoint. TypeScript infers all type arguments, in the order `guards`, `resolve`:
 * write the options in this order.
 *
 * @typeParam Of The scope that the route is declared in.
 * @typeParam At The endpoint.
 * @typeParam Guards The guards.
 * @typeParam Platform The extra arguments of `app.fetch` that the handler reads.
 * @typeParam First The first guard, if it is inline.
 * @typeParam Second The second guard, if it is inline.
 * @typeParam Third The third guard, if it is inline.
 */
export interface ImplementOptions<
  Of extends Scope,
  At,
  Guards extends readonly unknown[],
  Platform extends readonly unknown[],
  First = unknown,
  Second = unknown,
  Third = unknown,
> {
  /** Documentation. Each key replaces that of the endpoint. */
  readonly docs?: RouteDocs;
  /** Guards. They run in order after validation, whether the input is valid or not. */
  readonly guards?:
    & (Guards | InlineGuards<ContextInScope<Of, PathAt<At>, InputAt<At>>, First, Second, Third>)
    & FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["expected"];
  /**
   * The handler. It receives the context, then the extra arguments of `app.fetch`. It returns any response, or, if the endpoint
   * declares `responses`, one of these.
   */
  readonly resolve: (
    c: Context<
      Merge<
        FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["needs"],
        FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["added"]
      >,
      ParamsInScope<Of, PathAt<At>>,
      FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["input"]
    >,
    ...platform: [...Platform]
  ) => ResultAt<At>;
}

/**
 * The options of a scope.
 *
 * @typeParam Of The enclosing scope.
 * @typeParam Prefix The scope's own prefix.
 * @typeParam Guards The scope's own guards.
 * @typeParam First The first guard, if it is inline.
 * @typeParam Second The second guard, if it is inline.
 * @typeParam Third The third guard, if it is inline.
 * @typeParam Responses The scope's own responses.
 */
export interface ScopeOptions<
  Of extends Scope,
  Prefix extends string,
  Guards extends readonly unknown[],
  First = unknown,
  Second = unknown,
  Third = unknown,
  Responses extends RouteResponses = never,
> {
  /**
   * The prefix of the path of each route, itself a pattern, such as `/v1` or `/orgs/:orgId`. It begins with a slash and does
   * not end with one.
   */
  readonly prefix?: CheckedPrefix<Prefix>;
  /** Guards that run before each route's own, in order. */
  readonly guards?: GuardList<
    Guards,
    InlineGuards<ContextInScope<Of, Prefix, AnyInput>, First, Second, Third>,
    FoldInScope<Of, Prefix, Guards, AnyInput>
  >;
  /**
   * Default responses of the routes. Those of a route replace those of the scope, status by status. They check only routes that
   * declare `responses`, too, and document all routes.
   */
  readonly responses?: Responses & CheckResponses<Of["denied"] | DenialsOf<Guards>, Of["responses"], Responses>;
  /** Default docs of the routes. Each key of a route's own docs replaces that of the scope. */
  readonly docs?: RouteDocs;
}
