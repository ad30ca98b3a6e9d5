import type { MatchedRoute } from "./context.ts";
import type { Pattern } from "./pattern.ts";
import { describeRoute } from "./shape.ts";
import { endOfSegment, SLASH, type Target } from "./url.ts";

/** What a router needs to know of a route. */
export interface Routable {
  /** Its method, or {@linkcode ALL}, and its path as declared. */
  readonly matched: MatchedRoute;
  /** Its pattern. */
  readonly pattern: Pattern;
}

/** Stands for every method. */
export const ALL = "ALL";

/** Finds the one route that answers a request. */
export interface Router<R> {
  /** The route for this method and path: literal before parameter before wildcard, from the left. */
  find(method: string, target: Target): R | undefined;
  /** The methods that some route answers at this path, in alphabetical order. */
  methodsFor(target: Target): readonly string[];
}

/** A place in the tree: what leads here from the node above, and what may follow. */
interface Node<R> {
  /** The literal text that leads here; empty for the root and for a parameter. */
  text: string;
  /** What literal text may follow; no two begin with the same character. */
  children: Node<R>[];
  /** What follows one whole segment, whatever it is. */
  parameter: Node<R> | undefined;
  /** The route that takes all the rest. */
  wildcard: R | undefined;
  /** The route that ends here. */
  end: R | undefined;
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
  const methods = [...new Set(routes.map(({ matched }) => matched.method))].sort();
  const routesFor = (method: string) => routes.filter(({ matched }) => matched.method === method);
  // What answers all methods takes the places that a named method leaves.
  const forAll = routesFor(ALL);
  const rootOfAll = plant(forAll, []);
  const roots = new Map(methods.map((method) => [method, plant(routesFor(method), forAll)]));

  const find = (method: string, { text, start, end }: Target) => walk(roots.get(method) ?? rootOfAll, text, start, end);
  return {
    find,
    methodsFor: (target) => methods.filter((method) => find(method, target) !== undefined),
  };
}

/** A tree of these routes, and of others where these leave a place. */
function plant<R extends Routable>(routes: readonly R[], others: readonly R[]): Node<R> {
  const root = createNode<R>("");
  for (const route of routes) {
    const rival = insert(root, route);
    if (rival === undefined) continue;
    throw new TypeError(
      `Routes must differ in method or shape: ` +
        `${describeRoute(rival.matched)} and ${describeRoute(route.matched)} match the same requests`,
    );
  }
  for (const route of others) insert(root, route);
  return root;
}

function createNode<R>(text: string): Node<R> {
  return { text, children: [], parameter: undefined, wildcard: undefined, end: undefined };
}

/** Puts a route in its place, unless there is one already: that one is returned. */
function insert<R extends Routable>(root: Node<R>, route: R): R | undefined {
  let node = root;
  let text = "";
  for (const segment of route.pattern.segments) {
    text += "/";
    if (segment.kind === "literal") {
      text += segment.text;
      continue;
    }
    node = descend(node, text);
    text = "";
    if (segment.kind === "wildcard") {
      if (node.wildcard !== undefined) return node.wildcard;
      node.wildcard = route;
      return undefined;
    }
    node = node.parameter ??= createNode("");
  }
  node = descend(node, text);
  if (node.end !== undefined) return node.end;
  node.end = route;
  return undefined;
}

/** The node that `text` leads to from `node`, made if need be. */
function descend<R>(node: Node<R>, text: string): Node<R> {
  if (text === "") return node;
  const position = node.children.findIndex((child) => child.text[0] === text[0]);
  const child = node.children[position];
  if (child === undefined) {
    const made = createNode<R>(text);
    node.children.push(made);
    return made;
  }
  let shared = 1;
  while (shared < child.text.length && child.text[shared] === text[shared]) shared++;
  if (shared === child.text.length) return descend(child, text.slice(shared));
  // The ways part inside the child's text: a node for what they share comes before it.
  const fork = createNode<R>(text.slice(0, shared));
  node.children[position] = fork;
  child.text = child.text.slice(shared);
  fork.children.push(child);
  return descend(fork, text.slice(shared));
}

/** The best route below `node` for what is left of the path: what is more specific first, then back to what is less. */
function walk<R>(node: Node<R>, text: string, start: number, end: number): R | undefined {
  if (start === end) return node.end ?? node.wildcard;
  const child = childFor(node.children, text.charCodeAt(start));
  if (child !== undefined && hasAt(text, start, child.text)) {
    const route = walk(child, text, start + child.text.length, end);
    if (route !== undefined) return route;
  }
  if (node.parameter !== undefined && text.charCodeAt(start) !== SLASH) {
    const route = walk(node.parameter, text, endOfSegment(text, start, end), end);
    if (route !== undefined) return route;
  }
  return node.wildcard;
}

/** The only child whose text may match. By index: `for … of` costs 20 ns on Bun. */
function childFor<R>(children: readonly Node<R>[], first: number): Node<R> | undefined {
  for (let index = 0;; index++) {
    const child = children[index];
    if (child === undefined || child.text.charCodeAt(0) === first) return child;
  }
}

/**
 * Whether the literal stands in the text at `start`, where its first character does. It cannot reach beyond the end of the
 * path: no pattern has a `?` or a `#` in it. For texts as short as these, a loop is faster than `startsWith`.
 */
function hasAt(text: string, start: number, literal: string): boolean {
  for (let index = 1; index < literal.length; index++) {
    if (text.charCodeAt(start + index) !== literal.charCodeAt(index)) return false;
  }
  return true;
}
