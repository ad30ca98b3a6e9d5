import { serve } from "srvx/node";
import { isAmbiguous } from "../../../../examples/runtimes/raw_target.ts";
import { app } from "../app.ts";

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  silent: true,
  fetch: (request) =>
    isAmbiguous(request.runtime?.node?.req.url) ? new Response(null, { status: 400 }) : app.fetch(request),
});
await server.ready();
console.log(`Listening on ${server.url?.replace(/\/$/, "")}`);
