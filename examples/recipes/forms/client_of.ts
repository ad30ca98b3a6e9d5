import { networkOf } from "@fw/core/rate-limit";

/** Who sent a request, as far as its connection tells. */
export interface Client {
  /** The address, or the network of an IPv6 address. */
  readonly address: string;
  /** The connection, if it is the client's own and not that of a proxy. */
  readonly connection?: string;
}

/**
 * What servers pass after the request: `info` of `Deno.serve`, `server` of `Bun.serve`, `env` of `@hono/node-server`. A test
 * can make one up: `{ remoteAddr: { hostname: "192.0.2.1", port: 50000 } }`.
 */
export interface Connection {
  /** Of Deno. The address of a Unix socket has a path and no host. */
  readonly remoteAddr?: { readonly hostname?: string; readonly port?: number; readonly path?: string | null };
  /** Of Bun. */
  readonly requestIP?: (request: Request) => { readonly address: string; readonly port: number } | null;
  /** Of Node.js. */
  readonly incoming?: {
    readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
  };
}

/**
 * Tells clients apart by their connections. Behind a proxy, use the address that it forwards instead, without a
 * connection: `byAddress` of `@fw/core/rate-limit` reads it.
 *
 * @param connection What the server passes after it. Workers pass something else: use the header `cf-connecting-ip`.
 * @returns The client. All requests whose connection is unknown count as one client.
 */
export function clientOf(request: Request, connection: Connection = {}): Client {
  const { hostname, port } = readAddress(request, connection);
  if (hostname === undefined) return { address: "" };
  return { address: networkOf(hostname) ?? hostname, connection: `${hostname} ${port}` };
}

function readAddress(request: Request, connection: Connection) {
  const { remoteAddr, incoming } = connection;
  if (remoteAddr !== undefined) return remoteAddr;
  if (incoming !== undefined) return { hostname: incoming.socket.remoteAddress, port: incoming.socket.remotePort };
  const found = connection.requestIP?.(request); // a method of `server`
  return { hostname: found?.address, port: found?.port };
}
