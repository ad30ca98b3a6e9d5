/** Converts the schemas of routes to the JSON Schemas of one OpenAPI document. */

import { describeKind, hasProperties, isRecord, typeError } from "../values/assert.ts";
import type { JsonSchema, JsonSchemaObject, Side } from "./keywords.ts";
import { joinJsonSchemas } from "./join_json_schemas.ts";
import { schemasIn } from "./joined.ts";
import { tokensOf } from "./json_pointer.ts";
import { GAP, type Gap, markEffect, optionsFor, PREPROCESSED } from "./library_options.ts";

export type { JsonSchema, JsonSchemaObject, Side } from "./keywords.ts";

/**
 * Converts a schema that does not implement Standard JSON Schema.
 *
 * @param schema The schema, as the route declares it.
 * @param side The side to convert: `input` for the parts of a request, `output` for responses.
 * @returns JSON Schema, draft 2020-12, or `undefined` for an unknown schema.
 */
export type ToJsonSchema = (schema: unknown, side: Side) => object | boolean | undefined;

/** The schemas of one document. */
export interface SchemaCollection {
  /**
   * Converts a schema to JSON Schema.
   *
   * @param schema The schema, as the route declares it.
   * @param side The side to convert.
   * @param name The component name of the whole schema, used if it refers to itself.
   * @returns The JSON Schema.
   * @throws An error that says why the schema cannot be converted.
   */
  convert(schema: unknown, side: Side, name: string): ConvertedSchema;
  /** The component that a reference of an emitted schema names; `undefined` if it is an external url. */
  targetOf(reference: string): JsonSchema | undefined;
  /** The components that the emitted schemas refer to, by name. */
  components(): { [name: string]: JsonSchema };
}

/** A schema, converted to JSON Schema. */
export interface ConvertedSchema {
  /** The whole schema, ready for the document. */
  emit(): JsonSchema;
  /**
   * The properties of the schema, each ready for the document.
   *
   * @returns The properties by name, and which of them are required.
   * @throws If the schema is not one object of named properties.
   */
  emitProperties(): Properties;
}

/** The named properties of an object. */
export interface Properties {
  /** The schemas of the properties, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** The names of the required properties. */
  readonly required: ReadonlySet<string>;
}

/**
 * Creates a collection of schemas. The target of each reference, in `$defs` or elsewhere, becomes a component of the
 * document, under its name there. Equal schemas share a component. If different schemas have one name, the later ones
 * get the suffix `Input` or `Output`, then a number.
 *
 * @param toJsonSchema Called for schemas that do not implement Standard JSON Schema, or fail to.
 * @param allowsGaps Whether a part of a schema that cannot be described is any value.
 * @returns The empty collection.
 */
export function collectSchemas(toJsonSchema: ToJsonSchema | undefined, allowsGaps = false): SchemaCollection {
  const components = new Map<string, Component>();
  return {
    convert(schema, side, name) {
      const root = readRoot(readJsonSchema(schema, side, toJsonSchema, allowsGaps));
      // Throws now if a reference is broken, before any part of the schema is emitted.
      root.reachable("");
      const { emit, hasName } = createEmitter(root, components, side, name);
      return {
        emit() {
          const emitted = emit(root.schema);
          return hasName("") ? emit({ $ref: "#" }) : emitted;
        },
        emitProperties() {
          const { schemas, required } = readProperties(root);
          return { schemas: new Map(Array.from(schemas, ([key, schema]) => [key, emit(schema)])), required };
        },
      };
    },
    targetOf: (reference) => components.get(reference.replace("#/components/schemas/", ""))?.schema,
    components: () => Object.fromEntries(Array.from(components, ([name, { schema }]) => [name, schema])),
  };
}

/** The target of a reference, as a component of the document. */
interface Component {
  /** The whole content, with all references followed. Two components of the same content are one. */
  readonly content: string;
  /** The schema as the document has it. */
  schema: JsonSchema;
}

/**
 * Converts a schema by Standard JSON Schema, else with `toJsonSchema`. What is sent is described, not what it becomes: a
 * `Date` is a string of the format `date-time`. The schema of a request has no `readOnly`, since that would say that a
 * property must not be sent.
 *
 * @param schema The schema, as the route declares it.
 * @param side The side to convert.
 * @param toJsonSchema Called for schemas that do not implement Standard JSON Schema, or fail to: first with the whole
 * schema, then with the part that fails, if the library tells which one it is.
 * @param allowsGaps Whether a part that cannot be described is any value.
 * @returns A copy that belongs to the caller.
 * @throws An error that says why the schema cannot be converted, and names the key at fault.
 */
