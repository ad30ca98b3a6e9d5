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

/** Routes of one pattern, by method. */
type Leaf<R> = Map<string, R>;

/** A place in the tree: what leads here from the node above, and what may follow. */
interface Node<R> {
  /** The literal text that leads here; empty for the root and for a parameter. */
  text: string;
  /** What literal text may follow; no two begin with the same character. */
  children: Node<R>[];
  /** What follows one whole segment, whatever it is. */
  parameter: Node<R> | undefined;
  /** The routes that take all the rest. */
  wildcard: Leaf<R> | undefined;
  /** The routes that end here. */
  end: Leaf<R> | undefined;
}

/**
 * Builds a tree over the literal text and the parameters of all patterns. A request walks down it once, however many routes
 * there are; the order in which they were declared plays no part.
 *
 * @param routes The routes, one for each method.
 * @returns The router.
 * @throws If two routes have the same method and the same shape; the message names both.
 */
export function createRouter<R extends Routable>(routes: readonly R[]): Router<R> {
  const root = createNode<R>("");
  for (const route of routes) insert(root, route);
  const methods = [...new Set(routes.map((route) => route.matched.method))].sort();

  return {
    find: (method, { text, start, end }) => find(root, method, text, start, end),
    methodsFor: ({ text, start, end }) =>
      methods.filter((method) => find(root, method, text, start, end) !== undefined),
  };
}

function createNode<R>(text: string): Node<R> {
  return { text, children: [], parameter: undefined, wildcard: undefined, end: undefined };
}

function insert<R extends Routable>(root: Node<R>, route: R): void {
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
    if (segment.kind === "wildcard") return addTo(node.wildcard ??= new Map(), route);
    node = node.parameter ??= createNode("");
  }
  addTo(descend(node, text).end ??= new Map(), route);
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

/** The best route below `node` for what is left of the path. */
function find<R>(node: Node<R>, method: string, text: string, start: number, end: number): R | undefined {
  let route: R | undefined;
  if (start === end) {
    route = forMethod(node.end, method);
  } else {
    const first = text.charCodeAt(start);
    const child = childFor(node.children, first);
    // Its text cannot match beyond the end of the path: no pattern has a `?` or a `#` in it.
    if (child !== undefined && text.startsWith(child.text, start)) {
      route = find(child, method, text, start + child.text.length, end);
    }
    if (route === undefined && node.parameter !== undefined && first !== SLASH) {
      route = find(node.parameter, method, text, endOfSegment(text, start, end), end);
    }
  }
  return route ?? forMethod(node.wildcard, method);
}

/** The only child whose text may match. By index: `for … of` costs 20 ns on Bun. */
function childFor<R>(children: readonly Node<R>[], first: number): Node<R> | undefined {
  for (let index = 0;; index++) {
    const child = children[index];
    if (child === undefined || child.text.charCodeAt(0) === first) return child;
  }
}

function forMethod<R>(leaf: Leaf<R> | undefined, method: string): R | undefined {
  return leaf && (leaf.get(method) ?? leaf.get(ALL));
}
