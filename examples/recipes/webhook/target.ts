import { parse } from "tldts";

/**
 * Why a url that a user has entered must not be requested by our server, or `undefined` if nothing speaks against it
 * (SSRF: whoever can choose a url could reach what only our server can reach, such as `http://169.254.169.254/`).
 *
 * The name must end with a public suffix, such as `com` or `co.uk`. So a resolver with a search list cannot complete
 * `kubernetes.default.svc`. It can still complete `payments.prod`, because `prod` is also a public suffix. In Kubernetes, set
 * `dnsConfig` so that it has no search list: `searches: ["."]`.
 *
 * It does not resolve names, so it does not see a public name that points to a private address, now or at the time of the
 * request. Send webhooks through a proxy that rejects private addresses, such as Smokescreen, or from a network that reaches
 * no others.
 */
export function refuseTarget(text: string): string | undefined {
  if (text.length > 2000 || !URL.canParse(text)) return "This is no url";
  const { protocol, username, password, hostname, port } = new URL(text);
  if (protocol !== "https:") return "The url must begin with https://";
  if (username !== "" || password !== "") return "The url must have no user name";
  if (port !== "") return "The url must have no port";
  // The parser has converted `0x7f.1`, `2130706433` and the like to `127.0.0.1`. An IPv6 address is in brackets.
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith("[")) return "The url must have a name, not an address";
  // The name may end with a dot. With two of them, its last label is empty, and no name is public.
  const { isIcann, domain, publicSuffix } = parse(hostname);
  const isPublic = isIcann && domain !== null && publicSuffix !== null && !SPECIAL.test(publicSuffix);
  return isPublic && !hostname.endsWith("..") ? undefined : "The url must have a public name";
}

/** Public suffixes that are not for hosts on the internet: addresses in reverse, home networks (RFC 8375) and Tor. */
const SPECIAL = /(^|\.)(arpa|onion)$/;
