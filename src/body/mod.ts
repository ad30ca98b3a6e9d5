/**
 * Readers of bodies, for `request.bodyReader`: HTML forms with their files, texts, bytes, and JSON. A schema validates
 * what they read like any other body. `optional` makes a reader of bodies that may be absent, and `decompressed` one of
 * compressed bodies.
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

export { bytes, type BytesReader } from "./bytes.ts";
export { decompressed, type DecompressedOptions, type DecompressedReader } from "./decompressed.ts";
export { form, type FormOptions, type FormReader } from "./form.ts";
export { json, type JsonReader } from "../core/input/json.ts";
export { optional, type OptionalReader } from "./optional.ts";
export {
  type DeclaredFile,
  type DeclaredParts,
  file,
  type InvalidPart,
  type MayLack,
  type PartOf,
  parts,
  type PartsBody,
  type PartsOptions,
  type PossibleParts,
  type ReceivedField,
  type ReceivedFile,
  type SentFile,
  type SentPart,
  type SentParts,
  type StreamedFile,
} from "./parts.ts";
export type { FileRule } from "./part_rule.ts";
export { text, type TextReader } from "./text.ts";
