/** JSON Schemas as data. Types only. */

/** A JSON Schema 2020-12, as plain data. */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is an object: keywords and their values. */
export interface JsonSchemaObject {
  /** The value of the keyword. */
  [keyword: string]: unknown;
}

/** The side of a schema: its input type or its output type. */
export type Side = "input" | "output";
