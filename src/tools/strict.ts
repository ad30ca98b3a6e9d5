import type { JsonSchema, JsonSchemaObject } from "../core/schemas/json_schema.ts";
import { resolved } from "../core/schemas/resolved.ts";
import { isPlain, isRecord } from "../core/values/assert.ts";

/**
 * Writes a JSON Schema in the subset that model providers accept in their strict modes: each key is required, an object has
 * no other keys, and there is no `oneOf`, `default` or `propertyNames`. A key that may be absent accepts `null` instead.
 *
 * @param schema The schema.
 * @param owner What it is the schema of, as messages name it.
 * @returns The schema in the subset.
 * @throws A `TypeError` for an object with keys of any name, which the subset lacks.
 */
export function toStrict(schema: JsonSchemaObject, owner: string): JsonSchemaObject {
  const visit = (schema: JsonSchema, path: readonly string[]): JsonSchema => {
    if (typeof schema === "boolean") return schema;
    const { default: _default, propertyNames, oneOf, anyOf, allOf, properties, required, ...others } = schema;
    const { additionalProperties, patternProperties, minProperties: _min, maxProperties: _max, ...kept } = others;
    const hasAnyKeys = propertyNames !== undefined || isRecord(patternProperties) || isRecord(additionalProperties);
    if (hasAnyKeys || (additionalProperties === true && properties === undefined)) {
      const key = path.length === 0 ? "" : ` at ${path.join(".")}`;
      throw new TypeError(
        `The ${owner} has an object with keys of any name${key}, which strict schemas lack: use a list of pairs, or leave strict out`,
      );
    }
    const strict: { [keyword: string]: unknown } = { ...kept };
    const union = [anyOf, oneOf].flatMap(listOf);
    if (union.length > 0) strict.anyOf = union.map((member) => visit(member, path));
    for (const member of listOf(allOf)) merge(strict, Object(visit(member, path)));
    if (isRecord(properties)) {
      const names = Array.isArray(required) ? required : [];
      const own = Object.entries(properties).map(([key, value]) => {
        const described = visit(value as JsonSchema, [...path, key]);
        return [key, names.includes(key) ? described : orNull(described)];
      });
      merge(strict, { properties: Object.fromEntries(own), required: own.map(([key]) => key) });
    }
    if (strict.properties !== undefined || [kept.type].flat().includes("object")) {
      merge(strict, { properties: {}, required: [] });
      strict.additionalProperties = false;
    }
    for (const keyword of ["items", "contains"] as const) {
      if (isRecord(kept[keyword])) strict[keyword] = visit(kept[keyword] as JsonSchema, [...path, "[]"]);
    }
    if (Array.isArray(kept.prefixItems)) {
      strict.prefixItems = kept.prefixItems.map((item) => visit(item, [...path, "[]"]));
    }
    for (const keyword of ["$defs", "definitions"] as const) {
      const defined = kept[keyword];
      if (!isRecord(defined)) continue;
      strict[keyword] = Object.fromEntries(
        Object.entries(defined).map(([name, value]) => [name, visit(value as JsonSchema, [name])]),
      );
    }
    return strict;
  };
  return visit(schema, []) as JsonSchemaObject;
}

/** Adds the properties of an object to those of another one. */
function merge(strict: { [keyword: string]: unknown }, { properties, required, ...others }: JsonSchemaObject): void {
  Object.assign(strict, others);
  if (properties === undefined) return;
  strict.properties = { ...Object(strict.properties), ...Object(properties) };
  strict.required = [...new Set([strict.required, required].flatMap((names) => Array.isArray(names) ? names : []))];
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean" || acceptsNull(schema)) return schema;
  const { type, enum: values } = schema;
  if (typeof type === "string" && values === undefined && !("const" in schema)) {
    return { ...schema, type: [type, "null"] };
  }
  return { anyOf: [schema, { type: "null" }] };
}

function acceptsNull({ type, anyOf }: JsonSchemaObject): boolean {
  return [type].flat().includes("null") ||
    (Array.isArray(anyOf) && anyOf.some((member) => acceptsNull(Object(member))));
}

/**
 * Removes the keys that are `null` in place of absent, as a strict schema asks for.
 *
 * @param value The arguments.
 * @param schema The schema before it was made strict.
 * @param root The schema that contains it, for references.
 * @returns A copy without these keys.
 */
export function withoutNulls(value: unknown, schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  const { properties, required, items, prefixItems, anyOf, oneOf, allOf } = resolved(schema, root);
  const below = (value: unknown, schema: JsonSchema) => withoutNulls(value, schema, root, depth + 1);
  let result = value;
  for (const part of [anyOf, oneOf, allOf].flatMap(listOf)) result = below(result, part);
  if (Array.isArray(result)) {
    const first = listOf(prefixItems);
    return result.map((item, index) => below(item, first[index] ?? Object(items)));
  }
  if (!isPlain(result)) return result;
  const known = new Map<string, JsonSchema>(Object.entries(Object(properties)));
  const mustBeThere = new Set<unknown>(Array.isArray(required) ? required : []);
  const isAbsent = (key: string, item: unknown) =>
    item === null && known.has(key) && !mustBeThere.has(key) && !acceptsNull(Object(known.get(key)));
  return Object.fromEntries(
    Object.entries(result).filter(([key, item]) => !isAbsent(key, item))
      .map(([key, item]) => [key, below(item, known.get(key) ?? true)]),
  );
}

/** How deep values are looked at. */
const MAX_DEPTH = 32;

function listOf(schemas: unknown): readonly JsonSchema[] {
  return Array.isArray(schemas) ? schemas : [];
}
