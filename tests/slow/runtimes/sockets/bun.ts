import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { type BunServer, bunSockets, type BunWebSocketHandler } from "../../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../../support/sockets/app.ts";

/** The part of Bun's types that is used here. */
declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly development: boolean;
    readonly websocket: BunWebSocketHandler;
    fetch(request: Request, server: BunServer): Promise<Response | undefined>;
  }): { readonly port: number; stop(): Promise<void> };
};

const stopping = stopOnSigterm();
const { app, onError } = createApp();
const sockets = bunSockets(optionsFor(onError, stopping));
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  websocket: sockets.websocket,
  fetch: sockets.serve(app.fetch),
});
console.log(`Listening on http://127.0.0.1:${server.port}`);
stopping.addEventListener("abort", () => server.stop());
