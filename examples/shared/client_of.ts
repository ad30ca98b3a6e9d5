import { networkOf } from "./network_of.ts";

/** Who sent a request, as far as its connection tells. */
export interface Client {
  /** The address, or the network of an IPv6 address. */
  readonly address: string;
  /** The connection, if it is the client's own and not that of a proxy. */
  readonly connection?: string;
}

/**
 * Tells clients apart by their connections. Behind a proxy, use the address that it forwards instead, without a
 * connection, as service/guards.ts does.
 *
 * @param info What `Deno.serve` passes after the request. Other runtimes pass something else, or nothing.
 * @returns The client. All requests whose connection is unknown count as one client.
 */
export function clientOf({ remoteAddr }: Partial<Deno.ServeHandlerInfo> = {}): Client {
  if (remoteAddr === undefined || !("hostname" in remoteAddr)) return { address: "" };
  const { hostname, port } = remoteAddr;
  return { address: networkOf(hostname), connection: `${hostname} ${port}` };
}
