import type { BodyReader } from "../../core/input/body_reader.ts";
import type { AnyRoute } from "../../core/declare/declared_route.ts";
import { bindSchema } from "../../core/input/bind_schema.ts";
import type { ValidationIssue } from "../../core/input/input.ts";
import { type InputPart, PARTS } from "../../core/input/request_schemas.ts";
import { entriesOf } from "../../core/responses/media_type.ts";
import type { RouteResponses } from "../../core/responses/responses.ts";
import { ALL, isRead, readMethods } from "../../core/routing/method.ts";
import { parsePattern } from "../../core/routing/pattern.ts";
import { schemasIn } from "../../core/schemas/joined.ts";
import {
  type JsonSchema,
  type JsonSchemaObject,
  messageOf,
  readJsonSchema,
  type ToJsonSchema,
} from "../../core/schemas/json_schema.ts";
import { describeRoute, isPlain } from "../../core/values/assert.ts";
import type { Expectation } from "../check_response.ts";
import { standardValidator } from "../standard_validator.ts";
import type { FastCheck } from "../values/fast_check.ts";
import { resolve, simplify, simplifyTarget } from "../values/schema.ts";
import { FORMATS } from "../values/texts.ts";
import { valuesOf } from "../values/values.ts";
import { valuesOutside } from "../values/values_outside.ts";
import type { Random } from "./random.ts";
import { atEdge, type Edge } from "./edges.ts";
import { writeEverywhere } from "./write_everywhere.ts";
import { leadsTo } from "./names.ts";
import { ODD_WAYS, OddForm, type OddWay } from "./multipart.ts";
import { type UndeclaredProperties, undeclaredProperties } from "./undeclared_properties.ts";
import { contentOf, NoJson, type RawParts, UNREADABLE, write, type Written } from "./requests.ts";

/** One method of a route. */
export interface Operation {
  /** Its name in reports: `GET /notes/:id`. */
  readonly name: string;
  /** The names by which options may mean it: its own, and for HEAD that of GET on the same route. */
  readonly names: readonly string[];
  /** The method of its requests. */
  readonly method: string;
  /** Whether the method is safe: its requests are not meant to change anything. */
  readonly isSafe: boolean;
  /** The literal segments and the parameters of the path: `["notes", ":id"]`. */
  readonly segments: readonly string[];
  /** The parts that have a schema. */
  readonly parts: readonly Part[];
  /** A body that the handler reads itself, as the documentation describes it. */
  readonly ownBody: Part | undefined;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** The media types of statuses that declare several: a request asks for one of them by `Accept`. */
  readonly offers: readonly string[];
  /** The names of the properties of its query, its headers and its body. */
  readonly takes: readonly string[];
  /** The keys in the bodies of its declared successful responses, and the names of their headers. */
  readonly gives: readonly string[];
  /** The names by which it takes a place in its list, such as `cursor`, which an earlier response of it gives. */
  readonly places: ReadonlySet<string>;
  /** What its successful responses have, and the body of its requests does not declare, such as `role`. */
  readonly undeclared: UndeclaredProperties;
  /** Whether it asks for the version of the thing that it changes: by `if-match`, or by a declared 412 or 428. */
  readonly takesVersion: boolean;
  /** What goes over its socket, if it declares one. */
  readonly messages: DeclaredMessages | undefined;
  /** Whether it may respond with a stream. */
  readonly isStream: boolean;
  /** What responses are checked against. */
  readonly expectation: Expectation;
  /** Whether the documentation demands credentials: some, none, or it does not say. */
  readonly security: "some" | "none" | undefined;
}

/** What goes over a socket. */
export interface DeclaredMessages {
  /** The data of the messages of clients, by name. */
  readonly client: ReadonlyMap<string, MessageData>;
  /** The schemas of the messages of the server, by name. */
  readonly server: { readonly [name: string]: unknown };
  /** Whether the client acknowledges what it reads. */
  readonly isWindowed: boolean;
}

/** The data of a message; `undefined` if it has none. */
export type MessageData = Part | undefined;

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

