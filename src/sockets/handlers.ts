/** The functions with which an app handles a socket. Types only. */

import type { ValidationIssue } from "../core/input/input.ts";
import type { DataIn } from "../core/responses/stream_items.ts";
import type { SocketAt } from "./socket.ts";

/**
 * A message that `message(name, data)` has made.
 *
 * @typeParam Name Its name.
 * @typeParam Data The declared type of its data.
 */
export interface MadeMessage<out Name, in out Data> {
  /** Type-only, absent at run time. */
  readonly "~made by message(name, data)": {
    /** The name. */
    readonly name: Name;
    /** The data. As a function: the messages of another socket might have more keys. */
    readonly data: (data: Data) => Data;
  };
}

/** @internal The made messages of a socket: a union over the names. */
export type MadeMessages<Messages, Name = keyof Messages> = Name extends keyof Messages
  ? MadeMessage<Name, Messages[Name]>
  : never;

/**
 * Makes a message to yield.
 *
 * @typeParam Messages The data of the declared messages by name.
 */
export type MakeMessage<Messages> = <const Name extends keyof Messages & string, const Data>(
  name: Name,
  data: DataIn<Data, Messages, Name>,
  options?: {
    /** The id, which `connect` gives back when it connects again. */
    readonly id?: string | undefined;
  },
) => MadeMessages<Messages, Name>;

/**
 * The client at the other end of a socket.
 *
 * @typeParam Messages The data of the messages that the server sends, by name.
 */
export interface Peer<Messages> {
  /**
   * Sends a message. Resolves when the client can receive another message. Await it, so that a slow client slows its
   * sender down. If 256 calls wait for a client, the server disconnects it. Once the socket has ended, nothing is sent.
   *
   * @param name The name.
   * @param data The data.
   * @param options The id.
   * @throws A `TypeError` if the data is not JSON.
   */
  send<const Name extends keyof Messages & string, const Data>(
    name: Name,
    data: DataIn<Data, Messages, Name>,
    options?: { readonly id?: string | undefined },
  ): Promise<void>;
  /**
   * Closes the socket. Nothing more is handled or sent.
   *
   * @param code 1000, the default, or a code of your own from 3000 to 4999. With 1000 and from 4000 on, `connect` does
   * not connect again.
   * @param reason At most 123 bytes.
   * @throws A `TypeError` for any other code, or for a longer reason.
   */
  close(code?: number, reason?: string): void;
  /** Aborted when the socket has ended, for whatever reason. */
  readonly signal: AbortSignal;
}

/**
 * The {@linkcode Peer} of an endpoint: `new Set<PeerOf<typeof api.room>>()`.
 *
 * @typeParam E The endpoint.
 */
export type PeerOf<E> = Peer<SocketAt<E>["server"]>;

/** A message of a client that is not JSON, that is not declared, or whose data its schema rejects. */
export interface InvalidMessage {
  /** The declared name of the message; `undefined` if it has none. */
  readonly name?: string | undefined;
  /**
   * The problems. They have the part `body`, and the code `invalid_json`, `unknown_message` or the code of the schema
   * library.
   */
  readonly issues: readonly ValidationIssue[];
}

/**
 * The functions with which an app handles a socket.
 *
 * @typeParam Received What the server receives, by name.
 * @typeParam Sent What the server sends, by name.
 */
export interface SocketHandlers<Received, Sent> {
  /**
   * Creates messages to send: a generator function. The server requests the next message when the client can receive
   * it. The signal is aborted when the socket ends, and the generator returns. When the generator ends, the socket
   * closes with 1000.
   */
  readonly send?:
    | ((
      signal: AbortSignal,
      message: MakeMessage<Sent>,
    ) => AsyncIterable<MadeMessages<Sent>> | Iterable<MadeMessages<Sent>>)
    | undefined;
  /**
   * Handles the messages of the client: one function for each declared name. If it returns a promise, the next message
   * waits for that.
   */
  // The type `{}` would accept any function.
  readonly receive: [keyof Received] extends [never]
    ? { readonly [name: string]: "This message is not declared: clients send none over this socket" }
    : {
      readonly [Name in keyof Received]: (data: Received[Name], peer: Peer<Sent>) => void | Promise<void>;
    };
  /** Handles an invalid message: it may inform the client, close the socket, or do nothing. */
  readonly invalid: (invalid: InvalidMessage, peer: Peer<Sent>) => void | Promise<void>;
  /**
   * Called once when the socket has ended, also if it was never opened. The code comes from the client, from `close`,
   * or from the protocol: 1006 if the connection broke off.
   */
  readonly closed?: ((code: number, reason: string) => void | Promise<void>) | undefined;
}
