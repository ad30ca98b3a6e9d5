/** What keywords of a shape say, as far as they exclude something. */

import { isAnything, type Keywords } from "../keywords.ts";
import { type Shape, type TypeName, typeOf, UNRESOLVED } from "./shape.ts";

/** A bound, with the keyword that sets it. */
export interface Limit {
  readonly keyword: string;
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The bound of a shape: for numbers, the tighter of the inclusive and the exclusive one. */
export function limitOf({ bounds, types }: Shape, keyword: string): Limit | undefined {
  const exclusive = `exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`;
  const [value, other] = [bounds.get(keyword), bounds.get(exclusive)];
  const isLower = keyword.startsWith("min");
  if (other === undefined || (value !== undefined && (isLower ? value > other : value < other))) {
    const whole = value === undefined || types.has("fraction") ? value : isLower ? Math.ceil(value) : Math.floor(value);
    return whole === undefined ? undefined : { keyword, value: whole, isExclusive: false };
  }
  // For integers, more than 0 is at least 1.
  if (types.has("fraction")) return { keyword: exclusive, value: other, isExclusive: true };
  return { keyword: exclusive, value: isLower ? Math.floor(other) + 1 : Math.ceil(other) - 1, isExclusive: false };
}

/** The types that a keyword is about. */
export function typesOf(keyword: string): readonly TypeName[] {
  if (keyword === "format") return ["string", "integer", "fraction"];
  if (keyword.endsWith("Length")) return ["string"];
  if (keyword.endsWith("imum")) return ["integer", "fraction"];
  return /roperties$|^required$/.test(keyword) ? ["object"] : ["array"];
}

/** The only values of these types; `undefined` if there are too many to list. */
export function valuesIn({ values }: Shape, types: ReadonlySet<TypeName>): ReadonlyMap<string, unknown> | undefined {
  if (values !== undefined) return new Map([...values].filter(([, value]) => types.has(typeOf(value))));
  const few = [...types].map((type) => FEW.get(type));
  return few.every((one) => one !== undefined) ? new Map(few.flatMap((one) => [...one])) : undefined;
}

/** The integers of a range; `undefined` if there are other values, or too many to list. */
export function rangeIn(shape: Shape, types: ReadonlySet<TypeName>): ReadonlyMap<string, unknown> | undefined {
  const [low, high] = [limitOf(shape, "minimum"), limitOf(shape, "maximum")];
  const isRange = types.size === 1 && types.has("integer") && valuesOf(shape, "multipleOf").length === 0;
  if (!isRange || low === undefined || high === undefined || high.value - low.value >= MAX_RANGE) return undefined;
  const length = Math.max(0, high.value - low.value + 1);
  return new Map(Array.from({ length }, (_, index) => [`${low.value + index}`, low.value + index]));
}

/** How many integers of a range are listed. */
const MAX_RANGE = 1000;

/** The types of few values. */
const FEW: ReadonlyMap<TypeName, ReadonlyMap<string, unknown>> = new Map([
  ["null", new Map<string, unknown>([["null", null]])],
  ["boolean", new Map<string, unknown>([["true", true], ["false", false]])],
]);

/** All values of a keyword that exclude something. */
export function valuesOf({ parts }: Shape, keyword: string): readonly unknown[] {
  return parts.flatMap((part) => Object.hasOwn(part, keyword) && !isVacuous(part, keyword) ? [part[keyword]] : []);
}

/** Whether a keyword of a schema excludes nothing. */
function isVacuous(part: Keywords, keyword: string): boolean {
  const { [keyword]: value, if: condition, minContains, maxContains } = part;
  if (keyword === "not") return value === false;
  if (keyword === "if") return part.then === undefined && part.else === undefined;
  if (keyword === "then" || keyword === "else") return condition === undefined || isAnything(value);
  if (keyword === "contains") return minContains === 0 && maxContains === undefined;
  return EMPTY.has(keyword) && isAnything(value);
}

/** Keywords that exclude nothing if they are empty. */
const EMPTY = new Set(["propertyNames", "contentSchema", "dependentRequired", "dependentSchemas", "patternProperties"]);

/** All texts of a keyword that exclude something. */
export function textsOf({ parts }: Shape, keyword: string): readonly string[] {
  const texts = parts.map(({ [keyword]: text, format }) => (
    // OpenAPI 3.1 has this encoding in place of this format.
    format === "byte" && keyword === "contentEncoding" ? "base64" : text
  )).filter((text) => typeof text === "string");
  return [...new Set(texts)].filter((text) => !VACUOUS.has(`${keyword} ${text}`));
}

/**
 * What it means for numbers and booleans that a shape limits text.
 *
 * @param shape The shape.
 * @returns `breaking` if they are excluded, `risky` if it is not known; `undefined` if all texts are allowed.
 */
export function limitsOfText({ values, parts }: Shape): "breaking" | "risky" | undefined {
  const keys = new Set(parts.flatMap(Object.keys));
  if (values !== undefined || keys.has("format")) return "breaking";
  return [...keys].some((key) => LIMITS.test(key)) ? "risky" : undefined;
}

/** Keywords that may reject a text. */
const LIMITS = /^(pattern|minLength|maxLength|not|if|content.*|\$dynamicRef|\$ref .*)$/;

/** Texts that exclude nothing. */
const VACUOUS = new Set([
  "pattern ",
  "pattern .*",
  "pattern ^.*$",
  "pattern ^",
  "pattern $",
  "format password",
  "format byte",
  "format binary",
  "contentMediaType application/octet-stream",
]);

/** Formats of which the second includes the first. */
export const WIDER: ReadonlySet<string> = new Set([
  "int32 int64",
  "float double",
  "int32 double",
  "uri uri-reference",
  "iri iri-reference",
  "uri iri",
  "email idn-email",
  "hostname idn-hostname",
]);

/** Keywords with a schema, of which it can be told whether two of them mean the same. */
export const HAVE_SCHEMA: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "contentSchema",
  "unevaluatedItems",
];

/** Keywords that are only known to be the same or not. */
export const OTHERS: readonly string[] = [
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "discriminator",
  "$dynamicRef",
  UNRESOLVED,
  "x-extensible-enum",
];

/** Keywords that are about what others are not about. */
export const EVALUATING: ReadonlyMap<string, readonly string[]> = new Map([
  ["unevaluatedItems", ["prefixItems", "items", "contains", "if", "then", "else", "dependentSchemas"]],
  ["unevaluatedProperties", ["additionalProperties", "patternProperties", "if", "then", "else", "dependentSchemas"]],
]);

/** Whether a shape has a bound of the items that no other keyword is about. */
export function isUnevaluated(shape: Shape): boolean {
  return valuesOf(shape, "unevaluatedItems").length > 0;
}
