import { describeRoute, isRecord, requireKnownKeys, requireThat } from "./checks.ts";
import type { Context, NoLocals } from "./context.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { AnyGuard } from "./guard.ts";
import type { Both, Disorder, Fit, FoldGuards, GuardList, InlineGuards, Merge } from "./guard_list.ts";
import type { AnyInput, Input, NoSchemas, RequestSchemas } from "./input.ts";
import { ALL } from "./method.ts";
import type { PathParams } from "./pattern.ts";
import type { MergePlatforms } from "./platform.ts";
import type { CheckResponses, DenialsOf, MergeResponses, ResultOf } from "./responses.ts";
import { type CheckedPrefix, joinPaths, mergeDefaults, nestPrefix, requireNoResponses } from "./scope.ts";
import type { BodyFor, PossibleSchemas, SchemasWith } from "./text_schema.ts";
import type { CheckEndpoint, Endpoint, EndpointOfRoute, InputAt, PathAt, ResultAt } from "./typed_endpoint.ts";
import { requireRequest } from "./validate.ts";

/**
 * A declared route, as plain data. `route.get` and the like return it, `setup` accepts it and `app.routes` lists it.
 *
 * @typeParam Needs The locals that `onRequest` must provide.
 * @typeParam Platform The extra arguments that `app.fetch` must receive after the request.
 */
export interface Route<in Needs = NoLocals, Platform extends readonly unknown[] = []> {
  /** The method, several methods, or `"ALL"` for every method. */
  readonly method: string | readonly string[];
  /** The path pattern, including the prefix of the scope. */
  readonly path: string;
  /** The schemas, and the bound of the body. */
  readonly request?: RequestSchemas;
  /** The responses that the route declares, merged over those of the scope. They have no effect on requests. */
  readonly responses?: RouteResponses;
  /** The responses of the scope, if the route declares none itself. Documentation only. */
  readonly scopeResponses?: RouteResponses;
  /** The documentation, merged over that of the scope. It has no effect on requests. */
  readonly docs?: RouteDocs;
  /** The guards in the order in which they run: first those of the scope, then the route's own. */
  readonly guards: readonly AnyGuard[];
  /** The handler. */
  readonly resolve: AnyHandler;
  /** Type-only, absent at run time: carries the types of the route to `setup`. */
  readonly "~expects"?: (locals: Needs, ...platform: Platform) => void;
}

/** Any route, whatever locals and extra arguments it needs. */
export type AnyRoute = Route<never, never>;

/**
 * Any handler, whatever context and extra arguments it needs.
 *
 * @internal
 */
export type AnyHandler = (c: never, ...platform: never[]) => Response | Promise<Response>;

/**
 * The types that a scope gives to all its routes.
 *
 * @internal
 */
export interface Scope {
  /** The prefix of each path. */
  readonly prefix: string;
  /** The locals that `onRequest` must provide. */
  readonly needs: object;
  /** The locals that the guards of the scope add. */
  readonly added: object;
  /** The extra arguments of `app.fetch` that the guards of the scope require. */
  readonly platform: readonly unknown[];
  /** Whether the guards of the scope let only valid input pass. */
  readonly valid: boolean;
  /** The responses of the scope; `never` if it has none. */
  readonly responses: object;
  /** The answers that the guards of the scope deny with, as far as their types tell. */
  readonly denied: unknown;
}

/**
 * The scope of `route` itself.
 *
 * @internal
 */
export interface RootScope extends Scope {
  /** None. */
  readonly prefix: "";
  /** None. */
  readonly needs: NoLocals;
  /** None. */
  readonly added: NoLocals;
  /** None. */
  readonly platform: [];
  /** No guards, so the input may be invalid. */
  readonly valid: false;
  /** None. */
  readonly responses: never;
  /** None. */
  readonly denied: never;
}

/**
 * The result of the fold over the guards of a scope and of a route in it.
 *
 * @internal
 */
export type FoldInScope<Of extends Scope, Path extends string, Guards, Outcome> = [Guards] extends [never]
  ? Fit<Of["needs"], Of["added"], Of["platform"], OutcomeInScope<Of, Outcome>>
  : FoldGuards<
    Guards,
    Of["needs"],
    Of["added"],
    Of["platform"],
    ParamsInScope<Of, Path>,
    OutcomeInScope<Of, Outcome>
  >;

/**
 * The context of the first guard of a route, or of a scope in a scope.
 *
 * @internal
 */
export type ContextInScope<Of extends Scope, Path extends string, Outcome> = Context<
  Merge<Of["needs"], Of["added"]>,
  ParamsInScope<Of, Path>,
  OutcomeInScope<Of, Outcome>
>;

/**
 * The outcome of validation of a route with these schemas. If the option is absent, `Schemas` and `Guards` are `never` while
 * TypeScript infers the type of a handler that is wrapped in a call, `resolve: within(1000, (c) => …)`.
 *
 * @internal
 */
export type InputFor<Schemas> = [Schemas] extends [never] ? Input<NoSchemas> : Input<NoInfer<Schemas>>;

