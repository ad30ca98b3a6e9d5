import type { BodyReader } from "../../core/input/body_reader.ts";
import { bindSchema } from "../../core/input/bind_schema.ts";
import type { InputPart } from "../../core/input/request_schemas.ts";
import { schemasIn } from "../../core/schemas/joined.ts";
import {
  type JsonSchema,
  type JsonSchemaObject,
  messageOf,
  readJsonSchema,
  type ToJsonSchema,
} from "../../core/schemas/json_schema.ts";
import { isPlain } from "../../core/values/assert.ts";
import { standardValidator } from "../standard_validator.ts";
import { simplifyTarget } from "../values/schema.ts";
import { valuesOf } from "../values/values.ts";
import { valuesOutside } from "../values/values_outside.ts";
import { atEdge, type Edge } from "./edges.ts";
import { ODD_WAYS, OddForm, type OddWay } from "./multipart.ts";
import type { Random } from "./random.ts";
import { contentOf, NoJson, type RawParts, UNREADABLE, write as writePart, type Written } from "./requests.ts";
import { createSampler, type Issues, type SamplingTools } from "./sampler.ts";
import { writeEverywhere } from "./write_everywhere.ts";

/** A part of a request that has a schema. */
export interface Part {
  /** The part. */
  readonly name: InputPart;
  /** The JSON Schema. */
  readonly json: JsonSchema;
  /** The schemas of its properties, if it is an object. */
  readonly properties: { readonly [name: string]: unknown };
  /** The names of the properties that may be left out. */
  readonly optional: ReadonlySet<string>;
  /** Whether only a request that an actor signs can be valid. */
  readonly isSigned: boolean;
  /** Whether the handler reads it part by part: what it says of a file may come before what is wrong with the form. */
  readonly hasParts: boolean;
  /** Writes a value. */
  write(value: unknown): Promise<Written>;
  /** What is wrong with what the server gets: nothing if it is valid; `undefined` if only the app can say. */
  issuesOf(raw: unknown): Promise<readonly string[] | undefined>;
  /** A new value: a valid one, if one has been found. */
  next(): Promise<unknown>;
  /** A new value with this text wherever a text is free, and the value remains valid. */
  nextWith(text: string): Promise<unknown>;
  /** A new value whose properties are at an end of what the schema allows. */
  nextAt(edge: Edge): Promise<unknown>;
  /** A value in which one thing is wrong. It may still be valid. */
  nextWrong(): Promise<unknown>;
}

/** What parts are read with. */
export interface Tools extends SamplingTools {
  /** Converts schemas. */
  readonly toJsonSchema: ToJsonSchema | undefined;
}

/**
 * Reads a part of the requests for an operation.
 *
 * @param name The part.
 * @param schema Its schema; `undefined` for any text.
 * @param owner The part, as messages name it.
 * @param reader What reads the body.
 * @param segments The segments of the path.
 * @param tools What it is read with.
 * @returns The part.
 * @throws A `TypeError` if the schema cannot be expressed as JSON Schema.
 */
export function readPart(
  name: InputPart,
  schema: unknown,
  owner: string,
  reader: BodyReader | undefined,
  segments: readonly string[],
  tools: Tools,
): Part {
  const { random } = tools;
  const json = describe(schema, owner, reader, tools.toJsonSchema);
  const properties: Part["properties"] = Object(simplifyTarget(json, json).properties);
  const optional = optionalIn(json);
  const hasParts = name === "body" && reader?.format === "parts";
  const check = createCheck(name, schema, reader, hasParts);
  const write = (value: unknown) =>
    writePart(name, hasParts ? inOrder(value, properties) : value, name === "body" ? reader : undefined, segments);
  const checkValue = async (value: unknown) => await check((await write(value)).raw);
  const isFine = async (value: unknown) => (await checkValue(value))?.length === 0;
  const next = createSampler({
    values: valuesOf(json, { fc: tools.fc, isHostile: true }),
    mayBeAbsent: name === "body" && reader?.optional === true,
    keys: Object.keys(properties),
    check: checkValue,
  }, tools);
  let odd = 0;

  return {
    name,
    json,
    properties,
    optional,
    isSigned: name === "body" && contentOf(reader) !== undefined,
    hasParts,
    write,
    issuesOf: async (raw) => (await check(raw))?.map(({ path, message }) => [name, ...path, message].join(": ")),
    next,
    async nextWith(text) {
      const value = await writeEverywhere(text, await nextFull(), isFine);
      return hasParts ? new OddForm(value, "hostile names", odd++) : value;
    },
    async nextAt(edge) {
      return await atEdge(edge, await nextFull(), json, isFine, random);
    },
    async nextWrong() {
      const value = await next();
      if (name === "body" && reader === undefined && random.chance(0.15)) {
        return random.of([new NoJson(""), new NoJson("{"), new NoJson('{"a":1}x'), null, [], "text", 7, {}]);
      }
      if (hasParts && random.chance(0.5)) return new OddForm(value, random.of(ODD_WAYS) as OddWay, odd++);
      return spoil(value, json, random);
    },
  };

  /** A value with as many of its properties as there may be. */
  async function nextFull(): Promise<unknown> {
    let full = await next();
    const lacksSome = () => isPlain(full) && [...optional].some((key) => !Object.hasOwn(full as object, key));
    for (let count = 0; count < 4 && lacksSome(); count++) {
      const made: unknown = { ...Object(await next()), ...full as object };
      if (await isFine(made)) full = made;
    }
    return full;
  }
}

