/** Requests a socket over HTTP/2 from a server of `node:http2`, and prints the responses as JSON. */
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import { nodeSockets } from "../../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../../support/sockets/app.ts";
import { requestTwice } from "./request_http2.ts";

const { app, onError } = createApp();
const sockets = nodeSockets({ WebSocketServer, ...optionsFor(onError) });
const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  createServer,
  fetch: (request) => app.fetch(request, sockets),
}) as Server;
await new Promise((resolve) => server.once("listening", resolve));
console.log(JSON.stringify(await requestTwice(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)));
process.exit();