/**
 * The outcome of validation for the first guard of a route: valid input only if the guards of the scope guarantee it.
 *
 * @internal
 */
export type OutcomeInScope<Of extends Scope, Outcome> = Of["valid"] extends true
  ? Extract<Outcome, { readonly ok: true }>
  : Outcome;

/**
 * The path parameters of a path, including those in the prefix of its scope.
 *
 * @internal
 */
export type ParamsInScope<Of extends Scope, Path extends string> = PathParams<NoInfer<`${Of["prefix"]}${Path}`>>;

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
      FoldInScope<Of, Path, Guards, InputFor<Schemas>>["outcome"]
    >,
    // Keep the spread: without it TypeScript infers inline guards too late, and `resolve` misses their locals.
    ...platform: [...Platform]
  ) => ResultOf<Of["responses"], NoInfer<Responses>>;
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
    readonly valid: FoldInScope<Of, Prefix, Guards, AnyInput>["outcome"] extends { readonly ok: true } ? true : false;
    readonly responses: MergeResponses<Of["responses"], Responses>;
    readonly denied: Of["denied"] | DenialsOf<Guards>;
  }>;
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
      FoldInScope<Of, PathAt<At>, Guards, InputAt<At>>["outcome"]
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

/** Untyped view of {@linkcode RouteOptions}, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs;
  readonly guards?: readonly unknown[];
  readonly resolve?: unknown;
}

/** Untyped view of {@linkcode ScopeOptions}, for the implementation. */
interface ScopeDeclaration {
  readonly prefix?: string;
  readonly responses?: RouteResponses;
  readonly guards?: readonly unknown[];
  readonly docs?: RouteDocs;
}

function createFactory(
  prefix: string,
  scopeGuards: readonly unknown[],
  scopeDocs?: RouteDocs,
  scopeResponses?: RouteResponses,
): RouteFactory {
  /** Both kinds of call: `on(method, path, options)` and `on(endpoint, options)`. */
  const on = (
    method: string | readonly string[] | Endpoint,
    path: string | Declaration,
    options?: Declaration,
  ): Route<unknown, readonly unknown[]> => {
    const isEndpoint = isRecord(method);
    const at = (isEndpoint ? method : { method, path: joinPaths(prefix, path as string) }) as Endpoint;
    const own = (isEndpoint ? path : options) as Declaration;
    const owner = `route ${describeRoute(at)}`;
    if (isEndpoint && prefix !== "") {
      throw new TypeError(
        `The endpoint of ${owner} has its whole path: implement it in a scope without a prefix, not in "${prefix}"`,
      );
    }
    requireThat(isRecord(own), `Options of ${owner}`, "an object such as { resolve: … }", own);
    // The endpoint has the schemas and the responses of its route.
    requireKnownKeys(own, owner, isEndpoint ? ["guards"] : ["request", "responses", "guards"], ["docs", "resolve"]);
    // Not `?? []`: guards that are `null` must not serve an unguarded route.
    const { guards = [] } = own;
    const { request, responses: ownResponses } = isEndpoint ? at : own;
    requireRequest(request, at.method, owner);
    requireNoResponses(own.docs, owner);
    const docs = mergeDefaults(scopeDocs, mergeDefaults(at.docs, own.docs));
    const responses = isEndpoint ? ownResponses : mergeDefaults(scopeResponses, ownResponses);
    return {
      method: at.method,
      path: at.path,
      ...request !== undefined && { request },
      ...responses !== undefined && { [ownResponses === undefined ? "scopeResponses" : "responses"]: responses },
      ...docs !== undefined && { docs },
      // The compiler checks the items of the lists, and setup checks them again.
      guards: scopeGuards.concat(guards) as readonly AnyGuard[],
      resolve: own.resolve as AnyHandler,
    };
  };
  const declare = (method: string) => (path: string, options: Declaration) => on(method, path, options);
  // The declared types are those of the callers; the implementation is untyped.
  const factory: { readonly [Key in keyof RouteFactory]: unknown } = {
    get: declare("GET"),
    post: declare("POST"),
    put: declare("PUT"),
    patch: declare("PATCH"),
    delete: declare("DELETE"),
    head: declare("HEAD"),
    options: declare("OPTIONS"),
    all: declare(ALL),
    on,
    with: (scope: ScopeDeclaration = {}) => {
      const { prefix: ownPrefix = "", guards = [], docs, responses } = scope;
      const path = nestPrefix(prefix, ownPrefix, "route.with");
      const owner = `route.with for "${path}"`;
      requireKnownKeys(scope, owner, ["responses", "guards"], ["prefix", "docs"]);
      requireNoResponses(docs, owner);
      return createFactory(
        path,
        scopeGuards.concat(guards),
        mergeDefaults(scopeDocs, docs),
        mergeDefaults(scopeResponses, responses),
      );
    },
  };
  return factory as RouteFactory;
}

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
export const route: RouteFactory = /* @__PURE__ */ createFactory("", []);
