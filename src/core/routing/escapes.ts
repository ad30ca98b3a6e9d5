/**
 * Escapes that a path need not have. `/%61dmin` and `/admin` are two spellings of one path: servers and proxies may read
 * either as the other (RFC 3986, 6.2.2). A character is needlessly escaped if it is unreserved, or if a path may contain
 * it as it is. In what a wildcard matches, an escaped slash is needless, too: the wildcard matches slashes.
 */

/**
 * Finds the first needless escape of a path.
 *
 * @param text The text that contains the path.
 * @param start Where the path begins.
 * @param end Where the path ends.
 * @param rest Where the rest begins that a wildcard matches; `end` if there is none.
 * @returns The index of its `%`; -1 if there is none.
 */
export function findNeedless(text: string, start: number, end: number, rest: number): number {
  for (let index = text.indexOf("%", start); index >= 0 && index < end; index = text.indexOf("%", index + 1)) {
    const code = codeAt(text, index, end);
    if (NEEDLESS[code] === 1 || (code === SLASH && index >= rest)) return index;
  }
  return -1;
}

/**
 * Decodes the needless escapes of a path, once.
 *
 * @param text The text that contains the path.
 * @param start Where the path begins.
 * @param end Where the path ends.
 * @param rest Where the rest begins that a wildcard matches; `end` if there is none.
 * @returns The path.
 */
export function decodeNeedless(text: string, start = 0, end: number = text.length, rest: number = end): string {
  let result = "";
  let from = start;
  for (let index; (index = findNeedless(text, from, end, rest)) >= 0; from = index + 3) {
    result += text.slice(from, index) + String.fromCharCode(codeAt(text, index, end));
  }
  return result + text.slice(from, end);
}

/**
 * Writes the hexadecimal digits of escapes in capital letters. The length of the text remains.
 *
 * @param text The text that contains the path.
 * @param start Where the path begins.
 * @param end Where the path ends.
 * @returns The text; the same one if it has no small letters there.
 */
export function withCapitalDigits(text: string, start = 0, end: number = text.length): string {
  let result = "";
  let from = 0;
  for (let index = text.indexOf("%", start); index >= 0 && index < end; index = text.indexOf("%", index + 1)) {
    const code = codeAt(text, index, end);
    if (code === MALFORMED || !hasSmallDigit(text, index)) continue;
    result += text.slice(from, index) + CAPITAL[code];
    from = index + 3;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** The code of an escaped character; {@linkcode MALFORMED} if no two hexadecimal digits follow. */
function codeAt(text: string, index: number, end: number): number {
  if (index + 2 >= end) return MALFORMED;
  const high = digitAt(text, index + 1);
  const low = digitAt(text, index + 2);
  return high === 0 || low === 0 ? MALFORMED : ((high - 1) << 4) | (low - 1);
}

/** A hexadecimal digit and 1; 0 for any other character. */
function digitAt(text: string, index: number): number {
  return DIGITS[text.charCodeAt(index)] ?? 0;
}

function hasSmallDigit(text: string, index: number): boolean {
  return text.charCodeAt(index + 1) >= SMALL_A || text.charCodeAt(index + 2) >= SMALL_A;
}

const SLASH = 0x2f;

const SMALL_A = 0x61;

const MALFORMED = -1;

/** By character code: the value of a hexadecimal digit, plus one; 0 if it is none. */
const DIGITS = /* @__PURE__ */ Uint8Array.from(
  { length: 128 },
  (_, code) => 1 + "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase()),
);

/**
 * By character code: 1 if a path need not escape it (RFC 3986, 2.3 and 3.3). Not `:` and `*`, which have a meaning in
 * patterns.
 */
const NEEDLESS = /* @__PURE__ */ Uint8Array.from(
  { length: 256 },
  (_, code) => code < 128 && /[\w.~!$&'()+,:;=@-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** By character code: its escape. */
const CAPITAL: readonly string[] = /* @__PURE__ */ Array.from(
  { length: 256 },
  (_, code) => `%${code.toString(16).padStart(2, "0").toUpperCase()}`,
);
