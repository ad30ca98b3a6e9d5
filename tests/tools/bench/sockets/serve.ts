/**
 * Serves a socket by one of the contenders, on Node.js or Bun. It answers a message `say` with the same text, and sends
 * a message `all` to everyone who has sent `join`.
 */
import { endpoint, route, setup } from "@fw/core";
import { accept, bunSockets, handshake, nodeSockets, socket, type Sockets } from "@fw/core/sockets";
import { standardSchema } from "@fw/core/standard-schema";
import { createServer } from "node:http";
import process from "node:process";
import { z } from "zod";

/** Packages that only the benchmark installs, and what runtimes have, are untyped here. */
// deno-lint-ignore no-explicit-any
type Untyped = any;

const load = (name: string): Promise<Untyped> => import(name);
const { Bun } = globalThis as Untyped;
const onBun = Bun !== undefined;
const [, , name = ""] = process.argv;
const hostname = "127.0.0.1";
const message = z.object({ name: z.string(), data: z.string() });

const start: Readonly<Record<string, () => Promise<void>>> = {
  "ours": ours,
  "Hono": () => hono((text) => text),
  "Hono, JSON and Zod": () => hono((text) => JSON.stringify(message.parse(JSON.parse(text)))),
  "Elysia": elysia,
  "Socket.IO": socketIo,
};
await start[name]?.();

function listening(port: number): void {
  console.log(`Listening on http://${hostname}:${port}`);
}

async function ours(): Promise<void> {
  const texts = { say: z.string(), all: z.string() };
  const messages = { client: { ...texts, join: z.string() }, server: texts };
  const api = {
    live: endpoint.get("/", { responses: { 101: socket(messages), 400: {}, 403: {}, 426: {} } }),
  };
  const everyone = new Set<{ send(name: "all", data: string): Promise<void> }>();
  const live = route.on(api.live, {
    guards: [handshake({ origins: [] })],
    resolve: (c, sockets: Sockets) =>
      accept(c, api.live, sockets, {
        receive: {
          say: (data, peer) => peer.send("say", data),
          all(data) {
            for (const other of everyone) other.send("all", data);
          },
          join: (_data, peer) => void everyone.add(peer),
        },
        invalid: (_invalid, peer) => peer.close(4000),
      }),
  });
  const app = setup({ endpoints: api, handlers: [live] });
  const options = { validator: standardSchema, onError: console.error };
  if (onBun) {
    const sockets = bunSockets(options);
    const { port } = Bun.serve({ hostname, port: 0, websocket: sockets.websocket, fetch: sockets.serve(app.fetch) });
    return listening(port);
  }
  const { WebSocketServer } = await load("ws");
  const sockets = nodeSockets({ WebSocketServer, ...options });
  const server: Untyped = createServer();
  server.on("upgrade", sockets.serve(app.fetch));
  server.listen(0, hostname, () => listening(server.address().port));
}

async function hono(answer: (text: string) => string): Promise<void> {
  const { Hono } = await load("hono");
  const app = new Hono();
  const everyone = new Set<{ send(text: string): void }>();
  const handlers = () => ({
    onMessage({ data }: { readonly data: string }, ws: { send(text: string): void }) {
      if (data.startsWith('{"name":"join"')) everyone.add(ws);
      else if (data.startsWith('{"name":"say"')) ws.send(answer(data));
      else {
        const text = answer(data);
        for (const other of everyone) other.send(text);
      }
    },
  });
  if (onBun) {
    const { upgradeWebSocket, websocket } = await load("hono/bun");
    app.get("/", upgradeWebSocket(handlers));
    return listening(Bun.serve({ hostname, port: 0, websocket, fetch: app.fetch }).port);
  }
  const { createNodeWebSocket } = await load("@hono/node-ws");
  const { serve } = await load("@hono/node-server");
  const { injectWebSocket, upgradeWebSocket } = createNodeWebSocket({ app });
  app.get("/", upgradeWebSocket(handlers));
  injectWebSocket(serve({ hostname, port: 0, fetch: app.fetch }, ({ port }: { port: number }) => listening(port)));
}

async function elysia(): Promise<void> {
  const { Elysia, t } = await load("elysia");
  const app = new Elysia().ws("/", {
    body: t.Object({ name: t.String(), data: t.String() }),
    message(ws: Untyped, body: { readonly name: string }) {
      if (body.name === "join") ws.subscribe("everyone");
      else if (body.name === "say") ws.send(body);
      else app.server.publish("everyone", JSON.stringify(body));
    },
  });
  app.listen({ hostname, port: 0 });
  listening(app.server.port);
  return await Promise.resolve();
}

async function socketIo(): Promise<void> {
  const { Server } = await load("socket.io");
  const server: Untyped = createServer();
  const io = new Server(server, { transports: ["websocket"] });
  io.on("connection", (peer: Untyped) => {
    peer.on("say", (data: string) => peer.emit("say", data));
    peer.on("all", (data: string) => io.to("everyone").emit("all", data));
    peer.on("join", () => peer.join("everyone"));
  });
  server.listen(0, hostname, () => listening(server.address().port));
}
