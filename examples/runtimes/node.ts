// npx -y deno@2.9.6 bundle --import-map=tests/import_map.json --output=.bundle/node.mjs examples/runtimes/node.ts && node .bundle/node.mjs
//
// In a project of Node.js 22.18 or later, with the adapter installed, it runs as it is: node node.ts

import { serve } from "@hono/node-server";
import process from "node:process";
import { app } from "./routes.ts";

serve({
  port: Number(process.env.PORT ?? 8000),
  async fetch(request, { incoming }) {
    try {
      return await app.fetch(request, {
        runtime: "Node.js",
        clientAddress: () => incoming.socket.remoteAddress,
        waitUntil: () => {}, // Node.js runs what was begun to its end
      });
    } catch (error) {
      console.error(error); // this adapter answers 500 and says nothing, unlike other runtimes
      throw error;
    }
  },
}, ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`));
