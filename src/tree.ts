import type { Pattern } from "./pattern.ts";
import { scan, SLASH } from "./url.ts";

/** A place in the tree of one method: what leads here from the place above, and what may follow. */
export interface Node<R> {
  /** The literal text that leads here, by character codes; none for the root and for a parameter. */
  codes: readonly number[];
  /** What literal text may follow, by the code of its first character. */
  readonly children: (Node<R> | undefined)[];
  /** What follows one whole segment, whatever it is. */
  parameter: Node<R> | undefined;
  /** The route that takes all the rest. */
  wildcard: R | undefined;
  /** The route that ends here. */
  end: R | undefined;
}

/** A place that nothing follows yet. */
export function createNode<R>(text: string): Node<R> {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  return { codes, children: [], parameter: undefined, wildcard: undefined, end: undefined };
}

/** Puts a route in its place, unless there is one already: that one is returned. */
export function insert<R extends { readonly pattern: Pattern }>(root: Node<R>, route: R): R | undefined {
  const { values, tail } = route.pattern;
  let node = root;
  for (const { before, name } of values) {
    node = descend(node, before);
    if (name === "*") {
      const rival = node.wildcard;
      node.wildcard ??= route;
      return rival;
    }
    node = node.parameter ??= createNode("");
  }
  node = descend(node, tail);
  const rival = node.end;
  node.end ??= route;
  return rival;
}

/** The node that `text` leads to from `node`, made if need be. */
function descend<R>(node: Node<R>, text: string): Node<R> {
  if (text === "") return node;
  const first = text.charCodeAt(0);
  const child = node.children[first] ??= createNode(text);
  const { codes } = child;
  let shared = 1;
  while (shared < codes.length && codes[shared] === text.charCodeAt(shared)) shared++;
  if (shared === codes.length) return descend(child, text.slice(shared));
  // The ways part inside the child's text: a node for what they share comes before it.
  const fork = node.children[first] = createNode(text.slice(0, shared));
  child.codes = codes.slice(shared);
  fork.children[Number(codes[shared])] = child;
  return descend(fork, text.slice(shared));
}

/**
 * The best route below a node for what is left of a path: what is more specific first, then back to what is less. It calls
 * itself only where there is a way back.
 *
 * @param node Where to begin.
 * @param text The text that has the path in it.
 * @param start Where what is left of the path begins.
 * @param end Where the path ends.
 * @param parsed Whether a parser has written the path. If not, what a parameter or a wildcard takes has to be plain; literal text
 * needs no look, it is as a parser writes it.
 * @returns The route, `undefined` if there is none, or `null` if only a parser can tell.
 */
export function walk<R>(
  node: Node<R>,
  text: string,
  start: number,
  end: number,
  parsed: boolean,
): R | null | undefined {
  let position = start;
  for (;;) {
    const { children, parameter, wildcard } = node;
    if (position === end) return node.end ?? wildcard;
    const child = children[text.charCodeAt(position)];
    if (child !== undefined && hasAt(text, position, child.codes)) {
      const next = position + child.codes.length;
      if (parameter === undefined && wildcard === undefined) {
        node = child;
        position = next;
        continue;
      }
      const route = walk(child, text, next, end, parsed);
      if (route !== undefined) return route;
    }
    if (parameter !== undefined) {
      const next = scan(text, position, end, SLASH, parsed);
      if (next < 0) return null;
      if (next > position) {
        if (wildcard === undefined) {
          node = parameter;
          position = next;
          continue;
        }
        const route = walk(parameter, text, next, end, parsed);
        if (route !== undefined) return route;
      }
    }
    return wildcard === undefined || scan(text, position, end, -1, parsed) >= 0 ? wildcard : null;
  }
}

/**
 * Whether the literal stands in the text at `start`, where its first character does. It cannot reach beyond the end of the
 * path: no pattern has a `?` or a `#` in it.
 */
function hasAt(text: string, start: number, codes: readonly number[]): boolean {
  for (let index = 1; index < codes.length; index++) {
    if (text.charCodeAt(start + index) !== codes[index]) return false;
  }
  return true;
}
