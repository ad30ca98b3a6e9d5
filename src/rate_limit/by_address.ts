import type { Context } from "../core/guards/context.ts";
import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import { networkOf } from "./network_of.ts";

/**
 * What {@linkcode byAddress} needs to know.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that `address` reads.
 */
export interface AddressOptions<in Extra extends readonly unknown[]> {
  /**
   * How many proxies of yours are in front, from 0 to 100. Each must append the address that it sees to
   * `X-Forwarded-For`. If the number is too high, clients can choose their address. If it is too low, all clients have
   * the address of a proxy.
   */
  readonly proxies: number;
  /**
   * Returns the address of the connection: `(c, info) => info.remoteAddr.hostname` on Deno. `undefined` if the
   * connection has no address, as with a Unix socket.
   */
  readonly address: (c: Context, ...extra: Extra) => string | undefined;
}

/**
 * Makes a key for {@linkcode limit}: the address of the client, or its network of 64 bits in IPv6, as {@linkcode
 * networkOf} returns it.
 *
 * Without proxies, it is the address of the connection, whatever headers the client sends. Behind proxies, it is the
 * address that the outermost of them has appended to `X-Forwarded-For`. If that entry is missing or is not an address,
 * the address of the connection is used. All requests without an address have the same key.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that `address` reads.
 * @param options The number of proxies, and how to find the address of the connection.
 * @returns The key of a request.
 * @throws A `TypeError` if an option is missing or out of its bounds.
 *
 * @example On Deno, behind one proxy
 * ```ts
 * import { byAddress } from "@fw/core/rate-limit";
 *
 * const key = byAddress({
 *   proxies: 1,
 *   address: (_c, info: Deno.ServeHandlerInfo<Deno.NetAddr>) => info.remoteAddr.hostname,
 * });
 * ```
 */
export function byAddress<Extra extends readonly unknown[] = []>(
  options: AddressOptions<Extra>,
): (c: Context, ...extra: Extra) => string {
  requireOptions(options, "byAddress", ["proxies", "address"], []);
  const { proxies, address } = options;
  requireWhole(proxies, "Option proxies of byAddress", 100, 0);
  requireFunction("Option address of byAddress", address);
  return (c, ...extra) => {
    // The last part is what the innermost proxy has appended.
    const forwarded = proxies === 0 ? undefined : c.request.headers.get("x-forwarded-for");
    const appended = forwarded?.split(",").at(-proxies)?.trim();
    return networkOf(appended) ?? networkOf(requireAddress(address(c, ...extra))) ?? "unknown";
  };
}

/** Rejects an object such as `info.remoteAddr`. */
function requireAddress(address: string | undefined): string | undefined {
  requireThat(typeof (address ?? "") === "string", "Result of address of byAddress", "a string, or undefined", address);
  return address;
}
