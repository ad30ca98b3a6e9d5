// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/compression.ts
//
// Compresses responses with `CompressionStream`, where nothing in front of the server does. Usually something does: Caddy
// and nginx if told, Workers and Deno Deploy by themselves. `Deno.serve` does with `automaticCompression: true`, for bodies
// of at least 64 bytes. `deno serve`, Bun and Node.js never do.
//
// curl -i --compressed http://localhost:8000/numbers

import { type App, reply, route, setup } from "@fw/core";
import { compose } from "@fw/core/hooks";
import { z } from "zod";
import { compress } from "./compression/compression.ts";

const numbers = Array.from({ length: 1000 }, (_, index) => index);

const app: App = setup({
  handlers: [
    route.get("/numbers", {
      responses: { 200: { schema: z.array(z.int()) } },
      resolve: () => reply(200, numbers, { headers: { etag: '"1000"' } }),
    }),
  ],
  // Beside the concerns of other headers, in any order: it runs before them.
  ...compose({ replace: (response, { request }) => compress(request, response) }),
});

export default app;
