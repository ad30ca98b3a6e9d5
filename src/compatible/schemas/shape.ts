/** Reads the JSON Schemas of OpenAPI 3.0, 3.1 and 3.2 as what they allow, so that two of them can be compared. */

import { isAnything, isKeywords, type Keywords, toJson } from "../keywords.ts";

/** Schemas that must all hold: whatever a document has in the places of schemas. Without any, everything is allowed. */
export type Schemas = readonly unknown[];

/** A document, as the comparison reads it. */
export interface Source {
  /** Follows a reference within the document; `undefined` if it leads nowhere, or to another document. */
  readonly resolve: (reference: string) => unknown;
  /** What a reference may mean that leads nowhere. */
  readonly guess: (reference: string) => readonly unknown[];
  /** Whether it is OpenAPI 3.0, which has keywords of its own. */
  readonly isOld: boolean;
  /** Counts steps. `false` if there have been too many. */
  readonly spend: (cost?: number) => boolean;
  /** The flag of properties that are not part of this side: `readOnly` in requests, `writeOnly` in responses. */
  readonly hidden: "readOnly" | "writeOnly";
}

/** The types of JSON, `number` in two: an integer is a number, but not every number an integer. */
export type TypeName = "null" | "boolean" | "object" | "array" | "string" | "integer" | "fraction";

/** What a schema without alternatives allows. */
export interface Shape {
  readonly types: ReadonlySet<TypeName>;
  /** The only values that are allowed, by their JSON. */
  readonly values: ReadonlyMap<string, unknown> | undefined;
  /** The tightest value of each bound that excludes something. */
  readonly bounds: ReadonlyMap<string, number>;
  /** The names of the required properties. */
  readonly required: ReadonlySet<string>;
  /** The schema objects that must all hold, with references and `allOf` followed. */
  readonly parts: readonly Keywords[];
  /** Whether `oneOf` chose this shape among others that may allow the same value, which `oneOf` then rejects. */
  readonly overlaps: boolean;
}

/** Alternatives that a schema may have. More are not compared. */
const MAX_ALTERNATIVES = 64;

/** Stands for a `$ref` that leads nowhere, or to another document. */
export const UNRESOLVED = "$ref that cannot be resolved";

const TYPES: readonly TypeName[] = ["null", "boolean", "object", "array", "string", "integer", "fraction"];

/** Whether a larger value of the bound excludes more. The bounds of numbers are in {@linkcode limitOf}, too. */
export const BOUNDS: ReadonlyMap<string, boolean> = new Map([
  ["minimum", true],
  ["exclusiveMinimum", true],
  ["minLength", true],
  ["minItems", true],
  ["minProperties", true],
  ["minContains", true],
  ["maximum", false],
  ["exclusiveMaximum", false],
  ["maxLength", false],
  ["maxItems", false],
  ["maxProperties", false],
  ["maxContains", false],
]);

/**
 * Reads what schemas allow.
 *
 * @param schemas The schemas that must all hold.
 * @param source Their document.
 * @returns One shape for each alternative, none if nothing is allowed; `undefined` if there are too many.
 */
export function shapesOf(schemas: Schemas, source: Source): readonly Shape[] | undefined {
  return expand(schemas, source, new Map(), 0)?.flatMap((flat) => readShape(flat, source) ?? []);
}

/** Schema objects that must all hold, none of them with alternatives. */
interface Flat {
  readonly parts: readonly Keywords[];
  readonly overlaps: boolean;
}

/** `undefined`: there are too many. */
type Flats = readonly Flat[] | undefined;

const ANYTHING: Flat = { parts: [], overlaps: false };

/** The schemas that are being expanded, each with the number of alternatives around it. */
type Path = Map<unknown, number>;

/** Follows references, `allOf`, `anyOf` and `oneOf`. `depth` is the number of alternatives around the schemas. */
function expand(schemas: Schemas, source: Source, path: Path, depth: number): Flats {
  let flats: Flats = [ANYTHING];
  for (const schema of schemas) {
    if (schema === false) return [];
    if (!source.spend()) return undefined;
    if (!isKeywords(schema)) continue;
    const around = path.get(schema);
    // A schema that demands itself demands nothing more. One that is an alternative of itself is no alternative.
    if (around !== undefined && around < depth) return [];
    if (around !== undefined) continue;
    path.set(schema, depth);
    flats = both(flats, expandOne(schema, source, path, depth));
    path.delete(schema);
    if (flats === undefined) return undefined;
  }
  return flats;
}

