// npx -y deno@2.9.6 serve examples/runtimes/deno.ts
//
// It listens where `--host` and `--port` say, on port 8000 of all addresses by default. On SIGTERM, `deno serve` stops
// listening and finishes what is in flight, with no limit on the time. A program of your own that calls `Deno.serve`, run by
// `deno run`, has to do that itself: `await server.shutdown()`.

import { app } from "./routes.ts";
import { stopOnSigterm } from "../shared/stop_on_sigterm.ts";

const stopping = stopOnSigterm();

export default {
  async fetch(request, info) {
    try {
      return await app.fetch(request, {
        runtime: "Deno",
        clientAddress: () => "hostname" in info.remoteAddr ? info.remoteAddr.hostname : undefined,
        // Deno finishes the work. An error of it that is not handled may end the process.
        waitUntil: (work) => void work.catch(console.error),
        stopping,
      });
    } catch (error) {
      // A body that is still arriving when Deno is asked to end is lost. The client may try again, at another instance.
      if (!(stopping.aborted && error instanceof Deno.errors.BadResource)) throw error;
      return new Response("Stopping", { status: 503, headers: { "retry-after": "1" } });
    }
  },
} satisfies Deno.ServeDefaultExport;
