/**
 * WebSockets whose messages TypeScript checks in both directions. `socket` declares them, `handshake` is the guard without
 * which none compiles, and `accept` handles them. `connect` is the client, and `asyncapi` the document. The runtime
 * gives its sockets by `denoSockets`, `bunSockets`, `nodeSockets` or `workerSockets`.
 *
 * @example An echo, on Deno
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { accept, denoSockets, handshake, socket, type Sockets } from "@fw/core/sockets";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { z } from "zod";
 *
 * const api = {
 *   echo: endpoint.get("/echo", {
 *     responses: { 101: socket({ client: { say: z.string() }, server: { said: z.string() } }), 400: {}, 403: {}, 426: {} },
 *   }),
 * };
 *
 * const echo = route.on(api.echo, {
 *   guards: [handshake({ origins: ["https://app.example.com"] })],
 *   resolve: (c, sockets: Sockets) =>
 *     accept(c, api.echo, sockets, {
 *       receive: {
 *         say: (text, peer) => peer.send("said", text),
 *       },
 *       invalid: (_invalid, peer) => peer.close(4000, "Not understood"),
 *     }),
 * });
 *
 * const app = setup({ endpoints: api, handlers: [echo] });
 *
 * export function serve(): Deno.HttpServer {
 *   const sockets = denoSockets({ validator: standardSchema, onError: console.error });
 *   return Deno.serve((request) => app.fetch(request, sockets));
 * }
 * ```
 *
 * @module
 */

export { accept, type SocketReply } from "./accept.ts";
export { asyncapi } from "./asyncapi.ts";
export type { AsyncApiDocument, AsyncApiOptions, AsyncApiServer } from "./asyncapi.ts";
export { bunSockets } from "./bun_sockets.ts";
export type { BunServer, BunSocket, BunSocketData, BunSockets, BunWebSocketHandler } from "./bun_sockets.ts";
export { connect } from "./connect.ts";
export type { Connection, ConnectOptions, ReceivedMessage } from "./connect.ts";
export { denoSockets } from "./deno_sockets.ts";
export type { InvalidMessage, MadeMessage, MakeMessage, Peer, PeerOf, SocketHandlers } from "./handlers.ts";
export { handshake } from "./handshake.ts";
export type {
  Handshake,
  HandshakeDenial,
  HandshakeGuard,
  HandshakeHeaders,
  HandshakeOptions,
  RefusingHandshakeOptions,
} from "./handshake.ts";
export type { ClientSocket, ClientSocketEvent } from "./link.ts";
export { nodeSockets } from "./node_sockets.ts";
export type {
  NodeConnection,
  NodeRequest,
  NodeSockets,
  NodeSocketsOptions,
  WsServer,
  WsServerClass,
  WsServerOptions,
  WsSocket,
} from "./node_sockets.ts";
export type { RuntimeSocket, SocketEvents, SocketPolicy, Sockets, SocketsOptions } from "./runtime.ts";
export { socket } from "./socket.ts";
export type {
  MessageSchema,
  MessageSchemas,
  SocketBody,
  SocketDeclaration,
  SocketResponse,
  SocketSchema,
} from "./socket.ts";
export { SocketClosed } from "./socket_closed.ts";
export { workerSockets } from "./worker_sockets.ts";
export type { TextValue } from "../core/input/text_parts.ts";
export type { DataIn } from "../core/responses/stream_items.ts";
export type { DeclaredStream } from "../core/responses/responses.ts";
