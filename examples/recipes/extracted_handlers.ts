// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/extracted_handlers.ts
//
// A handler in a function of its own, with its types: what is inferred inline must be written down there.
//
// curl -i -H 'authorization: Bearer ada' -d '{"days":14}' 'http://localhost:8000/books/emma/loans?notify=email'

import { allow, type App, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { type Books, createLendBook, lendingRequest, lendingResponses } from "./extracted_handlers/lend_book.ts";

/** A token for the example only: see the recipes jwt and sessions. */
const authenticated = ({ request }: Context) =>
  request.headers.get("authorization") === "Bearer ada"
    ? allow({ user: { name: "Ada" } })
    : deny(reply(401, undefined, { headers: { "www-authenticate": "Bearer" } }));

const validInput = denyInvalid(({ issues: [issue] }) =>
  reply(400, { error: `${issue?.path.join(".")}: ${issue?.message}` })
);

export function createApp(books: Books): App {
  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/books/:id/loans", {
        request: lendingRequest,
        responses: { ...lendingResponses, 400: { schema: z.object({ error: z.string() }) }, 401: {} },
        guards: [authenticated, validInput],
        resolve: createLendBook(books),
      }),
    ],
  });
}

const titles = new Map([["emma", "Emma"]]);

export default createApp({ findTitle: (id) => Promise.resolve(titles.get(id)) });
