import type { Context, NoLocals } from "./context.ts";
import type { RouteDocs } from "./docs.ts";
import type { AnyGuard } from "./guard.ts";
import type { Both, Fit, Fold, FoldGuards, GuardList, InlineGuards, Merge } from "./guard_list.ts";
import type { PathParams } from "./pattern.ts";
import type { MergePlatforms } from "./platform.ts";
import { ALL } from "./router.ts";
import { requireKnownKeys } from "./option.ts";
import { describeRoute, isRecord } from "./shape.ts";
import { requireSchemas } from "./validate.ts";
import type { AnyInput, Input, RequestSchemas } from "./validate.ts";

/**
 * A declared route, as plain data: what `route.get` and its kin return, what `setup` takes and `app.routes` lists.
 *
 * @typeParam Needs The locals that `onRequest` has to provide.
 * @typeParam Platform What has to follow the request in `app.fetch`.
 */
export interface Route<in Needs = NoLocals, Platform extends readonly unknown[] = []> {
  /** The method that it answers, several of them, or `"ALL"` for every method. */
  readonly method: string | readonly string[];
  /** Its path pattern, behind the prefix of its scope. */
  readonly path: string;
  /** Its schemas, and the bound of its body. */
  readonly request?: RequestSchemas;
  /** What it says about itself, over what its scope says. Requests never see it. */
  readonly docs?: RouteDocs;
  /** Its guards in the order in which they run, those of its scope first. */
  readonly guards: readonly AnyGuard[];
  /** Its handler. */
  readonly resolve: AnyHandler;
  /** Never there at run time: carries the route's types to `setup`. */
  readonly "~expects"?: (locals: Needs, ...platform: Platform) => void;
}

/** Any route, whatever it expects. */
export type AnyRoute = Route<never, never>;

/** Any handler, whatever it expects. */
export type AnyHandler = (c: never, ...platform: never[]) => Response | Promise<Response>;

/** What a scope gives to all its routes, for the compiler. */
export interface Scope {
  /** What stands before each path. */
  readonly prefix: string;
  /** The locals that `onRequest` has to provide. */
  readonly needs: object;
  /** The locals that the guards of the scope add. */
  readonly added: object;
  /** What the guards of the scope expect behind the request in `app.fetch`. */
  readonly platform: readonly unknown[];
  /** Whether the guards of the scope let only valid input pass. */
  readonly valid: boolean;
}

/** The scope of `route` itself. */
export interface RootScope extends Scope {
  /** None. */
  readonly prefix: "";
  /** None. */
  readonly needs: NoLocals;
  /** None. */
  readonly added: NoLocals;
  /** None. */
  readonly platform: [];
  /** No guard, no promise. */
  readonly valid: false;
}

/** What the guards of a scope and of a route in it come to. */
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

/** The context of the first guard of a route, or of a scope in a scope. */
export type ContextInScope<Of extends Scope, Path extends string, Outcome> = Context<
  Merge<Of["needs"], Of["added"]>,
  ParamsInScope<Of, Path>,
  OutcomeInScope<Of, Outcome>
>;

/** The context of a handler behind these guards. */
export type HandlerContext<Folded extends Fold, Params> = Context<
  Merge<Folded["needs"], Folded["added"]>,
  Params,
  Folded["outcome"]
>;

/**
 * The outcome of validation of a route with these schemas. `Schemas` and `Guards` are `never` while TypeScript infers the type
 * of a handler that is wrapped in a call, `resolve: within(1000, (c) => …)`, and the option is absent.
 */
export type InputFor<Schemas> = [Schemas] extends [never] ? Input<NoSchemas> : Input<NoInfer<Schemas>>;

/** No schemas. */
export type NoSchemas = Record<never, never>;

/** The outcome of validation as the first guard of a route sees it: the valid case behind guards that promise so. */
export type OutcomeInScope<Of extends Scope, Outcome> = Of["valid"] extends true
  ? Extract<Outcome, { readonly ok: true }>
  : Outcome;

/** The path parameters of a path behind the prefix of its scope. */
export type ParamsInScope<Of extends Scope, Path extends string> = PathParams<NoInfer<`${Of["prefix"]}${Path}`>>;

