import { tokensOf } from "../core/schemas/json_pointer.ts";
import type { JsonSchema, JsonSchemaObject } from "../core/schemas/json_schema.ts";
import { describeKind, isPlain } from "../core/values/assert.ts";

/** Where arguments differ from what a tool declares. */
export interface Mismatch {
  /** The keys that lead there. */
  readonly path: readonly string[];
  /** What must be there, after "must". */
  readonly rule: string;
  /** What is there: its kind, never its text. */
  readonly received: string;
}

/**
 * Finds where a value differs in its shape from a JSON Schema: in types, required keys, unknown keys, and listed values.
 * Bounds and patterns are left to the app, whose response says more.
 *
 * @param schema The schema.
 * @param value The value.
 * @param root The schema that contains it, for references.
 * @param path The keys that lead to the value.
 * @returns The first difference; `undefined` if there is none.
 */
export function findMismatch(
  schema: JsonSchema,
  value: unknown,
  root: JsonSchema,
  path: readonly string[] = [],
): Mismatch | undefined {
  if (path.length > MAX_DEPTH) return undefined;
  const { type, enum: listed, anyOf, oneOf, allOf, properties, required, additionalProperties, items, ...others } =
    resolved(schema, root);
  const must = (rule: string, received = describeKind(value)): Mismatch => ({ path, rule, received });
  // Parts of the url are texts: a text for a number is the same request.
  const isText = (path[0] === "params" || path[0] === "query") && path.length > 1;
  const types = type === undefined ? undefined : [type].flat().map(String);
  if (types !== undefined && !types.some((one) => isOfType(value, one, isText))) {
    return must(`be ${types.map((one) => NAMES[one] ?? one).join(" or ")}`);
  }
  const allowed = "const" in others ? [others.const] : Array.isArray(listed) ? listed : undefined;
  const isSame = (one: unknown) => typeof one === "object" || one === value || (isText && `${one}` === `${value}`);
  if (allowed !== undefined && !allowed.some(isSame)) {
    return must(`be one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}`, "another value");
  }
  for (const members of [anyOf, oneOf]) {
    if (!Array.isArray(members) || members.length === 0) continue;
    const found = members.map((member: JsonSchema) => findMismatch(member, value, root, path));
    // The member that fits best is the one that was meant.
    if (found.every((one) => one !== undefined)) {
      return found.reduce((one, other) => other.path.length > one.path.length ? other : one);
    }
  }
  for (const member of Array.isArray(allOf) ? allOf : []) {
    const found = findMismatch(member, value, root, path);
    if (found !== undefined) return found;
  }
  if (Array.isArray(value)) {
    if (typeof items !== "object" || items === null || Array.isArray(items)) return undefined;
    return firstOf(value, (item, index) => findMismatch(items as JsonSchema, item, root, [...path, `${index}`]));
  }
  if (!isPlain(value)) return undefined;
  const own: { readonly [key: string]: unknown } = { ...value };
  const known: { readonly [key: string]: JsonSchema } = { ...Object(properties) };
  const missing = Array.isArray(required) ? required.find((key) => own[key] === undefined) : undefined;
  if (missing !== undefined) return { path: [...path, `${missing}`], rule: "be there", received: "nothing" };
  return firstOf(Object.keys(own), (key) => {
    if (own[key] === undefined) return undefined;
    if (Object.hasOwn(known, key)) return findMismatch(known[key] ?? true, own[key], root, [...path, key]);
    const rule = `have no key but ${Object.keys(known).join(", ")}`;
    return additionalProperties === false ? must(rule, "another one") : undefined;
  });
}

/** How deep values are looked at. */
const MAX_DEPTH = 32;

const NAMES: { readonly [type: string]: string } = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

function isOfType(value: unknown, type: string, isText: boolean): boolean {
  switch (type) {
    case "string":
      return typeof value === "string" || (isText && (typeof value === "number" || typeof value === "boolean"));
    case "number":
      return typeof value === "number" || (isText && typeof value === "string");
    case "integer":
      return Number.isInteger(value) || (isText && typeof value === "string");
    case "boolean":
      return typeof value === "boolean" || (isText && typeof value === "string");
    case "object":
      return isPlain(value);
    case "array":
      return Array.isArray(value);
    default:
      return value === null;
  }
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => Mismatch | undefined,
): Mismatch | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema that a reference leads to, or the schema itself. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchemaObject {
  let target: unknown = schema;
  for (let count = 0; count < MAX_DEPTH; count++) {
    const { $ref, ...own } = { ...Object(target) };
    if (typeof $ref !== "string") return own;
    let found: unknown = root;
    for (const token of tokensOf(decodeURIComponent($ref.slice(1)))) found = Object(found)[token];
    target = { ...Object(found), ...own };
  }
  return {};
}
