import { isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { readBytes } from "../core/input/read_bytes.ts";

/**
 * Reads bodies of any media type as bytes. Use it in place of `c.request.arrayBuffer()`, which has no bound.
 *
 * The value is a `Uint8Array` in memory; of a body of no bytes, an empty one. The issues have these codes:
 *
 * - `body_too_large`: the body has more than `maxBodyBytes` bytes. Bytes are counted as they arrive.
 * - `incomplete_body`: the client has cut the body off.
 * - `unsupported_content_encoding`: the body is compressed, and {@linkcode decompressed} is not around `bytes`.
 *
 * @example A picture of at most a megabyte
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { bytes } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.put("/picture", {
 *       request: { body: z.instanceof(Uint8Array), bodyReader: bytes, maxBodyBytes: 2 ** 20 },
 *       resolve: ({ input }) => Response.json(input.ok ? input.body.length : input.issues[0]?.code),
 *     }),
 *   ],
 * });
 *
 * const body = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
 * const response = await app.fetch(new Request("http://localhost/picture", { method: "PUT", body }));
 * assertEquals(await response.json(), 4);
 * ```
 */
export const bytes: BytesReader = {
  contentTypes: ["application/octet-stream", "*/*"],
  format: "bytes",
  async read(request, maxBytes) {
    if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
    const read = await readBytes(request, maxBytes);
    return read instanceof Uint8Array ? { value: read } : { issue: read };
  },
};

/** The type of {@linkcode bytes}. */
export interface BytesReader extends BodyReader {
  /** The media types: any. Documents name `application/octet-stream` first, which clients send. */
  readonly contentTypes: readonly ["application/octet-stream", "*/*"];
  /** Bodies are bytes: a typed client takes what `fetch` takes. */
  readonly format: "bytes";
  /** A body is required: see {@linkcode optional}. An empty one is a `Uint8Array` of the length 0. */
  readonly optional?: undefined;
}
