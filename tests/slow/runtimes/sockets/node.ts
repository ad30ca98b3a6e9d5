import type { Server } from "node:http";
import { serve } from "@hono/node-server";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { nodeSockets } from "../../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../../support/sockets/app.ts";

const stopping = stopOnSigterm();
const { app, onError } = createApp();
const sockets = nodeSockets({ WebSocketServer, ...optionsFor(onError, stopping) });
const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => app.fetch(request, sockets),
}, ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`)) as Server;
server.on("upgrade", sockets.serve(app.fetch));
stopping.addEventListener("abort", () => server.close());
