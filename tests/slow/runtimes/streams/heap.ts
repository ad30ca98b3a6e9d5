/** Streams that have the signal of the process, on Node.js with `--expose-gc`, and the heap that is in use. */
import { serve } from "@hono/node-server";
import process from "node:process";
import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { reply, route, setup } from "../../../../mod.ts";
import { replyEvents, replyLines } from "../../../../src/events/mod.ts";

const { gc } = globalThis as { readonly gc?: () => void };
const signal = stopOnSigterm();
let open = 0;

const app = setup({
  handlers: [
    route.get("/events", {
      resolve: () =>
        replyEvents(200, function* (_signal, event) {
          yield event("message", 1);
          yield event("message", 2);
        }, { signal }),
    }),
    route.get("/lines", { resolve: () => replyLines(200, [1, 2], { signal }) }),
    route.get("/endless", {
      resolve: () =>
        replyEvents(200, async function* (signal, event) {
          open++;
          try {
            yield event("message", 1);
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          } finally {
            open--;
          }
        }, { signal }),
    }),
    route.get("/heap", {
      resolve: async () => {
        for (let turn = 0; turn < 3; turn++) {
          gc?.();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return reply(200, { open, used: process.memoryUsage().heapUsed, version: process.version });
      },
    }),
  ],
});

const server = serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => app.fetch(request) }, ({ port }) => {
  console.log(`Listening on http://127.0.0.1:${port}`);
});
signal.addEventListener("abort", () => server.close());