/** The JSON Schema of a part. */
function describe(
  schema: unknown,
  owner: string,
  reader: BodyReader | undefined,
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchema {
  try {
    const json = schema === undefined ? { type: "string" } : readJsonSchema(schema, "input", toJsonSchema);
    return reader?.encoding === undefined ? json : withMediaTypes(json, reader.encoding);
  } catch (error) {
    throw new TypeError(
      `Schema of the ${owner} must be expressible as JSON Schema, or leave the endpoint out by the option skip: ` +
        messageOf(error),
      { cause: error },
    );
  }
}

/** Creates what says what is wrong with what the server gets: `undefined` if only the app can say. */
function createCheck(
  name: InputPart,
  schema: unknown,
  reader: BodyReader | undefined,
  hasParts: boolean,
): (raw: unknown) => Promise<Issues | undefined> {
  const canValidate = schemasIn(schema).every((one) => standardValidator.accepts?.(one, name) === true);
  const validate = bindSchema(standardValidator, schema, name, reader);
  const matched = { method: "", path: "" };
  return async (raw) => {
    if (!canValidate) return undefined;
    if (raw === UNREADABLE) return [{ path: [], message: "cannot be read" }];
    if (hasParts) {
      const { issues, isOdd } = raw as RawParts;
      return issues.length === 0 && isOdd ? undefined : issues;
    }
    try {
      const result = await validate(raw, name, matched);
      return result.ok ? [] : result.issues;
    } catch {
      return undefined;
    }
  };
}

/** A value in which one thing is wrong, or may be: one property is gone, or has another value. */
function spoil(value: unknown, json: JsonSchema, random: Random): unknown {
  const { properties = {}, type } = simplifyTarget(json, json);
  const names = Object.keys(Object(properties));
  if (names.length === 0 || type === "array") return random.of(valuesOutside(json, json));
  const key = random.of(names) as string;
  const { [key]: _, ...others } = Object(value);
  if (random.chance(0.25)) return others;
  return { ...others, [key]: random.of(valuesOutside(Object(properties)[key], json)) };
}

function optionalIn(json: JsonSchema): ReadonlySet<string> {
  const { properties, required } = simplifyTarget(json, json);
  const names = Object.keys(Object(properties));
  return new Set(Array.isArray(required) ? names.filter((name) => !required.includes(name)) : names);
}

/** The schema of a form, whose files have the media types that are declared for them. */
function withMediaTypes(json: JsonSchema, encoding: NonNullable<BodyReader["encoding"]>): JsonSchema {
  const { properties, ...others }: JsonSchemaObject = Object(json);
  const typed = Object.entries(Object(properties)).map(([name, schema]) => {
    const { contentType: contentMediaType } = encoding[name] ?? {};
    return [name, contentMediaType === undefined ? schema : { ...Object(schema), contentMediaType }] as const;
  });
  return { ...others, properties: Object.fromEntries(typed) };
}

/** The fields of a form in the order of their declaration, as browsers send them. */
function inOrder(value: unknown, properties: object): unknown {
  if (!isPlain(value)) return value;
  const place = (name: string) => Object.keys(properties).indexOf(name);
  return Object.fromEntries(Object.entries(Object(value)).toSorted(([a], [b]) => place(a) - place(b)));
}
