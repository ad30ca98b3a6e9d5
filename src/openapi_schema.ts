/** Makes the schemas of routes into the JSON Schemas of one OpenAPI document. */

import { describeKind, isRecord } from "./shape.ts";

/** A JSON Schema 2020-12, as plain data. */
export type JsonSchema = boolean | JsonSchemaObject;

/** A JSON Schema that is no boolean: keywords and what they say. */
export interface JsonSchemaObject {
  /** What the keyword says. */
  [keyword: string]: unknown;
}

/** Which side of a schema is meant: what it takes, or what it yields. */
export type Side = "input" | "output";

/**
 * Makes a JSON Schema of a schema that does not do so itself.
 *
 * @param schema The schema, as the route declares it.
 * @param side Which side of it is meant: `input` for the parts of a request, `output` for responses.
 * @returns JSON Schema, draft 2020-12, or `undefined` for a schema that it does not know.
 */
export type ToJsonSchema = (schema: unknown, side: Side) => object | boolean | undefined;

/** The schemas of one document. */
export interface SchemaCollection {
  /**
   * Expresses a schema.
   *
   * @param schema The schema, as the route declares it.
   * @param side Which side of it is meant.
   * @param name What to call the whole of it, should it refer to itself.
   * @returns Its JSON Schema.
   * @throws What keeps it from being expressed.
   */
  express(schema: unknown, side: Side, name: string): Expression;
  /** What the schemas placed so far refer to, by name. */
  components(): { [name: string]: JsonSchema };
}

/** A schema, expressed as JSON Schema. */
export interface Expression {
  /** The whole of it, ready for the document. */
  place(): JsonSchema;
  /**
   * Its properties, each ready for the document.
   *
   * @returns The properties by name, and which of them have to be there.
   * @throws If it is anything but one object of named properties.
   */
  placeProperties(): Properties;
}

/** The named properties of an object. */
export interface Properties {
  /** What they may be, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** The names of those that have to be there. */
  readonly required: ReadonlySet<string>;
}

/**
 * Begins a collection of schemas. What references in them point to, in `$defs` or elsewhere, becomes a component of the
 * document, under the name that it has there. Equal ones are one component; of unequal ones with one name, those that come
 * later are named after their side as well, and then numbered.
 *
 * @param toJsonSchema Asked for what schemas do not express themselves.
 * @returns The collection, empty.
 */
export function collectSchemas(toJsonSchema: ToJsonSchema | undefined): SchemaCollection {
  const components = new Map<string, Component>();
  return {
    express(schema, side, name) {
      const root = readRoot(readJsonSchema(schema, side, toJsonSchema));
      // Whatever is wrong with its references is found now, before any of it is placed.
      root.reachable("");
      const { place, hasName } = createPlacing(root, components, side, name);
      return {
        place() {
          const placed = place(root.schema);
          return hasName("") ? place({ $ref: "#" }) : placed;
        },
        placeProperties() {
          const { schemas, required } = readProperties(root);
          return { schemas: new Map(Array.from(schemas, ([key, schema]) => [key, place(schema)])), required };
        },
      };
    },
    components: () => Object.fromEntries(Array.from(components, ([name, { schema }]) => [name, schema])),
  };
}

/** What a reference points to, made a part of the document. */
interface Component {
  /** All that it comes to, references followed: two of one content are one. */
  readonly content: string;
  /** As the document has it. */
  schema: JsonSchema;
}

/** What the schema says of itself, else what the converter makes of it: data of the document's own. */
function readJsonSchema(schema: unknown, side: Side, toJsonSchema: ToJsonSchema | undefined): JsonSchema {
  const failures: unknown[] = [];
  for (const ask of [expressItself, toJsonSchema]) {
    try {
      const expressed = ask?.(schema, side);
      if (expressed === undefined) continue;
      if (isJsonSchema(expressed)) return JSON.parse(JSON.stringify(expressed));
      throw new TypeError(`it must be expressed as an object or a boolean: received ${describeKind(expressed)}`);
    } catch (error) {
      failures.push(error);
    }
  }
  const [failure, another] = failures;
  if (another !== undefined) throw new AggregateError(failures, failures.map(messageOf).join("; "));
  throw failure ?? new TypeError('it has no "~standard".jsonSchema, and there is no toJsonSchema that knows it');
}

/** Standard JSON Schema: `undefined` if the schema does not have it. */
function expressItself(schema: unknown, side: Side): unknown {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  const jsonSchema = hasProperties(standard) ? standard.jsonSchema : undefined;
  if (!hasProperties(jsonSchema)) return undefined;
  const convert = jsonSchema[side];
  if (typeof convert === "function") return convert.call(jsonSchema, { target: "draft-2020-12" });
  throw new TypeError(`it must have a function "~standard".jsonSchema.${side}: received ${describeKind(convert)}`);
}