function expandOne(schema: Keywords, source: Source, path: Path, depth: number): Flats {
  const { $ref, allOf, anyOf, oneOf, not } = schema;
  if (not !== undefined && isAnything(not)) return [];
  let flats: Flats = [{ parts: [schema], overlaps: false }];
  if (typeof $ref === "string") {
    const target = path.size < MAX_ALTERNATIVES ? source.resolve($ref) : undefined;
    // What is in another document is compared by its name.
    const targets = target === undefined
      ? [{ parts: [{ [UNRESOLVED]: [$ref, source.guess($ref)] }], overlaps: false }]
      : expand([target], source, path, depth);
    if (source.isOld) return both([{ parts: [{ $ref }], overlaps: false }], targets);
    flats = both(flats, targets);
  }
  if (Array.isArray(allOf)) flats = both(flats, expand(allOf, source, path, depth));
  for (const alternatives of [anyOf, oneOf]) {
    if (!Array.isArray(alternatives)) continue;
    const all = mergeValues(alternatives.map((one) => expand([one], source, path, depth + 1)), source);
    const overlaps = alternatives === oneOf && !isDiscriminated(schema.discriminator, alternatives) &&
      mayOverlap(all, source);
    flats = both(flats, overlaps ? all?.map((flat) => ({ ...flat, overlaps })) : all);
  }
  // OpenAPI 3.0 wants a type beside `nullable`. Without one, tools read it as an alternative.
  const isOptional = source.isOld && schema.nullable === true && schema.type === undefined && (allOf ?? anyOf ?? oneOf);
  return isOptional && flats ? [...flats, { parts: [{ type: "null" }], overlaps: false }] : flats;
}

/** Whether a discriminator chooses among the alternatives. It only knows those that are references. */
function isDiscriminated(discriminator: unknown, alternatives: readonly unknown[]): boolean {
  const names = new Set(alternatives.map((one) => isKeywords(one) ? one.$ref : undefined));
  return isKeywords(discriminator) && names.size === alternatives.length && !names.has(undefined);
}

/** What satisfies one of each. */
function both(flats: Flats, others: Flats): Flats {
  if (flats === undefined || others === undefined || flats.length * others.length > MAX_ALTERNATIVES) return undefined;
  return flats.flatMap((flat) =>
    others.map(({ parts, overlaps }) => ({
      parts: [...new Set([...flat.parts, ...parts])],
      overlaps: flat.overlaps || overlaps,
    }))
  );
}

/** Puts the alternatives of all schemas into one list, in which alternatives of one value each are one alternative. */
function mergeValues(alternatives: readonly Flats[], source: Source): Flats {
  const values: unknown[] = [];
  const others: Flat[] = [];
  for (const flats of alternatives) {
    if (flats === undefined) return undefined;
    for (const flat of flats) {
      const [part = {}, ...more] = flat.parts;
      const isValue = more.length === 0 && "const" in part && Object.keys(part).every((key) => OF_VALUES.has(key));
      if (isValue && readTypes(part, source).has(typeOf(part.const))) values.push(part.const);
      else others.push(flat);
    }
  }
  return values.length === 0 ? others : [...others, { parts: [{ enum: values }], overlaps: false }];
}

const OF_VALUES = new Set(["const", "type", "title", "description"]);

/** Whether two alternatives may allow the same value, as far as types, values and the values of properties tell. */
function mayOverlap(flats: Flats, source: Source): boolean {
  const shapes = flats?.flatMap((flat) => readShape(flat, source) ?? []) ?? [];
  return shapes.some((shape, index) => shapes.slice(index + 1).some((other) => !areDisjoint(shape, other, source, 0)));
}

/** Whether no value fits both shapes, as far as types, values and the values of properties tell. */
function areDisjoint(shape: Shape, other: Shape, source: Source, depth: number): boolean {
  const common = [...shape.types].filter((type) => other.types.has(type));
  if (common.length === 0) return true;
  const { values } = other;
  if (shape.values && values) return ![...shape.values.keys()].some((value) => values.has(value));
  if (depth > 0 || common.some((type) => type !== "object")) return false;
  return [...shape.required].some((name) => {
    const [mine, its] = [shapesOf(propertyOf(shape, name), source), shapesOf(propertyOf(other, name), source)];
    return other.required.has(name) &&
      mine?.every((one) => its?.every((another) => areDisjoint(one, another, source, depth + 1)));
  });
}

