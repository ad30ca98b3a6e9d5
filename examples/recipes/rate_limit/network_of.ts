/**
 * Returns an IPv4 address itself, and the first 64 bits of an IPv6 address: a client usually has a whole /64 network.
 *
 * @param address The address, in any notation. Other text is returned as it is.
 * @returns The address or the network, the same for each notation.
 */
export function networkOf(address: string): string {
  // The parser of urls knows all notations. It does not know zones: `fe80::1%eth0`.
  const url = `http://[${address.replace(/%.*/s, "")}]`;
  if (!URL.canParse(url)) return address;
  const host = new URL(url).hostname;
  const [head = [], tail = []] = host.slice(1, -1).split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  const isMapped = groups.slice(0, 6).join() === MAPPED;
  if (isMapped) return groups.slice(6).flatMap((group) => [group >> 8, group & 255]).join(".");
  return groups.slice(0, 4).map((group) => group.toString(16)).join(":");
}

/** The first groups of an IPv4 address in IPv6: `::ffff:192.0.2.1`. */
const MAPPED = "0,0,0,0,0,65535";
