import { isJson } from "../core/responses/media_type.ts";
import type { JsonSchema, SchemaCollection } from "../core/schemas/json_schema.ts";
import { isRecord } from "../core/values/assert.ts";

/** The media type of a body for which no other one is declared. */
export const JSON_TYPE = "application/json";

/**
 * Describes a body of which only the media type is known, so that generated clients read and send it as what it is: a
 * string, or bytes. `format` says so to tools of OpenAPI 3.0, `contentMediaType` to those of 3.1.
 *
 * @param contentType The media type.
 * @returns The schema: bytes, unless the media type is one of text, JSON, XML or forms.
 */
export function schemaOfBytes(contentType: string): JsonSchema {
  if (/^text\//i.test(contentType)) return { type: "string" };
  if (isJson(contentType) || /^multipart\/|[/+]xml\b|[/]x-www-form-urlencoded/i.test(contentType)) return {};
  const contentMediaType = contentType.includes("*") ? {} : { contentMediaType: contentType };
  return { type: "string", format: "binary", ...contentMediaType };
}

/**
 * The media types in which a body can be sent: a form with a file cannot be `application/x-www-form-urlencoded`.
 * Generated clients take the first media type, and would lose the file.
 *
 * @param contentTypes The media types that the server reads.
 * @param schema The schema of the body, as the document has it.
 * @param schemas The schemas of the document.
 * @returns The media types, in order.
 */
export function sendableTypes(
  contentTypes: readonly string[],
  schema: JsonSchema,
  schemas: SchemaCollection,
): readonly string[] {
  const forFiles = contentTypes.filter((type) => type === "multipart/form-data");
  return forFiles.length > 0 && hasFile(schema, schemas, new Set()) ? forFiles : contentTypes;
}

/** Whether a schema, one of its properties or an item of them is a file. */
function hasFile(schema: unknown, schemas: SchemaCollection, seen: Set<unknown>): boolean {
  if (!isRecord(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { $ref, format, properties, ...others }: Readonly<Record<string, unknown>> = { ...schema };
  if (format === "binary") return true;
  const target = typeof $ref === "string" ? schemas.targetOf($ref) : undefined;
  return [target, ...Object.values(properties ?? {}), ...HOLDERS.map((keyword) => others[keyword]).flat()]
    .some((part) => hasFile(part, schemas, seen));
}

/** The keywords with the schemas of a property, and of its items. */
const HOLDERS = ["allOf", "anyOf", "oneOf", "items", "prefixItems", "additionalProperties"];
