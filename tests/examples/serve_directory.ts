// npx -y deno@2.9.6 serve --import-map=tests/import_map.json --allow-env=DIRECTORY tests/examples/serve_directory.ts

// What examples/static.ts does with its files, for a directory that a test may fill with whatever it likes.
import { createFileServer } from "../../examples/static/serve_file.ts";
import { route, setup } from "../../mod.ts";

const serveFile = createFileServer(await Deno.realPath(Deno.env.get("DIRECTORY") ?? ""));

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/*", {
      resolve: ({ raw, request }, { completed }: Deno.ServeHandlerInfo) =>
        serveFile(raw.params["*"], request, completed),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;
