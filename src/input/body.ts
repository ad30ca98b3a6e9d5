import type { MaybePromise } from "../values/maybe_promise.ts";

/** How to read a body, and what its value is. */
export interface BodyFormat<Read = unknown> {
  /** Reads the body. */
  read(request: Request, maxBytes: number): MaybePromise<Read>;
  /** Makes a value, or an issue, of what `read` returned. */
  parse(read: Read): BodyReading;
}

/** Why a body has no value. */
export interface BodyIssue {
  /** The message of the issue. */
  readonly message: string;
  /** The code of the issue, such as `body_too_large`, `unsupported_media_type` or `invalid_form`. */
  readonly code: string;
}

/** The result of reading a body: its value, or why it has none. */
export interface BodyReading {
  /** The value. */
  readonly value?: unknown;
  /** The issue to report instead of a value. */
  readonly issue?: BodyIssue;
  /** The text that is not JSON; absent for every other issue. */
  readonly text?: string;
}

/** Bodies without a `bodyReader` are JSON. */
export const JSON_BODY: BodyFormat<string | undefined> = { read: readText, parse: parseJsonBody };

/**
 * Parses a body as JSON. The content type is ignored.
 *
 * @param text The body, or `undefined` if it is too large.
 * @returns The value, or the issue: `invalid_json` (also for an empty body) or `body_too_large`.
 */
function parseJsonBody(text: string | undefined): BodyReading {
  if (text === undefined) return { issue: BODY_TOO_LARGE };
  // Most runtimes drop the byte order mark, but an adapter's own `text()` may keep it.
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { issue: { message: "Invalid JSON", code: "invalid_json" }, text: json };
  }
}

const BYTE_ORDER_MARK = 0xfeff;

/** The issue of a body with more bytes than are accepted. */
export const BODY_TOO_LARGE: BodyIssue = { message: "Body too large", code: "body_too_large" };

/**
 * Reads a body as text. Bytes are always counted: as they arrive, or after reading if `content-length` is small.
 *
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes.
 * @returns The body as text, or `undefined` if it is larger.
 * @throws If the body cannot be read: the client has disconnected, or the body has been read before.
 */
function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  return maxBytes === Infinity ? Promise.resolve(request.text()) : readBounded(request, maxBytes);
}

async function readBounded(request: Request, maxBytes: number): Promise<string | undefined> {
  // Most bodies are far smaller than the bound, and servers enforce Content-Length. Accessing `request.body` is slow on
  // Deno and Bun. With Transfer-Encoding, Content-Length means nothing; with Content-Encoding, it is the compressed
  // size.
  const { headers } = request;
  const isSmall = BYTES_PER_UNIT * Number(headers.get("content-length") ?? NaN) <= maxBytes &&
    !headers.has("transfer-encoding") && !headers.has("content-encoding");
  // `text()` returns "" without a body, and rejects a body that has been read before.
  if (isSmall || request.body === null || request.bodyUsed) {
    const text = await request.text();
    // Counted after reading: a Request that no server made can have any Content-Length.
    const fits = BYTES_PER_UNIT * text.length <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
    return fits ? text : undefined;
  }
  const decoder = new TextDecoder();
  let text = "";
  const fits = await readChunks(request.body, maxBytes, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return fits ? text + decoder.decode() : undefined;
}

/** One UTF-16 code unit is decoded from at most three bytes of UTF-8, U+FFFD for malformed bytes included. */
const BYTES_PER_UNIT = 3;

/**
 * Reads a body chunk by chunk. Counts the bytes as they arrive, and stops reading once they exceed the bound.
 *
 * @param body The body.
 * @param maxBytes The largest body accepted, in bytes.
 * @param onChunk Called with each chunk that is within the bound.
 * @returns Whether the whole body is within the bound.
 */
export async function readChunks(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<boolean> {
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: on a cloned request, cancel() settles only when the other branch is done. Its failure does not
      // matter.
      reader.cancel().catch(() => {});
      return false;
    }
    onChunk(value);
  }
}
