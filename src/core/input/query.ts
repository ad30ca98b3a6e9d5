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
    return readPairs(query, decodeURIComponent);
  } catch {
    // At most one decode fails: with an exception per key, a small request could block the server for long.
    // URLSearchParams on Node.js throws such exceptions internally, so it is no alternative.
    return readPairs(decodeBytes(query), unescape);
  }
}

/** Parses the pairs of a query. Throws what `decode` throws. */
function readPairs(query: string, decode: Decode): RawQuery {
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
    const key = decodeFormText(query.slice(start, separator), escape < separator, decode);
    const value = decodeFormText(query.slice(separator + 1, end), escape < end, decode);
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

/** Decodes a key or a value, if it may need decoding. `+` decodes to a space. A lone `%` is no escape. */
function decodeFormText(text: string, isEncoded: boolean, decode: Decode): string {
  return isEncoded && text !== "%" ? decode(text.replaceAll("+", " ")) : text;
}

type Decode = (text: string) => string;

/**
 * Decodes the escapes of bytes that are not ASCII, as URLSearchParams does: what is not UTF-8 becomes U+FFFD. Escapes
 * of ASCII stay escaped, so an escaped `&` or `=` separates nothing. They are left to `unescape`, which keeps a `%`
 * without two hexadecimal digits. For it, the `%` of `%u0041` is escaped: that is no escape in a url.
 */
function decodeBytes(query: string): string {
  // Not by a url parser: a form may have line breaks, blanks at its end, and a `#`, which that would drop.
  const bytes = new TextEncoder().encode(query);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const high = bytes[index] === PERCENT ? hexDigit(bytes[index + 1]) : 0;
    const low = high < 8 ? -1 : hexDigit(bytes[index + 2]);
    if (low < 0) bytes[length++] = bytes[index] as number;
    else {
      bytes[length++] = 16 * high + low;
      index += 2;
    }
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, length)).replaceAll("%u", "%25u");
}

const PERCENT = 0x25;

/** The value of a hexadecimal digit; -1 if the character is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The index of the character, from `start` on; the length of the string if there is none. */
function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index < 0 ? text.length : index;
}
