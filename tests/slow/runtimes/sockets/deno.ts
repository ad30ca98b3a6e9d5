import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { denoSockets } from "../../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../../support/sockets/app.ts";

const stopping = stopOnSigterm();
const { app, onError } = createApp();
const sockets = denoSockets(optionsFor(onError, stopping));
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
}, (request) => app.fetch(request, sockets));
stopping.addEventListener("abort", () => server.shutdown());
