import type { JsonSchema } from "../../core/schemas/json_schema.ts";
import { simplifyTarget } from "../values/schema.ts";
import { FORMATS } from "../values/texts.ts";
import type { Random } from "./random.ts";

/** Which end of the values of a schema; `mixed` for another one of each property, or none. */
export type Edge = "least" | "most" | "mixed";

/**
 * Puts each property of a value to an end of what its schema allows, as long as the value remains valid: the greatest
 * number, the longest text, a full array; or the smallest, the shortest, an empty one.
 *
 * @param edge Which end.
 * @param value A valid value.
 * @param root The JSON Schema.
 * @param isValid Whether a value is valid.
 * @param random Chooses the ends of a mixed value.
 * @returns The value.
 */
export async function atEdge(
  edge: Edge,
  value: unknown,
  root: JsonSchema,
  isValid: (value: unknown) => Promise<boolean>,
  random: Random,
): Promise<unknown> {
  let made = value;
  for (const [name, schema] of Object.entries(Object(simplifyTarget(root, root).properties))) {
    const old: { readonly [name: string]: unknown } = Object(made);
    if (!Object.hasOwn(old, name)) continue;
    const end = edge === "mixed" ? random.of(ENDS) : edge;
    if (end === undefined) continue;
    const next = { ...old, [name]: edgeOf(end, old[name], simplifyTarget(schema as JsonSchema, root)) };
    if (await isValid(next)) made = next;
  }
  return made;
}

type End = Exclude<Edge, "mixed">;

const ENDS: readonly (End | undefined)[] = ["least", "most", undefined];

function edgeOf(edge: End, value: unknown, schema: { readonly [key: string]: unknown }): unknown {
  const bound = (name: string, other: number) => typeof schema[name] === "number" ? schema[name] : other;
  if (Array.isArray(value)) {
    const count = edge === "least" ? bound("minItems", 0) : Math.min(bound("maxItems", value.length), MOST_ITEMS);
    return Array.from({ length: count }, (_, index) => value[index % value.length]);
  }
  if (schema.type === "number" || schema.type === "integer") {
    return edge === "least" ? bound("minimum", -Number.MAX_SAFE_INTEGER) : bound("maximum", Number.MAX_SAFE_INTEGER);
  }
  if (typeof value !== "string") return value;
  const texts = FORMATS[String(schema.format)]?.toSorted();
  if (texts !== undefined) return texts.at(edge === "least" ? 0 : -1);
  const length = edge === "least" ? bound("minLength", 0) : bound("maxLength", value.length);
  return length > LONGEST ? value : FILLER[edge].repeat(length).slice(0, length);
}

/** What texts consist of: a letter that two letters stand for in upper case. */
const FILLER = { least: "x", most: "ß" };

const MOST_ITEMS = 20;

const LONGEST = 4000;
