// npx -y deno@2.9.6 bundle --import-map=tests/import_map.json --output=.bundle/node.mjs examples/runtimes/node.ts && node .bundle/node.mjs
//
// Serves the routes of routes.ts on Node.js.
//
// In your project, install two packages first: npm install @fw/core @hono/node-server
// Copy this file, background.ts, raw_target.ts and ../service/stop_on_sigterm.ts. Put your app in the place of
// `createApp`, and what your handlers read in the place of the second argument of `app.fetch`. Node.js 22.18 or later
// runs the file without a bundler: node node.ts
//
// It listens on the port PORT (default: 8000) of the address HOST (default: 127.0.0.1). In a container, set
// HOST=0.0.0.0.

import { serve } from "@hono/node-server";
import process from "node:process";
import { createBackground } from "./background.ts";
import { isAmbiguous } from "./raw_target.ts";
import { createApp } from "./routes.ts";
import { stopOnSigterm } from "../service/stop_on_sigterm.ts";

// @hono/node-server rejects a Host header that is no host, and no proxy in front decides by the path.
const app = createApp({ trustUrl: true });
const stopping = stopOnSigterm();
const afterResponse = createBackground();
const server = serve({
  hostname: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  async fetch(request, { incoming, outgoing }) {
    // Close idle keep-alive connections after SIGTERM. Otherwise, they keep the process alive for five more seconds.
    outgoing.once("close", () => stopping.aborted && incoming.socket.destroySoon());
    if (isAmbiguous(incoming.url)) return new Response(null, { status: 400 });
    try {
      return await app.fetch(request, {
        runtime: "Node.js",
        clientAddress: () => incoming.socket.remoteAddress,
        afterResponse,
        stopping,
      });
    } catch (error) {
      console.error(error); // this adapter responds with 500 without logging the error
      throw error;
    }
  },
}, ({ address, family, port }) => {
  console.log(`Listening on http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
});
stopping.addEventListener("abort", () => server.close());
