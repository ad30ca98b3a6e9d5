/** The objects that a JSON Schema accepts. */

import type { JsonSchema, JsonSchemaObject } from "./keywords.ts";
import { resolved } from "./resolved.ts";

/**
 * Lists the objects that a schema accepts: several for a union. What is in `allOf` is one object.
 *
 * @param schema The schema.
 * @param root The schema that contains it, for references.
 * @param depth How many schemas are around it.
 * @returns The objects.
 */
export function membersOf(schema: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchemaObject[] {
  const { anyOf, oneOf, allOf, ...own } = resolved(schema, root);
  if (depth > MAX_DEPTH) return [own];
  const unions = [anyOf, oneOf].filter((each) => Array.isArray(each))
    .map((each) => each.flatMap((member: JsonSchema) => membersOf(member, root, depth + 1)));
  const parts = Array.isArray(allOf) ? allOf.map((part: JsonSchema) => membersOf(part, root, depth + 1)) : [];
  return [...unions, ...parts].reduce<readonly JsonSchemaObject[]>(
    (all, members) => all.flatMap((one) => members.slice(0, MAX_MEMBERS).map((other) => both(one, other))),
    [own],
  );
}

/** One object of two that are both to be accepted. */
function both(one: JsonSchemaObject, other: JsonSchemaObject): JsonSchemaObject {
  const required = [one.required, other.required].flatMap((names) => Array.isArray(names) ? names : []);
  return { ...other, ...one, properties: mergeProperties([one.properties, other.properties]), required };
}

/**
 * Merges the properties of schemas that must all be fulfilled.
 *
 * @param all The `properties` of each.
 * @returns One record. What stands in several of them must fit each.
 */
export function mergeProperties(all: readonly unknown[]): { readonly [name: string]: unknown } {
  // Not a record, in which `__proto__` would be no key.
  const merged = new Map<string, unknown>();
  for (const [name, schema] of all.flatMap((properties) => Object.entries(Object(properties)))) {
    merged.set(name, merged.has(name) ? { allOf: [merged.get(name), schema] } : schema);
  }
  return Object.fromEntries(merged);
}

/** How deep unions are followed. Beyond it, a schema may accept anything. */
export const MAX_DEPTH = 16;

/** How many members of a union are read. */
const MAX_MEMBERS = 64;
