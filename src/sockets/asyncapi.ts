import { endpointsIn } from "../core/declare/check_declared.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import { type DeclaredMessages, findMessages } from "../core/responses/declared_socket.ts";
import { splitPath } from "../core/routing/write_url.ts";
import { escapeToken } from "../core/schemas/json_pointer.ts";
import {
  collectSchemas,
  type JsonSchema,
  messageOf,
  type SchemaCollection,
  type Side,
  type ToJsonSchema,
} from "../core/schemas/json_schema.ts";
import { describeRoute, isRecord, requireOptions, requireThat } from "../core/values/assert.ts";

/** The options of {@linkcode asyncapi}. */
export interface AsyncApiOptions {
  /** The title and the version of the API, and further keys of an Info Object. */
  readonly info: {
    /** The title. */
    readonly title: string;
    /** The version. */
    readonly version: string;
    /** A description of the API, as CommonMark. */
    readonly description?: string | undefined;
  };
  /** The endpoints by name, such as `import * as api from "./api.ts"`. Endpoints without a socket are left out. */
  readonly endpoints: object;
  /** The servers by name. */
  readonly servers?: { readonly [name: string]: AsyncApiServer } | undefined;
  /** Converts schemas that do not implement Standard JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
}

/** A server of an AsyncAPI document. */
export interface AsyncApiServer {
  /** The host, with its port: `api.example.com`. */
  readonly host: string;
  /** The protocol. */
  readonly protocol: "ws" | "wss";
  /** The beginning of all paths. */
  readonly pathname?: string | undefined;
}

/** An AsyncAPI document, as plain data. */
export interface AsyncApiDocument {
  /** The version of AsyncAPI. */
  readonly asyncapi: "3.0.0";
  /** The title and the version of the API. */
  readonly info: AsyncApiOptions["info"];
  /** The servers. */
  readonly servers?: { readonly [name: string]: AsyncApiServer };
  /** The media type of messages. */
  readonly defaultContentType: "application/json";
  /** A channel for each endpoint, by its name. */
  readonly channels: { readonly [name: string]: object };
  /** What the server receives and sends: `chat.receive`, `chat.send`. */
  readonly operations: { readonly [name: string]: object };
  /** The schemas that others refer to. */
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } };
}

/**
 * Describes the sockets among endpoints as an AsyncAPI document of version 3.0. `openapi` describes their handshakes.
 *
 * - Each endpoint is a channel under its name. Its messages are `client.say` and `server.said`.
 * - The schemas are the same as in `openapi`. AsyncAPI reads JSON Schema of draft 7, so tuples are written as there.
 * - The heartbeat of the server is a message, and so is the acknowledgement of a client, if there is a `window`.
 *
 * @param options The endpoints, and data about the API.
 * @returns The document: plain data that belongs to the caller.
 * @throws A `TypeError` if an option is wrong, or if a schema cannot be expressed as JSON Schema.
 *
 * @example The messages of a chat
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { asyncapi, socket } from "@fw/core/sockets";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   chat: endpoint.get("/rooms/:id", {
 *     responses: { 101: socket({ client: { say: z.string() }, server: { said: z.string() } }), 426: {} },
 *   }),
 * };
 *
 * const document = asyncapi({ info: { title: "Chat", version: "1.0.0" }, endpoints: api });
 * assertEquals(Object.keys(document.operations), ["chat.receive", "chat.send"]);
 * ```
 */
export function asyncapi(options: AsyncApiOptions): AsyncApiDocument {
  requireOptions(options, "asyncapi", ["info", "endpoints"], ["servers", "toJsonSchema"]);
  const { info, endpoints, servers, toJsonSchema } = options;
  requireThat(isRecord(info), "Option info of asyncapi", "an object", info);
  requireThat(isRecord(endpoints), "Option endpoints of asyncapi", "an object of endpoints", endpoints);
  const schemas = collectSchemas(toJsonSchema);
  // Not records, in which `__proto__` would be no key.
  const channels = new Map<string, object>();
  const operations = new Map<string, object>();
  for (const [name, endpoint] of endpointsIn(endpoints, "Option endpoints of asyncapi")) {
    const declared = findMessages(endpoint);
    if (declared === undefined) continue;
    const messages = describeMessages(endpoint, declared, schemas);
    channels.set(name, describeChannel(endpoint, messages, schemas));
    const place = `#/channels/${encodeURIComponent(escapeToken(name))}`;
    for (const [action, side] of [["receive", "client"], ["send", "server"]] as const) {
      const own = Object.keys(messages).filter((key) => key.startsWith(`${side}.`));
      operations.set(`${name}.${action}`, {
        action,
        channel: { $ref: place },
        messages: own.map((key) => ({ $ref: `${place}/messages/${key}` })),
      });
    }
  }
  const document = {
    asyncapi: "3.0.0",
    info,
    servers,
    defaultContentType: "application/json",
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
    components: { schemas: schemas.components() },
  };
  // A deep copy without `undefined`, which shares nothing with the options.
  return JSON.parse(JSON.stringify(document), toDraft7);
}

