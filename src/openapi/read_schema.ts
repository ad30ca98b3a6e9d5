import {
  type ConvertedSchema,
  type JsonSchema,
  messageOf,
  type SchemaCollection,
  type Side,
} from "../core/schemas/json_schema.ts";
import { capitalize, type NamedOperation, type Reject } from "./operations.ts";

/**
 * Converts the schema of a part of an operation, and returns what `use` makes of it. Returns `fallback` if there is no
 * schema, or if it cannot be converted and `reject` does not throw.
 */
export type ReadSchema = <Result>(
  part: string,
  schema: unknown,
  side: Side,
  use: (converted: ConvertedSchema) => Result,
  fallback: Result,
) => Result;

/**
 * Creates what reads the schemas of an operation.
 *
 * @param operation The operation.
 * @param schemas The schemas of the document.
 * @param reject Called for a schema that OpenAPI cannot express.
 * @returns The function.
 */
export function createReadSchema(
  { name, operationId }: NamedOperation,
  schemas: SchemaCollection,
  reject: Reject,
): ReadSchema {
  return (part, schema, side, use, fallback) => {
    if (schema === undefined) return fallback;
    try {
      return use(schemas.convert(schema, side, operationId + capitalize(part).replaceAll(" ", "")));
    } catch (error) {
      reject(`Schema of the ${part} of route ${name} must be expressible as JSON Schema: ${messageOf(error)}`, error);
      return fallback;
    }
  };
}

/** The schema itself, or a reference to it. */
export const emit = (converted: ConvertedSchema): JsonSchema => converted.emit();

/** `T` before serialization: any key may be `undefined`. */
export type Draft<T> = T extends readonly (infer Item)[] ? readonly Draft<Item>[]
  : T extends object ? { readonly [Key in keyof T]: Draft<T[Key]> | undefined }
  : T;
