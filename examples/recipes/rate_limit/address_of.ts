import type { Context } from "@fw/core";

/** What servers pass after the request. */
export interface Connection {
  /** Of Deno. The address of a Unix socket has no host. */
  readonly remoteAddr?: { readonly transport?: string; readonly hostname?: string };
  /** Of Bun. */
  readonly requestIP?: (request: Request) => { readonly address: string } | null;
  /** Of `@hono/node-server` on Node.js. */
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

/** Returns the address of the connection, if there is one. Workers pass none: use the header `cf-connecting-ip`. */
export function addressOf({ request }: Context, connection: Connection = {}): string | undefined {
  const { remoteAddr, incoming } = connection;
  // `requestIP` needs its `this`.
  return remoteAddr?.hostname ?? incoming?.socket.remoteAddress ?? connection.requestIP?.(request)?.address;
}
