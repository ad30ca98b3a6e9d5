import type { JsonSchema, JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { isRecord } from "../../core/values/assert.ts";

/** The schemas of a document, by name. */
export type NamedSchemas = { readonly [name: string]: JsonSchema };

/** The keywords of a schema: none if any value is valid. */
export function keywordsOf(schema: unknown): JsonSchemaObject {
  if (schema === false) return { not: {} };
  return isRecord(schema) ? { ...schema } : {};
}

/** The name of the schema that a reference names; `undefined` if it is not one of the document. */
export function nameOfReference(reference: unknown): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(String(reference))?.[1];
}

/**
 * The keywords of a schema, with those of the schema that it refers to. Own keywords win.
 *
 * @param schema The schema.
 * @param schemas The schemas of the document.
 * @returns The keywords. Without `$ref`, unless the reference leads to no schema or in a circle.
 */
export function followedKeywords(schema: unknown, schemas: NamedSchemas): JsonSchemaObject {
  let keywords = keywordsOf(schema);
  for (const seen = new Set<string>(); keywords.$ref !== undefined;) {
    const name = nameOfReference(keywords.$ref);
    if (name === undefined || seen.has(name) || !Object.hasOwn(schemas, name)) break;
    seen.add(name);
    const { $ref: _followed, ...own } = keywords;
    keywords = { ...keywordsOf(schemas[name]), ...own };
  }
  return keywords;
}

/** The values of a keyword that is a list; none if it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The values of a keyword that is an object, by name; none if it is something else. */
export function namedValuesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
