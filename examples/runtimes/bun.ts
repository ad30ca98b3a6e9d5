// npx -y bun@1.4.5 run examples/runtimes/bun.ts
//
// Serves the routes of routes.ts on Bun.
//
// In this checkout, tsconfig.json resolves `@fw/core`. In your project, install it first: bun add @fw/core
//
// It listens on the port PORT (default: 8000) of the address HOST (default: 127.0.0.1). In a container, set
// HOST=0.0.0.0.

import process from "node:process";
import { createBackground } from "./background.ts";
import { createApp } from "./routes.ts";
import { stopOnSigterm } from "../shared/stop_on_sigterm.ts";

/** The types of Bun that this file uses. In a Bun project, install `@types/bun` instead. */
declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly development: boolean;
    readonly idleTimeout: number;
    fetch(request: Request, server: Server): Response | Promise<Response>;
  }): Server;
};
interface Server {
  readonly url: URL;
  requestIP(request: Request): { readonly address: string } | null;
  /** Stops listening, and finishes the requests in flight. */
  stop(): Promise<void>;
}

// Bun since 1.4 takes no path from a Host header that is no host, and no proxy in front decides by the path.
const app = createApp({ trustUrl: true });
const stopping = stopOnSigterm();
const afterResponse = createBackground();
const server = Bun.serve({
  hostname: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  development: false, // otherwise, Bun shows errors to the client
  idleTimeout: 60, // seconds; by default, Bun cuts off a response that sends nothing for ten
  fetch: (request, server) =>
    app.fetch(request, {
      runtime: "Bun",
      clientAddress: () => server.requestIP(request)?.address,
      afterResponse,
      stopping,
    }),
});
console.log(`Listening on ${server.url.origin}`);
stopping.addEventListener("abort", () => server.stop());
