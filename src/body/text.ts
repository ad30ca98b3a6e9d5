import { isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { readBytes } from "../core/input/read_bytes.ts";

/**
 * Reads bodies of any media type as texts. Use it in place of `c.request.text()`, which has no bound.
 *
 * The value is a string: UTF-8, whatever `charset` the media type names, without a byte order mark. Malformed bytes
 * become U+FFFD. A body of no bytes is the empty string. The issues have these codes:
 *
 * - `body_too_large`: the body has more than `maxBodyBytes` bytes. Bytes are counted as they arrive.
 * - `incomplete_body`: the client has cut the body off.
 * - `unsupported_content_encoding`: the body is compressed, and {@linkcode decompressed} is not around `text`.
 *
 * @example Notes as they are written
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { text } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.post("/notes", {
 *       request: { body: z.string().min(1), bodyReader: text, maxBodyBytes: 1000 },
 *       resolve: ({ input }) => Response.json(input.ok ? input.body : input.issues[0]?.code),
 *     }),
 *   ],
 * });
 *
 * const post = (body: string) => app.fetch(new Request("http://localhost/notes", { method: "POST", body }));
 * assertEquals(await (await post("Buy milk")).json(), "Buy milk");
 * assertEquals(await (await post("milk ".repeat(1000))).json(), "body_too_large");
 * ```
 */
export const text: TextReader = {
  contentTypes: ["text/plain", "*/*"],
  format: "text",
  async read(request, maxBytes) {
    if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
    const bytes = await readBytes(request, maxBytes);
    return bytes instanceof Uint8Array ? { value: new TextDecoder().decode(bytes) } : { issue: bytes };
  },
};

/** The type of {@linkcode text}. */
export interface TextReader extends BodyReader {
  /** The media types: any. Documents name `text/plain` first, which clients send. */
  readonly contentTypes: readonly ["text/plain", "*/*"];
  /** Bodies are texts: a typed client takes a string. */
  readonly format: "text";
  /** A body is required: see {@linkcode optional}. An empty one is the empty string. */
  readonly optional?: undefined;
}
