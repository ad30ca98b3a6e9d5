import { networkOf } from "@fw/core/rate-limit";
import { type Connection, readAddress } from "../rate_limit/address_of.ts";

export type { Connection };

/** Who sent a request, as far as its connection tells. */
export interface Client {
  /** The address, or the network of an IPv6 address. */
  readonly address: string;
  /** The connection, if it is the client's own and not that of a proxy. */
  readonly connection?: string;
}

/**
 * Tells clients apart by their connections. Behind a proxy, use the address that it forwards instead, without a
 * connection: `byAddress` of `@fw/core/rate-limit` reads it. All requests whose connection is unknown count as one client.
 */
export function clientOf(request: Request, connection?: Connection): Client {
  const { hostname, port } = readAddress(request, connection);
  if (hostname === undefined) return { address: "" };
  return { address: networkOf(hostname) ?? hostname, connection: `${hostname} ${port}` };
}
