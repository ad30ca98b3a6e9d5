// npx -y bun@1.4.5 run examples/runtimes/bun.ts

import process from "node:process";
import { app } from "./routes.ts";

/** As much of Bun's own types as is used here; in a project of Bun they come with `@types/bun`. */
declare const Bun: {
  serve(options: {
    readonly port: number;
    readonly development: boolean;
    fetch(request: Request, server: Server): Response | Promise<Response>;
  }): Server;
};
interface Server {
  readonly port: number;
  requestIP(request: Request): { readonly address: string } | null;
}

const { port } = Bun.serve({
  port: Number(process.env.PORT ?? 8000),
  development: false, // or Bun would show each error to the client
  fetch: (request, server) =>
    app.fetch(request, {
      runtime: "Bun",
      clientAddress: () => server.requestIP(request)?.address,
      waitUntil: () => {}, // Bun runs what was begun to its end
    }),
});
console.log(`Listening on http://127.0.0.1:${port}`);
