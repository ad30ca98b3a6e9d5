import { readJson } from "./body.ts";
import type { BodyReader } from "./body_reader.ts";

/**
 * Reads bodies as JSON, as a route without a `bodyReader` does: for `optional`, `decompressed` and `signed`.
 */
export const json: JsonReader = {
  contentTypes: ["application/json"],
  format: "json",
  async read(request, maxBytes) {
    const { value, issue, text } = await readJson(request, maxBytes);
    if (issue === undefined) return { value };
    return text === undefined ? { issue } : { issue, text };
  },
};

/** The type of {@linkcode json}. */
export interface JsonReader extends BodyReader {
  /** The media types. */
  readonly contentTypes: readonly ["application/json"];
  /** Bodies are JSON: a typed client takes what the schema accepts, and sends it as JSON. */
  readonly format: "json";
  /** A body is required: see `optional` of `@fw/core/body`. */
  readonly optional?: undefined;
}
