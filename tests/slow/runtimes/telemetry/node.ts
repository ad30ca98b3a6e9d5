import { serve } from "@hono/node-server";
import { app } from "./app.ts";

serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch }, ({ port }) => {
  console.log(`Listening on http://127.0.0.1:${port}`);
});
