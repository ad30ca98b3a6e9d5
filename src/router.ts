import type { MatchedRoute } from "./context.ts";
import type { Pattern } from "./pattern.ts";
import { describeRoute } from "./shape.ts";
import { createNode, insert, type Node, walk } from "./tree.ts";
import { createUrlReader, indexOrEnd, scan, type Target } from "./url.ts";

/** What a router needs to know of a route. */
export interface Routable {
  /** Its method, or {@linkcode ALL}, and its path as declared. */
  readonly matched: MatchedRoute;
  /** Its pattern. */
  readonly pattern: Pattern;
}

/** Stands for every method. */
export const ALL = "ALL";

/** A route, and where the request that it answers has its path and its query. */
export interface Match<R> extends Target {
  readonly route: R;
}

/** Finds the one route that answers a request. */
export interface Router<R> {
  /** The route for this method and url: literal before parameter before wildcard, from the left. */
  find(method: string, url: string): Match<R> | undefined;
  /** The methods that some route answers at this url, in alphabetical order. */
  methodsFor(url: string): readonly string[];
}

/** The routes of one method. */
interface Table<R> {
  readonly root: Node<R>;
  /**
   * What was found for urls that leave nothing to be read, by url: to look it up takes a third of the time of a search. It has
   * bounds, as clients may think up hosts without end: 1,000 urls, of less than 256 characters each.
   */
  readonly known: Map<string, Match<R>>;
}

/**
 * Builds a tree for each method, over the literal text and the parameters of its patterns. A request walks down one of them
 * once, however many routes there are; the order in which they were declared plays no part.
 *
 * @param routes The routes, one for each method.
 * @returns The router.
 * @throws If two routes have the same method and the same shape; the message names both.
 */
export function createRouter<R extends Routable>(routes: readonly R[]): Router<R> {
  const methods = new Set(routes.map(({ matched }) => matched.method).sort());
  const routesFor = (method: string) => routes.filter(({ matched }) => matched.method === method);
  // What answers all methods takes the places that a named method leaves. In a set: among its own, it would come twice.
  const tables = new Map(
    Array.from(methods, (method) => [method, createTable(new Set([...routesFor(method), ...routesFor(ALL)]))]),
  );
  const tableOfAll = tables.get(ALL) ?? createTable([]);
  const { startOfPath, parse } = createUrlReader();
  return { find, methodsFor };

  function find(method: string, url: string): Match<R> | undefined {
    const table = tables.get(method) ?? tableOfAll;
    return table.known.get(url) ?? search(table, url);
  }

  function search({ root, known }: Table<R>, url: string): Match<R> | undefined {
    const start = startOfPath(url);
    if (start > 0) {
      const end = indexOrEnd(url, "?", start);
      const route = walk(root, url, start, end, false);
      if (route) {
        const search = end < url.length ? url.slice(end + 1, indexOrEnd(url, "#", end)) : "";
        const match = { route, text: url, start, end, search };
        if (end === url.length && route.pattern.values.length === 0 && end < 256) {
          if (known.size === 1_000) known.clear();
          known.set(url, match);
        }
        return match;
      }
      if (route === undefined && scan(url, start, end, -1, false) >= 0) return undefined;
    }
    const target = parse(url);
    const route = target && walk(root, target.text, target.start, target.end, true);
    return target && route ? { route, ...target } : undefined;
  }

  function methodsFor(url: string): readonly string[] {
    const target = parse(url);
    if (target === undefined) return [];
    const { text, start, end } = target;
    return [...tables].filter(([, { root }]) => walk(root, text, start, end, true)).map(([method]) => method);
  }
}

function createTable<R extends Routable>(routes: Iterable<R>): Table<R> {
  const root = createNode<R>("");
  for (const route of routes) {
    const rival = insert(root, route);
    if (rival?.matched.method !== route.matched.method) continue;
    throw new TypeError(
      `Routes must differ in method or shape: ` +
        `${describeRoute(rival.matched)} and ${describeRoute(route.matched)} match the same requests`,
    );
  }
  return { root, known: new Map() };
}
