import type { Context } from "@fw/core";

/**
 * What servers pass after the request: `info` of `Deno.serve`, `server` of `Bun.serve`, `env` of `@hono/node-server`. A test
 * can make one up: `{ remoteAddr: { hostname: "192.0.2.1", port: 50000 } }`.
 */
export interface Connection {
  /** Of Deno. The address of a Unix socket has a path and no host. */
  readonly remoteAddr?: {
    readonly transport?: string;
    readonly hostname?: string;
    readonly port?: number;
    readonly path?: string | null;
  };
  /** Of Bun. */
  readonly requestIP?: (request: Request) => { readonly address: string; readonly port?: number } | null;
  /** Of Node.js. */
  readonly incoming?: {
    readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
  };
}

/** Returns the address of the connection, if there is one. Workers pass none: use the header `cf-connecting-ip`. */
export function addressOf({ request }: Pick<Context, "request">, connection?: Connection): string | undefined {
  return readAddress(request, connection).hostname;
}

/** Returns the address and the port of the connection, if there are any. */
export function readAddress(request: Request, connection: Connection = {}) {
  const { remoteAddr, incoming } = connection;
  if (remoteAddr !== undefined) return remoteAddr;
  if (incoming !== undefined) return { hostname: incoming.socket.remoteAddress, port: incoming.socket.remotePort };
  const found = connection.requestIP?.(request); // a method of `server`
  return { hostname: found?.address, port: found?.port };
}
