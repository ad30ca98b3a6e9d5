import type { DataTag, QueryFunctionContext, QueryKey } from "@tanstack/query-core";

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
