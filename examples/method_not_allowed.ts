// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/method_not_allowed.ts
//
// Answers 405 with an `Allow` header when a path has routes, but none for the method. The framework itself answers 404.
//
// curl -i -X DELETE http://localhost:8000/books

import { reply, route, setup } from "@fw/core";
import { z } from "zod";

const app = setup({
  handlers: [
    // A GET route does not answer HEAD: declare both methods.
    route.on(["GET", "HEAD"], "/books", {
      responses: { 200: { schema: z.object({ data: z.array(z.string()) }) } },
      resolve: () => reply(200, { data: ["Emma", "Ulysses"] }),
    }),
    route.post("/books", { resolve: () => new Response("Created", { status: 201 }) }),
    route.get("/books/:title", { resolve: ({ raw }) => new Response(`${raw.params.title}`) }),
  ],

  // `allowedMethods` is present only when no route matched. It is empty when the path has no route at all.
  onResponse: ({ context: { allowedMethods = [] }, response }) => {
    if (allowedMethods.length === 0) return response;
    return new Response("Method not allowed", { status: 405, headers: { allow: allowedMethods.join(", ") } });
  },
});

export default app satisfies Deno.ServeDefaultExport;
