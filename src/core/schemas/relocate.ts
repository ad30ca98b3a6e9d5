import type { JsonSchema } from "./keywords.ts";

/**
 * Makes a whole JSON Schema a part of another one. References are relative to the whole, so they are rewritten.
 *
 * @param schema A whole JSON Schema, as {@linkcode readJsonSchema} returns it.
 * @param pointer The JSON Pointer of the part in the other schema.
 * @returns A copy, to be put there.
 */
export function relocate(schema: JsonSchema, pointer: string): JsonSchema {
  const isReference = (key: string, value: unknown) => key === "$ref" && typeof value === "string" && value[0] === "#";
  const { $schema: _dialect, ...part } = typeof schema === "boolean" ? { $schema: undefined } : schema;
  return JSON.parse(
    JSON.stringify(typeof schema === "boolean" ? schema : part),
    (key, value) => isReference(key, value) ? `#${pointer}${value.slice(1)}` : value,
  );
}
