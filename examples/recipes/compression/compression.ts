import { acceptsEncodings } from "@std/http/negotiation"; // npm: npx jsr add @std/http

/** Smaller bodies are not worth it. */
const MIN_BYTES = 1024;

/** Text, except event streams: on Bun and Node.js `CompressionStream` holds events back, as it cannot be flushed. */
const COMPRESSIBLE = /^(text\/(?!event-stream)|application\/(\S+\+)?(json|xml|javascript|wasm)\b|image\/svg\+xml)/i;

/**
 * Compresses a response with gzip, if the client accepts it.
 *
 * The size of a compressed body that contains a secret and text of the request reveals the secret to anybody who can make the
 * user's browser send requests (BREACH). A response to a request with credentials is compressed only if it says
 * `cache-control: public`.
 *
 * `cache-control: no-transform` keeps a response as it is. Streams that must arrive at once need it, and so do responses whose
 * ETag is for `If-Match`: the ETag of a compressed response is weak, and `If-Match` compares strong ones.
 *
 * @returns The response to send. The body of the other one must not be used any more.
 */
export async function compress(request: Request, response: Response): Promise<Response> {
  const cacheControl = response.headers.get("cache-control") ?? "";
  const hasCredentials = request.headers.has("cookie") || request.headers.has("authorization");
  const isCompressible = response.status === 304 || COMPRESSIBLE.test(response.headers.get("content-type") ?? "");
  if (
    !isCompressible || response.status === 206 || response.headers.has("content-encoding") ||
    /\bno-transform\b/i.test(cacheControl) || (hasCredentials && !/\bpublic\b/i.test(cacheControl))
  ) return response;

  const head = new Response(null, response);
  head.headers.append("vary", "accept-encoding"); // also where it is not compressed, or a cache could mix up the two
  if (!acceptsGzip(request)) return new Response(response.body, head);

  const [size, body] = response.body === null ? [Infinity, null] : await readAhead(response.body, MIN_BYTES);
  if (size < MIN_BYTES) return new Response(body, head);
  const etag = head.headers.get("etag");
  if (etag?.startsWith('"')) head.headers.set("etag", `W/${etag}`); // the bytes differ; a 304 names the same ETag
  if (body === null) return head;
  head.headers.set("content-encoding", "gzip");
  head.headers.delete("content-length");
  return new Response(body.pipeThrough(new CompressionStream("gzip")), head);
}

/**
 * Without the header, any encoding would do by the standard, but few such clients can read gzip. A header that no client
 * needs counts as none: the time to parse it grows with its length.
 */
function acceptsGzip(request: Request): boolean {
  const accepted = request.headers.get("accept-encoding") ?? "";
  if (accepted === "" || accepted.length > 1_000) return false; // browsers send less than 50 characters
  return acceptsEncodings(request, "gzip", "identity") === "gzip";
}

/** Reads until enough bytes are there or the body ends. Returns how many there are, and the whole body. */
async function readAhead(body: ReadableStream<Uint8Array<ArrayBuffer>>, enough: number) {
  const [start, whole] = body.tee();
  let size = 0;
  for await (const chunk of start.values({ preventCancel: true })) {
    size += chunk.byteLength;
    if (size >= enough) break;
  }
  start.cancel().catch(() => {}); // not awaited: it waits for the other one
  return [size, whole] as const;
}
