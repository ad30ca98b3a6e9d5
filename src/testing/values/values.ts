import type { JsonSchema, JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import type { FastCheck } from "./fast_check.ts";
import { type Maker, SHALLOW } from "./maker.ts";
import { numbersOf } from "./numbers_of.ts";
import { merge, resolve, simplify } from "./schema.ts";
import { HOSTILE_TEXTS } from "./texts.ts";
import { textsOf } from "./texts_of.ts";
import { arraysOf, objectsOf } from "./trees_of.ts";

/** How values are generated. */
export interface ValueOptions {
  /** The module `fast-check`. */
  readonly fc: FastCheck;
  /** Whether texts and numbers at which programs fail are wanted; otherwise, ones that somebody reads. */
  readonly isHostile: boolean;
}

/**
 * Generates values of a JSON Schema. Most of them fit: nothing here knows what `if`, `not` or a library of its own
 * demands. References are followed three levels deep, then the smallest values end the recursion.
 *
 * @param root The JSON Schema, with its definitions.
 * @param options How values are generated.
 * @returns An arbitrary of `fast-check`.
 */
export function valuesOf(root: JsonSchema, { fc, isHostile }: ValueOptions): object {
  const known = new Map<number, Map<JsonSchema, object>>();
  const maker: Maker = {
    fc,
    isHostile,
    valueOf(schema, depth) {
      const atDepth = known.get(depth) ?? new Map<JsonSchema, object>();
      known.set(depth, atDepth);
      const made = atDepth.get(schema) ?? valueOfObject(simplify(schema, root), root, depth, maker);
      atDepth.set(schema, made);
      return made;
    },
  };
  const values = maker.valueOf(root, 0);
  return isHostile ? values : fc.noBias(values);
}

/** The values of a schema: those of what it refers to, of a member of a union, or of its type. */
function valueOfObject(schema: JsonSchemaObject, root: JsonSchema, depth: number, maker: Maker): object {
  const { fc, valueOf } = maker;
  if (typeof schema.$ref === "string") {
    const target = resolve(schema.$ref, root);
    // Some libraries refer to each part of an object, too.
    const step = typeof target === "object" && "properties" in target ? 1 : 0.25;
    return depth > MAX_DEPTH ? fc.constant(null) : valueOf(target, depth + step);
  }
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const { anyOf = schema.oneOf, type } = schema;
  if (Array.isArray(anyOf)) {
    const { anyOf: _, oneOf: __, ...others } = schema;
    return oneOf(depth > SHALLOW ? leastOf(anyOf) : anyOf, (member) => merge([others, member]), depth, maker);
  }
  if (Array.isArray(type)) return oneOf(type, (type) => ({ ...schema, type }), depth, maker);
  return valueOfType(schema, depth, maker);
}

function oneOf(members: readonly unknown[], make: (member: never) => JsonSchema, depth: number, maker: Maker): object {
  const { fc, valueOf } = maker;
  return fc.oneof(...members.map((member) => ({ arbitrary: valueOf(make(member as never), depth), weight: 1 })));
}

/** The member of a union that refers to nothing, or all of them. */
function leastOf(members: readonly unknown[]): readonly unknown[] {
  const least = members.filter((member) => !JSON.stringify(member).includes('"$ref"'));
  return least.length > 0 ? least : members;
}

/** The values of a schema by its type: one type, or none. */
function valueOfType(schema: JsonSchemaObject, depth: number, maker: Maker): object {
  const { fc, isHostile } = maker;
  const { type } = schema;
  switch (type ?? guessType(schema)) {
    case "string":
      return withDefault(schema, textsOf(schema, maker), maker);
    case "integer":
    case "number":
      return withDefault(schema, numbersOf(schema, type === "integer", maker), maker);
    case "boolean":
      return fc.constantFrom(true, false);
    case "null":
      return fc.constant(null);
    case "array":
      return arraysOf(schema, depth, maker);
    case "object":
      return objectsOf(schema, depth, maker);
    default:
      return isHostile ? fc.constantFrom(...ANYTHING, ...HOSTILE_TEXTS) : fc.constantFrom("any", 1, true);
  }
}

/** The type of a schema that does not say it. */
function guessType(schema: JsonSchemaObject): string | undefined {
  if ("properties" in schema || "additionalProperties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "pattern" in schema || "minLength" in schema || "format" in schema ? "string" : undefined;
}

/** Adds the default and the examples of a schema to its values. */
function withDefault(schema: JsonSchemaObject, arbitrary: object, { fc, isHostile }: Maker): object {
  const given = [schema.default, ...Array.isArray(schema.examples) ? schema.examples : []].filter((value) =>
    value !== undefined
  );
  if (given.length === 0) return arbitrary;
  return fc.oneof({ arbitrary, weight: 4 }, { arbitrary: fc.constantFrom(...given), weight: isHostile ? 1 : 4 });
}

/** How deep a recursion without an end is followed. */
const MAX_DEPTH = 8;

const ANYTHING: readonly unknown[] = [null, true, 0, 1, -1, 1.5, [], {}, [null], { a: 1 }];
