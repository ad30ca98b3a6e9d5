// npx -y bun@1.4.5 run examples/runtimes/bun.ts
//
// In this checkout, tsconfig.json resolves `@fw/core`. In your project, install it first: bunx jsr add @fw/core
// It listens on port PORT of the address HOST: set HOST=0.0.0.0 in a container.

import process from "node:process";
import { app } from "./routes.ts";
import { stopOnSigterm } from "../shared/stop_on_sigterm.ts";

/** The part of Bun's own types that is used here; in a project on Bun they come with `@types/bun`. */
declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly development: boolean;
    fetch(request: Request, server: Server): Response | Promise<Response>;
  }): Server;
};
interface Server {
  readonly url: URL;
  requestIP(request: Request): { readonly address: string } | null;
  /** Stops listening, and finishes what is in flight. */
  stop(): Promise<void>;
}

const stopping = stopOnSigterm();
const server = Bun.serve({
  hostname: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  development: false, // or Bun would show each error to the client
  fetch: (request, server) =>
    app.fetch(request, {
      runtime: "Bun",
      clientAddress: () => server.requestIP(request)?.address,
      // Bun finishes the work. An error of it that is not handled may end the process.
      waitUntil: (work) => void work.catch(console.error),
      stopping,
    }),
});
console.log(`Listening on ${server.url.origin}`);
stopping.addEventListener("abort", () => server.stop());
