/**
 * Compares two [OpenAPI](https://spec.openapis.org/oas/latest.html) documents of one API, before and
 * after a change, and lists what breaks clients. The documents may come from any tool: version 3.0, 3.1 or 3.2. Two
 * [AsyncAPI](https://www.asyncapi.com/docs/reference/specification/v3.0.0) documents are compared as well.
 *
 * @example A new parameter that is required
 * ```ts
 * import { compatible } from "@fw/core/compatible";
 * import { assertEquals } from "@std/assert";
 *
 * const documentOf = (parameters: readonly object[]) => ({
 *   openapi: "3.1.0",
 *   info: { title: "Books", version: "1.0.0" },
 *   paths: { "/books": { get: { parameters, responses: { 200: { description: "OK" } } } } },
 * });
 * const limit = { name: "limit", in: "query", required: true, schema: { type: "integer" } };
 *
 * const [change] = compatible(documentOf([]), documentOf([limit]));
 * assertEquals(change?.level, "breaking");
 * assertEquals(change?.what, 'query parameter "limit": is new and required');
 * ```
 *
 * @module
 */

export { compatible, type CompatibleOptions } from "./compatible.ts";
export type { Change, Level } from "./change.ts";
