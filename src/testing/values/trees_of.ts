import type { JsonSchema, JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { isRecord } from "../../core/values/assert.ts";
import { type Maker, map, SHALLOW } from "./maker.ts";
import type { KnownKeywords } from "./schema.ts";

/**
 * Generates the arrays of a schema.
 *
 * @param schema The schema of an array.
 * @param depth How many references lead to it.
 * @param maker What values are made with.
 * @returns An arbitrary of `fast-check`.
 */
export function arraysOf(schema: JsonSchemaObject, depth: number, { fc, isHostile, valueOf }: Maker): object {
  const { items = true, prefixItems, minItems = 0, maxItems, uniqueItems }: KnownKeywords = schema;
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => valueOf(item, depth)));
  const most = Math.max(minItems, Math.min(maxItems ?? minItems + 4, minItems + (depth > 0 ? 3 : 12)));
  // Somebody who reads a list wants to see items.
  const least = isHostile || depth > SHALLOW ? minItems : Math.max(minItems, Math.min(1, most));
  const constraints = { minLength: least, maxLength: depth > SHALLOW ? minItems : most };
  if (constraints.maxLength === 0) return fc.constant([]);
  const values = fc.array(valueOf(items, depth), constraints);
  const different = uniqueItems ? map(values, (all: unknown[]) => all.filter(isFirst)) : values;
  if (!isHostile || minItems > 0 || depth > SHALLOW) return different;
  const full = fc.array(valueOf(items, depth), { minLength: most, maxLength: most });
  return fc.oneof(
    { arbitrary: different, weight: 5 },
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: uniqueItems ? different : full, weight: 1 },
  );
}

/**
 * Generates the objects of a schema.
 *
 * @param schema The schema of an object.
 * @param depth How many references lead to it.
 * @param maker What values are made with.
 * @returns An arbitrary of `fast-check`.
 */
export function objectsOf(schema: JsonSchemaObject, depth: number, { fc, isHostile, valueOf }: Maker): object {
  const { properties = {}, required = [], additionalProperties, propertyNames, minProperties = 0 }: KnownKeywords =
    schema;
  const names = Object.keys(properties).filter((name) => depth <= SHALLOW || required.includes(name));
  if (names.length > 0 || !isRecord(additionalProperties)) {
    const model = Object.fromEntries(names.map((name) => [name, valueOf(properties[name] as JsonSchema, depth)]));
    const requiredKeys = required.filter((name) => name in model);
    const values = fc.record(model, { requiredKeys });
    if (!isHostile || requiredKeys.length === names.length) return values;
    // `fast-check` has most optional keys in most objects. What fails without any of them would stay unseen.
    const least = fc.record(Object.fromEntries(requiredKeys.map((name) => [name, model[name] as object])), {
      requiredKeys,
    });
    return fc.oneof({ arbitrary: values, weight: 1 }, { arbitrary: least, weight: 1 });
  }
  const keys = valueOf({ type: "string", maxLength: 12, ...Object(propertyNames) }, depth);
  const entries = fc.array(fc.tuple(keys, valueOf(additionalProperties, depth)), {
    minLength: minProperties,
    maxLength: depth > SHALLOW ? minProperties : minProperties + 3,
  });
  return map(entries, (entries: [string, unknown][]) => Object.fromEntries(entries));
}

function isFirst(value: unknown, index: number, all: readonly unknown[]): boolean {
  return all.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === index;
}
