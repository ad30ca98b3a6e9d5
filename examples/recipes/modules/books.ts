import { reply } from "@fw/core";
import { z } from "zod";
import { api, authenticated, FORBIDDEN, librarianOnly, type Routes, UNAUTHORIZED } from "./guards.ts";
import { book, type Store } from "./store.ts";

/** Creates the routes of the books. `satisfies` reports a route that asks for too much in this file, and keeps their types. */
export function createBookRoutes(store: Store) {
  return [
    api.get("/books", {
      responses: { 200: { schema: z.object({ data: z.array(book) }) } },
      resolve: () => reply(200, { data: [...store.values()] }),
    }),

    api.post("/books", {
      request: { body: z.object({ title: z.string().min(1).max(200) }) },
      responses: { 201: { schema: book }, 401: UNAUTHORIZED, 403: FORBIDDEN },
      guards: [authenticated, librarianOnly],
      resolve: ({ input, locals }) => {
        const added = { id: locals.requestId, title: input.body.title };
        store.set(added.id, added);
        return reply(201, added);
      },
    }),
  ] satisfies Routes;
}
