// npx -y deno@2.9.6 bundle --import-map=tests/import_map.json --output=.bundle/service.mjs examples/service/main_node.ts && node .bundle/service.mjs
//
// The service of main.ts on Node.js 22.13 or later, which has `node:sqlite`. In your project, Node.js 22.18 or later runs
// this file without a bundler: node main_node.ts
//
// DATA, ORIGIN and PROXIES are as in main.ts. It listens on the port PORT (default: 8000) of the address HOST (default:
// 127.0.0.1).

import { serve } from "@hono/node-server";
import process from "node:process";
import { isAmbiguous } from "../runtimes/raw_target.ts";
import { stopOnSigterm } from "../shared/stop_on_sigterm.ts";
import { openApp } from "./open_app.ts";

const stopping = stopOnSigterm();
const app = openApp(stopping);
const server = serve({
  hostname: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  async fetch(request, { incoming, outgoing }) {
    // Close idle keep-alive connections after SIGTERM. Otherwise, they keep the process alive for five more seconds.
    outgoing.once("close", () => stopping.aborted && incoming.socket.destroySoon());
    if (isAmbiguous(incoming.url)) return new Response(null, { status: 400 });
    try {
      return await app.fetch(request, { incoming, outgoing });
    } catch (error) {
      console.error(error); // this adapter responds with 500 without logging the error
      throw error;
    }
  },
}, ({ address, family, port }) => {
  console.log(`Listening on http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
});
stopping.addEventListener("abort", () => server.close());
