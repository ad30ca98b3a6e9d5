/** Where a request's path and query are. The path stays, canonical and encoded, in the text where it was found. */
export interface Target {
  /** The text that has the path in it: all of the url, or the path alone. */
  readonly text: string;
  /** Where the path begins, with a slash. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** What stands behind the `?`, without it. */
  readonly search: string;
}

/** Looks at the urls of one application. */
export interface UrlReader {
  /**
   * Where the path begins in this url, if its scheme and authority are those that the parser accepted last; else 0.
   * What follows may still be such as the parser would change: {@linkcode scan} tells.
   */
  startOfPath(url: string): number;
  /**
   * What a parser makes of this url, or `undefined` where no route may match: it cannot be parsed, has no authority, or a
   * raw backslash in its path.
   */
  parse(url: string): Target | undefined;
}

/**
 * Makes a reader of urls.
 *
 * The path is `new URL(request.url).pathname`. Most runtimes hand over a url that has been through the parser already, but
 * not all: `Deno.serve` passes on what the client sent, with the `Host` header in front. So a path is only read as it stands
 * where the parser would provably leave it alone; else the parser decides.
 */
export function createUrlReader(): UrlReader {
  let knownOrigin = "";
  return {
    startOfPath(url) {
      const start = knownOrigin.length;
      // What `startsWith` does, in half its time on V8.
      return url.charCodeAt(start) === SLASH && url.lastIndexOf(knownOrigin, 0) === 0 ? start : 0;
    },

    parse(url) {
      if (AMBIGUOUS.test(url)) return undefined;
      const parsed = URL.parse(url);
      if (!parsed?.pathname.startsWith("/")) return undefined;
      knownOrigin = PLAIN_ORIGIN.exec(url)?.[0] ?? knownOrigin;
      const { pathname, search } = parsed;
      return { text: pathname, start: 0, end: pathname.length, search: search.slice(1) };
    },
  };
}

/**
 * Without an authority (an empty `Host`), the parser would take the first segment of the path for it. A backslash in the path
 * it would take for a slash.
 */
const AMBIGUOUS = /^https?:(?!\/\/[^/\\?#])|^[^?#]*\\/i;
const PLAIN_ORIGIN = /^https?:\/\/[^/\\?#@\s]+(?=\/)/i;

/**
 * Scans a part of a path, up to a character or to the end of the path.
 *
 * @param text The text that has the path in it.
 * @param start Where the part begins: behind a slash, or at one.
 * @param end Where the path ends.
 * @param stop The code of the character to stop at, {@linkcode SLASH} for the end of a segment; -1 for none.
 * @param parsed Whether a parser has written the path. If not, the part has to be plain, such as a parser would leave alone: every
 * character is one that it keeps, and no segment begins with `.` or `%`, as `..` and `%2e%2e` do.
 * @returns Where the part ends; -1 if it is not plain.
 */
export function scan(text: string, start: number, end: number, stop: number, parsed: boolean): number {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === stop) return index;
    if (parsed || PLAIN[code] === 1) continue;
    if ((code !== DOT && code !== PERCENT) || text.charCodeAt(index - 1) === SLASH) return -1;
  }
  return end;
}

/** The code of a slash. */
export const SLASH = 0x2f;
const DOT = 0x2e;
const PERCENT = 0x25;

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
  const host = headers.get("host");
  return host === null || !NO_HOST.test(host);
}

/** What a `Host` header cannot hold (RFC 9110, 7.2): credentials, or a character that would end the authority. */
const NO_HOST = /[/\\?#@\s]/;
