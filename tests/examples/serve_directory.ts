// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-env=DIRECTORY tests/examples/serve_directory.ts

// Serves a directory of a test in the same way as examples/static.ts.
import { realpathSync } from "node:fs";
import process from "node:process";
import type { ResponseConnection } from "../../examples/static/recipient.ts";
import { createFileServer } from "../../examples/static/serve_file.ts";
import { route, setup } from "../../mod.ts";

const serveFile = createFileServer(realpathSync.native(process.env.DIRECTORY ?? ""));

const app = setup({
  trustUrl: true,
  handlers: [
    route.on(["GET", "HEAD"], "/*", {
      resolve: ({ raw, request }, connection: ResponseConnection) => serveFile(raw.params["*"], request, connection),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
