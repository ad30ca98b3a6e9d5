import { z } from "zod";
import { api, authenticated, librarianOnly, type Routes } from "./guards.ts";
import type { Store } from "./store.ts";

/**
 * Creates the routes of the books.
 *
 * @param store Where the books are.
 * @returns The routes. `satisfies` below reports a route that asks for too much in this file, and keeps their types.
 */
export function createBookRoutes(store: Store) {
  return [
    api.get("/books", { resolve: () => Response.json({ data: [...store.values()] }) }),

    api.post("/books", {
      request: { body: z.object({ title: z.string().min(1).max(200) }) },
      guards: [authenticated, librarianOnly],
      resolve: ({ input, locals }) => {
        const book = { id: locals.requestId, title: input.body.title };
        store.set(book.id, book);
        return Response.json(book, { status: 201 });
      },
    }),
  ] satisfies Routes;
}
