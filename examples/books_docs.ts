// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books_docs.ts
//
// Serves the books API with its OpenAPI document, and a page to read and try the API: http://localhost:8000/docs
//
// The page is Swagger UI, from its npm package. It loads nothing from other servers, and its content security policy
// enforces that.

import { reply, route, setup } from "@fw/core";
import { openapi } from "@fw/core/openapi";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "text" };
import books from "./books.ts";

const document = openapi({
  info: { title: "Books", version: "2.0.0", description: "A paginated list of books, newest first." },
  routes: books.routes,
});

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Books: reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** `validatorUrl: null` turns off the request to an online validator. */
const START = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/**
 * Only this server may provide scripts or receive requests. Swagger UI needs inline styles, and icons as `data:` urls.
 */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For one hour only: an update of the server may also update the package. */
const CACHED = { "cache-control": "public, max-age=3600" };

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/openapi.json", {
      responses: { 200: { contentType: "application/json" } },
      resolve: () => reply(200, Response.json(document)),
    }),

    fileAt("/docs", PAGE, "text/html", { "content-security-policy": POLICY }),
    fileAt("/docs/start.js", START, "text/javascript"),
    fileAt("/docs/swagger-ui.js", script, "text/javascript", CACHED),
    fileAt("/docs/swagger-ui.css", style, "text/css", CACHED),

    // Everything else goes to the books API.
    route.all("/*", { resolve: ({ request }) => books.fetch(request) }),
  ],
});

export default {
  ...app,
  onListen: (address: Deno.Addr) => books.onListen(address, "/docs"),
} satisfies Deno.ServeDefaultExport;

function fileAt(path: string, text: string, type: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { "content-type": `${type}; charset=utf-8`, "x-content-type-options": "nosniff", ...more };
  return route.on(["GET", "HEAD"], path, {
    responses: { 200: { contentType: type } },
    resolve: () => reply(200, new Response(text, { headers })),
  });
}
