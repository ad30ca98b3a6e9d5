// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books_search.ts
//
// A search whose filter is too long for a url: QUERY (RFC 10008) changes nothing, as GET, and its requests have a body.
//
// curl -X QUERY 'http://localhost:8000/books' -H 'content-type: application/json' -d '{"authorIds":["jane-austen"]}'

import { allow, beforeBody, type Context, deny, denyInvalid, endpoint, reply, route, setup } from "@fw/core";
import { compose, unmatched } from "@fw/core/hooks";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { answerError } from "./books/answer_error.ts";
import { openStore } from "./books/open_store.ts";
import { MAX_LIMIT, pageQuery, readPage } from "./books/page.ts";
import { book, failure, invalid, page, unavailable } from "./books/responses.ts";
import { trimmed } from "./shared/text.ts";

const store = await openStore();

export const api = {
  searchBooks: endpoint.query("/books", {
    request: {
      body: z.object({
        /** A url could not have a thousand ids. */
        authorIds: z.array(trimmed(100)).min(1).max(1000),
        limit: z.int().min(1).max(MAX_LIMIT).default(20),
        cursor: pageQuery.shape.cursor,
      }),
      maxBodyBytes: 128 * 1024,
    },
    responses: {
      200: page(book),
      400: invalid,
      413: { description: "The body is larger than 128 KiB", schema: failure },
      415: { description: "The content type is not application/json", schema: failure },
      503: unavailable,
    },
  }),
};

const valid = denyInvalid(({ issues }) =>
  issues.some(({ code }) => code === "body_too_large")
    ? reply(413, { error: "Body too large" })
    : reply(400, { error: "Invalid input", issues })
);

/** A server must reject a QUERY without a content type, or with another one (RFC 10008). The framework ignores it. */
const jsonOnly = beforeBody(({ request }: Context) =>
  /^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")
    ? allow()
    : deny(reply(415, { error: "Send application/json" }, { headers: { "accept-query": "application/json" } }))
);

const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(api.searchBooks, {
      guards: [jsonOnly, valid],
      resolve: async ({ input: { body: { authorIds, ...query } } }) => {
        const { books, pagination } = await readPage(store, query, { authorIds });
        return reply(200, { data: books, pagination });
      },
    }),
  ],
  ...compose(unmatched({
    notFound: () => reply(404, { error: "Not found" }),
    methodNotAllowed: () => reply(405, { error: "Method not allowed" }),
  })),

  // Logs the error. The client receives no details of it.
  onError: ({ error }) => {
    console.error(error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;
