/** Reads a body of at most `maxBytes`. */
export type ReadBody = (request: Request, maxBytes: number) => Promise<BodyReading>;

/** Why a body has no value. */
export interface BodyIssue {
  /** The message of the issue. */
  readonly message: string;
  /** The code of the issue, such as `body_too_large`, `incomplete_body` or `unsupported_media_type`. */
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
  /** Ends reading. Called once there is a response, which waits for it. */
  readonly end?: () => Promise<void>;
}

/**
 * Parses a body as JSON. The content type is ignored.
 *
 * @param text The body.
 * @param request The request.
 * @returns The value; else the issue `unsupported_content_encoding` for a compressed body, and `invalid_json` for every
 * other, also an empty one.
 */
function parseJson(text: string, request: Request): BodyReading {
  // Most runtimes drop the byte order mark, but an adapter's own `text()` may keep it.
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  try {
    return { value: JSON.parse(json) };
  } catch {
    if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
    return { issue: { message: "Invalid JSON", code: "invalid_json" }, text: json };
  }
}

/** Whether a body is compressed, by its `content-encoding`. */
export function isEncoded(headers: Headers): boolean {
  return !/^(identity)?$/i.test(headers.get("content-encoding") ?? "");
}

/** The issue of a body that is compressed in a way that nothing decompresses. */
export const UNSUPPORTED_ENCODING: BodyIssue = {
  message: "Unsupported content encoding",
  code: "unsupported_content_encoding",
};

const BYTE_ORDER_MARK = 0xfeff;

/** The issue of a body with more bytes than are accepted. */
export const BODY_TOO_LARGE: BodyIssue = { message: "Body too large", code: "body_too_large" };

/**
 * Reads a body as JSON. Bytes are always counted: as they arrive, or after reading if `content-length` is small.
 *
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes.
 * @returns The value, or the issue: `invalid_json`, `unsupported_content_encoding`, `body_too_large` or
 * `incomplete_body`.
 * @throws If the body has been read before.
 */
export function readJson(request: Request, maxBytes: number): Promise<BodyReading> {
  const { bodyUsed } = request;
  // Most bodies are far smaller than the bound, and accessing `request.body` is slow on Deno and Bun. So is accessing
  // `request.headers`. `text()` returns "" without a body, and rejects a body that has been read before.
  if (maxBytes !== Infinity && !isSmall(request.headers, maxBytes) && !bodyUsed && request.body !== null) {
    return readBounded(request.body, request, maxBytes);
  }
  // Not `await`: an `async` function takes 3 % of a POST over HTTP on Bun.
  return request.text().then((text) => {
    // Counted after reading: a Request that no server made can have any Content-Length.
    const fits = BYTES_PER_UNIT * text.length <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
    return fits ? parseJson(text, request) : { issue: BODY_TOO_LARGE };
  }, (error: unknown) => {
    // Each runtime has errors of its own for a connection that ends. A body that has been read before, or that is
    // locked, is no mistake of the client.
    if (bodyUsed || (!request.bodyUsed && request.body?.locked)) throw error;
    return { issue: INCOMPLETE_BODY };
  });
}

async function readBounded(
  body: ReadableStream<Uint8Array>,
  request: Request,
  maxBytes: number,
): Promise<BodyReading> {
  const decoder = new TextDecoder();
  let text = "";
  const issue = await readChunks(body, request, maxBytes, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return issue ? { issue } : parseJson(text + decoder.decode(), request);
}

/**
 * Whether a body is so small that its bytes can be counted after reading: servers enforce Content-Length. With
 * Transfer-Encoding, it means nothing; with Content-Encoding, it is the compressed size.
 */
function isSmall(headers: Headers, maxBytes: number): boolean {
  return BYTES_PER_UNIT * Number(headers.get("content-length") ?? NaN) <= maxBytes &&
    !headers.has("transfer-encoding") && !headers.has("content-encoding");
}

/** The issue of a body that the client has cut off: by closing the connection, or by sending an invalid chunk. */
const INCOMPLETE_BODY: BodyIssue = { message: "Incomplete body", code: "incomplete_body" };

/** One UTF-16 code unit is decoded from at most three bytes of UTF-8, U+FFFD for malformed bytes included. */
const BYTES_PER_UNIT = 3;

/**
 * Reads a body chunk by chunk. Counts the bytes as they arrive, and stops reading once they exceed the bound.
 *
 * @param body The body of the request, unread.
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes.
 * @param onChunk Called with each chunk that is within the bound.
 * @returns Why the body could not be read to its end: `body_too_large` or `incomplete_body`; else `undefined`.
 * @throws If the body is locked.
 */
export async function readChunks(
  body: ReadableStream<Uint8Array>,
  request: Request,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<BodyIssue | undefined> {
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // An adapter for Node.js has an empty body for a request that was cut off before its body was opened.
      if (done) return bytes === 0 && request.signal?.aborted ? INCOMPLETE_BODY : undefined;
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        // Not awaited: on a cloned request, cancel() settles only when the other branch is done. Its failure does not
        // matter.
        reader.cancel().catch(() => {});
        return BODY_TOO_LARGE;
      }
      onChunk(value);
    }
  } catch {
    return INCOMPLETE_BODY;
  }
}
