import type { RawCookies, RawHeaders } from "./input.ts";
import { appendValue } from "./query.ts";

/**
 * Reads the headers of a request.
 *
 * @param headers The headers.
 * @returns A null-prototype object, its keys in lower case. The values of a repeated header are joined with `, `,
 * except for `set-cookie`, which no client sends: its last value counts.
 */
export function readHeaders(headers: Headers): RawHeaders {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) values[name] = value;
  return values;
}

/**
 * Reads the cookies of a request: pairs, separated by semicolons. A pair without `=` is ignored. Only spaces and tabs
 * around names and values are removed, as browsers do: if other white space were removed, a cookie named
 * `\xA0__Host-id` would pass for `__Host-id`, which sibling hosts cannot set. Values are not decoded.
 *
 * @param header The `cookie` header, if there is one.
 * @returns A null-prototype object. The values of a repeated name are in an array, in order of appearance.
 */
export function readCookies(header: string | null): RawCookies {
  const cookies: Record<string, string | string[]> = Object.create(null);
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals >= 0) appendValue(cookies, trimBlanks(pair.slice(0, equals)), trimBlanks(pair.slice(equals + 1)));
  }
  return cookies;
}

/** Not `[ \t]+$`, which takes quadratic time for blanks in the middle. */
function trimBlanks(text: string): string {
  return /[^ \t](.*[^ \t])?/s.exec(text)?.[0] ?? "";
}
