import { describeRoute } from "../values/assert.ts";
import type { MatchedRoute } from "./matched_route.ts";
import { ALL } from "./method.ts";
import type { Pattern } from "./pattern.ts";
import { type PathFacts, QUESTION_MARK, scan, SLASH } from "./plain_path.ts";

/** The part of a route that the tree reads. */
export interface Routable {
  /** Its method, or {@linkcode ALL}, and its path as declared. */
  readonly matched: MatchedRoute;
  /** Its pattern. */
  readonly pattern: Pattern;
}

/** A node of a radix tree of pattern shapes. What belongs to a shape is its route. */
export interface Tree<R> {
  /** The literal text that all shapes below this node share here, up to the next parameter or wildcard. */
  readonly literal: string;
  /** The route of the shape that ends after the text. */
  readonly ending: R | undefined;
  /**
   * The trees of what follows `:name+` here, in order of precedence, each with its number of segments and one more. In
   * a tree, all shapes have their parameters at the same places, so at most one of them matches a path.
   */
  readonly suffixes: Suffixes<R> | undefined;
  /**
   * The route of the shape whose wildcard takes the rest. Without one, `suffixes`: so one comparison tells whether
   * anything here takes several segments.
   */
  readonly rest: R | Suffixes<R> | undefined;
  /** The node after a parameter. */
  readonly parameter: Tree<R> | undefined;
  /** The codes of the characters that may follow the text. */
  readonly codes: readonly number[];
  /** The node after each of these characters. */
  readonly children: readonly Tree<R>[];
}

type Suffixes<R> = readonly (readonly [length: number, tree: Tree<R>])[];

/**
 * Builds the tree of the shapes of routes.
 *
 * @param routes The routes. Of two with the same shape, one has the method {@linkcode ALL}: the other replaces it.
 * @param start The tree is that of the shapes from this index on. Up to it, they are the same.
 * @returns The root of the tree.
 * @throws If two routes have the same method and the same shape; the message names both.
 */
