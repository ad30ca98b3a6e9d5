// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/modules/app.ts
//
// Splits the routes of an app over files by feature, with guards that they share and one `setup`. Every route for GET also
// responds to HEAD.
//
// curl -i http://localhost:8000/books
// curl -I http://localhost:8000/books
// curl -i -H 'authorization: Bearer ada' -d '{"title":"Emma"}' http://localhost:8000/books
// curl -i -H 'authorization: Bearer ada' -X PUT http://localhost:8000/books/1/loan

import { type App, setup } from "@fw/core";
import { compose, requestId, withHead } from "@fw/core/hooks";
import { standardSchema } from "@fw/core/standard-schema";
import { createBookRoutes } from "./books.ts";
import { createLoanRoutes } from "./loans.ts";
import { createStore, type Store } from "./store.ts";

/**
 * Creates the app. Each feature receives what it works with, here the store, and returns its routes. The order of the
 * features does not matter, and two routes of one method and path are an error here, whatever files they are in.
 */
export function createApp(store: Store): App {
  return setup({
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: withHead([...createBookRoutes(store), ...createLoanRoutes(store)]),
    // It adds what a feature may ask for: `Route<OnEachRequest>`. Without it, this does not compile.
    ...compose(requestId()),
    onError: ({ error, context: { locals } }) => {
      console.error(locals.requestId, error);
      return Response.json({ error: "Internal server error", requestId: locals.requestId }, { status: 500 });
    },
  });
}

export default createApp(createStore());
