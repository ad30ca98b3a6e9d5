// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books_docs.ts
//
// Serves the books API with its OpenAPI document, and a page to read and try the API: http://localhost:8000/docs
//
// The page is one file. It loads nothing from other servers, and its content security policy enforces that.

import { reply, route, setup } from "@fw/core";
import { docsPage, openapi } from "@fw/core/openapi";
import books from "./books.ts";

const document = openapi({
  info: { title: "Books", version: "2.0.0", description: "A paginated list of books, newest first." },
  routes: books.routes,
});

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/openapi.json", {
      responses: { 200: { contentType: "application/json" } },
      resolve: () => reply(200, Response.json(document)),
    }),

    route.on(["GET", "HEAD"], "/docs", {
      responses: { 200: { contentType: "text/html" } },
      resolve: docsPage(document),
    }),

    // Everything else goes to the books API.
    route.all("/*", { resolve: ({ request }) => books.fetch(request) }),
  ],
});

export default {
  ...app,
  onListen: (address: Deno.Addr) => books.onListen(address, "/docs"),
} satisfies Deno.ServeDefaultExport;
