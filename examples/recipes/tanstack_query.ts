// npx -y deno@2.9.6 run --allow-net=localhost:8000 examples/recipes/tanstack_query.ts
//
// TanStack Query on a typed client: keys, the data and the errors of a query by status, and its signal. The same options
// work with `useQuery` of React, Vue, Solid and Svelte. It calls client/app.ts: serve that first.

import { type Client, createClient } from "@fw/core/client";
import { QueryClient, QueryObserver } from "@tanstack/query-core";
import * as api from "./client/api.ts";
import { queryOf, refusalOf } from "./tanstack_query/query_of.ts";

/** The queries of the books, each with its key and its types. */
export const createQueries = (client: Client<typeof api>) => ({
  book: (id: string) => queryOf(["showBook", id], (signal) => client.showBook({ params: { id }, signal })),
});

if (import.meta.main) {
  const queries = createQueries(createClient(api, { baseUrl: "http://localhost:8000" }));
  const cache = new QueryClient();
  const { title } = await cache.fetchQuery(queries.book("emma"));
  console.log(title);

  const stop = new QueryObserver(cache, queries.book("none")).subscribe(({ isPending, error }) => {
    if (isPending) return;
    console.log(refusalOf(error)?.status === 404 ? "There is no such book" : error);
    stop();
  });
}
