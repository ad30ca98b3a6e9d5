import { isIP } from "node:net";
import { networkOf } from "./network_of.ts";

/**
 * Creates a function that finds the address of a client. Without proxies it is that of the connection, which cannot be
 * forged: any client can send `X-Forwarded-For`. Behind a proxy, that is one address for all clients: give the number of
 * proxies.
 *
 * @param proxies How many proxies of yours are in front: a whole number, or its digits. Each must append the address that
 * it sees to `X-Forwarded-For`. If the number is too high, clients can choose their address.
 * @returns The function. It gets the request and the address of the connection, and returns an address in IPv4; in IPv6 the
 * network of 64 bits, as a client has all addresses of one. Where a proxy writes no address, such as `unknown`, it is that
 * of the connection.
 * @throws If `proxies` is not a whole number.
 */
export function createClientAddress(proxies: number | string): (request: Request, connected: string) => string {
  // Not just `Number`: NaN, 1.5 and "" would choose what the client has written.
  if (!/^\d+$/.test(String(proxies))) {
    throw new TypeError(`PROXIES must be a whole number, such as 0 or 1: received ${JSON.stringify(String(proxies))}`);
  }
  return ({ headers }, connected) => {
    const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
    const address = [...forwarded, connected].at(-1 - Number(proxies)) ?? connected;
    return networkOf(parseAddress(address.trim()) ?? connected);
  };
}

/** Reads an address as proxies write it: with or without a port, in IPv6 with or without brackets. */
function parseAddress(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\](?::\d+)?$/, "$1");
  return [address, address.replace(/:\d+$/, "")].find((address) => isIP(address) !== 0);
}