/** What operations are read with. */
export interface Tools {
  /** Generates values. */
  readonly fc: FastCheck;
  /** The seed of the values. */
  readonly seed: number;
  /** Chooses. */
  readonly random: Random;
  /** Converts schemas. */
  readonly toJsonSchema: ToJsonSchema | undefined;
}

/**
 * Lists the operations of an app.
 *
 * @param routes The routes.
 * @param tools What they are read with.
 * @returns One operation for each method of a route.
 * @throws A `TypeError` if a schema cannot be expressed as JSON Schema.
 */
export function readOperations(routes: readonly AnyRoute[], tools: Tools): readonly Operation[] {
  return routes.flatMap((route) => methodsOf(route).map((method) => readOperation(route, method, tools)));
}

/** The methods of the requests for a route. A `Request` cannot have the methods CONNECT and TRACE. */
export function methodsOf(route: AnyRoute): readonly string[] {
  return readMethods(route).flatMap((method) => method === ALL ? ["GET", "POST"] : method)
    .filter((method) => method !== "CONNECT" && method !== "TRACE");
}

function readOperation(route: AnyRoute, method: string, tools: Tools): Operation {
  const { path, request = {}, responses, docs } = route;
  const name = `${method} ${path}`;
  parsePattern(describeRoute(route), path);
  const segments = path.replace(/(?<=[^/])\\:/g, ":").split("/").slice(1);
  const parts = PARTS.filter((part) => request[part] !== undefined).map((part) =>
    readPart(part, request[part], `${part} of ${name}`, request.bodyReader, segments, tools)
  );
  const { requestBody } = docs ?? {};
  const ownBody = requestBody && readPart(
    "body",
    requestBody.schema,
    `body of ${name}`,
    {
      contentTypes: [requestBody.contentType],
      read: () => Promise.resolve({ value: undefined }),
    },
    segments,
    tools,
  );
  const messages = readMessages(responses, name, tools);
  const takes = [...parts.filter((part) => part.name !== "params"), ...messages?.client.values() ?? []].flatMap((
    part,
  ) => part === undefined ? [] : namesIn(part.json));
  const given = givenBy(responses ?? {}, tools);
  const gives = given.flatMap(({ json, headers }) => [...json === undefined ? [] : namesIn(json), ...headers]);
  const body = request.bodyReader === undefined ? parts.find((part) => part.name === "body") : undefined;
  const demanded = docs?.security?.every((schemes) => Object.keys(schemes).length > 0);
  return {
    name,
    names: method === "HEAD" && readMethods(route).includes("GET") ? [name, `GET ${path}`] : [name],
    method,
    isSafe: isRead(method) || method === "OPTIONS",
    segments,
    parts,
    ownBody,
    maxBodyBytes: request.maxBodyBytes ?? 16 * 1024,
    offers: offersOf(responses ?? {}),
    takes,
    gives,
    places: new Set(takes.filter((name) => gives.some((key) => key !== name && leadsTo(key, name)))),
    undeclared: undeclaredProperties(body?.json ?? {}, given.flatMap(({ json }) => json === undefined ? [] : [json])),
    takesVersion: ["412", "428"].some((status) => Object.hasOwn(responses ?? {}, status)) ||
      parts.some((part) => Object.keys(part.properties).some((key) => key.toLowerCase() === "if-match")),
    messages,
    isStream: Object.values(responses ?? {}).flatMap((each) => entriesOf(each)).some(({ "~stream": stream }) =>
      stream !== undefined && stream.isSocket !== true
    ),
    expectation: { name, matched: { method, path }, responses },
    security: docs?.security === undefined ? undefined : demanded && docs.security.length > 0 ? "some" : "none",
  };
}

/** What goes over the socket that the responses declare. */
function readMessages(responses: RouteResponses = {}, name: string, tools: Tools): DeclaredMessages | undefined {
  const [declared] = [responses[101]].flat();
  const { isSocket, items } = declared?.["~stream"] ?? {};
  if (isSocket !== true) return undefined;
  const { client, server, window }: SocketItems = Object(items);
  // `z.undefined()`, which accepts nothing of JSON: the message has no data.
  const parts = Object.entries(client).map(([message, schema]): [string, MessageData] => {
    const part = readPart("body", schema, `message ${message} of ${name}`, undefined, [], tools);
    return [message, JSON.stringify(Object(part.json).not) === "{}" ? undefined : part];
  });
  return { client: new Map(parts), server, isWindowed: window !== undefined };
}

