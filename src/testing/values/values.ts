import type { JsonSchema, JsonSchemaObject } from "../../core/schemas/json_schema.ts";
import { isRecord } from "../../core/values/assert.ts";
import type { FastCheck } from "./fast_check.ts";
import { CHARACTERS, FILES, FILLERS, FORMATS, HOSTILE_TEXTS, NUMBERS, WORDS } from "./texts.ts";

/** How values are generated. */
export interface ValueOptions {
  /** The module `fast-check`. */
  readonly fc: FastCheck;
  /** Whether texts and numbers at which programs fail are wanted; otherwise, ones that somebody reads. */
  readonly isHostile: boolean;
}

/** The keywords that are read. Where a schema has something else, values do not fit it. */
interface Keywords extends JsonSchemaObject {
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
  const values = valueOf(root, 0);
  return isHostile ? values : fc.noBias(values);

  /** The arbitrary of a schema; the same one for the same schema at the same depth. */
  function valueOf(schema: JsonSchema, depth: number): object {
    const atDepth = known.get(depth) ?? new Map<JsonSchema, object>();
    known.set(depth, atDepth);
    const made = atDepth.get(schema) ?? arbitraryOf(simplify(schema, root), depth);
    atDepth.set(schema, made);
    return made;
  }

  function arbitraryOf(schema: JsonSchemaObject, depth: number): object {
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
      return oneOf(depth > SHALLOW ? leastOf(anyOf) : anyOf, (member) => merge([others, member]), depth);
    }
    if (Array.isArray(type)) return oneOf(type, (type) => ({ ...schema, type }), depth);
    switch (type ?? guessType(schema)) {
      case "string":
        return withDefault(schema, textOf(schema));
      case "integer":
      case "number":
        return withDefault(schema, numberOf(schema, type === "integer"));
      case "boolean":
        return fc.constantFrom(true, false);
      case "null":
        return fc.constant(null);
      case "array":
        return arrayOf(schema, depth);
      case "object":
        return objectOf(schema, depth);
      default:
        return isHostile ? fc.constantFrom(...ANYTHING, ...HOSTILE_TEXTS) : fc.constantFrom("any", 1, true);
    }
  }

  function oneOf(members: readonly unknown[], make: (member: never) => JsonSchema, depth: number): object {
    return fc.oneof(...members.map((member) => ({ arbitrary: valueOf(make(member as never), depth), weight: 1 })));
  }

  function withDefault(schema: JsonSchemaObject, arbitrary: object): object {
    const given = [schema.default, ...Array.isArray(schema.examples) ? schema.examples : []].filter((value) =>
      value !== undefined
    );
    if (given.length === 0) return arbitrary;
    return fc.oneof({ arbitrary, weight: 4 }, { arbitrary: fc.constantFrom(...given), weight: isHostile ? 1 : 4 });
  }

  function textOf(schema: JsonSchemaObject): object {
    const { minLength: min = 0, maxLength = Infinity, format = "", pattern, contentMediaType, contentEncoding }:
      Keywords = schema;
    const max = Math.max(min, Math.min(maxLength, LONGEST));
    if (format === "binary" || contentEncoding === "binary") return fileOf(min, maxLength, contentMediaType);
    const fits = (text: string) =>
      text.length >= min && text.length <= maxLength && (pattern === undefined || expressionOf(pattern).test(text));
    const formatted = FORMATS[format]?.filter(fits) ?? [];
    if (formatted.length > 0) {
      // The other half is inside the bounds: random dates, ids and addresses.
      const random = RANDOM_FORMATS[format];
      if (random === undefined) return fc.constantFrom(...isHostile ? formatted : formatted.slice(0, 1));
      const number = fc.integer({ min: 0, max: 2 ** 31 });
      const made = map(number, (n: number) => [random(n)].find(fits) ?? formatted[n % formatted.length]);
      if (!isHostile) return made;
      return fc.oneof({ arbitrary: made, weight: 1 }, { arbitrary: fc.constantFrom(...formatted), weight: 1 });
    }
    if (pattern !== undefined) return matching(pattern, min, max);
    if (!isHostile) {
      const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
      return map(words, (words: string[]) => fit(words.join(" "), min, max));
    }
    const cut = (text: string) => fit(text, min, max);
    const random = fc.array(fc.constantFrom(...CHARACTERS), {
      minLength: Math.min(min, 60),
      maxLength: Math.min(max, Math.max(min, 24)),
    });
    return fc.oneof(
      { arbitrary: map(random, (characters: string[]) => cut(characters.join(""))), weight: 3 },
      { arbitrary: fc.constantFrom(...new Set(HOSTILE_TEXTS.map(cut))), weight: 4 },
      { arbitrary: map(fc.array(fc.constantFrom(...WORDS), ONE_OR_TWO), (w: string[]) => cut(w.join(" "))), weight: 3 },
      { arbitrary: fc.constantFrom(...EDGES.flatMap((edge) => edge(min, max))), weight: 1 },
    );
  }

  function matching(pattern: string, min: number, max: number): object {
    const expression = expressionOf(pattern);
    try {
      const texts = fc.stringMatching(expression);
      fc.sample(texts, { seed: 0, numRuns: 1 });
      return map(texts, (text: string) => [fit(text, min, max)].find((one) => expression.test(one)) ?? text);
    } catch { // not all syntax is supported
      return fc.constantFrom(...HOSTILE_TEXTS, ...Object.values(FORMATS).flat());
    }
  }

  function fileOf(min: number, max: number, type: unknown): object {
    const known = FILES.filter((file) => type === undefined || file.type === type);
    const files = known.length > 0 ? known : [{ name: "a", type: String(type), text: "Hello" }];
    return map(
      fc.constantFrom(...files),
      ({ name, type, text }: (typeof FILES)[number]) =>
        new File([fit(text, min, Math.min(max, LONGEST))], name, { type }),
    );
  }

  function numberOf(schema: JsonSchemaObject, isWhole: boolean): object {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Keywords = schema;
    const step = multipleOf ?? (isWhole ? 1 : 0);
    const round = (value: number, way: (value: number) => number) =>
      step === 0 ? value : Number((way(value / step) * step).toPrecision(15));
    const fits = (value: number) =>
      value >= least && value <= most && value !== exclusiveMinimum && value !== exclusiveMaximum &&
      (step === 0 || Number.isInteger(Number((value / step).toPrecision(12))));
    let least = round(Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity), Math.ceil);
    let most = round(Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity), Math.floor);
    if (least === exclusiveMinimum) least += step;
    if (most === exclusiveMaximum) most -= step;
    const middle = round((Math.max(least, -1e9) + Math.min(most, 1e9)) / 2, Math.round);
    const bounds = [least, most, least + 1, most - 1, middle].filter((value) => Number.isFinite(value) && fits(value));
    const orBound = (value: number) => fits(value) ? value : bounds[0];
    const wide = {
      min: Math.ceil(Math.max(least, Math.min(isHostile ? -1000 : 0, most - 1000))),
      max: Math.floor(Math.min(most, Math.max(1000, least + 1000))),
    };
    const fractions = map(
      fc.double({ min: Math.max(least, Math.min(-1e6, most)), max: Math.min(most, Math.max(1e6, least)), noNaN: true }),
      (value: number) => orBound(round(value, Math.round)),
    );
    const random = wide.min <= wide.max
      ? map(fc.integer(wide), (value: number) => orBound(round(value, Math.round)))
      : fractions;
    if (!isHostile) return random;
    return fc.oneof(
      { arbitrary: random, weight: 3 },
      { arbitrary: fc.constantFrom(...bounds, ...NUMBERS.filter(fits)), weight: 3 },
      { arbitrary: step === 0 ? fractions : random, weight: 1 },
    );
  }

  function arrayOf(schema: JsonSchemaObject, depth: number): object {
    const { items = true, prefixItems, minItems = 0, maxItems, uniqueItems }: Keywords = schema;
    if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => valueOf(item, depth)));
    const most = Math.max(minItems, Math.min(maxItems ?? minItems + 4, minItems + (depth > 0 ? 3 : 12)));
    // Somebody who reads a list wants to see items.
    const least = isHostile || depth > SHALLOW ? minItems : Math.max(minItems, Math.min(1, most));
    const constraints = { minLength: least, maxLength: depth > SHALLOW ? minItems : most };
    if (constraints.maxLength === 0) return fc.constant([]);
    const values = fc.array(valueOf(items, depth), constraints);
    const different = uniqueItems ? map(values, (all: unknown[]) => all.filter(isFirst)) : values;
    if (!isHostile || minItems > 0 || depth > SHALLOW) return different;
    const full = fc.array(valueOf(items, depth), { minLength: most, maxLength: most });
    return fc.oneof(
      { arbitrary: different, weight: 5 },
      { arbitrary: fc.constant([]), weight: 1 },
      { arbitrary: uniqueItems ? different : full, weight: 1 },
    );
  }

  function objectOf(schema: JsonSchemaObject, depth: number): object {
    const { properties = {}, required = [], additionalProperties, propertyNames, minProperties = 0 }: Keywords = schema;
    const names = Object.keys(properties).filter((name) => depth <= SHALLOW || required.includes(name));
    if (names.length > 0 || !isRecord(additionalProperties)) {
      const model = Object.fromEntries(names.map((name) => [name, valueOf(properties[name] as JsonSchema, depth)]));
      return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
    }
    const keys = valueOf({ type: "string", maxLength: 12, ...Object(propertyNames) }, depth);
    const entries = fc.array(fc.tuple(keys, valueOf(additionalProperties, depth)), {
      minLength: minProperties,
      maxLength: depth > SHALLOW ? minProperties : minProperties + 3,
    });
    return map(entries, (entries: [string, unknown][]) => Object.fromEntries(entries));
  }
}

