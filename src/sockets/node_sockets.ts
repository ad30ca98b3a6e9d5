import {
  policyOf,
  type RuntimeSocket,
  type SocketEvents,
  type SocketPolicy,
  type Sockets,
  type SocketsOptions,
} from "./runtime.ts";
import { switchingProtocols } from "../core/responses/switching_protocols.ts";
import { watchClient } from "./watch_client.ts";

/** The sockets of Node.js. */
export interface NodeSockets extends Sockets {
  /**
   * Makes the listener of the event `upgrade` of a server. Node.js gives it each request with the header `Upgrade`: those
   * that do not become a socket get the response of the app.
   *
   * @param fetch Handles a request: `app.fetch`, or a function that gives it further arguments.
   * @returns The listener.
   */
  serve(
    fetch: (request: Request, sockets: Sockets, incoming: NodeRequest) => Response | Promise<Response>,
  ): (incoming: NodeRequest, connection: NodeConnection, head: Uint8Array) => void;
}

/** The options of {@linkcode nodeSockets}. */
export interface NodeSocketsOptions extends SocketsOptions {
  /** The class of the package `ws`, from version 8.16 on: `import { WebSocketServer } from "ws"`. */
  readonly WebSocketServer: WsServerClass;
}

/** The parts of the class `WebSocketServer` of `ws` that `nodeSockets` uses. */
export interface WsServerClass {
  /** Creates a server without a port. */
  new (options: WsServerOptions): WsServer;
}

/** The options of `ws` that are set. */
export interface WsServerOptions {
  /** No server of its own. */
  readonly noServer: true;
  /** No list of clients. */
  readonly clientTracking: false;
  /** The largest message, in bytes. */
  readonly maxPayload: number;
  /** At most one message in each turn: handlers that await little keep up with a client that sends many at once. */
  readonly allowSynchronousEvents: false;
  /** `ws` would answer pings also for a client that reads nothing. */
  readonly autoPong: false;
  /** No subprotocol is agreed on, as on other runtimes. */
  readonly handleProtocols: () => false;
}

/** The methods of a `ws` server that `nodeSockets` calls. */
export interface WsServer {
  /** Answers the handshake, and calls `done` with the socket. */
  handleUpgrade(
    incoming: never,
    connection: never,
    head: never,
    done: (socket: WsSocket) => void,
  ): void;
}

/** The parts of a `ws` socket that `nodeSockets` uses. */
export interface WsSocket {
  /** 1 if it is open. */
  readonly readyState: number;
  /** How many bytes are unsent. */
  readonly bufferedAmount: number;
  /** Sends a text, and calls `done` when it is written. */
  send(text: string, done: () => void): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Ends the connection. */
  terminate(): void;
  /** Sends a ping. */
  ping(): void;
  /** Answers a ping, and calls `done` when the answer is written. */
  pong(data: Uint8Array, mask: false, done: () => void): void;
  /** Listens to an event. */
  on(event: string, listener: (...args: never[]) => void): unknown;
}

/** The parts of a Node.js request that `nodeSockets` reads. */
export interface NodeRequest {
  /** The method. */
  readonly method?: string | undefined;
  /** The target. */
  readonly url?: string | undefined;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** The parts of a Node.js connection that `nodeSockets` uses. */
export interface NodeConnection {
  /** Whether the connection is one of TLS. */
  readonly encrypted?: boolean;
  /** Writes bytes. Returns whether there is room for more. */
  write(bytes: Uint8Array): boolean;
  /** Calls `done` when all is written. */
  end(done: () => void): unknown;
  /** Whether the connection has ended. */
  readonly destroyed?: boolean;
  /** Reads what arrives. */
  resume(): unknown;
  /** Ends the connection. */
  destroy(): unknown;
  /** Listens to an event. */
  on(event: string, listener: () => void): unknown;
}

/**
 * Creates the sockets of Node.js, by the package `ws`.
 *
 * A listener of `upgrade` gets every request with the header `Upgrade`, also those of clients that offer HTTP/2 by
 * `Upgrade: h2c`. One with another method than GET gets a 400, since its body cannot be read there.
 *
 * @param options `ws`, the validator of messages, and the limits.
 * @returns The sockets, and the listener of `upgrade`.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example A server
 * ```ts
 * import type { Server } from "node:http";
 * import type { App } from "@fw/core";
 * import { nodeSockets, type Sockets } from "@fw/core/sockets";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { serve } from "@hono/node-server";
 * import { WebSocketServer } from "ws";
 *
 * export function listen(app: App<[Sockets]>): void {
 *   const sockets = nodeSockets({ WebSocketServer, validator: standardSchema, onError: console.error });
 *   const server = serve({ fetch: (request) => app.fetch(request, sockets), port: 8000 }) as Server;
 *   server.on("upgrade", sockets.serve(app.fetch));
 * }
 * ```
 */
export function nodeSockets({ WebSocketServer, ...options }: NodeSocketsOptions): NodeSockets {
  const policy = policyOf(options, "nodeSockets");
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: policy.maxMessageBytes,
    allowSynchronousEvents: false,
    autoPong: false,
    handleProtocols: () => false,
  });
  /** The requests that came by the event `upgrade`, with what happens to their sockets once they are accepted. */
  const upgrades = new WeakMap<Request, { events?: SocketEvents }>();
  const sockets: Sockets = {
    policy,
    tellsUnsent: true,
    throwsForUpgrade: true,
    upgrade(request, events) {
      const upgrade = upgrades.get(request);
      if (upgrade === undefined) {
        throw new TypeError(
          'Node.js must upgrade the request that it has received: server.on("upgrade", sockets.serve(…))',
        );
      }
      upgrade.events = events;
      return switchingProtocols();
    },
  };

  const answer = async (
    fetch: Parameters<NodeSockets["serve"]>[0],
    incoming: NodeRequest,
    connection: NodeConnection,
    head: Uint8Array,
  ) => {
    const request = toRequest(incoming, connection);
    if (request === undefined) return sendResponse(connection, new Response(null, { status: 400 }));
    const upgrade: { events?: SocketEvents } = {};
    upgrades.set(request, upgrade);
    const response = await fetch(request, sockets, incoming);
    if (response.status !== 101 || upgrade.events === undefined) {
      upgrade.events?.close(1006, ""); // a hook has replaced the response
      return sendResponse(connection, response);
    }
    const { events } = upgrade;
    let isOpen = false;
    server.handleUpgrade(incoming as never, connection as never, head as never, (socket) => {
      isOpen = true;
      attach(socket, events, policy);
    });
    // `ws` has sent a response of its own, or the client has gone.
    if (!isOpen) events.close(1006, "");
  };

  return {
    ...sockets,
    serve: (fetch) => (incoming, connection, head) => {
      connection.on("error", () => connection.destroy());
      answer(fetch, incoming, connection, head).catch((error) => {
        // As a server responds to an error without `onError` of `setup`.
        Promise.resolve(error).then(policy.onError).catch(() => {});
        return sendResponse(connection, new Response(null, { status: 500 }));
      }).catch(() => connection.destroy());
    },
  };
}