/** Reads what must hold; `undefined` if nothing is allowed. */
function readShape({ parts, overlaps }: Flat, source: Source): Shape | undefined {
  let types: readonly TypeName[] = TYPES;
  let values: Map<string, unknown> | undefined;
  const bounds = new Map<string, number>();
  const required = new Set<string>();
  for (const part of parts) {
    const own = readTypes(part, source);
    types = types.filter((type) => own.has(type) && !(type === "fraction" && part.multipleOf === 1));
    for (const listed of ["const" in part ? [part.const] : undefined, part.enum]) {
      if (!Array.isArray(listed)) continue;
      const among = new Map<string, unknown>(listed.map((value) => [toJson(value), value]));
      values = values === undefined ? among : new Map([...values].filter(([json]) => among.has(json)));
    }
    for (const [keyword, isLower] of BOUNDS) {
      const bound = readBound(part, keyword);
      const tightest = bounds.get(keyword) ?? bound;
      if (bound === undefined || tightest === undefined) continue;
      bounds.set(keyword, isLower ? Math.max(bound, tightest) : Math.min(bound, tightest));
    }
    if (Array.isArray(part.required)) { for (const name of part.required) required.add(String(name)); }
  }
  if (values === undefined && types.every((type) => type === "boolean" || type === "null")) {
    values = new Map<string, unknown>(
      types.flatMap((type): [string, unknown][] =>
        type === "null" ? [["null", null]] : [["true", true], ["false", false]]
      ),
    );
  }
  const read: Shape = { types: new Set(types), values, bounds, required, parts, overlaps };
  for (const name of required) if (isHidden(read, name, source)) required.delete(name);
  if (values !== undefined) {
    for (const [json, value] of values) if (admits(read, value) === false) values.delete(json);
    const left = new Set([...values.values()].map(typeOf));
    types = types.filter((type) => left.has(type));
  }
  return types.length === 0 ? undefined : { ...read, types: new Set(types) };
}

function readTypes({ type, nullable }: Keywords, { isOld }: Source): ReadonlySet<TypeName> {
  const listed = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  if (listed.length === 0) return new Set(TYPES);
  if (isOld && nullable === true) listed.push("null");
  return new Set(
    TYPES.filter((one) =>
      listed.includes(one) || ((one === "integer" || one === "fraction") && listed.includes("number"))
    ),
  );
}

/** The value of a bound; `undefined` if it excludes nothing. In OpenAPI 3.0, `exclusiveMinimum` is a flag. */
function readBound(part: Keywords, keyword: string): number | undefined {
  const exclusive = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" }[keyword];
  if (exclusive !== undefined && part[exclusive] === true) return undefined;
  const flagged = { exclusiveMinimum: "minimum", exclusiveMaximum: "maximum" }[keyword];
  if (keyword.endsWith("Contains") && part.contains === undefined) return undefined;
  const given = flagged !== undefined && part[keyword] === true ? part[flagged] : part[keyword];
  const value = keyword === "minContains" ? given ?? 1 : given;
  if (typeof value !== "number" || (value === 0 && /^min[LIPC]/.test(keyword))) return undefined;
  // Libraries write the bounds of JavaScript's integers, which nobody has chosen.
  return Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
}

/**
 * Whether a shape allows a value.
 *
 * @param shape The shape.
 * @param value The value.
 * @returns `undefined` if it depends on a pattern, a format, or on what is in an object or an array.
 */
export function admits({ types, bounds, parts }: Shape, value: unknown): boolean | undefined {
  const type = typeOf(value);
  if (!types.has(type)) return false;
  const [size, keyword] = sizeOf(value);
  if (keyword !== undefined) {
    const [low = -Infinity, high = Infinity] = [bounds.get(`min${keyword}`), bounds.get(`max${keyword}`)];
    if (size < low || size > high) return false;
  }
  if (typeof value === "number") {
    const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = Object.fromEntries(bounds);
    if (value <= exclusiveMinimum || value >= exclusiveMaximum) return false;
  }
  const undecided = type === "null" || type === "boolean" ? UNDECIDED_OF_ALL : UNDECIDED;
  return parts.some((part) => Object.keys(part).some((key) => undecided.test(key))) ? undefined : true;
}

/** What bounds are about, and the end of their names. */
function sizeOf(value: unknown): readonly [size: number, keyword?: string] {
  if (typeof value === "number") return [value, "imum"];
  if (typeof value === "string") return [[...value].length, "Length"];
  if (typeof value !== "object" || value === null) return [0];
  return [Object.keys(value).length, Array.isArray(value) ? "Items" : "Properties"];
}

