import { decodeNeedless, findNeedless, withCapitalDigits } from "./escapes.ts";
import { ALL } from "./method.ts";
import type { RawParams } from "./pattern.ts";
import type { PathFacts } from "./plain_path.ts";
import { createTree, lookUp, type Routable, type Tree } from "./radix_tree.ts";
import { createHostCheck, ENCODED_DOT_SEGMENT, parseTarget, PLAIN_ORIGIN, RAW_DOT_SEGMENT } from "./url.ts";
import { createUrlCache, MAX_LENGTH, slotOf, type UrlCache } from "./url_cache.ts";

/** A matched route with its params and query string. */
export interface Match<R> {
  /** The route. */
  readonly route: R;
  /** The path parameters: in an object of their own if the pattern has any, else in a frozen one. */
  readonly params: RawParams;
  /** The query string, without the `?`. */
  readonly query: string;
}

/** Finds the route for a request. */
export interface Router<R> {
  /**
   * The route for the method and the url of a request: literal before parameter before `:name+` before wildcard, from
   * the left. None if the url is ambiguous, if an invalid `Host` header can have moved the path, or if the path without
   * its needless escapes is that of another route: with `trustUrl: true`, that route.
   */
  find(request: Request): Match<R> | undefined;
  /**
   * A function that lists the methods that have a route at the url of a request, in alphabetical order. The request is
   * read at once, the methods are found when the function is called. None if one of them was rejected because of how
   * the path is spelled: what the others have at this path is not all that the path has.
   */
  methodsFor(request: Request): () => readonly string[];
}

/** The routes of one method. */
interface Table<R> {
  /** The routes by shape. */
  readonly tree: Tree<R>;
  /** Whether a literal has an escape. Without one, it does not matter whether hexadecimal digits are capital letters. */
  readonly hasEscapes: boolean;
  /** The matches of the last urls. */
  readonly cache: UrlCache<Match<R>>;
}

/**
 * Builds one radix tree per method. A request is matched against one tree. The order in which routes are declared does
 * not matter.
 *
 * @param routes The routes, one for each method.
 * @param trustUrl The option of `setup`.
 * @returns The router.
 * @throws If two routes have the same method and the same shape; the message names both.
 */
