/**
 * Files, ranges of bytes and conditional requests. `preconditions`, `byteRange` and the tags run wherever the core
 * does, also on Workers.
 *
 * @example A response that the client may have already
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { preconditions } from "@fw/core/files";
 * import { assertEquals } from "@std/assert";
 *
 * const book = { title: "Emma", version: 3 };
 *
 * const app = setup({
 *   handlers: [
 *     route.get("/book", {
 *       resolve: ({ request }) => {
 *         const headers = { etag: `"${book.version}"`, "cache-control": "no-cache" };
 *         const result = preconditions(request, { etag: headers.etag });
 *         if (result === "not-modified") return reply(304, undefined, { headers });
 *         return result === "failed" ? reply(412) : reply(200, book, { headers });
 *       },
 *     }),
 *   ],
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/book", { headers: { "if-none-match": '"3"' } }));
 * assertEquals(response.status, 304);
 * ```
 *
 * @module
 */

export { type ByteRange, byteRange, type RangedRepresentation } from "./byte_range.ts";
export type { ServedFile } from "./served_file.ts";
export { strongTag, weakTag } from "./entity_tag.ts";
export { type Precondition, preconditions } from "./preconditions.ts";
export {
  type FileAnswer,
  type Refusal,
  type RefusedStatus,
  serveFiles,
  type ServeFilesOptions,
  type ServeNamedFilesOptions,
} from "./serve_files.ts";
export type { ConditionalRequest, Validators } from "./validators.ts";
