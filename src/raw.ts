import type { RawQuery } from "./context.ts";
import type { Pattern, RawParams } from "./pattern.ts";
import { endOfSegment, type Target } from "./url.ts";
import type { ValidationIssue } from "./validate.ts";

/**
 * Takes the parameters of a pattern out of a path that matches it, and decodes them: once, and only here.
 *
 * @param pattern The pattern.
 * @param target Where the path is.
 * @returns A null-prototype object; the rest that a wildcard takes is `"*"`.
 */
export function readParams(pattern: Pattern, { text, start, end }: Target): RawParams {
  const params: Record<string, string> = Object.create(null);
  let position = start + 1;
  // By index: `for … of` costs 20 ns on Bun.
  for (let index = 0;; index++) {
    const segment = pattern.segments[index];
    if (segment === undefined) return params;
    if (segment.kind === "literal") {
      position += segment.text.length + 1;
    } else if (segment.kind === "parameter") {
      const slash = endOfSegment(text, position, end);
      params[segment.name] = decode(text.slice(position, slash));
      position = slash + 1;
    } else {
      params["*"] = decode(text.slice(position, end));
    }
  }
}

/** No params, or no query: one frozen object for many requests. Two new ones for each cost 90 of 280 ns, measured. */
export const NONE: Readonly<Record<string, never>> = Object.freeze(Object.create(null));

/** The percent-decoded text; where an escape is malformed, the text as it came. */
function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reads a query as `URLSearchParams` does, in a fifth of its time.
 *
 * @param search What stands behind the `?`.
 * @returns A null-prototype object; a key that repeats has its values in an array, in order of appearance.
 */
export function readQuery(search: string): RawQuery {
  const query: Record<string, string | string[]> = Object.create(null);
  for (let start = 0, end = 0; start < search.length; start = end + 1) {
    end = search.indexOf("&", start);
    if (end < 0) end = search.length;
    if (end === start) continue;
    const pair = search.slice(start, end);
    const equals = pair.indexOf("=");
    const key = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decodeFormText(pair.slice(equals + 1));
    const earlier = query[key];
    if (earlier === undefined) query[key] = value;
    else if (typeof earlier === "string") query[key] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

/** A key or a value of a query, decoded: a plus is a space, and bytes that are no UTF-8 become U+FFFD. */
function decodeFormText(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return String(new URLSearchParams(`=${text}`).get(""));
  }
}

/** Why a body is no JSON value. */
export interface BodyFault {
  /** What to report. */
  readonly issue: ValidationIssue;
  /** The body as it came, unless it was too large to be read. */
  readonly text?: string;
}

/** A body as JSON, or why it is none. */
export type BodyReading = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: BodyFault };

/**
 * Reads a body to its end, once, and parses it as JSON, whatever its content type.
 *
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes, counted as they arrive. Beyond it, reading stops.
 * @returns The parsed value, or the issue: `invalid_json` (an empty body, too) or `body_too_large`.
 * @throws If the body cannot be read: the client has gone away, or it has been read before.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<BodyReading> {
  const text = await readText(request, maxBytes);
  if (text === undefined) return { fault: { issue: BODY_TOO_LARGE } };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: { issue: INVALID_JSON, text } };
  }
}

const INVALID_JSON = Object.freeze<ValidationIssue>(
  { part: "body", path: Object.freeze([]), message: "Invalid JSON", code: "invalid_json" },
);
const BODY_TOO_LARGE = Object.freeze<ValidationIssue>(
  { part: "body", path: Object.freeze([]), message: "Body too large", code: "body_too_large" },
);

/** The body as text without a byte order mark, or `undefined` if it is longer than `maxBytes`. */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  // Where nothing is to be counted, and to be rejected as the runtime does where the body has been read before.
  if (maxBytes === Infinity || request.body === null || request.bodyUsed) return withoutMark(await request.text());
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: it may take as long as the other reader of a cloned request. Why it fails matters to nobody any more.
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Most runtimes drop the byte order mark, but an adapter's own `text()` may keep it. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
