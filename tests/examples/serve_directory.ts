// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-env=DIRECTORY tests/examples/serve_directory.ts

// Serves a directory of a test in the same way as examples/static.ts, with the default tags.
import { contentType } from "@std/media-types";
import process from "node:process";
import { createPlaces } from "../../examples/static/places.ts";
import type { ResponseConnection } from "../../examples/static/recipient.ts";
import { refuse } from "../../examples/static/refuse.ts";
import { route, setup } from "../../mod.ts";
import { serveFiles } from "../../src/files/mod.ts";

const inPlace = createPlaces();
const serveFile = serveFiles({ directory: process.env.DIRECTORY ?? "", contentType, refuse });

const app = setup({
  trustUrl: true,
  handlers: [
    route.on(["GET", "HEAD"], "/*", {
      resolve: async (c, connection: ResponseConnection) => inPlace(await serveFile(c), c.request, connection),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
