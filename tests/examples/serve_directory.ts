// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json --allow-env=DIRECTORY tests/examples/serve_directory.ts

// Serves a directory of a test in the same way as examples/static.ts.
import { createFileServer } from "../../examples/static/serve_file.ts";
import { route, setup } from "../../mod.ts";

const serveFile = createFileServer(await Deno.realPath(Deno.env.get("DIRECTORY") ?? ""));

const app = setup({
  trustUrl: true,
  handlers: [
    route.on(["GET", "HEAD"], "/*", {
      resolve: ({ raw, request }, info: Deno.ServeHandlerInfo) => serveFile(raw.params["*"], request, info),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
