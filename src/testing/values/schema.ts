import type { JsonSchema, JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { isRecord } from "../../core/values/assert.ts";
import { valueAt } from "../../core/schemas/json_pointer.ts";
import { resolved } from "../../core/schemas/resolved.ts";

/** A schema as one object: `allOf` is merged into it. */
export function simplify(schema: JsonSchema, root: JsonSchema): JsonSchemaObject {
  if (typeof schema === "boolean") return {};
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf)) return schema;
  const members = allOf.map((member: JsonSchemaObject) =>
    typeof member?.$ref === "string" ? resolve(member.$ref, root) : member
  );
  return merge([others, ...members.map((member) => simplify(member, root))]);
}

/** As {@linkcode simplify}, of what a schema refers to. */
export function simplifyTarget(schema: JsonSchema, root: JsonSchema): JsonSchemaObject {
  return simplify(resolved(schema, root), root);
}

/** A schema for what fits all of these: as far as one object can say it. */
export function merge(schemas: readonly JsonSchema[]): JsonSchemaObject {
  const merged: JsonSchemaObject = {};
  for (const schema of schemas) {
    if (typeof schema === "boolean") continue;
    for (const [key, value] of Object.entries(schema)) {
      const earlier = merged[key];
      if (key === "properties") merged[key] = { ...Object(earlier), ...Object(value) };
      else if (key === "required") {
        merged[key] = [...new Set([...Array.isArray(earlier) ? earlier : [], ...Object(value)])];
      } else if (earlier === undefined || !/^(?:max|exclusiveMax)/.test(key)) merged[key] = value;
      else merged[key] = Math.min(Number(earlier), Number(value));
    }
  }
  return merged;
}

/** What a reference refers to; anything, if that is not in the schema. */
export function resolve(reference: string, root: JsonSchema): JsonSchema {
  if (!reference.startsWith("#")) return true;
  const target = valueAt(root, reference);
  return typeof target === "boolean" || isRecord(target) ? target as JsonSchema : true;
}

/** The keywords that are read. Where a schema has something else, values do not fit it. */
export interface KnownKeywords extends JsonSchemaObject {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: JsonSchema;
  readonly prefixItems?: JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: string[];
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
}
