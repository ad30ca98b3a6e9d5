import { app } from "./app.ts";

/** The part of Bun's types that is used here. */
declare const Bun: {
  serve(
    options: { hostname: string; port: number; idleTimeout: number; fetch: typeof app.fetch },
  ): { readonly port: number };
};

// By default, Bun closes a connection on which nothing moves for ten seconds, also if the handler is what waits.
const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: app.fetch });
console.log(`Listening on http://127.0.0.1:${port}`);