export function createRouter<R extends Routable>(routes: readonly R[], trustUrl: boolean): Router<R> {
  // Not a `Map`: its lookup costs 30 ns more on Bun.
  const tables: Record<string, Table<R>> = Object.create(null);
  for (const method of [ALL, ...routes.map(({ matched }) => matched.method)]) {
    if (tables[method] !== undefined) continue;
    const served = routes.filter(({ matched }) => [method, ALL].includes(matched.method));
    tables[method] = {
      tree: createTree(served),
      hasEscapes: served.some(({ pattern }) => pattern.shape.includes("%")),
      cache: createUrlCache(),
    };
  }
  const tableOfAll = tables[ALL] as Table<R>;
  const { GET = tableOfAll } = tables;
  const hasValidHost = createHostCheck();
  // All lookups share it: `find` and `methodsFor` read it before they return. With an object for each, a lookup takes
  // 5 to 20 % longer on Deno, Bun and Node.js.
  const path: PathFacts = { isNormalized: false, lastEscape: -1, end: 0, spans: [] };
  // That of the path without needless escapes.
  const otherPath: PathFacts = { isNormalized: true, lastEscape: -1, end: 0, spans: [] };
  // Whether a lookup has rejected a path because of its escapes.
  let hasRejected = false;
  // A url has the known origin if `firstUrl <= url < endUrl`. The first is the origin and a slash, the second the
  // origin and a zero, which is the character after a slash. Both are empty until an origin is known.
  let firstUrl = "";
  let endUrl = "";
  return { find, methodsFor };

  function find(request: Request): Match<R> | undefined {
    const { method, url } = request;
    // Most requests are GET, and to look a method up costs 20 ns.
    const match = matchCached(method === "GET" ? GET : tables[method] ?? tableOfAll, url);
    return match === undefined || trustUrl || isUnmoved(url) || hasValidHost(request) ? match : undefined;
  }

  function methodsFor(request: Request): () => readonly string[] {
    const { url } = request;
    const isTrusted = trustUrl || hasValidHost(request);
    const hasMatch = (method: string) => matchUrl(tables[method] as Table<R>, url) !== undefined;
    return () => {
      hasRejected = false;
      const methods = isTrusted ? Object.keys(tables).filter(hasMatch).sort() : [];
      return hasRejected ? [] : methods;
    };
  }

  /** Does what `matchUrl` does, with a cache in front of it. */
  function matchCached(table: Table<R>, url: string): Match<R> | undefined {
    const slot = slotOf(url);
    const cached = table.cache[slot];
    if (cached?.url === url) return cached.match;
    const match = matchUrl(table, url);
    if (match?.params === NO_PARAMS && match.query === "" && url.length <= MAX_LENGTH) {
      table.cache[slot] = { url, match };
    }
    return match;
  }

  function matchUrl(table: Table<R>, url: string): Match<R> | undefined {
    if (hasKnownOrigin(url)) {
      const route = lookUp(table.tree, url, firstUrl.length - 1, false, path);
      // A parser removes a fragment.
      const { end } = path;
      if (end >= 0 && (end === url.length || !url.includes("#", end))) {
        return path.lastEscape < 0 ? matchOf(route, url) : matchEscaped(table, route, url, firstUrl.length - 1);
      }
    }
    const target = parseTarget(url, trustUrl);
    // The origin as received, not that of the parser: clients may write the host in capital letters, and proxies the
    // default port. No origin is taken from an ambiguous url: urls that begin with it would skip the parser.
    // No route may match. `path` still has the facts of another url.
    if (target === "") return undefined;
    const origin = PLAIN_ORIGIN.exec(url)?.[0];
    if (origin) {
      firstUrl = `${origin}/`;
      endUrl = `${origin}0`;
    }
    const route = lookUp(table.tree, target, 0, true, path);
    return path.lastEscape < 0 ? matchOf(route, target) : matchEscaped(table, route, target, 0);
  }

  /**
   * The match of a path with escapes. If the path without its needless escapes is that of another route, a guard or a
   * proxy in front may have been asked about that one: nothing matches, or, if the url is trusted, that route.
   *
   * @param found The route of the path as sent, whose values are in `path`.
   */
  function matchEscaped(table: Table<R>, found: R | undefined, text: string, start: number): Match<R> | undefined {
    const { tree, hasEscapes } = table;
    const { end } = path;
    // The literals of patterns have capital digits. The values are still those of `text`, at the same positions.
    const capital = hasEscapes ? withCapitalDigits(text, start, end) : text;
    const route = capital === text ? found : lookUp(tree, capital, start, true, path);
    const rest = restOf(route, end);
    if (findNeedless(capital, start, end, rest) < 0) return matchOf(route, text);
    const other = decodeNeedless(capital, start, end, rest) + text.slice(end);
    if (lookUp(tree, other, 0, true, otherPath) === route) return matchOf(route, text);
    // What was an escaped dot segment must not become one: no route matches those.
    if (!trustUrl || RAW_DOT_SEGMENT.test(other)) {
      hasRejected = true;
      return undefined;
    }
    // Once more: the other route may have a wildcard, which matches an escaped slash. The path has become shorter.
    const next = decodeNeedless(text, start, end, rest) + text.slice(end);
    return matchEscaped(table, lookUp(tree, other, 0, true, path), next, 0);
  }

  /** Where the rest begins that the wildcard of a route matches; `end` if it has none. */
  function restOf(route: R | undefined, end: number): number {
    const { names = [] } = route?.pattern ?? {};
    const last = names.length - 1;
    return names[last] === "*" ? Number(path.spans[2 * last]) : end;
  }

  // Not `startsWith`, which is slower on V8.
  function hasKnownOrigin(url: string): boolean {
    return url >= firstUrl && url < endUrl;
  }

  /** The match of a route, whose values are in `path`. */
  function matchOf(route: R | undefined, text: string): Match<R> | undefined {
    const params = route && readParams(route.pattern.names, text);
    return params && { route, params, query: path.end < text.length ? text.slice(path.end + 1) : "" };
  }

  /**
   * Reads the path parameters. They are decoded once, and only here. Returns `undefined` for a url that matches only
   * with `trustUrl: true`.
   */
  function readParams(names: readonly string[], text: string): RawParams | undefined {
    if (names.length === 0) return NO_PARAMS;
    const { lastEscape, spans } = path;
    const params = new Params();
    // A loop by index: `for … of` costs 20 ns on Bun.
    for (let index = 0;; index++) {
      const name = names[index];
      if (name === undefined) return params;
      let value = text.slice(spans[2 * index], spans[2 * index + 1]);
      if (lastEscape >= 0) {
        if (!trustUrl && ENCODED_DOT_SEGMENT.test(value)) return undefined;
        value = decode(value);
      }
      params[name] = value;
    }
  }

  /**
   * Whether no `Host` header can have changed the path. A header that adds a segment adds a slash, so a url with one
   * slash after the origin has the path that was sent. The target `*` of `OPTIONS *` has no slash of its own. Without a
   * known origin, the slashes of `http://` count.
   */
  function isUnmoved(url: string): boolean {
    return hasKnownOrigin(url) && url.indexOf("/", firstUrl.length) < 0 && !url.endsWith("*");
  }
}

/** Creates an object like `{}`, whose properties V8 sets faster. */
const Params = /* @__PURE__ */ ((): new () => Record<string, string> => {
  const create = function () {};
  create.prototype = Object.prototype;
  return create as never;
})();

/** The path parameters of all patterns that have none. */
const NO_PARAMS: RawParams = /* @__PURE__ */ Object.freeze({});

/** Percent-decodes a value. With a malformed escape, it is returned undecoded. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
