import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { createApp } from "./app.ts";

const stopping = stopOnSigterm();
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
}, createApp(stopping).fetch);
stopping.addEventListener("abort", () => server.shutdown());
