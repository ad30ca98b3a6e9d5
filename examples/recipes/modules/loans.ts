import { reply } from "@fw/core";
import { api, authenticated, failure, type Routes, UNAUTHORIZED } from "./guards.ts";
import { book, type Store } from "./store.ts";

/** The scope of this feature: its prefix, guards and responses come on top of those that are shared. */
const loan = api.with({ prefix: "/books/:id/loan", responses: { 401: UNAUTHORIZED }, guards: [authenticated] });

export function createLoanRoutes(store: Store) {
  return [
    loan.put("", {
      responses: { 200: { schema: book }, 404: { schema: failure }, 409: { schema: failure } },
      resolve: ({ raw, locals: { user } }) => {
        const found = store.get(raw.params.id);
        if (found === undefined) return reply(404, { error: "Not found" });
        if (found.lentTo !== undefined && found.lentTo !== user.name) {
          return reply(409, { error: "Lent to somebody else" });
        }
        const lent = { ...found, lentTo: user.name };
        store.set(found.id, lent);
        return reply(200, lent);
      },
    }),
  ] satisfies Routes;
}