export function readJsonSchema(
  schema: unknown,
  side: Side,
  toJsonSchema: ToJsonSchema | undefined,
  allowsGaps = false,
): JsonSchema {
  return joinJsonSchemas(schemasIn(schema).map((one) => readOne(one, side, toJsonSchema, allowsGaps)));
}

/** As {@linkcode readJsonSchema}, of one schema. */
function readOne(
  schema: unknown,
  side: Side,
  toJsonSchema: ToJsonSchema | undefined,
  allowsGaps: boolean,
): JsonSchema {
  const failures: unknown[] = [];
  let partial: Described | undefined;
  try {
    const described = describe(schema, side);
    if (described !== undefined && described.gaps.length === 0) return described.json;
    partial = described;
  } catch (error) {
    failures.push(error);
  }
  try {
    const converted = toJsonSchema?.(schema, side);
    if (isJsonSchema(converted)) return settle(copyOf(converted), side).json;
    if (converted !== undefined) throw typeError("toJsonSchema must return an object or a boolean", converted);
  } catch (error) {
    failures.push(error);
  }
  if (partial !== undefined) {
    const gaps = partial.gaps.filter(({ at, part }) => !fill(at, part, side, toJsonSchema));
    const [gap] = gaps;
    if (allowsGaps) { for (const { at } of gaps) delete at[GAP]; }
    if (gap === undefined || allowsGaps) return partial.json;
    const key = gap.path.length === 0 ? "" : `key "${gap.path.join(".")}": `;
    const remedy = failures.length === 0 ? `: ${REMEDIES[side]}` : "";
    failures.unshift(new TypeError(`${key}${gap.why}${remedy}`));
  }
  const [
    failure = new TypeError('it has no "~standard".jsonSchema, and there is no toJsonSchema that knows it'),
    another,
  ] = failures;
  throw another === undefined ? failure : new AggregateError(failures, failures.map(messageOf).join("; "));
}

/** What to do about a gap. */
const REMEDIES: { readonly [S in Side]: string } = {
  input: "let the schema convert text or JSON, as z.coerce.date() does, or give the option toJsonSchema",
  output: "let the schema make JSON of it, or give the option toJsonSchema",
};

/**
 * Converts a schema by Standard JSON Schema, to find out which types of values it accepts. A part that cannot be
 * described, or that a function makes of any input, becomes a schema for any value.
 *
 * @param schema The schema.
 * @returns The JSON Schema; `undefined` if the schema has none.
 */
export function sketchJsonSchema(schema: unknown): JsonSchema | undefined {
  try {
    const described = describe(schema, "input", true);
    described?.gaps.forEach(({ at }) => delete at[GAP]);
    return described?.json;
  } catch {
    return undefined;
  }
}

/** A schema that is converted, as far as it can be. */
interface Described {
  readonly json: JsonSchema;
  readonly gaps: readonly FoundGap[];
}

/** A part that cannot be described. */
interface FoundGap {
  /** The part of the JSON Schema. */
  readonly at: JsonSchemaObject;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  /** Why. */
  readonly why: string;
  /** The schema, if the library tells which one it is. */
  readonly part: unknown;
}

/** Converts by Standard JSON Schema; `undefined` if the schema does not implement it. */
function describe(schema: unknown, side: Side, isSketch = false): Described | undefined {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  const { vendor, jsonSchema } = hasProperties(standard) ? standard : {};
  if (!hasProperties(jsonSchema)) return undefined;
  const convert = jsonSchema[side];
  if (typeof convert !== "function") {
    throw typeError(`it must have a function "~standard".jsonSchema.${side}`, convert);
  }
  const target = "draft-2020-12";
  const { libraryOptions, schemas, areUsed } = optionsFor(vendor, schema, side);
  const described: unknown = convert.call(jsonSchema, { target, ...libraryOptions && { libraryOptions } });
  const converted: unknown = areUsed() ? described : convert.call(jsonSchema, { target });
  if (!isJsonSchema(converted)) {
    throw typeError(`"~standard".jsonSchema.${side} must return an object or a boolean`, converted);
  }
  const json = copyOf(converted);
  if (vendor === "effect" && side === "input") markEffect(schema, json);
  return settle(json, side, schemas, isSketch);
}

