import type { RawQuery, ValidationIssue } from "./input.ts";
import type { RawParams } from "./pattern.ts";
import { type Captures, indexOrEnd, PERCENT } from "./url.ts";

/**
 * Reads the path parameters from a matched path. They are decoded once, and only here.
 *
 * @param names The parameter names, in order.
 * @param text The text that contains the path.
 * @param captures Where the values begin and end.
 * @returns A null-prototype object; the rest that a wildcard takes has the key `"*"`.
 */
export function readParams(names: readonly string[], text: string, { encoded, spans }: Captures): RawParams {
  if (names.length === 0) return NONE;
  const params: Record<string, string> = Object.create(null);
  // A loop by index: `for … of` costs 20 ns on Bun.
  for (let index = 0;; index++) {
    const name = names[index];
    if (name === undefined) return params;
    const value = text.slice(spans[2 * index], spans[2 * index + 1]);
    params[name] = encoded ? decode(value) : value;
  }
}

/** No params, or no query. Shared by requests, and so frozen: two new objects per request cost 90 of 280 ns. */
export const NONE: Readonly<Record<string, never>> = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null),
);

/** Percent-decodes a text. A text with a malformed escape is returned undecoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parses a query as `URLSearchParams` does, but faster.
 *
 * @param search The query, without the `?`.
 * @returns A null-prototype object. The values of a repeated key are in an array, in order of appearance.
 */
export function readQuery(search: string): RawQuery {
  try {
    return readPairs(search);
  } catch {
    // At most one decode fails: with an exception per key, a small request could block the server for long. URLSearchParams
    // on Node.js throws such exceptions internally, so it is no alternative.
    return readPairs(mendEscapes(search));
  }
}

/** Parses the pairs of a query. Throws on a malformed escape. */
function readPairs(search: string): RawQuery {
  const query: Record<string, string | string[]> = Object.create(null);
  let equals = -1;
  let percent = -1;
  let plus = -1;
  for (let start = 0, end = 0; start < search.length; start = end + 1) {
    end = indexOrEnd(search, "&", start);
    if (end === start) continue;
    // Search for each sign only past its last hit: otherwise a query without it takes quadratic time.
    if (equals < start) equals = indexOrEnd(search, "=", start);
    if (percent < start) percent = indexOrEnd(search, "%", start);
    if (plus < start) plus = indexOrEnd(search, "+", start);
    const separator = Math.min(equals, end);
    // Fast path: most keys and values need no decoding.
    const escape = Math.min(percent, plus);
    const key = decodeFormText(search.slice(start, separator), escape < separator);
    const value = decodeFormText(search.slice(separator + 1, end), escape < end);
    const earlier = query[key];
    if (earlier === undefined) query[key] = value;
    else if (typeof earlier === "string") query[key] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

/** Decodes a key or a value, if it may need decoding. `+` decodes to a space. */
function decodeFormText(text: string, isEncoded: boolean): string {
  return isEncoded ? decodeURIComponent(text.replaceAll("+", " ")) : text;
}

/**
 * Makes the escapes of a query well-formed, with the meaning that URLSearchParams gives them. A `%` without two hexadecimal
 * digits is a literal `%`. Bytes that are not UTF-8 become U+FFFD. Escapes of ASCII stay escaped, so an escaped `&` or `=`
 * separates nothing.
 */
function mendEscapes(search: string): string {
  const bytes = new TextEncoder().encode(search);
  const mended = new Uint8Array(3 * bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    mended[length++] = byte;
    if (byte !== PERCENT) continue;
    const escaped = 16 * Number(HEX_DIGITS[bytes[index + 1] ?? 0]) + Number(HEX_DIGITS[bytes[index + 2] ?? 0]);
    if (escaped > 127) {
      mended[length - 1] = escaped;
      index += 2;
    } else if (!(escaped >= 0)) {
      mended[length++] = 0x32; // %25
      mended[length++] = 0x35;
    }
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(mended.subarray(0, length));
}

/** The value of each hexadecimal digit, by ASCII code; NaN for any other character. */
const HEX_DIGITS = /* @__PURE__ */ Array.from({ length: 128 }, (_, code) => parseInt(String.fromCharCode(code), 16));

/** The result of parsing a body as JSON: its value, or why it has none. */
export interface BodyReading {
  /** The value. */
  readonly value?: unknown;
  /** The issue to report instead of a value. */
  readonly issue?: ValidationIssue;
  /** The text that is not JSON; absent if the body was too large. */
  readonly text?: string;
}

/**
 * Parses a body as JSON. The content type is ignored.
 *
 * @param text The body, or `undefined` if it is too large.
 * @returns The value, or the issue: `invalid_json` (also for an empty body) or `body_too_large`.
 */
export function parseJsonBody(text: string | undefined): BodyReading {
  if (text === undefined) return { issue: bodyIssue("Body too large", "body_too_large") };
  // Most runtimes drop the byte order mark, but an adapter's own `text()` may keep it.
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { issue: bodyIssue("Invalid JSON", "invalid_json"), text: json };
  }
}

const BYTE_ORDER_MARK = 0xfeff;

function bodyIssue(message: string, code: string): ValidationIssue {
  return { part: "body", path: [], message, code };
}

/**
 * Reads a body as text. Bytes are always counted; `content-length` only decides whether while or after reading.
 *
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes.
 * @returns The body as text, or `undefined` if it is larger.
 * @throws If the body cannot be read: the client has disconnected, or the body has been read before.
 */
export function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (maxBytes === Infinity) return Promise.resolve(request.text());
  // Most bodies are far smaller than the bound, and servers enforce Content-Length. Accessing `request.body` for such a body
  // costs 2 µs on Deno and Bun. Content-Length means nothing next to Transfer-Encoding, and is the compressed size under
  // Content-Encoding.
  const { headers } = request;
  const isSmall = BYTES_PER_UNIT * Number(headers.get("content-length") ?? NaN) <= maxBytes;
  return isSmall && !headers.has("transfer-encoding") && !headers.has("content-encoding")
    ? readWhole(request, maxBytes)
    : readInChunks(request, maxBytes);
}

/** Counts the bytes after reading: a Request that no server made can have any Content-Length. */
async function readWhole(request: Request, maxBytes: number): Promise<string | undefined> {
  const text = await request.text();
  const fits = BYTES_PER_UNIT * text.length <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
  return fits ? text : undefined;
}

/** One UTF-16 code unit is decoded from at most three bytes of UTF-8, U+FFFD for malformed bytes included. */
const BYTES_PER_UNIT = 3;

/** Counts the bytes as they arrive. Stops reading once they exceed the bound. */
async function readInChunks(request: Request, maxBytes: number): Promise<string | undefined> {
  // `text()` returns "" without a body, and rejects a body that has been read before.
  if (request.body === null || request.bodyUsed) return request.text();
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: on a cloned request, cancel() settles only when the other branch is done. Its failure does not matter.
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
