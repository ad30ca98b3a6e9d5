// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/runtimes/deno.ts
//
// Serves the routes of routes.ts on Deno.
//
// It listens on port 8000, or where `--host` and `--port` say. Without `--host`, `deno serve` listens on all addresses.
// On SIGTERM, `deno serve` stops listening and finishes the requests in flight, and `stopOnSigterm` bounds that to eight
// seconds. A program that calls `Deno.serve` and runs with `deno run` must do it itself: `await server.shutdown()`.

import { createBackground } from "./background.ts";
import { createApp } from "./routes.ts";
import { stopOnSigterm } from "../shared/stop_on_sigterm.ts";

// Not `trustUrl: true`: Deno builds `request.url` from any Host header.
const app = createApp();
const stopping = stopOnSigterm();
const afterResponse = createBackground();

export default {
  fetch: (request, info) =>
    app.fetch(request, {
      runtime: "Deno",
      clientAddress: () => "hostname" in info.remoteAddr ? info.remoteAddr.hostname : undefined,
      afterResponse,
      stopping,
    }),
} satisfies Deno.ServeDefaultExport;