function copyOf(schema: JsonSchema | object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

/** Removes the keywords of {@linkcode optionsFor} and, of a request, `readOnly`. Finds the gaps. */
function settle(json: JsonSchema, side: Side, schemas: readonly unknown[] = [], isSketch = false): Described {
  const gaps: FoundGap[] = [];
  const visit = (schema: JsonSchema, path: readonly string[]): void => {
    if (typeof schema === "boolean") return;
    if (side === "input") delete schema.readOnly;
    if (PREPROCESSED in schema) {
      if (isSketch) { for (const keyword of Object.keys(schema)) delete schema[keyword]; }
      delete schema[PREPROCESSED];
    }
    const gap = schema[GAP] as Gap | undefined;
    if (gap !== undefined) {
      gaps.push({ at: schema, path, why: gap.why, part: gap.index === undefined ? undefined : schemas[gap.index] });
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const isNamed = MAPS.has(keyword);
      if (!isNamed && !LISTS.has(keyword) && !SCHEMAS.has(keyword)) continue;
      const parts: readonly (readonly [string, unknown])[] = isNamed
        ? Object.entries(Object(value))
        : [value].flat().map((part) => ["", part]);
      const isItem = keyword === "items" || keyword === "prefixItems";
      for (const [name, part] of parts) {
        if (isJsonSchema(part)) visit(part, isNamed ? [...path, name] : isItem ? [...path, "[]"] : path);
      }
    }
  };
  visit(json, []);
  return { json, gaps };
}

/** Describes a gap by `toJsonSchema`. */
function fill(at: JsonSchemaObject, part: unknown, side: Side, toJsonSchema: ToJsonSchema | undefined): boolean {
  if (part === undefined) return false;
  try {
    const converted = toJsonSchema?.(part, side);
    if (!hasProperties(converted)) return false;
    delete at[GAP];
    const { $schema: _dialect, ...own } = Object(copyOf(converted));
    Object.assign(at, own);
    return true;
  } catch {
    return false;
  }
}

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

/**
 * Describes a thrown value.
 *
 * @param error The thrown value.
 * @returns The message of an error; the kind of any other value.
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : describeKind(error);
}

/** A whole JSON Schema, to which its references are relative. */
interface Root {
  /** The schema, without the keywords of a whole schema: `$schema`, `$id` and the definitions. */
  readonly schema: JsonSchema;
  /** The JSON Pointer of the target of a reference; `undefined` if the reference is an external url. */
  pointerTo(reference: unknown): string | undefined;
  /** The schema at a JSON Pointer. */
  at(pointer: string): JsonSchema;
  /** The schema at a JSON Pointer and all schemas that it refers to, by pointer. */
  reachable(pointer: string): ReadonlyMap<string, JsonSchema>;
}

function readRoot(whole: JsonSchema): Root {
  if (typeof whole === "boolean") return readRoot(whole ? {} : { not: {} });
  const { $schema: _dialect, $id: id, $defs: _defs, definitions: _definitions, ...schema } = whole;

  function pointerTo(reference: unknown): string | undefined {
    if (typeof reference !== "string") return undefined;
    const local = typeof id === "string" && reference.startsWith(id) ? reference.slice(id.length) : reference;
    if (local === "" || local.startsWith("#")) {
      try {
        return decodeURIComponent(local.slice(1));
      } catch {
        throw dangling(reference); // decodeURIComponent's own message does not name the reference.
      }
    }
    if (URL.canParse(reference)) return undefined;
    throw dangling(reference);
  }

  function at(pointer: string): JsonSchema {
    if (pointer === "") return schema;
    let target: unknown = whole;
    for (const token of tokensOf(pointer)) {
      target = hasProperties(target) && Object.hasOwn(target, token) ? target[token] : undefined;
    }
    if (isJsonSchema(target)) return target;
    throw dangling(`#${pointer}`);
  }

  function reachable(pointer: string): ReadonlyMap<string, JsonSchema> {
    const reached = new Map<string, JsonSchema>();
    const reach = (pointer: string) => {
      if (reached.has(pointer)) return;
      const target = at(pointer);
      reached.set(pointer, target);
      visit(target);
    };
    const visit = (schema: JsonSchema): JsonSchema => {
      if (!mayRefer(schema)) return schema;
      const pointer = pointerTo(schema.$ref);
      if (pointer !== undefined) reach(pointer);
      return mapSubschemas(schema, visit);
    };
    reach(pointer);
    return reached;
  }

  return { schema, pointerTo, at, reachable };
}

function dangling(reference: string): TypeError {
  return new TypeError(`it refers to ${JSON.stringify(reference)}, which it does not contain`);
}

/**
 * Whether references in a schema are relative to the root. If the schema has its own `$id`, they are relative to that.
 */
function mayRefer(schema: JsonSchema): schema is JsonSchemaObject {
  return typeof schema === "object" && !("$id" in schema);
}

/**
 * Copies a schema and applies `change` to its subschemas. Other values, such as those of `default` or `enum`, are data.
 */
function mapSubschemas(schema: JsonSchemaObject, change: (schema: JsonSchema) => JsonSchema): JsonSchemaObject {
  const changeOne = (value: unknown) => isJsonSchema(value) ? change(value) : value;
  const changed = Object.entries(modernize(schema)).map(([keyword, value]): [string, unknown] => {
    if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map(changeOne)];
    if (MAPS.has(keyword) && isRecord(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeOne(item)]))];
    }
    return [keyword, SCHEMAS.has(keyword) ? changeOne(value) : value];
  });
  return Object.fromEntries(changed);
}