/** Keywords that may reject a value of a type that is allowed, beside bounds of numbers and strings. */
const UNDECIDED = /* @__PURE__ */ new RegExp(
  "^(pattern|format|multipleOf|not|if|then|else|content.*|\\$dynamicRef|\\$ref .*|.*[iI]tems|.*[pP]roperties|" +
    ".*[cC]ontains|required|propertyNames|dependent.*)$",
);

/** Those of them that are about values of every type. */
const UNDECIDED_OF_ALL = /^(not|if|then|else|\$dynamicRef|\$ref .*)$/;

/** The type of a value of JSON. */
export function typeOf(value: unknown): TypeName {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value === "string" || typeof value === "boolean" ? typeof value as TypeName : "object";
}

/**
 * The names of the properties of a shape.
 *
 * @param shape The shape.
 * @returns The names that have a schema, and those that are required.
 */
export function namesOf({ parts, required }: Shape): ReadonlySet<string> {
  return new Set([
    ...parts.flatMap(({ properties }) => isKeywords(properties) ? Object.keys(properties) : []),
    ...required,
  ]);
}

/** The schemas that a property must satisfy; those for other keys if no schema names it. */
export function propertyOf({ parts }: Shape, name: string): Schemas {
  const schemas = parts.flatMap((part) => {
    const { properties, additionalProperties } = part;
    if (isKeywords(properties) && Object.hasOwn(properties, name)) return [properties[name]];
    if (additionalProperties !== undefined && !hasPatterns(part)) return [additionalProperties];
    return [];
  });
  return schemas.length > 0 || parts.some(hasPatterns) ? schemas : unevaluatedOf(parts);
}

/** Whether a schema object has a schema for names that match a pattern. */
function hasPatterns({ patternProperties }: Keywords): boolean {
  return isKeywords(patternProperties) && Object.keys(patternProperties).length > 0;
}

/** Whether a schema says something about properties that it does not name. */
export function isExplicit({ parts }: Shape): boolean {
  return parts.some((part) =>
    (part.additionalProperties ?? part.unevaluatedProperties ?? part.propertyNames) !== undefined || hasPatterns(part)
  );
}

/** Whether a schema has a pattern for names. Which names match is not known. */
export function isPatterned({ parts }: Shape): boolean {
  return parts.some(hasPatterns);
}

/** The schemas that properties without a schema of their own must satisfy. */
export function additionalOf({ parts }: Shape): Schemas {
  const schemas = parts.map((part) => part.additionalProperties).filter((schema) => schema !== undefined);
  return schemas.length > 0 ? schemas : unevaluatedOf(parts);
}

/** The schemas of properties that no other schema is about. */
function unevaluatedOf(parts: readonly Keywords[]): Schemas {
  return parts.map((part) => part.unevaluatedProperties).filter((schema) => schema !== undefined);
}

/** The schemas that an item must satisfy. */
export function itemOf({ parts }: Shape, index: number): Schemas {
  return parts.flatMap((part) => {
    const prefix = prefixOf(part);
    if (index < prefix.length) return [prefix[index]];
    const rest = Array.isArray(part.items) ? part.additionalItems : part.items;
    return rest === undefined ? [] : [rest];
  });
}

/** The number of items that have schemas of their own. */
export function prefixLengthOf({ parts }: Shape): number {
  return Math.max(0, ...parts.map((part) => prefixOf(part).length));
}

/** The schemas of the first items. Draft 7 calls them `items`. */
function prefixOf({ prefixItems, items }: Keywords): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
}

/** Whether a property is not part of this side, although it has a schema. */
export function isHidden(shape: Shape, name: string, source: Source): boolean {
  return flatten(propertyOf(shape, name), source).some((part) => part[source.hidden] === true);
}

/** The schema objects that must all hold, alternatives left out. */
export function flatten(schemas: Schemas, source: Source): readonly Keywords[] {
  const parts = new Set<Keywords>();
  const pending = [...schemas];
  for (const schema of pending) {
    if (!isKeywords(schema) || parts.has(schema)) continue;
    parts.add(schema);
    if (typeof schema.$ref === "string") pending.push(source.resolve(schema.$ref));
    if (Array.isArray(schema.allOf)) pending.push(...schema.allOf);
  }
  return [...parts];
}

/** Puts the targets of references in their places, where nothing stands beside them. */
export function follow(schemas: Schemas, source: Source): Schemas {
  return schemas.map((schema) => {
    for (let hops = 0; hops < MAX_ALTERNATIVES && isKeywords(schema) && typeof schema.$ref === "string"; hops++) {
      if (!source.isOld && Object.keys(schema).length > 1) break;
      const target = source.resolve(schema.$ref);
      if (target === undefined) break;
      schema = target;
    }
    return schema;
  });
}
