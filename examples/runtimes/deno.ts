// npx -y deno@2.9.6 serve examples/runtimes/deno.ts

import { app } from "./routes.ts";

export default {
  fetch: (request, info) =>
    app.fetch(request, {
      runtime: "Deno",
      clientAddress: () => "hostname" in info.remoteAddr ? info.remoteAddr.hostname : undefined,
      waitUntil: () => {}, // Deno runs what was begun to its end
    }),
} satisfies Deno.ServeDefaultExport;
