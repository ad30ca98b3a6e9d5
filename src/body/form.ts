import { isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { readQuery } from "../core/input/query.ts";
import { essenceOf } from "../core/responses/media_type.ts";
import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import { readMultipart } from "./multipart.ts";
import { readBytes } from "../core/input/read_bytes.ts";

/**
 * Reads bodies of the types `application/x-www-form-urlencoded` and `multipart/form-data`.
 *
 * The value is a null-prototype object. A field is a string, a file is a `File`, and a name that repeats has an array
 * of its values, in order. The whole body is kept in memory, so set `maxBodyBytes`; let a handler read uploads that are
 * too large for that. The client chooses the name of a file. It may be any text. The issues have these codes:
 *
 * - `unsupported_media_type`: the `content-type` is not one of the two. The body is not read.
 * - `unsupported_content_encoding`: the body is compressed, and {@linkcode decompressed} is not around `form`.
 * - `body_too_large`: the body has more than `maxBodyBytes` bytes. Bytes are counted as they arrive.
 * - `incomplete_body`: the client has cut the body off.
 * - `invalid_form`: a multipart body that is malformed or has no end, whose `content-type` has no valid boundary, or with
 *   a part whose headers have more than 64 KiB. So is one that parsers read in several ways: a name or a header that
 *   comes twice, text before or after the parts, or a `content-transfer-encoding` of base64 or quoted-printable.
 * - `too_many_parts`: a multipart body with more than 1,000 parts. `form.with({ maxParts })` sets another bound.
 *
 * A body with many parts is read in turns, so that other requests are served meanwhile.
 *
 * @example A form with many fields
 * ```ts
 * import { route } from "@fw/core";
 * import { form } from "@fw/core/body";
 * import { z } from "zod";
 *
 * const importRows = route.post("/rows", {
 *   request: { body: z.object({ row: z.array(z.string()) }), bodyReader: form.with({ maxParts: 20_000 }) },
 *   resolve: ({ input }) => Response.json(input.ok ? input.body.row.length : input.issues),
 * });
 * ```
 */
export const form: FormReader = /* @__PURE__ */ createForm(1_000);

/** Creates a reader of forms with at most so many parts. */
function createForm(maxParts: number): FormReader {
  const contentTypes = ["application/x-www-form-urlencoded", "multipart/form-data"] as const;
  return {
    contentTypes,
    format: "form",
    async read(request, maxBytes) {
      const contentType = request.headers.get("content-type") ?? "";
      const essence = essenceOf(contentType);
      const kind = contentTypes.findIndex((type) => type === essence);
      if (kind < 0) return { issue: { message: "Unsupported media type", code: "unsupported_media_type" } };
      if (isEncoded(request.headers)) return { issue: UNSUPPORTED_ENCODING };
      const bytes = await readBytes(request, maxBytes);
      if (!(bytes instanceof Uint8Array)) return { issue: bytes };
      // Not `formData()`: on Node.js, malformed escapes make it very slow.
      if (kind === 0) return { value: readQuery(new TextDecoder().decode(bytes)) };
      const value = await readMultipart(bytes, contentType, maxParts);
      return typeof value === "string" ? { issue: { message: MESSAGES[value], code: value } } : { value };
    },
    with(options) {
      requireOptions(options, "form.with", ["maxParts"], []);
      const { maxParts } = options;
      requireWhole(maxParts, "Option maxParts of form.with", 1_000_000);
      return createForm(maxParts);
    },
  };
}

const MESSAGES = { invalid_form: "Invalid form", too_many_parts: "Too many parts" };

/** The options of `form.with`. */
export interface FormOptions {
  /** The largest number of parts of a multipart body: a whole number from 1 to 1,000,000. */
  readonly maxParts: number;
}

/** The type of {@linkcode form}. */
export interface FormReader extends BodyReader {
  /** The media types. */
  readonly contentTypes: readonly ["application/x-www-form-urlencoded", "multipart/form-data"];
  /** Bodies are forms: a typed client takes the fields, and sends them as a form. */
  readonly format: "form";
  /** A body is required: see {@linkcode optional}. */
  readonly optional?: undefined;
  /**
   * Makes a reader with another bound of parts.
   *
   * @param options The bound.
   * @returns The reader.
   * @throws A `TypeError` if the bound is not a whole number from 1 to 1,000,000.
   */
  with(options: FormOptions): FormReader;
}
