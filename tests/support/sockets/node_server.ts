/** A server of `node:http` with sockets. */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import type { App } from "../../../mod.ts";
import { type NodeSockets, nodeSockets, type Sockets } from "../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "./app.ts";
import type { SocketServer } from "./cases.ts";

export { WebSocketServer };

/** Starts a server of the app for the tests. */
export async function startNode(): Promise<SocketServer> {
  const { app, onError } = createApp();
  const stopping = new AbortController();
  const sockets = nodeSockets({ WebSocketServer, ...optionsFor(onError, stopping.signal) });
  return { ...await serveNode(app, sockets), stopSockets: () => stopping.abort() };
}

/** A server whose connections can be cut. */
export interface NodeServer extends SocketServer {
  /** Cuts all connections. */
  cut(): void;
}

/** Serves an app. */
export async function serveNode(app: App<[Sockets]>, sockets: NodeSockets): Promise<NodeServer> {
  const connections = new Set<Socket>();
  // As @hono/node-server and srvx do, in short.
  const server = createServer(async (incoming, outgoing) => {
    const request = new Request(`http://127.0.0.1${incoming.url}`, { headers: incoming.headers as HeadersInit });
    const response = await app.fetch(request, sockets);
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  });
  server.on("connection", (connection) => connections.add(connection));
  server.on("upgrade", sockets.serve(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
    cut() {
      for (const connection of connections) connection.destroy();
    },
  };
}
