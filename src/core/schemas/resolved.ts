import { valueAt } from "./json_pointer.ts";
import type { JsonSchema, JsonSchemaObject } from "./keywords.ts";

/**
 * Follows the reference of a schema.
 *
 * @param schema The schema.
 * @param root The schema that contains it.
 * @returns The schema that the reference leads to, with the keywords beside the reference; the schema itself if it has
 * none. `{}` for references that lead to each other.
 */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchemaObject {
  let target: unknown = schema;
  for (let count = 0; count < MOST_REFERENCES; count++) {
    const { $ref, ...own } = { ...Object(target) };
    if (typeof $ref !== "string") return own;
    target = { ...Object(valueAt(root, $ref)), ...own };
  }
  return {};
}

/** How many references are followed. */
const MOST_REFERENCES = 16;
