// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-read=examples/public examples/static.ts
//
// Serves the files in examples/public/ and nothing else, with ranges, ETags and 304. The modules
// in static/ also run on Bun and Node.js.
//
// One client gets a part of what may be sent at once. Behind a proxy all clients have its address: let the proxy buffer
// responses, or tell them apart in static/recipient.ts by the address that it forwards, as recipes/rate_limit.ts does.
//
// A guard on `/static/admin/*` does not guard the files in public/admin/: `/static/adm%69n/x` matches only `/static/*`.
// Put files that need a guard into a directory outside of public/, with a file server and a route of their own.
//
// If you can reach JSR: deno serve --host 127.0.0.1 --allow-read=examples/public examples/static.ts
//
// curl -i http://localhost:8000/static/index.html
// curl -i -r 0-99 http://localhost:8000/static/index.html
// curl -i --path-as-is http://localhost:8000/files/%2e%2e%2fstatic.ts

import { route, setup } from "@fw/core";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ResponseConnection } from "./static/recipient.ts";
import { createFileServer, invalidName } from "./static/serve_file.ts";

const serveFile = createFileServer(realpathSync.native(fileURLToPath(new URL("./public", import.meta.url))));

const failure = z.object({ error: z.string() });

/** A response without a schema has any body: handlers pass it as a `Response`, `reply(200, new Response(stream))`. */
const responses = {
  200: { description: "The file" },
  206: { description: "A range of the file" },
  304: { description: "The client has the current version" },
  "4XX": { description: "No such file, or none that may be sent", schema: failure },
  503: { description: "Too many files are being sent", schema: failure },
};

const app = setup({
  // The handlers check every name that they open, and respond with 400 and 403 where the router would respond with 404.
  trustUrl: true,
  handlers: [
    // `raw.params["*"]` is the rest of the path, percent-decoded once and otherwise unchanged.
    ...(["/static/*", "/files/*"] as const).map((path) =>
      route.on(["GET", "HEAD"], path, {
        responses,
        resolve: ({ raw, request }, connection: ResponseConnection) => serveFile(raw.params["*"], request, connection),
      })
    ),

    // The parameter is one segment of the path. After decoding, it can contain a slash, which is invalid in a file
    // name.
    route.on(["GET", "HEAD"], "/assets/:filename", {
      responses,
      resolve: ({ raw, request }, connection: ResponseConnection) =>
        raw.params.filename.includes("/") ? invalidName() : serveFile(raw.params.filename, request, connection),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
