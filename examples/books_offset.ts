// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books_offset.ts
//
// Offset pagination: a list with a total, and access to any page.
//
// A book that is created or deleted between two requests shifts the books after it, so a client may see a book twice or
// miss one. The cursor pagination of books.ts avoids both.
//
// curl 'http://localhost:8000/books?limit=5&offset=10'

import { denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { answerError } from "./books/answer_error.ts";
import { openStore } from "./books/open_store.ts";
import { limitQuery, MAX_LIMIT } from "./books/page.ts";
import { book, invalid, unavailable } from "./books/responses.ts";
import { wholeNumber } from "./shared/whole_number.ts";

const store = await openStore();

const windowQuery = z.object({
  limit: limitQuery,
  offset: wholeNumber(0).prefault(0),
});

const pagination = z.object({ total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() });

const app = setup({
  validator: standardSchema,

  handlers: [
    route.get("/books", {
      request: { query: windowQuery },
      responses: {
        200: { description: "The books in the window", schema: z.object({ data: z.array(book), pagination }) },
        400: invalid,
        503: unavailable,
      },
      guards: [denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }))],
      resolve: async ({ input }) => {
        const { offset } = input.query;
        const limit = Math.min(input.query.limit, MAX_LIMIT);
        const { books, total } = await store.listWindow({ offset, limit });
        const hasMore = offset + limit < total;
        return reply(200, { data: books, pagination: { total, limit, offset, hasMore } });
      },
    }),
  ],

  // The 404 of the framework has no body. Replace it.
  onResponse: ({ context, response }) =>
    response.status === 404 && context.route === undefined
      ? Response.json({ error: "Not found" }, { status: 404 })
      : response,

  // Logs the error. The client receives no details of it.
  onError: ({ error }) => {
    console.error(error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;
