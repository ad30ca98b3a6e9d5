import { hasProperties, isRecord } from "../values/assert.ts";
import { type JsonSchema, sketchJsonSchema } from "./json_schema.ts";
import { MAX_DEPTH, membersOf } from "./members.ts";
import { resolved } from "./resolved.ts";

/**
 * Names the keys of an object whose schema accepts a list and no text, by the JSON Schema of what the schema accepts.
 *
 * @param schema The schema of an object.
 * @param isRequired Whether to name only the keys that must be there.
 * @returns The keys; none if the schema has no JSON Schema.
 */
export function listsOf(schema: unknown, isRequired = false): readonly string[] {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  const { vendor, jsonSchema } = hasProperties(standard) ? standard : {};
  if (jsonSchema === undefined || !mayHaveLists(schema, vendor)) return [];
  const root = sketchJsonSchema(schema);
  if (root === undefined) return [];
  const members = membersOf(root, root);
  const names = new Set(members.flatMap(({ properties }) => isRecord(properties) ? Object.keys(properties) : []));
  return [...names].filter((name) => {
    const schemas = members.flatMap(({ properties }) => {
      const known: { readonly [name: string]: unknown } = { ...Object(properties) };
      return Object.hasOwn(known, name) ? [known[name]] : [];
    });
    return schemas.every((each) => isList(each, root)) &&
      (!isRequired || members.every(({ required }) => Array.isArray(required) && required.includes(name)));
  });
}

/**
 * Whether a schema may have a key for a list. Told without a conversion for schemas of Zod and ArkType: converting those
 * of a thousand routes takes half a second.
 */
function mayHaveLists(schema: unknown, vendor: unknown): boolean {
  if (vendor === "arktype") return JSON.stringify(Object(schema).json).includes('"sequence"');
  const { shape } = definitionOf(schema);
  return vendor !== "zod" || !isRecord(shape) || Object.values(shape).some((each) => mayBeList(each));
}

/** Whether a schema of Zod may accept a list. */
function mayBeList(schema: unknown): boolean {
  const { type, innerType, options, left, right, in: from, out } = definitionOf(schema);
  if (type === "array" || type === "tuple" || type === "lazy" || type === undefined) return true;
  return [innerType, left, right, from, out].concat(options ?? []).some((part) =>
    part !== undefined && mayBeList(part)
  );
}

function definitionOf(schema: unknown): Definition {
  const { def }: { readonly def?: Definition } = Object(Object(schema)._zod);
  return def ?? {};
}

/** What is read of a definition of Zod. */
interface Definition {
  readonly type?: unknown;
  readonly shape?: unknown;
  readonly innerType?: unknown;
  readonly options?: readonly unknown[];
  readonly left?: unknown;
  readonly right?: unknown;
  readonly in?: unknown;
  readonly out?: unknown;
}

/** Whether a schema accepts a list, and neither a text nor what a text is converted to. */
function isList(schema: unknown, root: JsonSchema, depth = 0): boolean {
  const kinds = kindsOf(schema as JsonSchema, root, depth);
  return kinds.has("array") && !TEXTS.some((kind) => kinds.has(kind));
}

const TEXTS = ["string", "number", "integer", "boolean"];

const KINDS = ["string", "number", "integer", "boolean", "array", "object", "null"];

/** The types of the values that a schema accepts, as JSON Schema names them. */
function kindsOf(schema: JsonSchema, root: JsonSchema, depth: number): ReadonlySet<unknown> {
  if (schema === false) return new Set();
  const { type, enum: values, anyOf, oneOf, allOf, ...others } = resolved(schema, root);
  if (depth > MAX_DEPTH) return new Set(KINDS);
  const constants = "const" in others ? [others.const] : values;
  let kinds = new Set<unknown>(type === undefined ? KINDS : [type].flat());
  if (Array.isArray(constants)) kinds = new Set(constants.map(kindOf));
  const narrow = (accepted: ReadonlySet<unknown>) => {
    kinds = new Set([...kinds].filter((kind) => accepted.has(kind)));
  };
  for (const members of [anyOf, oneOf]) {
    if (Array.isArray(members)) {
      narrow(new Set(members.flatMap((member: JsonSchema) => [...kindsOf(member, root, depth + 1)])));
    }
  }
  for (const part of Array.isArray(allOf) ? allOf : []) narrow(kindsOf(part, root, depth + 1));
  return kinds;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