/**
 * Values just outside the bounds of a schema, and of other types.
 *
 * @param schema The schema of one value.
 * @param root The JSON Schema that contains it.
 * @returns The values. Some of them may fit.
 */
export function valuesOutside(schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  const simple: Keywords = simplify(schema, root);
  const { type, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems } =
    simple;
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

/** How deep references are followed. Deeper, a value is the smallest one. */
const SHALLOW = 3;

/** How deep a recursion without an end is followed. */
const MAX_DEPTH = 8;

/** The most characters of a text. */
const LONGEST = 4000;

const ONE_OR_TWO = { minLength: 1, maxLength: 2 };

const ANYTHING: readonly unknown[] = [null, true, 0, 1, -1, 1.5, [], {}, [null], { a: 1 }];

/** Texts at the bounds of a length. */
const EDGES: readonly ((min: number, max: number) => readonly string[])[] = [
  (min) => ["x".repeat(min)],
  (min, max) => ["x".repeat(Math.min(min + 1, max))],
  (_, max) => FILLERS.map((filler) => filler.repeat(Math.floor(max / filler.length))),
];

const RANDOM_FORMATS: { readonly [format: string]: ((n: number) => string) | undefined } = {
  "date-time": (n) => new Date(n * 1000).toISOString(),
  "date": (n) => new Date(n * 1000).toISOString().slice(0, 10),
  "time": (n) => new Date(n * 1000).toISOString().slice(11, 19),
  "email": (n) => `user${n}@example.com`,
  "uri": (n) => `https://example.invalid/${n}`,
  "uuid": (n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-${(n * 7919).toString(16).padStart(12, "0")}`,
};

/** Calls `map` of an arbitrary. */
function map<Value>(arbitrary: object, mapper: (value: Value) => unknown): object {
  return (arbitrary as { map(mapper: (value: Value) => unknown): object }).map(mapper);
}

/** Cuts a text off, or repeats it, so that its length is within the bounds. */
function fit(text: string, min: number, max: number): string {
  if (text.length > max) return text.slice(0, max);
  return text.length < min ? text + (text || "x").repeat(min).slice(0, min - text.length) : text;
}

function isFirst(value: unknown, index: number, all: readonly unknown[]): boolean {
  return all.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === index;
}

/** A pattern, which is one of the flag `u`, unless its syntax is older. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** The member of a union that refers to nothing, or all of them. */
function leastOf(members: readonly unknown[]): readonly unknown[] {
  const least = members.filter((member) => !JSON.stringify(member).includes('"$ref"'));
  return least.length > 0 ? least : members;
}

/** The type of a schema that does not say it. */
function guessType(schema: JsonSchemaObject): string | undefined {
  if ("properties" in schema || "additionalProperties" in schema || "required" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  return "pattern" in schema || "minLength" in schema || "format" in schema ? "string" : undefined;
}

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

/** A schema for what fits all of these: as far as one object can say it. */
function merge(schemas: readonly JsonSchema[]): JsonSchemaObject {
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
  let target: unknown = root;
  for (const key of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    target = Object(target)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return typeof target === "boolean" || isRecord(target) ? target as JsonSchema : true;
}
