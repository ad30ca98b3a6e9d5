import { describeRoute, isRecord, requireOptions, requireRouteKeys } from "./assert.ts";
import type { AnyHandler, Route } from "./declared_route.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { AnyGuard } from "./guard_fn.ts";
import type { RequestSchemas } from "./input.ts";
import type { RouteFactory } from "./route_factory.ts";
import { createFactory, joinPaths, mergeDefaults, type Scope } from "./scope.ts";
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
export const route: RouteFactory = /* @__PURE__ */ createFactory("route", ["guards"], declare) as RouteFactory;

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
  scope: Scope,
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
