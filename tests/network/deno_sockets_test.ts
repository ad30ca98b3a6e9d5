/** Sockets of Deno, over real connections. */
import { denoSockets } from "../../src/sockets/mod.ts";
import { granted } from "../support/granted.ts";
import { createApp, optionsFor } from "../support/sockets/app.ts";
import { testSockets } from "../support/sockets/cases.ts";

if (granted("net")) {
  testSockets("Deno", () => {
    const { app, onError } = createApp();
    const stopping = new AbortController();
    const sockets = denoSockets(optionsFor(onError, stopping.signal));
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => app.fetch(request, sockets),
    );
    return Promise.resolve({
      origin: `http://127.0.0.1:${server.addr.port}`,
      stopSockets: () => stopping.abort(),
      stop: () => server.shutdown(),
    });
  }, { tellsUnsent: true, pings: true, afterInvalidText: /^$/ });
}
