// npx -y deno@2.9.6 serve --import-map=tests/import_map.json --allow-read=examples/public examples/static.ts
//
// With Deno installed, and JSR in reach: deno serve --allow-read=examples/public examples/static.ts
//
// The files in examples/public/, and nothing else:
// curl -i http://localhost:8000/static/index.html
// curl -i --path-as-is http://localhost:8000/files/%2e%2e%2fstatic.ts

import { route, setup } from "../mod.ts";
import { invalidName, serveFile } from "./static/serve_file.ts";

const root = await Deno.realPath(new URL("./public", import.meta.url));

const app = setup({
  handlers: [
    // `*` is the rest of the path, percent-decoded once, with whatever the client has put there.
    route.on(["GET", "HEAD"], "/static/*", {
      resolve: ({ raw, request }) => serveFile(root, raw.params["*"], request),
    }),

    route.on(["GET", "HEAD"], "/files/*", {
      resolve: ({ raw, request }) => serveFile(root, raw.params["*"], request),
    }),

    // One segment of the path; decoded, it may hold a slash even so, as no name of a file does.
    route.on(["GET", "HEAD"], "/assets/:filename", {
      resolve: ({ raw, request }) =>
        raw.params.filename.includes("/") ? invalidName() : serveFile(root, raw.params.filename, request),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
