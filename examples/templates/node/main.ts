import { serve } from "@hono/node-server";
import process from "node:process";
import { setTimeout } from "node:timers";
import { createApp } from "./app.ts";

const app = createApp();
const { HOST: hostname = "127.0.0.1", PORT: port = "8000" } = process.env;

const server = serve({ fetch: app.fetch, hostname, port: Number(port) }, ({ address, port }) => {
  console.log(`Listening on http://${address}:${port}`);
});

process.once("SIGTERM", () => {
  server.close(); // finishes open requests
  setTimeout(() => process.exit(), 5000).unref(); // ends streams, and connections that a browser keeps without a request
});
