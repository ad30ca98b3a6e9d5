/**
 * Returns the network that one client usually has: an IPv4 address itself, and the first 64 bits of an IPv6 address.
 * All notations of an address give the same, and an IPv4 address within IPv6 (`::ffff:192.0.2.1`, or by NAT64
 * `64:ff9b::192.0.2.1` and `64:ff9b:1::192.0.2.1`) counts as IPv4.
 *
 * @param address The address, as servers and proxies write it: with or without brackets, a port and a zone; `undefined`
 * if there is none.
 * @returns The network, such as `192.0.2.1` or `2001:db8:0:1`; `undefined` if the text is not an address.
 *
 * @example Addresses, and what is none
 * ```ts
 * import { networkOf } from "@fw/core/rate-limit";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(networkOf("[2001:DB8::1]:443"), "2001:db8:0:0");
 * assertEquals(networkOf("::ffff:192.0.2.1"), "192.0.2.1");
 * assertEquals(networkOf("unknown"), undefined);
 * ```
 */
export function networkOf(address: string | undefined): string | undefined {
  const bare = (address ?? "").replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/%.*/s, "");
  return parseAddress(bare) ?? parseAddress(bare.replace(/(?<!:):\d+$/, ""));
}

/** The network of an address without a port. */
function parseAddress(address: string): string | undefined {
  // Not `127.1` and `010.0.0.1`: parsers read them in several ways.
  if (IPV4.test(address)) return address;
  const url = `http://[${address}]`;
  // The parser of Bun accepts `1::2:`.
  const isIpv6 = /^[\da-f:.]+$/i.test(address) && !/[^:]:$/.test(address) && URL.canParse(url);
  // The parser knows all notations, and writes one.
  return isIpv6 ? networkOfIpv6(new URL(url).hostname.slice(1, -1)) : undefined;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;

function networkOfIpv6(address: string): string {
  const missing = 8 - address.split(":").filter(Boolean).length;
  const groups = address.replace("::", `:${"0:".repeat(missing)}`).split(":").filter(Boolean)
    .map((group) => Number.parseInt(group, 16));
  const ipv4 = ipv4In(groups);
  if (ipv4 !== undefined) return ipv4.flatMap((group) => [group >> 8, group & 255]).join(".");
  return groups.slice(0, 4).map((group) => group.toString(16)).join(":");
}

/** The IPv4 address within an IPv6 address, as two groups of 16 bits. */
function ipv4In(groups: readonly number[]): readonly number[] | undefined {
  const last = groups.slice(6);
  if (IPV4_PREFIXES.includes(groups.slice(0, 6).join())) return last;
  if (groups.slice(0, 3).join() !== LOCAL_NAT64) return undefined;
  if (last.some((group) => group !== 0)) return last;
  // With a prefix of 48 bits, the address stands around the bits 64 to 71 (RFC 6052, 2.2).
  const [high = 0, third = 0, fourth = 0] = groups.slice(3);
  return [high, (third & 255) << 8 | fourth >> 8];
}

/** The first three groups of `64:ff9b:1::/48`, of which a network uses a part as it likes (RFC 8215). */
const LOCAL_NAT64 = "100,65435,1";

/** The first six groups of `::ffff:0:0/96` and `64:ff9b::/96`. */
const IPV4_PREFIXES = ["0,0,0,0,0,65535", "100,65435,0,0,0,0"];
