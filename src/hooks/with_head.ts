import type { AnyRoute } from "../core/declare/declared_route.ts";

/**
 * Lets each route for GET respond to HEAD, too. The handler runs as for GET. The server sends its headers without the
 * body. Deno and Bun cancel a stream. `@hono/node-server` reads it until its end, or until the client has gone: declare
 * HEAD beside a stream without end. Over HTTP/2, Deno sends the body, too, and clients fail: write a concern whose
 * `replace` drops it.
 *
 * @typeParam Declared The routes.
 * @param routes The routes.
 * @returns The same routes, for `setup`. If a route for HEAD or for all methods matches the same paths, that route
 * responds to HEAD.
 *
 * @example HEAD without a line for each route
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { withHead } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: withHead([route.get("/books", { resolve: () => Response.json([]) })]),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/books", { method: "HEAD" }));
 * assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
 * ```
 */
export function withHead<Declared extends AnyRoute>(routes: readonly Declared[]): readonly Declared[] {
  const taken = new Set(routes.filter((route) => answers(route, "HEAD")).map(shapeOf));
  return routes.map((route) => {
    const methods = [route.method].flat();
    return methods.includes("GET") && !taken.has(shapeOf(route)) ? { ...route, method: [...methods, "HEAD"] } : route;
  });
}

/** Whether a route is declared for this method, or for all. */
export function answers({ method }: AnyRoute, name: string): boolean {
  return [method].flat().some((declared) => declared === name || declared === "ALL");
}

/** The path without the names of its parameters, encoded as in a url: routes of one shape match the same paths. */
export function shapeOf({ path }: AnyRoute): string {
  return new URL(path.replaceAll(/:[^/+]+/g, ":"), "http://a").pathname;
}
