// npx -y deno@2.9.6 serve examples/method_not_allowed.ts
//
// 405 with `Allow` where a path has routes, but none for the method. The framework itself answers 404.
//
// curl -i -X DELETE http://localhost:8000/books

import { route, setup } from "@fw/core";

const app = setup({
  handlers: [
    // HEAD is a method of its own: what is not declared is not allowed.
    route.on(["GET", "HEAD"], "/books", { resolve: () => Response.json({ data: ["Emma", "Ulysses"] }) }),
    route.post("/books", { resolve: () => new Response("Created", { status: 201 }) }),
    route.get("/books/:title", { resolve: ({ raw }) => new Response(`${raw.params.title}`) }),
  ],

  // `allowedMethods` is there only where no route matched, and empty where no method would have helped.
  onResponse: ({ context: { allowedMethods = [] }, response }) => {
    if (allowedMethods.length === 0) return response;
    return new Response("Method not allowed", { status: 405, headers: { allow: allowedMethods.join(", ") } });
  },
});

export default app satisfies Deno.ServeDefaultExport;