export function createTree<R extends Routable>(routes: readonly R[], start = 0): Tree<R> {
  const shape = routes[0]?.pattern.shape ?? "";
  let end = start;
  while (/[^:#*]/.test(shape.charAt(end)) && routes.every(({ pattern }) => pattern.shape[end] === shape[end])) end++;
  const branches: { [character: string]: R[] } = {};
  for (const route of routes) (branches[route.pattern.shape.charAt(end)] ??= []).push(route);
  const { ":": parameter, "#": many, "*": wildcard, "": ending, ...literals } = branches;
  const characters = Object.keys(literals);
  const below = (routes: readonly R[]) => createTree(routes, end + 1);
  const suffixes = many && createSuffixes(many, end);
  return {
    literal: shape.slice(start, end).replaceAll("\\", ":"),
    ending: ending?.reduce(select),
    suffixes,
    rest: wildcard?.reduce(select) ?? suffixes,
    parameter: parameter && below(parameter),
    codes: characters[0] ? characters.map((character) => (character === "\\" ? ":" : character).charCodeAt(0)) : NONE,
    children: characters[0] ? Object.values(literals).map(below) : NONE,
  };
}

/** The list of a node without children, which most nodes are: all of them share it. */
const NONE: never[] = [];

/** Of two routes with the same shape, the one whose method is named. */
function select<R extends Routable>(route: R, rival: R): R {
  const { matched } = route;
  if (matched.method === rival.matched.method) {
    throw new TypeError(
      `Routes ${describeRoute(matched)} and ${describeRoute(rival.matched)} match the same requests: remove one`,
    );
  }
  return matched.method === ALL ? rival : route;
}

/** Creates the trees of what follows `:name+`, which stands at `end` in all shapes. */
function createSuffixes<R extends Routable>(routes: readonly R[], end: number): Suffixes<R> {
  // By the kinds of the segments from the right: 1 for a parameter, 0 for a literal.
  const groups: { [kinds: string]: R[] } = {};
  for (const route of routes) {
    const segments = route.pattern.shape.slice(end).split("/");
    const kinds = segments.reduce((right, segment) => (segment[0] === ":" ? 1 : 0) + right, "");
    (groups[kinds] ??= []).push(route);
  }
  return Object.entries(groups)
    .sort(([a], [b]) => b.length - a.length || (a > b ? 1 : -1))
    .map(([kinds, routes]) => [kinds.length, createTree(routes, end + 1)]);
}

/**
 * Finds the most specific shape that matches a path: literal, then parameter, then `:name+`, then wildcard,
 * segment by segment.
 *
 * @param tree The tree.
 * @param text The text that contains the path.
 * @param start Where the path begins.
 * @param isNormalized Whether a parser has normalized the path.
 * @param path Receives what is found out about the path, and the captured values.
 * @returns The route of the shape; `undefined` if none matches, or if the path needs a parser.
 */
export function lookUp<R extends object>(
  tree: Tree<R>,
  text: string,
  start: number,
  isNormalized: boolean,
  path: PathFacts,
): R | undefined {
  path.isNormalized = isNormalized;
  path.lastEscape = -1;
  const route = walk(tree, text, start, path, 0);
  // The path is plain up to `path.end`. Scan the rest, with an escape in which a literal may have ended.
  if (route === undefined && path.end >= 0) scan(text, Math.max(start + 1, path.end - 2), -1, path);
  return route;
}

/**
 * Searches below a node, depth-first with backtracking. `depth` numbers of `path.spans` are in use. It recurses only
 * where backtracking is possible, else it loops.
 */
function walk<R extends object>(
  node: Tree<R>,
  text: string,
  position: number,
  path: PathFacts,
  depth: number,
): R | undefined {
  const { spans } = path;
  for (;;) {
    const { literal, suffixes, rest, parameter } = node;
    // The loop cannot run past the path: no literal contains `?` or `#`.
    for (let index = 0; index < literal.length; index++, position++) {
      if (text.charCodeAt(position) !== literal.charCodeAt(index)) {
        path.end = position;
        return undefined;
      }
    }
    path.end = position;
    const code = position < text.length ? text.charCodeAt(position) : QUESTION_MARK;
    if (code === QUESTION_MARK) {
      if (node.ending !== undefined) return node.ending;
    } else {
      const child = childOf(node, code);
      if (child !== undefined) {
        if (parameter === undefined && rest === undefined) {
          node = child;
          position++;
          continue;
        }
        const route = walk(child, text, position + 1, path, depth);
        if (route !== undefined || path.end < 0) return route;
      }
      if (parameter !== undefined) {
        const end = scan(text, position, SLASH, path);
        if (end < 0) return undefined;
        if (end > position) {
          spans[depth] = position;
          spans[depth + 1] = end;
          if (rest === undefined) {
            node = parameter;
            position = end;
            depth += 2;
            continue;
          }
          const route = walk(parameter, text, end, path, depth + 2);
          if (route !== undefined || path.end < 0) return route;
        }
      }
    }
    if (rest === undefined) return undefined;
    spans[depth] = position;
    if (suffixes === undefined) {
      scan(text, position, -1, path);
    } else {
      const route = walkSuffixes(suffixes, text, position, path, depth + 1);
      if (route !== undefined || rest === suffixes) return route;
    }
    spans[depth + 1] = path.end;
    return path.end < 0 ? undefined : rest as R;
  }
}

/**
 * Searches for a suffix that ends the path. The segments from `start` up to it are the value of `:name+`: one or more,
 * each non-empty and without `%2F`. The number of segments of a suffix says where it begins, so each tree is searched
 * once.
 */
function walkSuffixes<R extends object>(
  suffixes: Suffixes<R>,
  text: string,
  start: number,
  path: PathFacts,
  depth: number,
): R | undefined {
  // The ends of the last segments, as many as a suffix may have: a list of all would take twice the time.
  const ends: number[] = [];
  const size = Number(suffixes[0]?.[0]);
  let count = 0;
  // Where the first segment begins that `:name+` does not match.
  let wrong = Infinity;
  let end = start - 1;
  path.end = 0;
  do {
    const from = end + 1;
    end = scan(text, from, SLASH, path);
    // Only a segment that has an escape is read again.
    if (end === from || (path.lastEscape >= from && /%2f/i.test(text.slice(from, end)))) wrong = Math.min(wrong, from);
    ends[count++ % size] = end;
  } while (end !== path.end);
  if (end >= 0) {
    for (const [length, tree] of suffixes) {
      const valueEnd = ends[(count - length) % size] ?? wrong;
      if (valueEnd < wrong) {
        path.spans[depth] = valueEnd;
        const route = walk(tree, text, valueEnd, path, depth + 1);
        if (route !== undefined) return route;
      }
    }
  }
  path.end = end;
  return undefined;
}

/** The node after this character. */
function childOf<R>({ codes, children }: Tree<R>, code: number): Tree<R> | undefined {
  for (let index = 0; index < codes.length; index++) {
    if (codes[index] === code) return children[index];
  }
  return undefined;
}
