/**
 * Parses a url. No route may match a url that cannot be parsed. No route may match a url that two parsers can read
 * differently: a url without an authority, with a raw backslash in its path, or with a raw dot segment.
 *
 * The path is `new URL(request.url).pathname`. Most runtimes pass a url that a parser has normalized. `Deno.serve` does not:
 * it puts the `Host` header in front of what the client sent. A path is used without parsing only if the parser would
 * provably leave it unchanged.
 *
 * @param url The url.
 * @returns The path, normalized and still encoded, and the query. Empty if no route may match: no pattern is empty.
 */
export function parseTarget(url: string): string {
  // A parser removes tabs and line ends before it looks for dot segments.
  if (AMBIGUOUS.test(url.replace(/[\t\n\r]/g, ""))) return "";
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    // Not URL.parse: Node.js before 22.1, Bun before 1.1.4 and Workers with an old compatibility date do not have it.
    return "";
  }
}

/**
 * The scheme and the authority of a url exactly as received, if they are safe to reuse as a prefix. The bound keeps clients from
 * filling the memory with known urls. A host name has at most 255 characters (RFC 1035, 2.3.4).
 */
export const PLAIN_ORIGIN = /^https?:\/\/[^/\\?#@\s]{1,300}(?=\/)/i;

/**
 * Urls that two parsers can read differently:
 * - Without an authority (an empty `Host`), the parser reads the first segment of the path as the authority.
 * - The parser reads a backslash in the path as a slash.
 * - nginx and Caddy merge `//` before they resolve `..`; a URL parser does not. A path that the proxy checked as `/public`
 *   would arrive here as `/admin`. Clients resolve dot segments before they send a url.
 */
const AMBIGUOUS = /^https?:(?!\/\/[^/\\?#])|^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|[\0- ]*$))/i;

/** The state of matching one path, and the text that parameters and wildcards have captured. */
export interface Captures {
  /** Whether the path comes from `new URL`, which has normalized it. */
  parsed: boolean;
  /** Whether any captured text contains `%`, abandoned branches included. */
  encoded: boolean;
  /** Where the path ends. Stale unless a route was found. */
  end: number;
  /** The start and the end of each captured value, in turn. Entries beyond the current match are stale. */
  readonly spans: number[];
}

/**
 * Scans a part of a path, up to a character or to the end of the path. The path ends before a `?`, or with the text.
 *
 * A part of a path that is not from a parser must be plain, that is, unchanged by a parser: the parser keeps every character,
 * and no segment begins with `.` or `%`, as `..` and `%2e%2e` do. Sets `captures.encoded` if the part contains `%`.
 *
 * @param text The text that contains the path.
 * @param start Where the part begins: after a slash, or at one.
 * @param stop The code of the character to stop at, {@linkcode SLASH} for the end of a segment; -1 for none.
 * @param captures Tells whether the path is from a parser.
 * @returns Where the part ends; -1 if it is not plain.
 */
export function scan(text: string, start: number, stop: number, captures: Captures): number {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === stop) return index;
    if (PLAIN[code] === 1) continue;
    if (code === QUESTION_MARK) return index;
    if (code === PERCENT) captures.encoded = true;
    if (captures.parsed) continue;
    if ((code !== DOT && code !== PERCENT) || text.charCodeAt(index - 1) === SLASH) return -1;
  }
  return text.length;
}

/** The code of a slash. */
export const SLASH = 0x2f;
/** The code of a question mark. */
export const QUESTION_MARK = 0x3f;
const DOT = 0x2e;
/** The code of a percent sign. */
export const PERCENT = 0x25;

/** By character code: 1 if a URL parser keeps the character unchanged anywhere in a path (RFC 3986, 3.3). */
const PLAIN = /* @__PURE__ */ Uint8Array.from(
  { length: 128 },
  (_, code) => /[\w!$&'()*+,/:;=@~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The index of the next such character; the length of the text if there is none. */
export function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}

/**
 * Makes a function that tells whether the `Host` header of a request, if there is one, is a valid host. Deno builds
 * `request.url` from it, so an invalid one can shift the path.
 */
export function createHostCheck(): (request: Request) => boolean {
  // The last `Host` found valid. Most requests have the same one, and the test costs 50 to 100 ns on V8.
  let validHost: string | null = null;
  const isValidHost = (host: string | null) => {
    if (host !== validHost && INVALID_HOST.test(host ?? "")) return false;
    validHost = host;
    return true;
  };
  return (request) => IS_BUN || isValidHost(request.headers.get("host"));
}

declare const Bun: unknown;
/** Bun gives a url without an origin for an invalid `Host`. No route matches such a url. */
const IS_BUN = typeof Bun !== "undefined";

/** What a valid `Host` header does not contain (RFC 9110, 7.2): credentials, or a character that ends the authority. */
const INVALID_HOST = /[/\\?#@\s]/;
