// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/method_not_allowed.ts
//
// Responds with 405 and an `Allow` header when a path has routes, but none for the method. The framework itself responds
// with 404.
//
// curl -i -X DELETE http://localhost:8000/books

import { reply, route, setup } from "@fw/core";
import { z } from "zod";

const list = z.object({ data: z.array(z.string()) });
/** Without a schema, `reply` takes a ready `Response`. */
const text = { contentType: "text/plain" };

const app = setup({
  handlers: [
    // A GET route does not match HEAD: declare both methods.
    route.on(["GET", "HEAD"], "/books", {
      responses: { 200: { schema: list } },
      resolve: () => reply(200, { data: ["Emma", "Ulysses"] }),
    }),
    route.post("/books", {
      responses: { 201: text },
      resolve: () => reply(201, new Response("Created", { status: 201 })),
    }),
    route.get("/books/:title", {
      responses: { 200: text },
      resolve: ({ raw }) => reply(200, new Response(raw.params.title)),
    }),

    route.get("/v1/authors", {
      responses: { 200: { schema: list } },
      resolve: () => reply(200, { data: ["Jane Austen", "James Joyce"] }),
    }),
    // For all paths of the version, as an app may answer the preflights of browsers. See cors.ts for a way without a route.
    route.options("/v1/*", { responses: { 204: {} }, resolve: () => reply(204) }),
  ],

  // `allowedMethods` is present only when no route matched. It is empty when the path has no route at all.
  onResponse: ({ context: { allowedMethods = [] }, response }) => {
    // OPTIONS alone does not make a path exist: `/v1/*` has it for every path. `every` is also true for an empty list.
    if (allowedMethods.every((method) => method === "OPTIONS")) return response;
    return new Response("Method not allowed", { status: 405, headers: { allow: allowedMethods.join(", ") } });
  },
});

export default app satisfies Deno.ServeDefaultExport;