/** The request of the Fetch standard; `undefined` if there can be none. */
function toRequest({ method, url = "", rawHeaders }: NodeRequest, connection: NodeConnection): Request | undefined {
  if (method !== "GET") return undefined;
  const gone = new AbortController();
  connection.on("close", () => gone.abort());
  try {
    const headers = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      headers.append(`${rawHeaders[index]}`, `${rawHeaders[index + 1]}`);
    }
    const origin = `${connection.encrypted ? "https" : "http"}://${headers.get("host") ?? "localhost"}`;
    return new Request(url.startsWith("/") ? origin + url : url, { headers, signal: gone.signal });
  } catch {
    return undefined;
  }
}

/** Sends a response over a connection that Node.js no longer reads as HTTP. */
async function sendResponse(connection: NodeConnection, { status, headers, body }: Response): Promise<void> {
  const reader = body?.getReader();
  let wake = () => {};
  const leave = () => {
    wake();
    reader?.cancel().catch(() => {});
  };
  connection.on("drain", () => wake());
  connection.on("close", leave);
  if (connection.destroyed) leave();
  // Nobody else reads, and without that nobody sees the client go.
  connection.on("end", () => connection.destroy());
  connection.resume();
  // The end of the connection is the end of the body (RFC 9112, 6.3).
  const lines = [...headers].filter(([name]) => !FRAMING.test(name)).map((header) => header.join(": "));
  const head = [`HTTP/1.1 ${status} `, ...lines, "connection: close", "", ""].join("\r\n");
  connection.write(Uint8Array.from(head, (character) => character.charCodeAt(0)));
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      if (!connection.write(part.value)) await new Promise<void>((resolve) => wake = resolve);
    }
  } catch (error) {
    connection.destroy(); // else the body would seem to be complete
    throw error;
  }
  // Not half: the client could keep the other half open.
  connection.end(() => connection.destroy());
}

/** Headers that say how a body is sent. */
const FRAMING = /^(?:connection|content-length|keep-alive|transfer-encoding)$/;

/** Connects a socket of `ws`. */
function attach(socket: WsSocket, events: SocketEvents, { patience, maxUnsentBytes }: SocketPolicy): void {
  const watch = watchClient(socket, patience);
  /** The last ping without an answer. */
  let ping: Uint8Array | undefined;
  const answerPing = () => {
    // A client that sends pings and reads nothing would fill the memory with their answers.
    if (ping === undefined || socket.bufferedAmount > maxUnsentBytes) return;
    socket.pong(ping, false, answerPing);
    ping = undefined;
  };
  const opened: RuntimeSocket = {
    send(text) {
      if (socket.readyState === OPEN) socket.send(text, () => events.drain());
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    // `ws` tells of a close once the connection has ended, which the client may delay.
    unsent: () => socket.readyState === OPEN ? socket.bufferedAmount : Infinity,
  };
  socket.on("pong", watch.isAlive);
  socket.on("ping", (data: Uint8Array) => {
    ping = data;
    answerPing();
  });
  socket.on("message", (data: Uint8Array, isBinary: boolean) => {
    watch.isAlive();
    events.message(isBinary ? data : new TextDecoder("utf-8", { ignoreBOM: true }).decode(data));
  });
  socket.on("close", (code: number, reason: Uint8Array) => {
    watch.end();
    events.close(code, new TextDecoder().decode(reason));
  });
  socket.on("error", () => {}); // "close" follows
  events.open(opened);
}

const OPEN = 1;
