// npx -y deno@2.9.6 serve --import-map=tests/import_map.json --allow-env=DIRECTORY tests/examples/serve_directory.ts

// What examples/static.ts does with its files, for a directory that a test may fill with whatever it likes.
import { serveFile } from "../../examples/static/serve_file.ts";
import { route, setup } from "../../mod.ts";

const root = await Deno.realPath(Deno.env.get("DIRECTORY") ?? "");

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/*", { resolve: ({ raw, request }) => serveFile(root, raw.params["*"], request) }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
