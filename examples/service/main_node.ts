// npx -y deno@2.9.6 bundle --import-map=tests/import_map.json --output=.bundle/service.mjs examples/service/main_node.ts && node .bundle/service.mjs
//
// The service of main.ts on Node.js 22.13 or later, and on Bun 1.4 or later, which have `node:sqlite`. In your project,
// Node.js 22.18 or later and Bun run this file without a bundler: node main_node.ts
//
// DATA, ORIGIN, PROXIES and DATABASE_URL are as in main.ts. It listens on the port PORT (default: 8000) of the address HOST (default:
// 127.0.0.1).

import { serve } from "@hono/node-server";
import process from "node:process";
import { openApp } from "./open_app.ts";
import { stopOnSigterm } from "./stop_on_sigterm.ts";

/**
 * What a proxy and this server can read in two ways: a raw backslash, a raw dot segment, or an absolute target without
 * a host. The adapter resolves dot segments, so `/x/../admin` would get around a proxy that denies `/admin`.
 */
const AMBIGUOUS = /^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))|^(?!\/|\*$|https?:\/\/[^/\\?#])/i;

const stopping = stopOnSigterm();
const app = await openApp(stopping);
const server = serve({
  hostname: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  async fetch(request, { incoming, outgoing }) {
    // Close idle keep-alive connections after SIGTERM. Otherwise, they keep the process alive for five more seconds.
    outgoing.once("close", () => stopping.aborted && incoming.socket.destroySoon());
    if (AMBIGUOUS.test(incoming.url ?? "")) return new Response(null, { status: 400 });
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
