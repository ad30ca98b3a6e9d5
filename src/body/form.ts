import { isEncoded, UNSUPPORTED_ENCODING } from "../core/input/body.ts";
import type { BodyReader } from "../core/input/body_reader.ts";
import { readQuery } from "../core/input/query.ts";
import { parseMultipart } from "./multipart.ts";
import { readBytes } from "./read_bytes.ts";

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
  format: "form",
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

/** The type of {@linkcode form}. */
export interface FormReader extends BodyReader {
  /** The media types. */
  readonly contentTypes: readonly ["application/x-www-form-urlencoded", "multipart/form-data"];
  /** Bodies are forms: a typed client takes the fields, and sends them as a form. */
  readonly format: "form";
  /** A body is required: see {@linkcode optional}. */
  readonly optional?: undefined;
}
