import { policyOf, type RuntimeSocket, type SocketEvents, type Sockets, type SocketsOptions } from "./runtime.ts";
import { switchingProtocols } from "../core/responses/switching_protocols.ts";
import { type Watch, watchClient } from "./watch_client.ts";

/** The sockets of Bun. */
export interface BunSockets extends Sockets {
  /** What `Bun.serve` calls for its sockets: its option `websocket`. */
  readonly websocket: BunWebSocketHandler;
  /**
   * Makes the `fetch` of `Bun.serve`, which needs `undefined` once a request has become a socket.
   *
   * @typeParam Server The server of Bun.
   * @param fetch Handles a request: `app.fetch`, or a function that gives it further arguments.
   * @returns The option `fetch`.
   */
  serve<Server extends BunServer>(
    fetch: (request: Request, sockets: Sockets, server: Server) => Response | Promise<Response>,
  ): (request: Request, server: Server) => Promise<Response | undefined>;
}

/** The methods of Bun's server that `bunSockets` calls. */
export interface BunServer {
  /** Turns a request into a socket. Returns whether it could. */
  upgrade(
    request: Request,
    options: { readonly data: BunSocketData; readonly headers: { readonly "sec-websocket-protocol": "" } },
  ): boolean;
}

/** What Bun keeps with a socket. */
export interface BunSocketData {
  /** The functions that receive its events. */
  readonly events: SocketEvents;
}

/** The parts of a Bun socket that `bunSockets` uses. */
export interface BunSocket {
  /** The value that was passed to `upgrade`. */
  readonly data: BunSocketData;
  /** Sends a text. */
  send(text: string): number;
  /** Closes the socket. */
  close(code?: number, reason?: string): void;
  /** Ends the connection. */
  terminate(): void;
  /** Sends a ping. */
  ping(): unknown;
  /** How many bytes are unsent. */
  getBufferedAmount(): number;
}

/** The option `websocket` of `Bun.serve`. */
export interface BunWebSocketHandler {
  /** The type of the data that is kept with a socket. Types only. */
  readonly data: BunSocketData;
  /** The largest message, in bytes. Bun closes with 1006 or 1009 itself. */
  readonly maxPayloadLength: number;
  /** After how many seconds of silence Bun cuts a client off: never, since what is sent would count as well. */
  readonly idleTimeout: 0;
  /** Whether Bun pings. */
  readonly sendPings: false;
  /** How many bytes may be unsent. */
  readonly backpressureLimit: number;
  /** Whether a client is cut off beyond that. Otherwise, Bun would drop messages. */
  readonly closeOnBackpressureLimit: true;
  /** The socket is open. */
  open(socket: BunSocket): void;
  /** A message has arrived. */
  message(socket: BunSocket, data: unknown): void;
  /** The client has answered a ping. */
  pong(socket: BunSocket): void;
  /** The client has taken something. */
  drain(socket: BunSocket): void;
  /** The socket is closed. */
  close(socket: BunSocket, code: number, reason: string): void;
}

/**
 * Creates the sockets of Bun.
 *
 * @param options The validator of messages, and the limits.
 * @returns The sockets, and the options of `Bun.serve`.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example A server
 * ```ts
 * import { type App } from "@fw/core";
 * import { bunSockets, type Sockets } from "@fw/core/sockets";
 * import { standardSchema } from "@fw/core/standard-schema";
 *
 * export function createServer(app: App<[Sockets]>): object {
 *   const sockets = bunSockets({ validator: standardSchema, onError: console.error });
 *   return { fetch: sockets.serve(app.fetch), websocket: sockets.websocket }; // Bun.serve(createServer(app))
 * }
 * ```
 */
export function bunSockets(options: SocketsOptions): BunSockets {
  const policy = policyOf(options, "bunSockets");
  /** The requests that Bun has received, with what happens to their sockets once they are accepted. */
  const upgrades = new WeakMap<Request, { events?: SocketEvents }>();
  const watches = new WeakMap<BunSocketData, Watch>();
  const sockets: Sockets = {
    policy,
    tellsUnsent: true,
    upgrade(request, events) {
      const upgrade = upgrades.get(request);
      if (upgrade === undefined) {
        throw new TypeError("Bun must upgrade the request that it has received: use serve() of bunSockets");
      }
      upgrade.events = events;
      return switchingProtocols();
    },
  };
  return {
    ...sockets,
    serve: (fetch) => async (request, server) => {
      const upgrade: { events?: SocketEvents } = {};
      upgrades.set(request, upgrade);
      const response = await fetch(request, sockets, server);
      const { events } = upgrade;
      if (events === undefined) return response;
      // Bun would agree on the first subprotocol that the client offers. No other runtime does.
      const options = { data: { events }, headers: { "sec-websocket-protocol": "" } } as const;
      if (response.status === 101 && server.upgrade(request, options)) return undefined;
      events.close(1006, "");
      // Another status: a hook has replaced the response.
      return response.status === 101 ? new Response(null, { status: 400 }) : response;
    },
    websocket: {
      data: undefined as never, // for its type
      maxPayloadLength: policy.maxMessageBytes,
      idleTimeout: 0,
      sendPings: false,
      backpressureLimit: 2 ** 30,
      closeOnBackpressureLimit: true,
      open(socket) {
        watches.set(socket.data, watchClient(socket, policy.patience));
        socket.data.events.open(wrap(socket));
      },
      message(socket, data) {
        watches.get(socket.data)?.isAlive();
        socket.data.events.message(data);
      },
      pong: (socket) => watches.get(socket.data)?.isAlive(),
      drain: (socket) => socket.data.events.drain(),
      close(socket, code, reason) {
        watches.get(socket.data)?.end();
        socket.data.events.close(code, reason);
      },
    },
  };
}

function wrap(socket: BunSocket): RuntimeSocket {
  return {
    send(text) {
      socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    unsent: () => socket.getBufferedAmount(),
  };
}