function describeChannel(
  { path, docs, request, responses }: Endpoint,
  messages: object,
  schemas: SchemaCollection,
): object {
  const parts = splitPath(path).map((part, index) => index % 2 ? { name: nameOf(part) } : part);
  const names = parts.flatMap((part) => typeof part === "string" ? [] : part.name);
  const [response] = [responses?.[101]].flat();
  const read = (part: "query" | "headers") =>
    request?.[part] && schemas.convert(request[part], "input", `${part} of ${path}`).emit();
  return {
    address: parts.map((part) => typeof part === "string" ? part : `{${part.name}}`).join(""),
    summary: docs?.summary,
    description: docs?.description ?? response?.description,
    messages,
    parameters: names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, {}])),
    bindings: { ws: { method: "GET", query: read("query"), headers: read("headers"), bindingVersion: "0.1.0" } },
  };
}

/** The name of a parameter: `name` of `name+`, and `rest` for a wildcard. */
function nameOf(part: string): string {
  return part === "*" ? "rest" : part.replace("+", "");
}

/** The messages of a channel, by their keys: `client.say`. */
function describeMessages(
  endpoint: Endpoint,
  { client, server, window }: DeclaredMessages,
  schemas: SchemaCollection,
): Readonly<Record<string, object>> {
  const id = { type: "string" };
  return {
    ...describeSide(endpoint, "client", client, "input", {}, schemas),
    ...describeSide(endpoint, "server", server, "output", { id }, schemas),
    ...window !== undefined && {
      "client.-acknowledgement": {
        name: "acknowledgement",
        summary: `How many messages of the connection the client has read: the server sends ${window} ahead`,
        payload: { type: "object", required: ["ack"], properties: { ack: { type: "integer", minimum: 1 } } },
      },
    },
    "server.-heartbeat": {
      name: "heartbeat",
      summary: "Sent when nothing else was, to be ignored",
      payload: { type: "object", maxProperties: 0 },
    },
  };
}

function describeSide(
  endpoint: Endpoint,
  side: "client" | "server",
  declared: DeclaredMessages["client"],
  direction: Side,
  further: object,
  schemas: SchemaCollection,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, schema]) => {
      const data = convert(endpoint, name, schema, direction, schemas);
      // `z.undefined()`: the message has no data.
      const isAbsent = JSON.stringify(data) === '{"not":{}}';
      const required = isAbsent ? ["name"] : ["name", "data"];
      const properties = { name: { const: name }, ...!isAbsent && { data }, ...further };
      return [`${side}.${keyOf(name)}`, { name, payload: { type: "object", required, properties } }];
    }),
  );
}

/** The schema of the data of a message. */
function convert(
  endpoint: Endpoint,
  name: string,
  schema: unknown,
  side: Side,
  schemas: SchemaCollection,
): JsonSchema {
  try {
    return schemas.convert(schema, side, name).emit();
  } catch (error) {
    const rule = `Schema of the message ${name} of ${describeRoute(endpoint)} must be expressible as JSON Schema`;
    throw new TypeError(`${rule}: ${messageOf(error)}`, { cause: error });
  }
}

/** The name of a message as the key of a map, where AsyncAPI allows no other characters. */
function keyOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, (character) => `-${character.codePointAt(0)}-`);
}

/** Writes tuples as draft 7 has them. */
function toDraft7(_key: string, value: unknown): unknown {
  if (!isRecord(value) || !("prefixItems" in value) || !Array.isArray(value.prefixItems)) return value;
  const { prefixItems, ...others } = value;
  const { items, ...rest }: { items?: unknown } = others;
  return { ...rest, items: prefixItems, ...items !== undefined && { additionalItems: items } };
}
