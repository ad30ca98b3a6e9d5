import { clientOf, type Connection } from "../recipes/forms/client_of.ts";

/** What servers pass after the request, with what tells when a response has been sent. */
export interface ResponseConnection extends Connection {
  /** Of Deno. Settles when the response has been sent or cannot be sent. */
  readonly completed?: Promise<void>;
  /** Of Node.js. Is closed when the response has been sent or cannot be sent. */
  readonly outgoing?: { readonly destroyed?: boolean; once(event: "close", listener: () => void): unknown };
}

/**
 * Reads who receives the response to a request.
 *
 * Bun does not tell when a response has been sent. There, as in a test without a connection, it counts as sent when its
 * body has ended, or when the client disconnects.
 */
export function recipientOf(request: Request, connection: ResponseConnection = {}) {
  const { completed, outgoing } = connection;
  return {
    client: clientOf(request, connection),
    /**
     * Calls a function once, when the response has been sent or cannot be sent. Abort `ended` when its body has ended
     * or is cancelled.
     */
    whenSent(ended: AbortSignal, run: () => void): void {
      if (completed !== undefined) completed.then(run, run);
      else if (outgoing?.destroyed) run();
      else if (outgoing !== undefined) outgoing.once("close", run);
      else {
        const either = AbortSignal.any([ended, request.signal]);
        if (either.aborted) run();
        else either.addEventListener("abort", run);
      }
    },
  };
}