/**
 * What a route is declared with, beside method and path.
 *
 * @typeParam Of The scope that it is declared in.
 * @typeParam Path Its pattern, without the prefix of the scope.
 * @typeParam Schemas Its schemas.
 * @typeParam Guards Its guards.
 * @typeParam Platform What follows the request in `app.fetch`, as far as the handler reads it.
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
> {
  /** Schemas for the parts of the request. A part without one is not validated; a body without one is not read. */
  readonly request?: Schemas;
  /** What the route says about itself to readers, in documents. Each key replaces that of the scope. */
  readonly docs?: RouteDocs;
  /** Guards, run in order after validation, whatever its outcome. */
  readonly guards?:
    & (Guards | InlineGuards<ContextInScope<Of, Path, InputFor<Schemas>>, First, Second, Third>)
    & FoldInScope<Of, Path, Guards, InputFor<Schemas>>["misfit"];
  /** The handler. What follows the request in `app.fetch` follows the context here. */
  readonly resolve: (
    c: HandlerContext<FoldInScope<Of, Path, Guards, InputFor<Schemas>>, ParamsInScope<Of, Path>>,
    // Spread: only so do the locals of guards written in place reach the handler in the same inference.
    ...platform: [...Platform]
  ) => Response | Promise<Response>;
}

/** The route that a declaration gives. Its type says what it expects of others, and nothing of what it does. */
export type RouteInScope<
  Of extends Scope,
  Path extends string,
  Schemas,
  Guards,
  Platform extends readonly unknown[],
> = Route<
  FoldInScope<Of, Path, Guards, InputFor<Schemas>>["needs"],
  MergePlatforms<FoldInScope<Of, Path, Guards, InputFor<Schemas>>["platform"], Platform>
>;

/** Declares a route for one method: `route.get("/books/:id", { resolve })`. */
export interface DeclareRoute<Of extends Scope> {
  /**
   * Declares a route. Option names are checked here, all else by `setup`.
   *
   * @param path The pattern: literal segments, `:name` for one non-empty segment, a final `*` for the rest.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   * @throws A `TypeError` if an option is not known, or a schema is `undefined`.
   */
  <
    const Path extends string,
    const Schemas extends RequestSchemas = Record<never, never>,
    const Guards extends readonly unknown[] = readonly unknown[],
    Platform extends readonly unknown[] = readonly unknown[],
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
  >(
    path: Path,
    options: RouteOptions<Of, Path, Schemas, Guards, Platform, First, Second, Third>,
  ): RouteInScope<Of, Path, Schemas, Guards, NoInfer<Platform>>;
}

/**
 * Declares routes. A scope made by `with` declares them under a prefix, behind guards, or for certain locals.
 *
 * @typeParam Of The scope.
 */
export interface RouteFactory<Of extends Scope = RootScope> {
  /** Declares a route for GET. HEAD is a method of its own. */
  readonly get: DeclareRoute<Of>;
  /** Declares a route for POST. */
  readonly post: DeclareRoute<Of>;
  /** Declares a route for PUT. */
  readonly put: DeclareRoute<Of>;
  /** Declares a route for PATCH. */
  readonly patch: DeclareRoute<Of>;
  /** Declares a route for DELETE. */
  readonly delete: DeclareRoute<Of>;
  /** Declares a route for HEAD. */
  readonly head: DeclareRoute<Of>;
  /** Declares a route for OPTIONS. */
  readonly options: DeclareRoute<Of>;
  /** Declares a route for every method; on the same pattern a route for a named method comes first. */
  readonly all: DeclareRoute<Of>;
  /**
   * Declares a route for any method, or for several.
   *
   * @param method The method or methods, in capital letters: HTTP tells `get` from `GET`.
   * @param path The pattern.
   * @param options Schemas, guards and handler.
   * @returns The route, for `setup`.
   */
  on<
    const Path extends string,
    const Schemas extends RequestSchemas = Record<never, never>,
    const Guards extends readonly unknown[] = readonly unknown[],
    Platform extends readonly unknown[] = readonly unknown[],
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
  >(
    method: string | readonly string[],
    path: Path,
    options: RouteOptions<Of, Path, Schemas, Guards, Platform, First, Second, Third>,
  ): RouteInScope<Of, Path, Schemas, Guards, NoInfer<Platform>>;
  /**
   * Makes a scope whose guards and handlers may read these locals: `onRequest` has to provide them, or `setup` does not
   * compile.
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
  }>;
  /**
   * Makes a scope: its prefix stands before the path of each route, its guards run before the route's own, its docs hold
   * where the route's own are silent.
   *
   * @param scope Prefix, guards and docs. The prefix begins with a slash and does not end with one.
   * @returns The scope.
   */
  with<
    const Guards extends readonly unknown[],
    const Prefix extends string = "",
    const First = unknown,
    const Second = unknown,
    const Third = unknown,
  >(
    scope: ScopeOptions<Of, Prefix, Guards, First, Second, Third>,
  ): RouteFactory<ScopeBehind<`${Of["prefix"]}${Prefix}`, FoldInScope<Of, Prefix, Guards, AnyInput>>>;
}

