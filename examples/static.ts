// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-read=examples/public examples/static.ts
//
// Serves the files in examples/public/ and nothing else, with ranges, ETags and 304. All of it also runs on Bun and
// Node.js.
//
// One client gets a part of what may be sent at once. Behind a proxy all clients have its address: let the proxy buffer
// responses, or tell them apart in static/recipient.ts by the address that it forwards, as recipes/rate_limit.ts does.
//
// Put files that need a guard into a directory outside of public/, with a file server and a route of their own. A guard
// on `/static/admin/*` would not guard the files in public/admin/ from `/files/*`, and not from links that lead there.
//
// If you can reach JSR: deno serve --host 127.0.0.1 --allow-read=examples/public examples/static.ts
//
// curl -i http://localhost:8000/static/index.html
// curl -i -r 0-99 http://localhost:8000/static/index.html
// curl -i --path-as-is http://localhost:8000/files/%2e%2e%2fstatic.ts

import { type Context, type NoLocals, route, setup } from "@fw/core";
import { type ServedFile, serveFiles, strongTag } from "@fw/core/files";
import { contentType } from "@std/media-types"; // npm: npx jsr add @std/media-types
import { join } from "@std/path"; // npm: "node:path"
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createPlaces } from "./static/places.ts";
import type { ResponseConnection } from "./static/recipient.ts";
import { refuse } from "./static/refuse.ts";

const options = {
  directory: join(fileURLToPath(new URL(".", import.meta.url)), "public"),
  contentType,
  // Not `eTag` of `@std/http`, which needs Node.js 21.
  etag: ({ version }: ServedFile) => version && strongTag(version),
  refuse,
};

const failure = z.object({ error: z.string() });

/** A response without a schema has any body. */
const responses = {
  200: { description: "The file" },
  206: { description: "A range of the file" },
  304: { description: "The client has the current version" },
  "4XX": { description: "No such file, or none that may be sent", schema: failure },
  503: { description: "Too many files are being sent", schema: failure },
};

const inPlace = createPlaces();
const serveFile = serveFiles(options);
// The parameter is one segment of the path. After decoding, it can contain a slash. An empty name is invalid.
const serveAsset = serveFiles({
  ...options,
  name: (c: Context<NoLocals, { readonly filename: string }>) =>
    c.raw.params.filename.includes("/") ? "" : c.raw.params.filename,
});

const app = setup({
  // `serveFiles` checks every name that it opens, and responds with 400 and 403 where the router would respond with 404.
  trustUrl: true,
  handlers: [
    ...(["/static/*", "/files/*"] as const).map((path) =>
      route.on(["GET", "HEAD"], path, {
        responses,
        resolve: async (c, connection: ResponseConnection) => inPlace(await serveFile(c), c.request, connection),
      })
    ),
    route.on(["GET", "HEAD"], "/assets/:filename", {
      responses,
      resolve: async (c, connection: ResponseConnection) => inPlace(await serveAsset(c), c.request, connection),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
