import type { AnswersAt, Endpoint } from "../core/declare/typed_endpoint.ts";
import type { InferInput, InferOutput, TypePredicate } from "../core/input/input.ts";
import { type DeclaredMessages, findMessages } from "../core/responses/declared_socket.ts";
import type { Answer } from "../core/responses/reply_type.ts";
import type { DeclaredStream } from "../core/responses/responses.ts";
import { describeRoute, hasProperties, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";

/** The schema of the data of a message: a Standard Schema, one with `safeParse`, or a type predicate. */
export type MessageSchema =
  | { readonly "~standard": object }
  | { safeParse(input: unknown): unknown }
  | TypePredicate<unknown>;

/** The schemas of messages by name. */
export type MessageSchemas = { readonly [name: string]: MessageSchema };

/**
 * The options of {@linkcode socket}.
 *
 * @typeParam Client The schemas of the messages of clients.
 * @typeParam Server The schemas of the messages of the server.
 */
export interface SocketDeclaration<out Client, out Server> {
  /** The schemas of the messages that clients send, by name. The server validates them. */
  readonly client: Client;
  /** The schemas of the messages that the server sends, by name. TypeScript checks them. */
  readonly server: Server;
  /**
   * How many messages the server sends ahead of what the client has acknowledged: a whole number from 1 to 1,000,000.
   * `connect` acknowledges the messages that its loop has read. Any other client must send `{"ack":12}` when it has
   * read 12 messages of the connection. Without a window, the server waits only until the connection has taken its
   * messages. Workers cannot tell when this is, so they require a window.
   */
  readonly window?: number | undefined;
  /** A description of the socket, as CommonMark. */
  readonly description?: string | undefined;
}

/**
 * The messages of a socket in both directions. Types only.
 *
 * @typeParam Sent What clients send, by name: what the schemas accept.
 * @typeParam Received What the server receives, by name: what the schemas return.
 * @typeParam Server What the server sends, by name, before it becomes JSON.
 */
export interface SocketBody<out Sent, out Received, out Server> {
  /** The kind of stream. */
  readonly "~stream": "socket";
  /** What clients send. */
  readonly sent: Sent;
  /** What the server receives. */
  readonly received: Received;
  /** What the server sends. */
  readonly server: Server;
}

/**
 * A declared response that is a socket.
 *
 * @typeParam Body The messages of the socket.
 */
export interface SocketResponse<out Body> {
  /** A description of the socket. */
  readonly description: string;
  /** Not the schema of a message: for types. It validates nothing. */
  readonly schema: SocketSchema<Body>;
  /** The messages. */
  readonly "~stream": DeclaredStream & { readonly isSocket: true };
}

/**
 * A Standard Schema of a socket as a whole.
 *
 * @typeParam Body The messages of the socket.
 */
export interface SocketSchema<out Body> {
  /** As in a Standard Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly version: 1;
    /** As in a Standard Schema. */
    readonly vendor: string;
    /** As in a Standard Schema. */
    readonly types?: {
      /** What goes over the socket. */
      readonly output: Body;
    };
  };
}

/** @internal What the schemas of messages accept, by name. */
type InputsOf<Schemas> = { readonly [Name in keyof Schemas]-?: InferInput<Exclude<Schemas[Name], undefined>> };

/** @internal What the schemas of messages return, by name. */
type OutputsOf<Schemas> = { readonly [Name in keyof Schemas]-?: InferOutput<Exclude<Schemas[Name], undefined>> };

/**
 * @internal The schemas, or the message of the compiler if it does not know all names: a message that may be declared
 * could be neither handled nor sent.
 */
export type KnownMessages<Schemas, All = Schemas> = [AnyNames<keyof Schemas>] extends [never]
  ? Schemas extends unknown
    ? [All] extends [Schemas] ? { readonly [Name in keyof Schemas]: Always<Schemas, Name> } : OneDeclaration
  : never
  : "Name the messages: with any name, no message would be checked";

/** The keys that stand for any number of names, as `string` does, and the type of a template. */
type AnyNames<Key extends PropertyKey> = Key extends unknown
  ? Record<never, never> extends { readonly [Name in Key]: true } ? Key : never
  : never;

type Always<Schemas, Name extends keyof Schemas> = Pick<Schemas, Name> extends Required<Pick<Schemas, Name>>
  ? Schemas[Name]
  : OneDeclaration;

type OneDeclaration = "These messages may be absent: declare one socket, without a condition";