/** The scope behind these guards. */
export interface ScopeBehind<Prefix extends string, Folded extends Fold> extends Scope {
  /** The prefixes of the scope and of those around it. */
  readonly prefix: Prefix;
  /** What the guards read and none of them has added. */
  readonly needs: Folded["needs"];
  /** What the guards add. */
  readonly added: Folded["added"];
  /** What the guards expect behind the request in `app.fetch`. */
  readonly platform: Folded["platform"];
  /** Whether the guards let only valid input pass. */
  readonly valid: Folded["outcome"] extends { readonly ok: true } ? true : false;
}

/**
 * What a scope is made with.
 *
 * @typeParam Of The scope that it is made in.
 * @typeParam Prefix Its own prefix.
 * @typeParam Guards Its own guards.
 */
export interface ScopeOptions<
  Of extends Scope,
  Prefix extends string,
  Guards extends readonly unknown[],
  First = unknown,
  Second = unknown,
  Third = unknown,
> {
  /** What stands before the path of each route, itself a pattern: `/v1`, `/orgs/:orgId`. */
  readonly prefix?: Prefix;
  /** Guards that run before each route's own. */
  readonly guards?: GuardList<
    Guards,
    InlineGuards<ContextInScope<Of, Prefix, AnyInput>, First, Second, Third>,
    FoldInScope<Of, Prefix, Guards, AnyInput>
  >;
  /** What each route says about itself unless it says something else: key by key, its own replaces this. */
  readonly docs?: RouteDocs;
}

/** Every kind of declaration comes down to this. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly docs?: RouteDocs;
  readonly guards?: readonly unknown[];
  readonly resolve?: unknown;
}

/** And every kind of scope to this. */
interface ScopeDeclaration {
  readonly prefix?: string;
  readonly guards?: readonly unknown[];
  readonly docs?: RouteDocs;
}

function createFactory(prefix: string, scopeGuards: readonly unknown[], scopeDocs?: RouteDocs): RouteFactory {
  const on = (
    method: string | readonly string[],
    path: string,
    options: Declaration,
  ): Route<unknown, readonly unknown[]> => {
    const fullPath = join(prefix, path);
    const owner = `route ${describeRoute({ method, path: fullPath })}`;
    // Without options, setup finds that there is no handler.
    const { request, guards = [], resolve, docs: ownDocs } = options ?? {};
    requireKnownKeys(options ?? {}, owner, ["request", "guards", "docs", "resolve"], ["request", "guards"]);
    if (isRecord(request)) requireSchemas(request, owner);
    const docs = overlay(scopeDocs, ownDocs);
    return {
      method,
      path: fullPath,
      ...request !== undefined && { request },
      ...docs !== undefined && { docs },
      // What the lists hold is checked by the compiler, and once more by setup.
      guards: scopeGuards.concat(guards) as readonly AnyGuard[],
      resolve: resolve as AnyHandler,
    };
  };
  const declare = (method: string) => (path: string, options: Declaration) => on(method, path, options);
  return {
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
      const { prefix: ownPrefix = "", guards = [], docs } = scope;
      const path = join(prefix, ownPrefix);
      const owner = `route.with for "${path}"`;
      requireKnownKeys(scope, owner, ["prefix", "guards", "docs"], ["guards"]);
      return createFactory(path, scopeGuards.concat(guards), overlay(scopeDocs, docs));
    },
  };
}

/** A path behind a prefix. One without a slash would run into it, and is left as it is, for setup to refuse. */
function join(prefix: string, path: string): string {
  return path === "" || String(path).startsWith("/") ? prefix + path : path;
}

/** Docs with others laid over them, key by key. What is no object is left as it is, for their readers to refuse. */
function overlay(under: RouteDocs | undefined, over: RouteDocs | undefined): RouteDocs | undefined {
  if (!isRecord(under)) return under === undefined ? over : under;
  if (!isRecord(over)) return over === undefined ? under : over;
  return { ...under, ...over };
}

/**
 * Declares routes: method and path pattern, schemas, guards, handler. A declaration is plain data; `setup` serves it.
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
export const route: RouteFactory = createFactory("", []);
