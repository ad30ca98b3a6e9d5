import { stopOnSigterm } from "../../../../examples/shared/stop_on_sigterm.ts";
import { createApp } from "./app.ts";

/** The part of Bun's types that is used here. */
declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly development: boolean;
    readonly idleTimeout: number;
    fetch(request: Request): Response | Promise<Response>;
  }): { readonly port: number; stop(): Promise<void> };
};

const stopping = stopOnSigterm();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  idleTimeout: 60, // seconds
  fetch: createApp(stopping).fetch,
});
console.log(`Listening on http://127.0.0.1:${server.port}`);
stopping.addEventListener("abort", () => server.stop());
