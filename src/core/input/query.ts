import type { RawQuery } from "./input.ts";

/** A query without pairs. Shared by requests, and so frozen: a new object takes 45 of 280 ns on V8. */
export const EMPTY_QUERY: RawQuery = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.create(null));

/**
 * Parses a query as `URLSearchParams` does, but faster.
 *
 * @param query The query, without the `?`.
 * @returns A null-prototype object. The values of a repeated key are in an array, in order of appearance.
 */
export function readQuery(query: string): RawQuery {
  try {
    return readPairs(query, false);
  } catch {
    // At most one decode fails: with an exception per key, a small request could block the server for long.
    // URLSearchParams on Node.js throws such exceptions internally, so it is no alternative.
    return readPairs(decodeBytes(query), true);
  }
}

/** Parses the pairs of a query. Throws on a malformed escape, unless the query is one of {@linkcode decodeBytes}. */
function readPairs(query: string, isMended: boolean): RawQuery {
  const values: Record<string, string | string[]> = Object.create(null);
  let equals = -1;
  let percent = -1;
  let plus = -1;
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = indexOrEnd(query, "&", start);
    if (end === start) continue;
    // Search for a sign only after its last position was passed: otherwise a query without the sign would take
    // quadratic time.
    if (equals < start) equals = indexOrEnd(query, "=", start);
    if (percent < start) percent = indexOrEnd(query, "%", start);
    if (plus < start) plus = indexOrEnd(query, "+", start);
    const separator = Math.min(equals, end);
    // Fast path: most keys and values need no decoding.
    const escape = Math.min(percent, plus);
    const key = decodeFormText(query.slice(start, separator), escape < separator, isMended);
    const value = decodeFormText(query.slice(separator + 1, end), escape < end, isMended);
    appendValue(values, key, value);
  }
  return values;
}

/**
 * Adds a value to an object with a null prototype. The values of a repeated key are in an array, in order of
 * appearance.
 *
 * @param values The object.
 * @param key The key.
 * @param value The value, which is not an array.
 */
export function appendValue<Value>(values: Record<string, Value | Value[]>, key: string, value: Value): void {
  const earlier = values[key];
  if (earlier === undefined) values[key] = value;
  else if (Array.isArray(earlier)) earlier.push(value);
  else values[key] = [earlier, value];
}

/** Decodes a key or a value, if it may need decoding. `+` decodes to a space. */
function decodeFormText(text: string, isEncoded: boolean, isMended: boolean): string {
  if (!isEncoded) return text;
  return isMended ? decodeAscii(text) : decodeURIComponent(text.replaceAll("+", " "));
}

/**
 * Decodes the escapes of bytes that are not ASCII, as URLSearchParams does: what is not UTF-8 becomes U+FFFD. Escapes
 * of ASCII stay escaped, so an escaped `&` or `=` separates nothing.
 */
function decodeBytes(query: string): string {
  // In ASCII, also where a server has not normalized the url.
  const { search } = new URL(`http://a/?${query}`);
  const text = search.slice(1).replace(/%[89a-f][\da-f]/gi, decodeEscape);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Decodes the escapes of ASCII, and `+`. A `%` without two hexadecimal digits is a literal `%`. */
function decodeAscii(text: string): string {
  return /\+|%[0-7]/.test(text) ? text.replace(/\+|%[0-7][\da-f]/gi, decodeEscape) : text;
}

/** The character of a `+` or of an escape, whose code is that of the byte. */
function decodeEscape(escape: string): string {
  return escape === "+" ? " " : String.fromCharCode(Number(`0x${escape.slice(1)}`));
}

/** The index of the character, from `start` on; the length of the string if there is none. */
function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}
