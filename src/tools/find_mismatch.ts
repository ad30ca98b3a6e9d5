import type { JsonSchema } from "../core/schemas/json_schema.ts";
import { resolved } from "../core/schemas/resolved.ts";
import { describeKind, isPlain, isRecord } from "../core/values/assert.ts";

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
  const { type, enum: listed, anyOf, oneOf, allOf, properties, required, additionalProperties, ...others } = resolved(
    schema,
    root,
  );
  const must = (rule: string, received = describeKind(value)): Mismatch => ({ path, rule, received });
  // Parts of the url are texts: a text for a number is the same request.
  const isText = (path[0] === "params" || path[0] === "query") && path.length > 1;
  const types = TYPES.filter(({ name }) => [type].flat().includes(name));
  const isOf = ({ has, hasText }: Type) => has(value) || (isText && hasText?.(typeof value) === true);
  if (types.length > 0 && !types.some(isOf)) return must(`be ${types.map(({ title }) => title).join(" or ")}`);
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
    const { items, prefixItems } = others;
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return firstOf(value, (item, index) => within(first[index] ?? items, item, `${index}`));
  }
  if (!isPlain(value)) return undefined;
  const own = new Map<string, unknown>(Object.entries(value).filter(([, item]) => item !== undefined));
  const known = new Map<string, JsonSchema>(Object.entries(Object(properties)));
  const missing = Array.isArray(required) ? required.find((key) => !own.has(key)) : undefined;
  if (missing !== undefined) return { path: [...path, `${missing}`], rule: "be there", received: "nothing" };
  return firstOf([...own], ([key, item]) => {
    if (known.has(key) || additionalProperties !== false) {
      return within(known.get(key) ?? additionalProperties, item, key);
    }
    return must(`have no key but ${[...known.keys()].join(", ")}`, "another one");
  });

  function within(schema: unknown, value: unknown, key: string): Mismatch | undefined {
    return isRecord(schema) ? findMismatch({ ...schema }, value, root, [...path, key]) : undefined;
  }
}

/** How deep values are looked at. */
const MAX_DEPTH = 32;

/** A type of JSON Schema. */
interface Type {
  readonly name: string;
  /** How messages name it. */
  readonly title: string;
  /** Whether a value is of the type. */
  readonly has: (value: unknown) => boolean;
  /** Whether a value of this kind may stand for one of the type in a url. */
  readonly hasText?: (kind: string) => boolean;
}

const isString = (kind: string) => kind === "string";

const TYPES: readonly Type[] = [
  {
    name: "string",
    title: "a string",
    has: (value) => typeof value === "string",
    hasText: (kind) => kind === "number" || kind === "boolean",
  },
  { name: "number", title: "a number", has: (value) => typeof value === "number", hasText: isString },
  { name: "integer", title: "a whole number", has: (value) => Number.isInteger(value), hasText: isString },
  { name: "boolean", title: "true or false", has: (value) => typeof value === "boolean", hasText: isString },
  { name: "object", title: "an object", has: isPlain },
  { name: "array", title: "a list", has: (value) => Array.isArray(value) },
  { name: "null", title: "null", has: (value) => value === null },
];

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
