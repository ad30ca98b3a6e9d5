import { describeRoute, isRecord, requireKnownKeys, requireRouteKeys, requireThat } from "./assert.ts";
import type { AnyHandler, Route } from "./declared_route.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { AnyGuard } from "./guard_fn.ts";
import type { RequestSchemas } from "./input.ts";
import { withMethods } from "./method.ts";
import type { RouteFactory } from "./route_factory.ts";
import { joinPaths, mergeDefaults, nestPrefix, requireNoResponses } from "./scope.ts";
import type { Endpoint } from "./typed_endpoint.ts";
import { requireRequest } from "./validate.ts";

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

/** Untyped view of `RouteOptions`, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs;
  readonly guards?: readonly unknown[];
  readonly resolve?: unknown;
}

/** Untyped view of `ScopeOptions`, for the implementation. */
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
        `Endpoint of ${owner} must be in a scope without a prefix: received "${prefix}"`,
      );
    }
    requireThat(isRecord(own), `Options of ${owner}`, "an object such as { resolve: … }", own);
    if (isEndpoint) requireRouteKeys(at, owner);
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
  // The declared types are those of the callers; the implementation is untyped.
  const factory: { readonly [Key in keyof RouteFactory]: unknown } = {
    ...withMethods(on),
    with: (scope: ScopeDeclaration = {}) => {
      const path = nestPrefix(prefix, scope, "route.with");
      const { guards = [], docs, responses } = scope;
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
