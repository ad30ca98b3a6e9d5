import { serve } from "bun";
import process from "node:process";
import { setTimeout } from "node:timers";
import { createApp } from "./app.ts";

const app = createApp();
const { HOST: hostname = "127.0.0.1", PORT: port = "8000" } = process.env;

const server = serve({ fetch: (request) => app.fetch(request), hostname, port: Number(port) });
console.log(`Listening on ${server.url}`);

process.once("SIGTERM", () => {
  server.stop(); // finishes open requests
  setTimeout(() => process.exit(), 5000).unref(); // streams do not end by themselves
});
