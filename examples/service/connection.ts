/** What servers pass after the request. A test can make one up, or pass `{}`. */
export interface Connection {
  /** Of Deno. The address of a Unix socket has a path and no host. */
  readonly remoteAddr?: { readonly hostname?: string; readonly port?: number; readonly path?: string | null };
  /** Of Deno. Settles when the response has been sent or cannot be sent. */
  readonly completed?: Promise<void>;
  /** Of `@hono/node-server`. */
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
  /** Of `@hono/node-server`. Is closed when the response has been sent or cannot be sent. */
  readonly outgoing?: { readonly destroyed?: boolean; once(event: "close", listener: () => void): unknown };
}

export function addressOf({ remoteAddr, incoming }: Connection): string | undefined {
  return remoteAddr?.hostname ?? incoming?.socket.remoteAddress;
}

/** Calls a function once, when the response has been sent or cannot be sent. */
export function whenSent({ completed, outgoing }: Connection, run: () => void): void {
  if (outgoing !== undefined && !outgoing.destroyed) outgoing.once("close", run);
  else Promise.resolve(completed).then(run, run);
}
