import { type Captures, QUESTION_MARK, scan, SLASH } from "./plain_path.ts";

/** A node of a radix tree of pattern shapes. */
export interface Tree {
  /** The literal text that all shapes below this node share here, up to the next parameter or wildcard. */
  readonly literal: string;
  /** The route index of the shape that ends after the text, or {@linkcode NO_MATCH}. */
  readonly ending: number;
  /** The route index of the shape whose wildcard takes the rest, or {@linkcode NO_MATCH}. */
  readonly wildcard: number;
  /** The node after a parameter. */
  readonly parameter: Tree | undefined;
  /** The codes of the characters that may follow the text. */
  readonly codes: readonly number[];
  /** The node after each of these characters. */
  readonly children: readonly Tree[];
}

/**
 * Builds the tree of the shapes.
 *
 * @param shapes The shapes, all different.
 * @returns The root of the tree.
 */
export function createTree(shapes: readonly string[]): Tree {
  return createNode(shapes.map((shape, index) => [`${shape}?`, index + 1]), 0);
}

/** The route index of no route. */
export const NO_MATCH = 0;
/** Instead of a route index: the parser may change the path, so parse the url and match the result. */
export const NEEDS_PARSER = -1;

/** A shape and its route index: its position in the list, from 1. A `?` ends the shape, as it ends the path of a url. */
type Leaf = readonly [shape: string, routeIndex: number];

/** Creates the node for shapes that are the same up to `start`, and the nodes below it. */
function createNode(leaves: readonly Leaf[], start: number): Tree {
  const charactersAt = (index: number) => [...new Set(leaves.map(([shape]) => shape.charAt(index)))].join("");
  let end = start;
  while (/^[^:*?]$/.test(charactersAt(end))) end++;
  const next = charactersAt(end);
  const followedBy = (character: string) => leaves.filter(([shape]) => shape.charAt(end) === character);
  const below = (character: string) => createNode(followedBy(character), end + 1);
  const characters = [...next.replace(/[:*?]/g, "")];
  return {
    literal: leaves[0]?.[0].slice(start, end) ?? "",
    ending: followedBy("?")[0]?.[1] ?? NO_MATCH,
    wildcard: followedBy("*")[0]?.[1] ?? NO_MATCH,
    parameter: next.includes(":") ? below(":") : undefined,
    codes: characters.map((character) => character.charCodeAt(0)),
    children: characters.map(below),
  };
}

/**
 * Finds the most specific shape that matches a path: literal, then parameter, then wildcard, segment by segment.
 *
 * @param tree The tree.
 * @param text The text that contains the path.
 * @param start Where the path begins.
 * @param isNormalized Whether a parser has normalized the path.
 * @param captures Receives the captured values and the end of the path.
 * @returns The route index of the shape, {@linkcode NO_MATCH} or {@linkcode NEEDS_PARSER}.
 */
export function search(
  tree: Tree,
  text: string,
  start: number,
  isNormalized: boolean,
  captures: Captures,
): number {
  captures.isNormalized = isNormalized;
  captures.hasEscapes = false;
  const routeIndex = walk(tree, text, start, captures, 0);
  if (routeIndex !== NO_MATCH || isNormalized) return routeIndex;
  // The path is plain up to `captures.end`. Scan the rest.
  return scan(text, captures.end, -1, captures) < 0 ? NEEDS_PARSER : NO_MATCH;
}

/**
 * Searches below a node, depth-first with backtracking. `depth` numbers of `captures.spans` are in use. It recurses only where
 * backtracking is possible, else it loops.
 */
function walk(tree: Tree, text: string, start: number, captures: Captures, depth: number): number {
  const { spans } = captures;
  let node = tree;
  let position = start;
  for (;;) {
    const { literal, wildcard, parameter } = node;
    // The loop cannot run past the path: no literal contains `?` or `#`.
    for (let index = 0; index < literal.length; index++, position++) {
      if (text.charCodeAt(position) !== literal.charCodeAt(index)) {
        captures.end = position;
        return NO_MATCH;
      }
    }
    const code = position < text.length ? text.charCodeAt(position) : QUESTION_MARK;
    if (code === QUESTION_MARK) {
      captures.end = position;
      if (node.ending !== NO_MATCH) return node.ending;
    } else {
      const child = childOf(node, code);
      if (child !== undefined) {
        if (parameter === undefined && wildcard === NO_MATCH) {
          node = child;
          position++;
          continue;
        }
        const routeIndex = walk(child, text, position + 1, captures, depth);
        if (routeIndex !== NO_MATCH) return routeIndex;
      }
      if (parameter !== undefined) {
        const end = scan(text, position, SLASH, captures);
        if (end < 0) return NEEDS_PARSER;
        if (end > position) {
          spans[depth] = position;
          spans[depth + 1] = end;
          if (wildcard === NO_MATCH) {
            node = parameter;
            position = end;
            depth += 2;
            continue;
          }
          const routeIndex = walk(parameter, text, end, captures, depth + 2);
          if (routeIndex !== NO_MATCH) return routeIndex;
        }
      }
    }
    if (wildcard === NO_MATCH) {
      captures.end = position;
      return NO_MATCH;
    }
    const end = scan(text, position, -1, captures);
    if (end < 0) return NEEDS_PARSER;
    captures.end = end;
    spans[depth] = position;
    spans[depth + 1] = end;
    return wildcard;
  }
}

/** The node after this character. */
function childOf({ codes, children }: Tree, code: number): Tree | undefined {
  for (let index = 0; index < codes.length; index++) {
    if (codes[index] === code) return children[index];
  }
  return undefined;
}
