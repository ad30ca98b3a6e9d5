import type { AnyRoute } from "../../core/declare/declared_route.ts";
import { PARTS } from "../../core/input/request_schemas.ts";
import { findMessages } from "../../core/responses/declared_socket.ts";
import { entriesOf } from "../../core/responses/media_type.ts";
import type { RouteResponses } from "../../core/responses/responses.ts";
import { ALL, isRead, readMethods } from "../../core/routing/method.ts";
import { parsePattern } from "../../core/routing/pattern.ts";
import { type JsonSchema, readJsonSchema } from "../../core/schemas/json_schema.ts";
import { describeRoute, isPlain } from "../../core/values/assert.ts";
import type { Expectation } from "../check_response.ts";
import { resolve, simplify } from "../values/schema.ts";
import { leadsTo } from "./names.ts";
import { type Part, readPart, type Tools } from "./part.ts";
import { type UndeclaredProperties, undeclaredProperties } from "./undeclared_properties.ts";

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
  readonly messages: SocketMessages | undefined;
  /** Whether it may respond with a stream. */
  readonly isStream: boolean;
  /** What responses are checked against. */
  readonly expectation: Expectation;
  /** Whether the documentation demands credentials: some, none, or it does not say. */
  readonly security: "some" | "none" | undefined;
}

/** What goes over a socket. */
export interface SocketMessages {
  /** The data of the messages of clients, by name. */
  readonly client: ReadonlyMap<string, MessageData>;
  /** The schemas of the messages of the server, by name. */
  readonly server: { readonly [name: string]: unknown };
  /** Whether the client acknowledges what it reads. */
  readonly isWindowed: boolean;
}

/** The data of a message; `undefined` if it has none. */
export type MessageData = Part | undefined;

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
  const messages = readMessages(route, name, tools);
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

/** What goes over the socket that a route declares. */
function readMessages(route: AnyRoute, name: string, tools: Tools): SocketMessages | undefined {
  const declared = findMessages(route);
  if (declared === undefined) return undefined;
  const { client, server, window } = declared;
  // `z.undefined()`, which accepts nothing of JSON: the message has no data.
  const parts = Object.entries(client).map(([message, schema]): [string, MessageData] => {
    const part = readPart("body", schema, `message ${message} of ${name}`, undefined, [], tools);
    return [message, JSON.stringify(Object(part.json).not) === "{}" ? undefined : part];
  });
  return { client: new Map(parts), server, isWindowed: window !== undefined };
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

/** The media types that clients choose from. */
function offersOf(responses: RouteResponses): readonly string[] {
  const lists = Object.values(responses).map((declared) => entriesOf(declared)).filter(({ length }) => length > 1);
  return [...new Set(lists.flat().map(({ contentType = "application/json" }) => contentType))];
}
