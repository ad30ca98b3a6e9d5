import type { AnyRoute } from "../../core/declare/declared_route.ts";
import type { Validator } from "../../core/input/validator.ts";

/** An app, as far as it is used to sign users in. */
export interface FuzzedApp {
  /** The routes. */
  readonly routes: readonly AnyRoute[];
  /** Responds to a request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** An app to fuzz. */
export interface FuzzableApp {
  /** The routes. */
  readonly routes: readonly AnyRoute[];
  /**
   * Responds to a request. The second argument opens sockets in the process: an app with sockets takes it as those of
   * the runtime.
   */
  readonly fetch: (request: Request, sockets: FuzzSockets) => Response | Promise<Response>;
}

/** Sockets without a network. They are `Sockets` of `@fw/core/sockets`. */
export interface FuzzSockets {
  /** The bounds, with their defaults. */
  readonly policy: {
    /** Validates messages as the schemas say. A schema that is not a Standard Schema accepts everything. */
    readonly validator: Validator;
    /** Receives errors. */
    readonly onError: (error: unknown) => void;
    /** The largest message of a client, in bytes. */
    readonly maxMessageBytes: number;
    /** How many bytes of messages may wait. */
    readonly maxWaitingBytes: number;
    /** How many bytes may be unsent. */
    readonly maxUnsentBytes: number;
    /** After how many seconds a client is cut off. */
    readonly patience: number;
    /** After how many seconds without a message a heartbeat is sent. */
    readonly heartbeat: number;
    /** The signal that would close all sockets. `fuzz` has none. */
    readonly signal: undefined;
  };
  /** Whether the sockets tell how many bytes a client has not taken yet: they do. */
  readonly tellsUnsent: true;
  /** Turns a request into a socket. */
  readonly upgrade: (request: Request, events: FuzzSocketEvents) => Response;
}

/** What happens to a socket. */
export interface FuzzSocketEvents {
  /** The socket is open. */
  open(socket: FuzzSocket): void;
  /** A message has arrived. */
  message(data: unknown): void;
  /** The client may have taken what was sent. */
  drain(): void;
  /** The socket is closed. */
  close(code: number, reason: string): void;
}

/** A socket as the server has it. */
export interface FuzzSocket {
  /** Sends a text. */
  send(text: string): void;
  /** Begins the closing handshake. */
  close(code: number, reason: string): void;
  /** Ends the connection. */
  terminate(): void;
  /** How many bytes the client has not taken. */
  unsent(): number;
}
