// npx -y deno@2.9.6 serve examples/books_offset.ts
//
// A list in pages by offset: with a total and a way to any page. What is created or deleted between two requests moves the
// books behind it, so that a client may see one twice or miss one; the cursor of books.ts has neither.
//
// curl 'http://localhost:8000/books?limit=5&offset=10'

import { route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { answerError } from "./books/answer_error.ts";
import { openStore } from "./books/open_store.ts";
import { limitQuery, MAX_LIMIT } from "./books/page.ts";

const store = await openStore();

/** In digits alone, since `Number` reads the empty string as 0; at most `Number.MAX_SAFE_INTEGER`. */
const wholeNumber = z.string().regex(/^\d+$/, "Must be a whole number").transform(Number).pipe(z.int());

const windowQuery = z.object({
  limit: limitQuery,
  offset: wholeNumber.default(0),
});

const app = setup({
  validator: standardSchema,

  handlers: [
    route.get("/books", {
      request: { query: windowQuery },
      resolve: async ({ input }) => {
        if (!input.ok) return Response.json({ error: "Invalid input", issues: input.issues }, { status: 400 });
        const { offset } = input.query;
        const limit = Math.min(input.query.limit, MAX_LIMIT);
        const { books, total } = await store.listWindow({ offset, limit });
        const hasMore = offset + limit < total;
        return Response.json({ data: books, pagination: { total, limit, offset, hasMore } });
      },
    }),
  ],

  // The framework's own answer where no route matches has no body; here every error has one.
  onResponse: ({ context, response }) =>
    response.status === 404 && context.route === undefined
      ? Response.json({ error: "Not found" }, { status: 404 })
      : response,

  // Whatever is thrown ends here. The log has it all, the client only that it is not the client's fault.
  onError: ({ error }) => {
    console.error(error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;
