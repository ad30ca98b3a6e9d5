/** What a runtime does for sockets, and the bounds that hold on each of them. */

import type { Validator } from "../core/input/validator.ts";
import { SOCKET_BOUNDS } from "../core/responses/declared_socket.ts";
import { requireFunction, requireOptions, requireValidator } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";

/**
 * The sockets of a runtime: an extra argument of `app.fetch`. `denoSockets`, `bunSockets`, `nodeSockets` and
 * `workerSockets` make it.
 */
export interface Sockets {
  /** The limits of each socket, and the validator of messages. */
  readonly policy: SocketPolicy;
  /** Whether the runtime tells how many bytes a client has not taken yet. */
  readonly tellsUnsent: boolean;
  /**
   * Whether the server may throw for the header `upgrade` of a response over HTTP/2, as `node:http2` does. Others drop the
   * header.
   */
  readonly throwsForUpgrade?: true;
  /**
   * Turns the request into a socket.
   *
   * @param request The request that the runtime has received.
   * @param events The functions that receive the events of the socket.
   * @returns The response to the handshake: 101, or 400 if the runtime rejects the request.
   */
  upgrade(request: Request, events: SocketEvents): Response;
}

/** A socket as a runtime has it. */
export interface RuntimeSocket {
  /** Sends a text. Does nothing once the socket is closed. */
  send(text: string): void;
  /** Begins the closing handshake. */
  close(code: number, reason: string): void;
  /** Ends the connection without waiting for the client, if the runtime can. */
  terminate(): void;
  /**
   * How many bytes the client has not taken yet; `Infinity` if it takes no more, so that `close` follows; `undefined` if
   * the runtime does not tell.
   */
  unsent(): number | undefined;
}

/** The functions that receive the events of a socket. None of these functions throws. */
export interface SocketEvents {
  /** The socket is open. */
  open(socket: RuntimeSocket): void;
  /** A message has arrived: a string, or bytes. */
  message(data: unknown): void;
  /** The client may have received the sent messages. */
  drain(): void;
  /** The socket is closed, or was never opened. Further calls are ignored. */
  close(code: number, reason: string): void;
}

/** The options of the sockets of a runtime. */
export interface SocketsOptions {
  /** Validates the messages of clients. Pass the validator of `setup`. */
  readonly validator: Validator;
  /**
   * Receives the errors of the handlers of sockets and of the validator. The client sees the code 1011, but not the
   * error. Errors of this function are ignored.
   */
  readonly onError: (error: unknown) => void;
  /**
   * The largest message of a client, in bytes: 1 to 16,777,216; 65,536 by default. A larger message closes the socket
   * with 1009.
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * How many bytes of messages may wait while one is handled: 1 to 1,073,741,824; 262,144 by default. Each message
   * counts as its characters plus 64. If more bytes wait, the socket closes with 1008.
   */
  readonly maxWaitingBytes?: number | undefined;
  /**
   * How many bytes may be unsent before `send` waits: 0 to 1,073,741,824; 65,536 by default.
   */
  readonly maxUnsentBytes?: number | undefined;
  /**
   * After how many seconds the server disconnects a client that does not answer pings, does not read, or does not
   * close: 1 to 900; 30 by default.
   */
  readonly patience?: number | undefined;
  /**
   * The server sends `{}` at the latest after this number of seconds without a message: 1 to 900; 15 by default. So
   * clients notice if the server is gone, and proxies keep the connection. Clients ignore `{}`.
   */
  readonly heartbeat?: number | undefined;
  /** Closes all sockets with 1001 when it is aborted. Pass the signal that is aborted when the server stops. */
  readonly signal?: AbortSignal | undefined;
}

/** {@linkcode SocketsOptions} with their defaults. */
export interface SocketPolicy {
  /** Validates the messages of clients. */
  readonly validator: Validator;
  /** Receives errors. */
  readonly onError: (error: unknown) => void;
  /** The largest message of a client, in bytes. */
  readonly maxMessageBytes: number;
  /** How many bytes of messages may wait. */
  readonly maxWaitingBytes: number;
  /** How many bytes may be unsent before `send` waits. */
  readonly maxUnsentBytes: number;
  /** After how many seconds a client is cut off. */
  readonly patience: number;
  /** A heartbeat is sent at the latest after this number of seconds without a message. */
  readonly heartbeat: number;
  /** Closes all sockets. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the options of the sockets of a runtime.
 *
 * @param options The options.
 * @param owner The function that takes them, as messages name it.
 * @returns The options, with their defaults.
 * @throws A `TypeError` if they are wrong.
 */
export function policyOf(options: SocketsOptions, owner: string): SocketPolicy {
  const others = ["maxMessageBytes", "maxWaitingBytes", "maxUnsentBytes", "patience", "heartbeat", "signal"];
  requireOptions(options, owner, ["validator", "onError"], others);
  const {
    validator,
    onError,
    maxMessageBytes = SOCKET_BOUNDS.maxMessageBytes,
    maxWaitingBytes = SOCKET_BOUNDS.maxWaitingBytes,
    maxUnsentBytes = SOCKET_BOUNDS.maxUnsentBytes,
    patience = SOCKET_BOUNDS.patience,
    heartbeat = SOCKET_BOUNDS.heartbeat,
    signal,
  } = options;
  requireValidator(`Option validator of ${owner}`, validator);
  requireFunction(`Option onError of ${owner}`, onError);
  requireWhole(maxMessageBytes, `Option maxMessageBytes of ${owner}`, 16_777_216);
  requireWhole(maxWaitingBytes, `Option maxWaitingBytes of ${owner}`, 1_073_741_824);
  requireWhole(maxUnsentBytes, `Option maxUnsentBytes of ${owner}`, 1_073_741_824, 0);
  requireWhole(patience, `Option patience of ${owner}`, 900);
  requireWhole(heartbeat, `Option heartbeat of ${owner}`, 900);
  return { validator, onError, maxMessageBytes, maxWaitingBytes, maxUnsentBytes, patience, heartbeat, signal };
}
