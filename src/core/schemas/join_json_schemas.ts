import type { JsonSchema, JsonSchemaObject } from "./keywords.ts";
import { mergeProperties } from "./members.ts";
import { relocate } from "./relocate.ts";

/**
 * Joins the JSON Schemas of one part of a request: that of its scopes and that of its route. A value must fit all of
 * them.
 *
 * @param schemas The schemas, as `readJsonSchema` returns them.
 * @returns One schema; the same one if it is alone.
 * @throws If one of them accepts no other keys than its own, and another one has such keys.
 */
export function joinJsonSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = true, ...others] = schemas;
  if (others.length === 0) return first;
  const objects = schemas.map((schema): JsonSchemaObject => ({ ...Object(schema) }));
  for (const { additionalProperties, properties } of objects) {
    const stray = objects.flatMap((other) => Object.keys(Object(other.properties)))
      .find((key) => !Object.hasOwn(Object(properties), key));
    if (additionalProperties === false && stray !== undefined) {
      throw new TypeError(
        `the schemas of the scope and of the route must both accept the keys of the other one: one of them rejects "${stray}"`,
      );
    }
  }
  if (!objects.every(isSimple) || !haveCommonDefinitions(objects)) {
    return { type: "object", allOf: schemas.map((schema, index) => relocate(schema, `/allOf/${index}`)) };
  }
  const required = new Set(objects.flatMap((object) => Array.isArray(object.required) ? object.required : []));
  const definitions = objects.flatMap(({ $defs }) => Object.entries(Object($defs)));
  return {
    type: "object",
    properties: mergeProperties(objects.map(({ properties }) => properties)),
    ...required.size > 0 && { required: [...required] },
    ...definitions.length > 0 && { $defs: Object.fromEntries(definitions) },
  };
}

/** Whether a schema has nothing but properties, and definitions to which it refers. */
function isSimple(schema: JsonSchemaObject): boolean {
  return Object.keys(schema).every((keyword) => SIMPLE.has(keyword)) &&
    Object.keys(Object(schema.additionalProperties)).length === 0 && !OTHER_REFERENCE.test(JSON.stringify(schema));
}

const SIMPLE: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "$schema",
  "$defs",
  "type",
  "properties",
  "required",
  "additionalProperties",
]);

/** A reference to anything but a definition. */
const OTHER_REFERENCE = /"\$ref":"(?!#\/\$defs\/)/;

/** Whether definitions of the same name are the same. */
function haveCommonDefinitions(schemas: readonly JsonSchemaObject[]): boolean {
  const known = new Map<string, string>();
  return schemas.flatMap(({ $defs }) => Object.entries(Object($defs))).every(([name, schema]) => {
    const text = JSON.stringify(schema);
    const isSame = (known.get(name) ?? text) === text;
    known.set(name, text);
    return isSame;
  });
}