/**
 * Declares a WebSocket: `101: socket({ client, server })` among the `responses` of an endpoint for GET. With any other
 * status or method, or in a list, it does not compile, and `endpoint` throws.
 *
 * A message is JSON: `{ "name": "say", "data": … }`, with an `id` if the server gives one. The data of a message
 * without a value is absent: `z.undefined()`. Also declare the responses with which guards deny the handshake:
 * `handshake` denies with 400, 403 and 426.
 *
 * @typeParam Client The schemas of the messages of clients.
 * @typeParam Server The schemas of the messages of the server.
 * @param declaration The messages, in both directions.
 * @returns An entry of `responses`.
 * @throws A `TypeError` if an option is unknown, or if `window` is not a whole number.
 *
 * @example A chat
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { socket } from "@fw/core/sockets";
 * import { z } from "zod";
 *
 * export const api = {
 *   room: endpoint.get("/rooms/:id", {
 *     responses: {
 *       101: socket({
 *         client: { say: z.object({ text: z.string().trim().min(1).max(500) }) },
 *         server: { said: z.object({ by: z.string(), text: z.string() }), refused: z.array(z.string()) },
 *       }),
 *       400: {},
 *       403: {},
 *       426: {},
 *     },
 *   }),
 * };
 * ```
 */
// Without defaults, TypeScript would name the messages of a side that is missing.
export function socket<
  const Client extends MessageSchemas = Record<never, never>,
  const Server extends MessageSchemas = Record<never, never>,
>(
  declaration: SocketDeclaration<Client & KnownMessages<Client>, Server & KnownMessages<Server>>,
): SocketResponse<SocketBody<InputsOf<Client>, OutputsOf<Client>, OutputsOf<Server>>> {
  requireOptions(declaration, "socket", ["client", "server"], ["window", "description"]);
  const { client, server, window, description = "The connection becomes a WebSocket" } = declaration;
  if (window !== undefined) requireWhole(window, "Option window of socket", 1_000_000);
  requireSchemas("client", client);
  requireSchemas("server", server);
  const items: DeclaredMessages = { client, server, window };
  return {
    description,
    schema: SCHEMA,
    "~stream": {
      items,
      maxLength: 0,
      isSocket: true,
      // `createClient` reads no socket: `connect` does.
      read({ unexpected }) {
        throw unexpected();
      },
    },
  };
}

function requireSchemas(side: string, schemas: MessageSchemas): void {
  const isRecord = hasProperties(schemas) && !("~standard" in schemas);
  requireThat(isRecord, `Option ${side} of socket`, "an object of schemas by name", schemas);
  for (const [name, schema] of Object.entries(schemas)) {
    requireThat(hasProperties(schema), `Message ${name} of the ${side} of socket`, "a schema", schema);
  }
}

const SCHEMA = { "~standard": { version: 1, vendor: "fw" } } as const;

/**
 * Finds what an endpoint declares for its socket.
 *
 * @param endpoint The endpoint.
 * @returns The messages.
 * @throws A `TypeError` if it declares no socket.
 */
export function messagesOf(endpoint: Endpoint): DeclaredMessages {
  const messages = findMessages(endpoint);
  if (messages !== undefined) return messages;
  throw new TypeError(`Endpoint ${describeRoute(endpoint)} must declare 101: socket({ client, server })`);
}

/** @internal The body of the socket of an endpoint; `never` if it declares none. */
export type SocketAt<E> = SocketIn<AnswersAt<E>>;

/** The body of the socket among answers. */
type SocketIn<Answers> = Answers extends Answer<101, infer Body, unknown>
  ? Body extends SocketBody<unknown, unknown, unknown> ? Body : never
  : never;

/** @internal The endpoint, or the message of the compiler for one without a socket, without handshakes, or for several. */
export type WithSocket<E> = [SocketAt<E>] extends [never] ? "This endpoint declares no 101: socket({ client, server })"
  : IsOne<SocketAt<E>> extends true ? WithHandshake<E>
  : "These endpoints have different sockets: write one call for each";

/** Each endpoint that has a socket, and the message for others. */
type WithHandshake<E> = E extends { readonly method: infer Method }
  ? [SocketAt<E>] extends [never] ? "This endpoint declares no 101: socket({ client, server })"
  : IsGet<Method> extends true ? E
  : "Declare the socket by endpoint.get: a handshake is a GET request"
  : never;

/** Whether a type is no union, or `never`. */
type IsOne<T, All = T> = [T extends unknown ? [All] extends [T] ? true : false : never] extends [true] ? true : false;

/** Whether requests for GET may reach an endpoint of this method, or of these. */
type IsGet<Method> = "GET" extends Method | Extract<Method, readonly unknown[]>[number] ? true
  : "ALL" extends Method ? true
  : false;
