import { followedKeywords, listOf, type NamedSchemas, namedValuesOf } from "./schemas.ts";

/** The most schemas of one value, and how deep they are. Schemas can refer to each other, so that a value has no end. */
const [MOST_PARTS, MOST_DEPTH] = [100, 6];

/**
 * Makes a value that shows what a schema describes, to begin with in a form. The first of its examples, its default, or
 * else one of its type. It need not be valid: nothing is made for `pattern` and the like.
 *
 * @param schema The schema.
 * @param schemas The schemas of the document.
 * @returns The value; `null` for what is unknown.
 */
export function sampleOf(schema: unknown, schemas: NamedSchemas): unknown {
  let parts = 0;

  function sample(schema: unknown, depth: number): unknown {
    if (++parts > MOST_PARTS || depth > MOST_DEPTH) return null;
    const deeper = (schema: unknown) => sample(schema, depth + 1);
    const keywords = followedKeywords(schema, schemas);
    const [example = keywords.default ?? keywords.const ?? listOf(keywords.enum)[0]] = listOf(keywords.examples);
    if (example !== undefined) return example;
    const [alternative] = [...listOf(keywords.oneOf), ...listOf(keywords.anyOf)];
    const all = [...alternative === undefined ? [] : [alternative], ...listOf(keywords.allOf)];
    if (all.length > 0 && keywords.type !== "array") return merge([{ ...keywords, ...WITHOUT }, ...all].map(deeper));
    const [type = keywords.properties === undefined ? undefined : "object"] = [keywords.type].flat();
    switch (type) {
      case "object":
        // Not by assignment, which would take `__proto__` for the prototype.
        return Object.fromEntries(namedValuesOf(keywords.properties).map(([name, each]) => [name, deeper(each)]));
      case "array": {
        const items = listOf(keywords.prefixItems);
        return (items.length > 0 || keywords.items === undefined ? items : [keywords.items]).map(deeper);
      }
      case "integer":
      case "number":
        return numberOf(keywords);
      case "boolean":
        return true;
      case "string":
        return textOf(keywords);
    }
    return null;
  }

  return sample(schema, 0);
}

/** Removes the keywords of combined schemas, which have been followed. */
const WITHOUT = { oneOf: undefined, anyOf: undefined, allOf: undefined };

/** The objects in one. If there is none, the first other value. */
function merge(samples: readonly unknown[]): unknown {
  const objects = samples.filter((sample) => typeof sample === "object" && sample !== null);
  if (objects.length > 0) return Object.fromEntries(objects.flatMap(Object.entries));
  return samples.find((sample) => sample !== null) ?? null;
}

/** 1, or the number within the bounds that is nearest to 1. */
function numberOf({ minimum, exclusiveMinimum, maximum }: { readonly [keyword: string]: unknown }): number {
  const least = typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : minimum;
  if (typeof least === "number" && least > 1) return least;
  return typeof maximum === "number" ? Math.min(1, maximum) : 1;
}

function textOf({ format, minLength, maxLength }: { readonly [keyword: string]: unknown }): string {
  const known = TEXTS.get(format);
  if (known !== undefined) return known;
  const least = typeof minLength === "number" ? Math.min(minLength, 100) : 0;
  return "text".padEnd(least, " text").slice(0, typeof maxLength === "number" ? maxLength : undefined);
}

/** Texts of the formats of JSON Schema. */
const TEXTS: ReadonlyMap<unknown, string> = /* @__PURE__ */ new Map([
  ["date-time", "2026-01-31T12:00:00Z"],
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["duration", "PT1H"],
  ["email", "ada@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/"],
  ["uuid", "9f2c1c52-8d0a-4f5e-9d6c-0b8a4a1f7e21"],
]);
