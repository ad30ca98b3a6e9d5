import { isResponse } from "../core/values/assert.ts";
import { describeBody } from "../core/values/copy_response.ts";
import { isJson } from "../core/responses/media_type.ts";
import { send } from "../core/responses/reply.ts";
import type { ReplyInit } from "../core/responses/reply_type.ts";

/**
 * Writes a response as text, for a store. Its body is read, for at most 10 seconds.
 *
 * @param response The response.
 * @param maxBytes How long its body may be.
 * @returns The text, of ASCII characters.
 * @throws An `Error` if the body is longer or does not end in time; a `TypeError` if it was read before, or if its
 * stream has anything but bytes; a `RangeError` if no server can send a response of this status; whatever the stream
 * fails with.
 */
export async function writeResponse(response: Response, maxBytes: number): Promise<string> {
  const { status, headers, body } = response;
  // A body that was read seems to be empty.
  if (response.bodyUsed) throw new TypeError("An idempotent response must have a body that nobody has read");
  const sent = describeBody(response, new Headers(headers));
  return write(status, sent, body && await readBody(body, maxBytes));
}

/**
 * Writes what `reply(status, body, init)` makes as text, without a pause.
 *
 * @param status The status.
 * @param body The value to send: as JSON, or a string of another media type; `undefined` for no body.
 * @param init The headers and the media type.
 * @param maxBytes How long the body may be.
 * @returns The text, of ASCII characters.
 * @throws A `TypeError` if the body is a `Response`; an `Error` if it is too long; and as `reply`.
 */
export function writeReply(status: number, body: unknown, init: ReplyInit | undefined, maxBytes: number): string {
  if (isResponse(body)) throw new TypeError("keepNow() must have a value to send: use keep() for a ready Response");
  const { headers } = send(status, body, init);
  if (body === undefined) return write(status, headers, null);
  const text = init?.contentType === undefined || isJson(init.contentType) ? JSON.stringify(body) : String(body);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxBytes) throw tooLong(maxBytes);
  return write(status, headers, toBinary(bytes));
}

/**
 * Writes an error as text, for a store: the work is done, and its response could not be kept.
 *
 * @param error The error.
 * @returns The text.
 */
export function writeFailure(error: unknown): string {
  let text = "an error without a text";
  try {
    text = String(error);
  } catch { /* an object that cannot be a string */ }
  return JSON.stringify(text.slice(0, 1000));
}

/**
 * Reads what was written.
 *
 * @param text The text.
 * @returns The response.
 * @throws An `Error` if the text is that of an error.
 */
export function readAnswer(text: string): Response {
  const stored: string | [number, [string, string][], string | null] = JSON.parse(text);
  if (typeof stored === "string") throw new Error(`The response to this Idempotency-Key could not be kept: ${stored}`);
  const [status, headers, body] = stored;
  const bytes = body === null ? null : Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  return new Response(bytes, { status, headers });
}

/** How long a body is read, in seconds. One without an end must not keep its key taken for ever. */
const MAX_SECONDS = 10;

/** Returns the bytes of a body as characters. */
async function readBody(body: ReadableStream, maxBytes: number): Promise<string> {
  // Not by `for await`: a body cannot be iterated everywhere.
  const reader = body.getReader();
  let isLate = false;
  // Nobody waits for `cancel`: it may not end, either.
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, MAX_SECONDS * 1000);
  try {
    let binary = "";
    for (let chunks = 1;; chunks++) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!(value instanceof Uint8Array)) {
        cancel();
        throw new TypeError("The stream of an idempotent response must have bytes");
      }
      if (binary.length + value.length > maxBytes) {
        cancel();
        throw tooLong(maxBytes);
      }
      binary += toBinary(value);
      // Chunks that are there at once, such as empty ones without an end, would let no timer run.
      if (chunks % 1000 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    if (isLate) throw new Error(`The body of an idempotent response must end within ${MAX_SECONDS} seconds`);
    return binary;
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`An idempotent response must have at most ${maxBytes} bytes`);
}

function toBinary(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return binary;
}

/** Not every response can be made again, such as one of the status 101: this finds it before it is stored. */
function write(status: number, headers: Headers, binary: string | null): string {
  const text = JSON.stringify([status, [...headers], binary === null ? null : btoa(binary)]);
  readAnswer(text);
  return text;
}
