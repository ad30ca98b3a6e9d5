import type { BodyReader, BodyReaderResult } from "../core/input/body_reader.ts";
import { absoluteUrl } from "../core/routing/url.ts";
import { requireThat } from "../core/values/assert.ts";

/**
 * Makes a reader of bodies that may be absent. The value of a body of no bytes is `undefined`, whatever its media type
 * is; then the schema decides. Any other body is read by the given reader, with its issues.
 *
 * With a schema that accepts `undefined`, a typed client may leave the body out. The document says that the body is not
 * required. Without `optional`, a body schema that accepts `undefined` does not compile.
 *
 * @typeParam Reader The type of the reader.
 * @param reader The reader of a body: {@linkcode json}, `form`, or a reader of your own.
 * @returns The reader, for `request.bodyReader`.
 * @throws A `TypeError` if `reader` is not a reader, or if it is `signed(scheme)`: an empty body would need no signature.
 * Write `signed(scheme, optional(json))`.
 *
 * @example A body that a client may leave out
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { json, optional } from "@fw/core/body";
 * import { createClient } from "@fw/core/client";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   cancel: endpoint.post("/orders/:id/cancel", {
 *     request: { body: z.object({ reason: z.string() }).optional(), bodyReader: optional(json) },
 *     responses: { 200: { schema: z.string() }, 400: {} },
 *   }),
 * };
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.on(api.cancel, {
 *       resolve: ({ input }) => input.ok ? reply(200, input.body?.reason ?? "no reason") : reply(400),
 *     }),
 *   ],
 * });
 *
 * const client = createClient(api, { fetch: app.fetch });
 * assertEquals((await client.cancel({ params: { id: 7 } })).body, "no reason");
 * assertEquals((await client.cancel({ params: { id: 7 }, body: { reason: "Too late" } })).body, "Too late");
 * ```
 */
export function optional<const Reader extends BodyReader>(reader: Reader): OptionalReader<Reader> {
  const rule = "a reader such as json: { contentTypes, read }";
  requireThat(typeof reader?.read === "function", "Argument of optional", rule, reader);
  if ("~content" in reader) {
    throw new TypeError(
      "optional(signed(scheme)) would take an empty body without a signature: write signed(scheme, optional(json))",
    );
  }
  const { contentTypes, format } = reader;
  const made: BodyReader = {
    contentTypes,
    ...format && { format },
    optional: true,
    read: (request, maxBytes) => readOptional(reader, request, maxBytes),
  };
  return made as OptionalReader<Reader>;
}

/**
 * The type of a reader that {@linkcode optional} makes.
 *
 * @typeParam Reader The type of the reader of bodies that are not empty.
 */
export type OptionalReader<Reader extends BodyReader> = Pick<Reader, keyof Reader & ("contentTypes" | "format")> & {
  /** A request may have no body. */
  readonly optional: true;
  /** As the reader does; the value of a body of no bytes is `undefined`. */
  readonly read: BodyReader["read"];
};

async function readOptional(reader: BodyReader, request: Request, maxBytes: number): Promise<BodyReaderResult> {
  const { body, bodyUsed, headers, signal } = request;
  const isCutOff = signal?.aborted;
  if (body === null && !isCutOff) return { value: undefined };
  // Most clients send the length. A body that has been read before, and one that was cut off, are the reader's to tell.
  const hasBytes = Number(headers.get("content-length")) > 0 && !headers.has("transfer-encoding");
  if (body === null || bodyUsed || isCutOff || hasBytes) return await reader.read(request, maxBytes);

  const source = body.getReader();
  let first: Promise<ReadableStreamReadResult<Uint8Array>> | undefined = nextChunk(source);
  // An error is the reader's to tell, too: it gets a body that ends with it.
  const isEmpty = await first.then(({ done }) => done && !signal?.aborted, () => false);
  if (isEmpty) return { value: undefined };
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await (first ?? nextChunk(source));
      first = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => source.cancel(reason),
  }, { highWaterMark: 0 });
  const { url, method } = request;
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body: whole, duplex: "half" };
  return await reader.read(new Request(absoluteUrl(url), init), maxBytes);
}

/** The next chunk that has bytes: Deno has an empty chunk for an empty body. */
async function nextChunk(
  source: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  for (;;) {
    const result = await source.read();
    if (result.done || result.value.byteLength > 0) return result;
  }
}
