import type { JsonSchema } from "../../core/schemas/json_schema.ts";
import type { FastCheck } from "./fast_check.ts";

/** What the values of one JSON Schema are made with. */
export interface Maker {
  /** The module `fast-check`. */
  readonly fc: FastCheck;
  /** Whether texts and numbers at which programs fail are wanted; otherwise, ones that somebody reads. */
  readonly isHostile: boolean;
  /**
   * Makes the values of a schema: the same arbitrary for the same schema at the same depth.
   *
   * @param schema The schema.
   * @param depth How many references lead to it.
   */
  valueOf(schema: JsonSchema, depth: number): object;
}

/** How deep references are followed. Deeper, a value is the smallest one. */
export const SHALLOW = 3;

/** Calls `map` of an arbitrary. */
export function map<Value>(arbitrary: object, mapper: (value: Value) => unknown): object {
  return (arbitrary as { map(mapper: (value: Value) => unknown): object }).map(mapper);
}
