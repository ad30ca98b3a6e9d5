import type { JsonSchema } from "../../core/schemas/json_schema.ts";
import { sendableType } from "../../core/responses/media_type.ts";
import { type KnownKeywords, simplifyTarget } from "./schema.ts";
import { LONGEST } from "./texts_of.ts";

/**
 * Values just outside the bounds of a schema, and of other types.
 *
 * @param schema The schema of one value.
 * @param root The JSON Schema that contains it.
 * @returns The values. Some of them may fit.
 */
export function valuesOutside(schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  const simple: KnownKeywords = simplifyTarget(schema, root);
  const {
    type,
    format,
    contentMediaType,
    minLength,
    maxLength,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    minItems,
    maxItems,
  } = simple;
  if (format === "binary") return filesOutside(maxLength, contentMediaType);
  const values: unknown[] = [null, { wrong: true }, [], true, ""];
  if (maxLength !== undefined && maxLength < LONGEST) values.push("x".repeat(maxLength + 1));
  if (minLength !== undefined && minLength > 1) values.push("x".repeat(minLength - 1));
  if (minimum !== undefined) values.push(minimum - 1, minimum - 0.5);
  if (maximum !== undefined) values.push(maximum + 1, maximum + 0.5);
  if (exclusiveMinimum !== undefined) values.push(exclusiveMinimum);
  if (exclusiveMaximum !== undefined) values.push(exclusiveMaximum);
  if (minItems !== undefined && minItems > 1) values.push(Array(minItems - 1).fill("x"));
  if (maxItems !== undefined && maxItems < 1000) values.push(Array(maxItems + 1).fill("x"));
  if (type !== "string") values.push("text", "1e400");
  else values.push(7, "not a value", "9999-99-99");
  return values;
}

/** What is no file, one of another media type, and one that is too large. */
function filesOutside(max = Infinity, types: unknown = "text/plain"): readonly unknown[] {
  const values = [null, "text", new File(["x"], "a", { type: "application/x-unknown" })];
  if (max > LARGEST) return values;
  const type = sendableType(`${types}`.split(",", 1).join());
  return [...values, new File(["x".repeat(max + 1)], "large", { type })];
}

/** The largest file that is made, in bytes. */
const LARGEST = 100_000;
