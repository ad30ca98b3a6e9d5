// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books_docs.ts
//
// Serves the books API with its OpenAPI document, and a page to read and try the API: http://localhost:8000/docs
//
// The page is Swagger UI, from its npm package. It loads nothing from other servers, and its content security policy
// enforces that.

import { route, setup } from "@fw/core";
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

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/openapi.json", { resolve: () => Response.json(document) }),

    route.on(["GET", "HEAD"], "/docs", {
      resolve: () => file(PAGE, "text/html", { "content-security-policy": POLICY }),
    }),
    route.on(["GET", "HEAD"], "/docs/start.js", { resolve: () => file(START, "text/javascript") }),
    route.on(["GET", "HEAD"], "/docs/swagger-ui.js", { resolve: () => file(script, "text/javascript", CACHED) }),
    route.on(["GET", "HEAD"], "/docs/swagger-ui.css", { resolve: () => file(style, "text/css", CACHED) }),

    // Everything else goes to the books API.
    route.all("/*", { resolve: ({ request }) => books.fetch(request) }),
  ],
});

export default {
  ...app,
  onListen: (address: Deno.Addr) => books.onListen(address, "/docs"),
} satisfies Deno.ServeDefaultExport;

/**
 * Only this server may provide scripts or receive requests. Swagger UI needs inline styles, and icons as `data:` urls.
 */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For one hour only: an update of the server may also update the package. */
const CACHED = { "cache-control": "public, max-age=3600" };

function file(text: string, type: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    headers: { "content-type": `${type}; charset=utf-8`, "x-content-type-options": "nosniff", ...headers },
  });
}
