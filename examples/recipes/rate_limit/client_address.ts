import { networkOf } from "../../shared/network_of.ts";

/**
 * Finds the address of the client. By default it is that of the connection, which cannot be forged. `X-Forwarded-For` is
 * ignored, as any client can send it. Behind a proxy, that is one address for all clients: give the number of proxies.
 *
 * @param request The request.
 * @param connected The address of the connection.
 * @param proxies How many proxies of yours are in front. Each must append the address that it sees to the header. If the
 * number is too high, clients can choose their address.
 * @returns The address in IPv4; in IPv6 the network of 64 bits, as a client has all addresses of one.
 */
export function clientAddress({ headers }: Request, connected: string, proxies = 0): string {
  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
  const address = [...forwarded, connected].at(-1 - proxies) ?? connected;
  return networkOf(address.trim().slice(0, MAX_LENGTH));
}

/** The longest address: IPv4 written in IPv6. */
const MAX_LENGTH = 45;
