import type { AnyRoute } from "@fw/core";

/**
 * Lets each route for GET answer HEAD, too. The handler runs as for GET. The runtime sends its headers without the body, and
 * cancels a stream.
 *
 * @param routes The routes.
 * @returns The same routes, for `setup`. Where a route for HEAD or for all methods has the same path, that route responds.
 */
export function withHead<Declared extends AnyRoute>(routes: readonly Declared[]): readonly Declared[] {
  const answersHead = ({ method }: Declared) => [method].flat().some((name) => name === "HEAD" || name === "ALL");
  const taken = new Set(routes.filter(answersHead).map(shapeOf));
  return routes.map((route) => {
    const methods = [route.method].flat();
    return methods.includes("GET") && !taken.has(shapeOf(route)) ? { ...route, method: [...methods, "HEAD"] } : route;
  });
}

/** The path without the names of its parameters: patterns of one shape match the same paths. */
function shapeOf({ path }: AnyRoute): string {
  return path.replaceAll(/:[^/]+/g, ":");
}
