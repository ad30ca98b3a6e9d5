import { type Captures, scan, SLASH } from "./url.ts";

/**
 * The shapes of patterns as a tree over their literal text, written into one row of numbers: what is read one after the other
 * lies side by side. Made of objects and arrays, a search among 200 routes takes a fifth longer, among 10,000 twice as long.
 *
 * The first number is where the root is. A node is, number by number:
 * - how long its literal text is, and the codes of that text;
 * - the place of the shape that ends here, and of the one that takes all the rest, or 0;
 * - where the node behind a parameter is, or 0;
 * - how many characters may follow; for each its code, and where the node behind it is.
 */
export type Tree = Int32Array;

/**
 * Makes the tree of some shapes.
 *
 * @param shapes The shapes, which differ from each other.
 * @returns The tree.
 */
export function createTree(shapes: readonly string[]): Tree {
  const tree = [0];
  tree[0] = addNode(tree, shapes.map((shape, index) => [`${shape}?`, index + 1]), 0);
  return Int32Array.from(tree);
}

/** A shape, ended by a `?` as the path of a url is, and its place in the list, from 1. */
type Leaf = readonly [shape: string, place: number];

/** Writes the node for shapes that are the same up to `start`, behind those below it. Gives where it is. */
function addNode(tree: number[], leaves: readonly Leaf[], start: number): number {
  const charactersAt = (index: number) => [...new Set(leaves.map(([shape]) => shape.charAt(index)))].join("");
  let end = start;
  while (/^[^:*?]$/.test(charactersAt(end))) end++;
  const followedBy = (character: string) => leaves.filter(([shape]) => shape.charAt(end) === character);
  const below = (character: string) => addNode(tree, followedBy(character), end + 1);

  const literal = leaves[0]?.[0].slice(start, end) ?? "";
  const parameter = followedBy(":").length > 0 ? below(":") : 0;
  const children = charactersAt(end).replace(/[:*?]/g, "");
  const numbers = [
    literal.length,
    ...Array.from(literal, codeOf),
    ...["?", "*"].map((sign) => followedBy(sign)[0]?.[1] ?? 0),
    parameter,
    children.length,
  ];
  for (const character of children) numbers.push(codeOf(character), below(character));
  for (const number of numbers) tree.push(number);
  return tree.length - numbers.length;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

/**
 * Finds the best shape for a path: what is more specific first, then back to what is less.
 *
 * @param tree The tree.
 * @param root The node to begin at.
 * @param text The text that has the path in it.
 * @param start Where what is left of the path begins.
 * @param end Where the path ends.
 * @param captures What is known of the path; the values of the shape are written down here.
 * @param depth How many numbers there are in `captures.spans` so far.
 * @returns The place of the shape, 0 if there is none, or -1 if only a parser can tell.
 */
export function walk(
  tree: Tree,
  root: number,
  text: string,
  start: number,
  end: number,
  captures: Captures,
  depth: number,
): number {
  const { spans } = captures;
  let node = root;
  let position = start;
  for (;;) {
    const header = node + 1 + (tree[node] as number);
    // It cannot reach beyond the end of the path: no pattern has a `?` or a `#` in it.
    for (let index = node + 1; index < header; index++, position++) {
      if (text.charCodeAt(position) !== tree[index]) return 0;
    }
    const ending = tree[header] as number;
    const rest = tree[header + 1] as number;
    const parameter = tree[header + 2] as number;
    if (position < end) {
      const child = childOf(tree, header + 3, text.charCodeAt(position));
      if (child > 0) {
        // Only where there is a way back, it calls itself.
        if (parameter + rest === 0) {
          node = child;
          position++;
          continue;
        }
        const place = walk(tree, child, text, position + 1, end, captures, depth);
        if (place !== 0) return place;
      }
      if (parameter > 0) {
        const next = scan(text, position, end, SLASH, captures);
        if (next < 0) return -1;
        if (next > position) {
          spans[depth] = position;
          spans[depth + 1] = next;
          const place = walk(tree, parameter, text, next, end, captures, depth + 2);
          if (place !== 0) return place;
        }
      }
    } else if (ending > 0) return ending;
    if (rest === 0) return 0;
    spans[depth] = position;
    spans[depth + 1] = end;
    return scan(text, position, end, -1, captures) < 0 ? -1 : rest;
  }
}

/** The node that a character leads to by the list that is at `list`, or 0. */
function childOf(tree: Tree, list: number, code: number): number {
  const end = list + 2 * (tree[list] as number);
  for (let index = list + 1; index < end; index += 2) {
    if (tree[index] === code) return tree[index + 1] as number;
  }
  return 0;
}