/** Schemas are objects, or functions as ArkType's are. */
function hasProperties(value: unknown): value is { readonly [key: string]: unknown } {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

/**
 * What went wrong, in words.
 *
 * @param error Whatever was thrown.
 * @returns Its message, if it is an error.
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : describeKind(error);
}

/** A whole JSON Schema, within which references point. */
interface Root {
  /** The schema, without what only a whole one has: its `$schema`, its `$id`, its definitions. */
  readonly schema: JsonSchema;
  /** The JSON Pointer of what a reference points to; `undefined` if that is elsewhere on the web. */
  pointerTo(reference: unknown): string | undefined;
  /** What is at a JSON Pointer. */
  at(pointer: string): JsonSchema;
  /** What is at a JSON Pointer, and all that it refers to, by pointer. */
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
        throw dangling(reference); // The engines' own words for it do not say what it is about.
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
  return new TypeError(`it refers to ${JSON.stringify(reference)}, which it does not hold`);
}

/** The keys on the way of a JSON Pointer (RFC 6901). What does not begin with a slash is no pointer, and leads nowhere. */
function tokensOf(pointer: string): readonly string[] {
  const [first, ...tokens] = pointer.split("/");
  return first === "" ? tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~")) : [pointer];
}

/** Whether references in a schema may point out of it. Below an `$id` of its own, they are relative to that. */
function mayRefer(schema: JsonSchema): schema is JsonSchemaObject {
  return typeof schema === "object" && !("$id" in schema);
}

/** A copy of a schema with `change` made to the schemas in it. What else it holds, as in `default` or `enum`, is data. */
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

/** Many converters still speak draft 7, where a tuple is the one thing that draft 2020-12 would misunderstand. */
function modernize(schema: JsonSchemaObject): JsonSchemaObject {
  if (!Array.isArray(schema.items)) return schema;
  const { items, additionalItems, ...others } = schema;
  return { ...others, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** The keywords that hold a schema. */
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
/** The keywords that hold a list of schemas. */
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** The keywords that hold schemas by name. */
const MAPS = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

/** What makes the schemas in a root parts of the document. */
interface Placing {
  /** A schema as the document has it: what it refers to is a component. */
  place(schema: JsonSchema): JsonSchema;
  /** Whether what is at a pointer has become a component. */
  hasName(pointer: string): boolean;
}

function createPlacing(root: Root, components: Map<string, Component>, side: Side, nameOfRoot: string): Placing {
  const names = new Map<string, string>();

  function place(schema: JsonSchema): JsonSchema {
    if (!mayRefer(schema)) return schema;
    const pointer = root.pointerTo(schema.$ref);
    const placed = mapSubschemas(schema, place);
    return pointer === undefined ? placed : { ...placed, $ref: `#/components/schemas/${refer(pointer)}` };
  }

  function refer(pointer: string): string {
    const known = names.get(pointer);
    if (known !== undefined) return known;
    const content = JSON.stringify([...root.reachable(pointer)]);
    const name = nameFor((pointer === "" ? nameOfRoot : tokensOf(pointer).at(-1)) || nameOfRoot, content);
    names.set(pointer, name);
    if (!components.has(name)) {
      const component: Component = { content, schema: true };
      components.set(name, component);
      component.schema = place(root.at(pointer));
    }
    return name;
  }

  /** The first name that is free, or has this very content. */
  function nameFor(wanted: string, content: string): string {
    const base = wanted.replace(UNUSABLE_IN_NAME, "_");
    const other = base + (side === "input" ? "Input" : "Output");
    let name = base;
    for (let count = 1; (components.get(name)?.content ?? content) !== content; count++) {
      name = count === 1 ? other : `${other}${count}`;
    }
    return name;
  }

  return { place, hasName: (pointer) => names.has(pointer) };
}

const UNUSABLE_IN_NAME = /[^A-Za-z0-9._-]/g;

/** Reads the properties of an object. One that comes out of several objects has to be what each of them says. */
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

/** Refuses what is of another type, and a choice of several: a parameter is there or it is not. */
function requireOneObject({ type = "object", anyOf, oneOf }: JsonSchemaObject): void {
  if (anyOf === undefined && oneOf === undefined && [type].flat().includes("object")) return;
  throw new TypeError(
    "it must be one object of named properties, each of which becomes a parameter: " +
      `received ${anyOf !== undefined ? '"anyOf"' : oneOf !== undefined ? '"oneOf"' : JSON.stringify(type)}`,
  );
}
