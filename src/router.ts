import type { MatchedRoute } from "./context.ts";
import type { Segment } from "./pattern.ts";
import { describeRoute } from "./shape.ts";

/** What a router needs to know of a route. */
export interface Routable {
  /** Its method, or {@linkcode ALL}, and its path as declared. */
  readonly matched: MatchedRoute;
  /** The pattern, parsed. */
  readonly segments: readonly Segment[];
}

/** Stands for every method. */
export const ALL = "ALL";

/** Finds the one route that answers a request. */
export interface Router<R> {
  /** The route for this method and canonical path: literal before parameter before wildcard, from the left. */
  find(method: string, pathname: string): R | undefined;
  /** The methods that some route answers at this path, in alphabetical order. */
  methodsFor(pathname: string): readonly string[];
}

/** Routes of one pattern, by method. */
type Leaf<R> = Map<string, R>;

/** What may follow one segment: a literal, any one segment, or all the rest; or the path ends here. */
interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  parameter: Node<R> | undefined;
  wildcard: Leaf<R> | undefined;
  end: Leaf<R> | undefined;
}

/**
 * Builds a tree over the segments of all patterns. A request walks down it once, however many routes there are; the order
 * in which they were declared plays no part.
 *
 * @param routes The routes, one for each method.
 * @returns The router.
 * @throws If two routes have the same method and the same shape; the message names both.
 */
export function createRouter<R extends Routable>(routes: readonly R[]): Router<R> {
  const root = createNode<R>();
  for (const route of routes) insert(root, route);

  const methods = [...new Set(routes.map((route) => route.matched.method))].sort();

  return {
    find: (method, pathname) => find(root, method, pathname, 1),
    methodsFor: (pathname) => methods.filter((method) => find(root, method, pathname, 1) !== undefined),
  };
}

function createNode<R>(): Node<R> {
  return { literals: new Map(), parameter: undefined, wildcard: undefined, end: undefined };
}

function insert<R extends Routable>(root: Node<R>, route: R): void {
  let node = root;
  for (const segment of route.segments) {
    if (segment.kind === "wildcard") return addTo(node.wildcard ??= new Map(), route);
    if (segment.kind === "parameter") {
      node = node.parameter ??= createNode();
    } else {
      let next = node.literals.get(segment.text);
      if (next === undefined) node.literals.set(segment.text, next = createNode());
      node = next;
    }
  }
  addTo(node.end ??= new Map(), route);
}

function addTo<R extends Routable>(leaf: Leaf<R>, route: R): void {
  const rival = leaf.get(route.matched.method);
  if (rival !== undefined) {
    throw new TypeError(
      `Routes must differ in method or shape: ` +
        `${describeRoute(rival.matched)} and ${describeRoute(route.matched)} match the same requests`,
    );
  }
  leaf.set(route.matched.method, route);
}

/** The best route below `node` for the segments of `pathname` from `start` on; past the end, no segment is left. */
function find<R>(node: Node<R>, method: string, pathname: string, start: number): R | undefined {
  if (start > pathname.length) return forMethod(node.end, method);
  const slash = pathname.indexOf("/", start);
  const end = slash < 0 ? pathname.length : slash;
  const literal = node.literals.get(pathname.slice(start, end));
  return (literal && find(literal, method, pathname, end + 1)) ??
    (node.parameter && end > start ? find(node.parameter, method, pathname, end + 1) : undefined) ??
    forMethod(node.wildcard, method);
}

function forMethod<R>(leaf: Leaf<R> | undefined, method: string): R | undefined {
  return leaf && (leaf.get(method) ?? leaf.get(ALL));
}
