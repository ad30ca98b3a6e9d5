/** What a parser makes of a url. */
export interface ParsedUrl {
  /** The scheme and the authority as they came, where nothing in them has a meaning beyond them; else empty. */
  readonly origin: string;
  /** The path, canonical and encoded, and the query behind it; empty, as no pattern is, where no route may match. */
  readonly target: string;
}

/**
 * Parses a url. No route may match a url that cannot be parsed, or that two parsers may read in two ways: without an
 * authority, with a raw backslash in its path, or with a raw dot segment.
 *
 * The path is `new URL(request.url).pathname`. Most runtimes pass a url that a parser has normalized. `Deno.serve` does not:
 * it puts the `Host` header in front of what the client sent. So a path is only read as it is where the parser would provably
 * leave it unchanged; else the parser decides.
 */
export function parseUrl(url: string): ParsedUrl {
  // A parser removes tabs and line ends before it looks for dot segments.
  if (AMBIGUOUS.test(url.replace(/[\t\n\r]/g, ""))) return NOWHERE;
  try {
    const { pathname, search } = new URL(url);
    // Not the parser's own origin: clients may write the host in capital letters, and proxies the default port.
    return pathname.startsWith("/")
      ? { origin: PLAIN_ORIGIN.exec(url)?.[0] ?? "", target: pathname + search }
      : NOWHERE;
  } catch {
    // Not URL.parse: Node.js before 22.1, Bun before 1.1.4 and Workers with an old compatibility date do not have it.
    return NOWHERE;
  }
}

const NOWHERE: ParsedUrl = { origin: "", target: "" };
const PLAIN_ORIGIN = /^https?:\/\/[^/\\?#@\s]+(?=\/)/i;

/**
 * What two parsers may read in two ways:
 * - Without an authority (an empty `Host`), the parser takes the first segment of the path for one.
 * - The parser takes a backslash in the path for a slash.
 * - nginx and Caddy merge `//` before they resolve `..`, a URL parser does not: what a proxy checked as `/public` would
 *   arrive here as `/admin`. Clients resolve dot segments before they send a url.
 */
const AMBIGUOUS = /^https?:(?!\/\/[^/\\?#])|^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|[\0- ]*$))/i;

/**
 * Where the path begins in a url that has this origin; else 0. What follows may still be such as the parser would change:
 * {@linkcode scan} tells.
 */
export function startOfPath(url: string, origin: string): number {
  const start = origin.length;
  // What `startsWith` does, in half its time on V8.
  return url.charCodeAt(start) === SLASH && url.lastIndexOf(origin, 0) === 0 ? start : 0;
}

/** What is known of a path, and what parameters and wildcards take of it. */
export interface Captures {
  /** Whether a parser has written the path. */
  parsed: boolean;
  /** Whether anything that was taken, be it in vain, may have to be decoded. */
  encoded: boolean;
  /** Where each value begins and where it ends, in turn. What lies behind the last of them means nothing. */
  readonly spans: number[];
}

/**
 * Scans a part of a path, up to a character or to the end of the path.
 *
 * @param text The text that has the path in it.
 * @param start Where the part begins: behind a slash, or at one.
 * @param end Where the path ends.
 * @param stop The code of the character to stop at, {@linkcode SLASH} for the end of a segment; -1 for none.
 * @param captures Whether a parser has written the path. If not, the part has to be plain, such as a parser would leave alone:
 * every character is one that it keeps, and no segment begins with `.` or `%`, as `..` and `%2e%2e` do. It is told here if the
 * part is encoded.
 * @returns Where the part ends; -1 if it is not plain.
 */
export function scan(text: string, start: number, end: number, stop: number, captures: Captures): number {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === stop) return index;
    if (PLAIN[code] === 1) continue;
    if (code === PERCENT) captures.encoded = true;
    if (captures.parsed) continue;
    if ((code !== DOT && code !== PERCENT) || text.charCodeAt(index - 1) === SLASH) return -1;
  }
  return end;
}

/** The code of a slash. */
export const SLASH = 0x2f;
const DOT = 0x2e;
/** The code of a percent sign. */
export const PERCENT = 0x25;

/** By character code: 1 for what a URL parser keeps as it is wherever in a path it stands (RFC 3986, 3.3). */
const PLAIN = Uint8Array.from(
  { length: 128 },
  (_, code) => /[\w!$&'()*+,/:;=@~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Where a character comes next, or else where the text ends. */
export function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}

/** Whether the `Host` header is a host, if there is one. If not, it has moved the path of the url that was made with it. */
export function hasSoundHost({ headers }: Request): boolean {
  return !NO_HOST.test(headers.get("host") ?? "");
}

/** What a `Host` header cannot hold (RFC 9110, 7.2): credentials, or a character that would end the authority. */
const NO_HOST = /[/\\?#@\s]/;
