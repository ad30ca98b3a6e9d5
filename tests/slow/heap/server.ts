/**
 * Sockets on Deno, Bun or Node.js, how many have ended, and the heap that is in use after garbage collection. Its argument
 * is the `patience` of the sockets.
 */
import type { AddressInfo } from "node:net";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import process from "node:process";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import {
  accept,
  type BunServer,
  bunSockets,
  type BunWebSocketHandler,
  denoSockets,
  handshake,
  nodeSockets,
  socket,
  type Sockets,
} from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** What runtimes have, as far as it is used here. */
const { gc, Bun } = globalThis as {
  readonly gc?: () => void;
  readonly Bun?: {
    gc(isSynchronous: boolean): void;
    serve(options: {
      readonly hostname: string;
      readonly port: number;
      readonly websocket: BunWebSocketHandler;
      fetch(request: Request, server: BunServer): Promise<Response | undefined>;
    }): { readonly port: number };
  };
};

const messages = { client: { say: z.string() }, server: { said: z.string() } };
const api = {
  live: endpoint.get("/live", { responses: { 101: socket(messages), 400: {}, 403: {}, 426: {} } }),
};
let accepted = 0;
let closed = 0;

const live = route.on(api.live, {
  guards: [handshake({ origins: [] })],
  resolve(c, sockets: Sockets) {
    accepted++;
    return accept(c, api.live, sockets, {
      async *send(signal, message) {
        yield message("said", "hello");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
      receive: {
        async say(text, peer) {
          if (text === "close") return peer.close(4000);
          if (text === "wait") await new Promise((resolve) => peer.signal.addEventListener("abort", resolve));
          await peer.send("said", text);
        },
      },
      invalid: (_invalid, peer) => peer.close(4001),
      closed: () => void closed++,
    });
  },
});

const heap = route.get("/heap", {
  async resolve() {
    for (let turn = 0; turn < 3; turn++) {
      if (Bun === undefined) gc?.();
      else Bun.gc(true);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return reply(200, { accepted, closed, used: process.memoryUsage().heapUsed });
  },
});

const app = setup({ endpoints: api, handlers: [live, heap] });
const signal = new AbortController().signal; // lives as long as the process
const options = { validator: standardSchema, onError: console.error, signal, patience: Number(process.argv[2]) };
const listening = (port: number) => console.log(`Listening on http://127.0.0.1:${port}`);
const address = { hostname: "127.0.0.1", port: 0 };

if (Bun !== undefined) {
  const sockets = bunSockets(options);
  listening(Bun.serve({ ...address, websocket: sockets.websocket, fetch: sockets.serve(app.fetch) }).port);
} else if ("Deno" in globalThis) {
  const sockets = denoSockets(options);
  Deno.serve({ ...address, onListen: ({ port }) => listening(port) }, (request) => app.fetch(request, sockets));
} else {
  const sockets = nodeSockets({ WebSocketServer, ...options });
  const server = createServer(async ({ url }: IncomingMessage, response: ServerResponse) => {
    const { status, body } = await app.fetch(new Request(`http://127.0.0.1${url}`), sockets);
    response.writeHead(status).end(await new Response(body).text());
  });
  server.on("upgrade", sockets.serve(app.fetch));
  server.listen(0, "127.0.0.1", () => listening((server.address() as AddressInfo).port));
}
