import { serve } from "@hono/node-server";
import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { createApp } from "./app.ts";

const stopping = stopOnSigterm();
const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request, { incoming, outgoing }) {
    outgoing.once("close", () => stopping.aborted && incoming.socket.destroySoon());
    return app.fetch(request);
  },
}, ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`));
const app = createApp(stopping);
stopping.addEventListener("abort", () => server.close());
