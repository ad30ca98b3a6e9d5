// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/method_not_allowed.ts
//
// Responds with 405 and an `Allow` header when a path has routes, but none for the method. The framework itself responds
// with 404.
//
// curl -i -X DELETE http://localhost:8000/books

import { reply, route, setup } from "@fw/core";
import { compose, unmatched } from "@fw/core/hooks";
import { z } from "zod";

const list = z.object({ data: z.array(z.string()) });
/** A string, as `reply` sends it, and as `responses` declares it. */
const text = { contentType: "text/plain;charset=UTF-8" } as const;
const textBody = { ...text, schema: z.string() } as const;

const app = setup({
  handlers: [
    // A GET route does not match HEAD: declare both methods, or pass all routes through `withHead` of `@fw/core/hooks`.
    route.on(["GET", "HEAD"], "/books", {
      responses: { 200: { schema: list } },
      resolve: () => reply(200, { data: ["Emma", "Ulysses"] }),
    }),
    route.post("/books", {
      responses: { 201: textBody },
      resolve: () => reply(201, "Created", text),
    }),
    route.get("/books/:title", {
      responses: { 200: textBody },
      resolve: ({ raw }) => reply(200, raw.params.title, text),
    }),
  ],

  // `unmatched` adds `Allow`.
  ...compose(unmatched({
    notFound: () => reply(404, "Not found", text),
    methodNotAllowed: () => reply(405, "Method not allowed", text),
  })),
});

export default app satisfies Deno.ServeDefaultExport;
