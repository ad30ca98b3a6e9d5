/**
 * Tells which paths need a URL parser. A path is plain, and needs none, if each of its characters is a letter, a digit,
 * `%` or one of ``/ . _ ! $ & ' ( ) * + , : ; = @ ~ -``, and no segment begins with `.` or `%`. A parser keeps every
 * plain path as it is.
 */

/** The code of a slash. */
export const SLASH = 0x2f;

/** The code of a question mark, which ends a path. */
export const QUESTION_MARK = 0x3f;

const DOT = 0x2e;

const PERCENT = 0x25;

/** What a lookup has found out about a path. */
export interface PathFacts {
  /** Whether a parser has normalized the path, so that it need not be plain. */
  isNormalized: boolean;
  /** The index of the last `%` that was scanned, abandoned branches included; -1 if there is none. */
  lastEscape: number;
  /**
   * The end of the path, if a route was found. Otherwise the position up to which the path is plain, or -1 if it is
   * neither plain nor normalized: normalize the path first.
   */
  end: number;
  /**
   * The start and the end of each captured value, in turn. Only the entries of the route that was found mean anything.
   */
  readonly spans: number[];
}

/**
 * Scans a part of a path, up to a character or to the end of the path. The path ends before a `?`, or with the URL.
 * Sets `lastEscape` if the part contains `%`. Sets `end` if the part ends with the path, and to -1 if the part is
 * neither plain nor normalized.
 *
 * @param text The text that contains the path.
 * @param start Where the part begins: after a slash, or at one.
 * @param stop The code of the character to stop at, {@linkcode SLASH} for the end of a segment; -1 for none.
 * @param path Receives what is found out about the path.
 * @returns Where the part ends; -1 if the path needs a parser.
 */
export function scan(text: string, start: number, stop: number, path: PathFacts): number {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === stop) return index;
    if (KEPT[code] === 1) continue;
    if (code === QUESTION_MARK) return path.end = index;
    if (code === PERCENT) path.lastEscape = index;
    if (path.isNormalized) continue;
    if ((code !== DOT && code !== PERCENT) || text.charCodeAt(index - 1) === SLASH) {
      return path.end = -1;
    }
  }
  return path.end = text.length;
}

/** By character code: 1 if a parser keeps the character anywhere in a path (RFC 3986, 3.3). */
const KEPT = /* @__PURE__ */ Uint8Array.from(
  { length: 128 },
  (_, code) => /[\w!$&'()*+,/:;=@~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
