import { serve } from "@hono/node-server";
import { app } from "./app.ts";

// By default, Node.js closes a connection whose request has not arrived after five minutes.
serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch, serverOptions: { requestTimeout: 0 } }, ({ port }) => {
  console.log(`Listening on http://127.0.0.1:${port}`);
});
