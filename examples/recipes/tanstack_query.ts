// npx -y deno@2.9.6 run --allow-net=localhost:8000 examples/recipes/tanstack_query.ts
//
// TanStack Query on a typed client: keys, the data and the errors of a query by status, and its signal. The same options
// work with `useQuery` of React, Vue, Solid and Svelte. It calls client/app.ts: serve that first.

import { type Client, createClient } from "@fw/core/client";
import {
  type DataTag,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
  QueryObserver,
} from "@tanstack/query-core";
import * as api from "./client/api.ts";

/** A response as `createClient` returns it. */
interface Received {
  readonly status: number;
  readonly body: unknown;
}

/** The responses whose body is the data of a query. */
type Success<R> = R extends { readonly status: 200 | 201 | 202 | 203 | 204 } ? R : never;

/**
 * Options of a query that calls an endpoint: pass them to `useQuery`, `fetchQuery` or a `QueryObserver`. The data is the
 * body of the successful responses. Any other declared response is a {@linkcode Refused}.
 *
 * @param queryKey The name of the endpoint, then what the call depends on.
 * @param call Calls the endpoint. Pass the signal on: TanStack Query aborts it when nobody needs the data any more.
 */
export function queryOf<R extends Received>(queryKey: QueryKey, call: (signal: AbortSignal) => Promise<R>) {
  type Data = Success<R>["body"];
  type Failure = Refused<Exclude<R, Success<R>>> | Error;
  return {
    // TanStack Query knows the types by the key.
    queryKey: queryKey as DataTag<QueryKey, Data, Failure>,
    async queryFn({ signal }: QueryFunctionContext): Promise<Data> {
      const received = await call(signal);
      if (isSuccess(received)) return received.body;
      throw new Refused(received);
    },
    // Again after a failure of the network, not after a declared response.
    retry: (failures: number, error: Failure) => !(error instanceof Refused) && failures < 3,
  };
}

/** A declared response that is not a success, as the error of a query. */
export class Refused<R extends Received = Received> extends Error {
  override readonly name = "Refused";
  /** The response: its `status` tells the types of its bodies apart. */
  readonly response: R;

  constructor(response: R) {
    super(`The server has answered ${response.status}`);
    this.response = response;
  }
}

/** The declared response that a query has failed with, or `undefined` for any other error, such as one of the network. */
export function refusalOf<R extends Received>(error: Refused<R> | Error | null): R | undefined {
  return error instanceof Refused ? error.response : undefined;
}

function isSuccess<R extends Received>(received: R): received is R & Success<R> {
  return received.status >= 200 && received.status < 300;
}

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
