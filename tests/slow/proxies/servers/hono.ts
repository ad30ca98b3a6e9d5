import { serve } from "@hono/node-server";
import { isAmbiguous } from "../../../../examples/runtimes/raw_target.ts";
import { app } from "../app.ts";

serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request, { incoming }) =>
    isAmbiguous(incoming.url) ? new Response(null, { status: 400 }) : app.fetch(request),
}, ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`));