/** What `socket` declares. */
interface SocketItems {
  readonly client: { readonly [name: string]: unknown };
  readonly server: { readonly [name: string]: unknown };
  readonly window?: number | undefined;
}

/** The names of the properties in a JSON Schema. */
function namesIn(root: JsonSchema): readonly string[] {
  const names = new Set<string>();
  const visit = (schema: unknown, depth: number): void => {
    if (depth > 4 || !isPlain(schema)) return;
    const { properties, items, anyOf, oneOf, $ref, additionalProperties } = simplify(schema as JsonSchema, root);
    if (typeof $ref === "string") visit(resolve($ref, root), depth + 1);
    for (const [name, below] of Object.entries(Object(properties))) {
      names.add(name);
      visit(below, depth + 1);
    }
    for (const below of [items, additionalProperties, ...Object(anyOf ?? oneOf ?? [])]) visit(below, depth + 1);
  };
  visit(root, 0);
  return [...names];
}

/** What the responses that are no refusals have: the JSON Schema of the body, and the names of the headers. */
function givenBy(
  responses: RouteResponses,
  { toJsonSchema }: Tools,
): readonly { readonly json: JsonSchema | undefined; readonly headers: readonly string[] }[] {
  const declared = Object.entries(responses).filter(([status]) => !/^[45]/.test(status)).flatMap(([, each]) =>
    entriesOf(each)
  );
  return declared.map(({ schema, headers = {} }) => {
    const names = Object.keys(headers);
    try {
      const json = schema === undefined ? undefined : readJsonSchema(schema, "output", toJsonSchema, true);
      return { json, headers: names };
    } catch {
      return { json: undefined, headers: names }; // responses are judged by their schema itself
    }
  });
}

function optionalIn(json: JsonSchema): ReadonlySet<string> {
  const { properties, required } = simplifyTarget(json, json);
  const names = Object.keys(Object(properties));
  return new Set(Array.isArray(required) ? names.filter((name) => !required.includes(name)) : names);
}

/** The media types that clients choose from. */
function offersOf(responses: RouteResponses): readonly string[] {
  const lists = Object.values(responses).map((declared) => entriesOf(declared)).filter(({ length }) => length > 1);
  return [...new Set(lists.flat().map(({ contentType = "application/json" }) => contentType))];
}