/**
 * Rewrites tuples of draft 7, which many converters still emit, and bytes. Everything else in draft 7 has the same
 * meaning in 2020-12. `contentEncoding: "binary"` means that nothing is encoded, and generators make a string of it.
 */
function modernize({ contentEncoding, ...schema }: JsonSchemaObject): JsonSchemaObject {
  if (contentEncoding === "binary") return modernize({ ...schema, format: "binary" });
  if (contentEncoding !== undefined) schema = { ...schema, contentEncoding };
  if (!Array.isArray(schema.items)) return schema;
  const { items, additionalItems, ...others } = schema;
  return { ...others, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** The keywords that contain a schema. */
const SCHEMAS = new Set([
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** The keywords that contain a list of schemas. */
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** The keywords that contain schemas by name. */
const MAPS = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

/** Moves the schemas of a root into the document. */
interface Emitter {
  /** Returns a schema as the document has it. The targets of its references become components. */
  emit(schema: JsonSchema): JsonSchema;
  /** Whether the schema at a pointer has become a component. */
  hasName(pointer: string): boolean;
}

function createEmitter(root: Root, components: Map<string, Component>, side: Side, nameOfRoot: string): Emitter {
  const names = new Map<string, string>();

  function emit(schema: JsonSchema): JsonSchema {
    if (!mayRefer(schema)) return schema;
    const pointer = root.pointerTo(schema.$ref);
    const emitted = mapSubschemas(schema, emit);
    return pointer === undefined ? emitted : { ...emitted, $ref: `#/components/schemas/${refer(pointer)}` };
  }

  function refer(pointer: string): string {
    const existing = names.get(pointer);
    if (existing !== undefined) return existing;
    const content = JSON.stringify([...root.reachable(pointer)]);
    const name = nameFor((pointer === "" ? nameOfRoot : tokensOf(pointer).at(-1)) || nameOfRoot, content);
    names.set(pointer, name);
    if (!components.has(name)) {
      const component: Component = { content, schema: true };
      components.set(name, component);
      component.schema = emit(root.at(pointer));
    }
    return name;
  }

  /** The first name that is free or already has this content. */
  function nameFor(wanted: string, content: string): string {
    const base = wanted.replace(UNUSABLE_IN_NAME, "_");
    const other = base + (side === "input" ? "Input" : "Output");
    let name = base;
    for (let count = 1; (components.get(name)?.content ?? content) !== content; count++) {
      name = count === 1 ? other : `${other}${count}`;
    }
    return name;
  }

  return { emit, hasName: (pointer) => names.has(pointer) };
}

const UNUSABLE_IN_NAME = /[^A-Za-z0-9._-]/g;

/** Reads the properties of an object. A property defined more than once must satisfy all its definitions (`allOf`). */
function readProperties(root: Root): Properties {
  const schemas = new Map<string, JsonSchema>();
  const required = new Set<string>();
  const done = new Set<JsonSchema>();

  function read(schema: JsonSchema): void {
    if (typeof schema === "boolean" || done.has(schema)) return;
    done.add(schema);
    requireOneObject(schema);
    const { $ref, allOf, properties, required: names } = schema;
    const pointer = root.pointerTo($ref);
    if (pointer !== undefined) read(root.at(pointer));
    if (Array.isArray(allOf)) allOf.filter(isJsonSchema).forEach(read);
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      const earlier = schemas.get(name);
      schemas.set(name, earlier === undefined ? property : { allOf: [earlier, property] });
    }
    if (Array.isArray(names)) { for (const name of names) required.add(name); }
  }
  read(root.schema);
  return { schemas, required };
}

/** Rejects non-objects and unions: their parameters cannot be listed. */
function requireOneObject({ type = "object", anyOf, oneOf }: JsonSchemaObject): void {
  if (anyOf === undefined && oneOf === undefined && [type].flat().includes("object")) return;
  throw new TypeError(
    "it must be one object of named properties, each of which becomes a parameter: " +
      `received ${anyOf !== undefined ? '"anyOf"' : oneOf !== undefined ? '"oneOf"' : JSON.stringify(type)}`,
  );
}
