/**
 * Returns an IPv4 address itself, and the first 64 bits of an IPv6 address: a client usually has a whole /64 network.
 *
 * @param address The address, in any notation.
 * @returns The address or the network, the same for each notation.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":");
  const rest = tail?.split(":") ?? [];
  while (tail !== undefined && groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "") || "0").join(":");
}
