import { api, authenticated, type Routes } from "./guards.ts";
import type { Store } from "./store.ts";

/** The scope of this feature: its prefix and guards come on top of those that are shared. */
const loan = api.with({ prefix: "/books/:id/loan", guards: [authenticated] });

/**
 * Creates the routes of the loans.
 *
 * @param store Where the books are.
 * @returns The routes.
 */
export function createLoanRoutes(store: Store) {
  return [
    loan.put("", {
      resolve: ({ raw, locals: { user } }) => {
        const book = store.get(raw.params.id);
        if (book === undefined) return Response.json({ error: "Not found" }, { status: 404 });
        if (book.lentTo !== undefined && book.lentTo !== user.name) {
          return Response.json({ error: "Lent to somebody else" }, { status: 409 });
        }
        const lent = { ...book, lentTo: user.name };
        store.set(book.id, lent);
        return Response.json(lent);
      },
    }),
  ] satisfies Routes;
}
