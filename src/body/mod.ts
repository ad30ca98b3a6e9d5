/**
 * Reads the bodies of HTML forms, files included, so that a schema validates them like any other body. `decompressed`
 * reads compressed bodies of forms and of JSON.
 *
 * @example A form with a file
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { form } from "@fw/core/body";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const app = setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 1024 * 1024,
 *   handlers: [
 *     route.post("/books", {
 *       request: {
 *         body: z.object({ title: z.string().min(1), cover: z.file().max(100_000) }),
 *         bodyReader: form,
 *       },
 *       resolve: ({ input }) => {
 *         if (!input.ok) return Response.json({ issues: input.issues }, { status: 400 });
 *         return Response.json([input.body.title, input.body.cover.name]);
 *       },
 *     }),
 *   ],
 * });
 *
 * const body = new FormData();
 * body.append("title", "Emma");
 * body.append("cover", new File(["…"], "emma.png", { type: "image/png" }));
 * const response = await app.fetch(new Request("http://localhost/books", { method: "POST", body }));
 * assertEquals(await response.json(), ["Emma", "emma.png"]);
 * ```
 *
 * @module
 */

import { type BodyIssue, isEncoded, readChunks, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { readQuery } from "../core/input/query.ts";
import { parseMultipart } from "./multipart.ts";

export { decompressed, type DecompressedOptions, json } from "./decompressed.ts";

/**
 * Reads bodies of the types `application/x-www-form-urlencoded` and `multipart/form-data`.
 *
 * The value is a null-prototype object. A field is a string, a file is a `File`, and a name that repeats has an array
 * of its values, in order. The whole body is kept in memory, so set `maxBodyBytes`; let a handler read uploads that are
 * too large for that. The issues have these codes:
 *
 * - `unsupported_media_type`: the `content-type` is not one of the two. The body is not read.
 * - `unsupported_content_encoding`: the body is compressed, and {@linkcode decompressed} is not around `form`.
 * - `body_too_large`: the body has more than `maxBodyBytes` bytes. Bytes are counted as they arrive.
 * - `incomplete_body`: the client has cut the body off.
 * - `invalid_form`: a multipart body that is malformed or has no end, or whose `content-type` has no valid boundary.
 */
export const form: FormReader = {
  contentTypes: ["application/x-www-form-urlencoded", "multipart/form-data"],
  async read(request, maxBytes) {
    const contentType = request.headers.get("content-type") ?? "";
    const mediaType = contentType.replace(/;[^]*/, "").trim().toLowerCase();
    const kind = form.contentTypes.findIndex((type) => type === mediaType);
    if (kind < 0) return { issue: { message: "Unsupported media type", code: "unsupported_media_type" } };
    if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
    const bytes = await readBytes(request, maxBytes);
    if (!(bytes instanceof Uint8Array)) return { issue: bytes };
    // Not `formData()`: on Node.js, malformed escapes make it very slow.
    const value = kind === 0 ? readQuery(new TextDecoder().decode(bytes)) : parseMultipart(bytes, contentType);
    return value === undefined ? { issue: { message: "Invalid form", code: "invalid_form" } } : { value };
  },
};

/** The type of {@linkcode form}. Its media types tell `@fw/core/client` that the body is a form. */
export interface FormReader extends BodyReader {
  /** The media types. */
  readonly contentTypes: readonly ["application/x-www-form-urlencoded", "multipart/form-data"];
}

/** The body, or why it could not be read. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | BodyIssue> {
  // `arrayBuffer()` rejects a body that has been read before.
  if (request.body === null || request.bodyUsed) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  const issue = await readChunks(request.body, request, maxBytes, (chunk) => {
    chunks.push(chunk);
    length += chunk.byteLength;
  });
  if (issue !== undefined) return issue;
  const bytes = new Uint8Array(length);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.byteLength;
  }
  return bytes;
}