function readPart(
  name: InputPart,
  schema: unknown,
  owner: string,
  reader: BodyReader | undefined,
  segments: readonly string[],
  { fc, seed, random, toJsonSchema }: Tools,
): Part {
  let json: JsonSchema;
  try {
    json = schema === undefined ? { type: "string" } : readJsonSchema(schema, "input", toJsonSchema);
  } catch (error) {
    throw new TypeError(
      `Schema of the ${owner} must be expressible as JSON Schema, or leave the endpoint out by the option skip: ` +
        messageOf(error),
      { cause: error },
    );
  }
  if (reader?.encoding !== undefined) json = withMediaTypes(json, reader.encoding);
  const hasParts = name === "body" && reader?.format === "parts";
  const values = valuesOf(json, { fc, isHostile: true });
  const canValidate = schemasIn(schema).every((one) => standardValidator.accepts?.(one, name) === true);
  const validate = bindSchema(standardValidator, schema, name, reader);
  const matched = { method: "", path: "" };
  let sampled = 0;
  let ready: unknown[] = [];
  /** By property: the texts of formats that it accepts. */
  const formatted = new Map<string, string[]>();
  let odd = 0;

  const part: Part = {
    name,
    json,
    properties: Object(simplifyTarget(json, json).properties),
    optional: optionalIn(json),
    isSigned: name === "body" && contentOf(reader) !== undefined,
    hasParts,
    write: (value) =>
      write(name, hasParts ? inOrder(value, part.properties) : value, name === "body" ? reader : undefined, segments),
    issuesOf: async (raw) => (await check(raw))?.map(({ path, message }) => [name, ...path, message].join(": ")),
    async next() {
      if (ready.length === 0) ready = await sample();
      return ready.pop();
    },
    async nextWith(text) {
      const value = await writeEverywhere(text, await nextFull(), isFine);
      return hasParts ? new OddForm(value, "hostile names", odd++) : value;
    },
    async nextAt(edge) {
      return await atEdge(edge, await nextFull(), json, isFine, random);
    },
    async nextWrong() {
      return spoil(await part.next());
    },
  };
  return part;

  /** What is wrong with what the server gets; `undefined` if only the app can say. */
  async function check(raw: unknown): Promise<readonly Pick<ValidationIssue, "path" | "message">[] | undefined> {
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
  }

  /** A value with as many of its properties as there may be. */
  async function nextFull(): Promise<unknown> {
    let full = await part.next();
    for (
      let count = 0;
      count < 4 && isPlain(full) && [...part.optional].some((key) => !Object.hasOwn(full as object, key));
      count++
    ) {
      const made: unknown = { ...Object(await part.next()), ...full };
      if (await isFine(made)) full = made;
    }
    return full;
  }

  async function isFine(value: unknown): Promise<boolean> {
    return (await part.issuesOf((await part.write(value)).raw))?.length === 0;
  }

  /** The next values: the valid ones, if there are any. */
  async function sample(): Promise<unknown[]> {
    const mayBeAbsent = name === "body" && reader?.optional === true;
    const all = fc.sample(values, { seed: seed + sampled++, numRuns: 40 })
      .map((value, index) => mayBeAbsent && index % 8 === 7 ? undefined : value);
    const valid: unknown[] = [];
    /** By property: values without an issue. */
    const good: { [name: string]: unknown[] } = Object.create(null);
    for (const value of all) {
      const issues = await check((await part.write(value)).raw) ?? [];
      if (issues.length === 0) {
        valid.push(value);
        continue;
      }
      const wrong = new Set(issues.map(({ path }) => path[0]));
      for (const [key, item] of Object.entries(Object(value))) if (!wrong.has(key)) (good[key] ??= []).push(item);
    }
    if (valid.length === 0) await addFormats(all, good);
    // Where few are valid, the good properties of several make a valid one.
    for (let count = 0; valid.length < 10 && count < 30 && typeof all[0] === "object"; count++) {
      const made = Object.fromEntries(
        Object.entries(Object(random.of(all))).map(([key, item]) => [key, random.of(good[key] ?? [item])]),
      );
      if (await isFine(made)) valid.push(made);
    }
    return valid.length > 0 ? valid : all;
  }

  /**
   * Adds texts of formats for properties without a good value. A schema may need a format that its JSON Schema does not
   * say: `z.string().refine(isEmail)`.
   */
  async function addFormats(all: readonly unknown[], good: { [name: string]: unknown[] }): Promise<void> {
    for (const key of Object.keys(part.properties).filter((key) => good[key] === undefined)) {
      const texts = formatted.get(key) ?? await formatsOf(key, all[0]);
      formatted.set(key, texts);
      if (texts.length > 0) good[key] = texts;
    }
  }

  async function formatsOf(key: string, value: unknown): Promise<string[]> {
    const texts: string[] = [];
    for (const text of Object.values(FORMATS).flat()) {
      const issues = await check((await part.write({ ...Object(value), [key]: text })).raw);
      if (issues?.every(({ path }) => path[0] !== key)) texts.push(text);
    }
    return texts;
  }

  function spoil(value: unknown): unknown {
    const { properties = {}, type } = simplifyTarget(json, json);
    const names = Object.keys(Object(properties));
    if (name === "body" && reader === undefined && random.chance(0.15)) {
      return random.of([new NoJson(""), new NoJson("{"), new NoJson('{"a":1}x'), null, [], "text", 7, {}]);
    }
    if (hasParts && random.chance(0.5)) return new OddForm(value, random.of(ODD_WAYS) as OddWay, odd++);
    if (names.length === 0 || type === "array") return random.of(valuesOutside(json, json));
    const key = random.of(names) as string;
    const { [key]: _, ...others } = Object(value);
    if (random.chance(0.25)) return others;
    return { ...others, [key]: random.of(valuesOutside(Object(properties)[key], json)) };
  }
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
