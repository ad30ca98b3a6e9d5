import { FUNCTION, optionalRule, requireRules } from "../core/values/option_rules.ts";

/** The options of {@linkcode publicSender}. */
export interface PublicSenderOptions {
  /**
   * Whether a request may go to an address: an IPv4 or IPv6 address as text, to which the name of the host has resolved.
   * By default, {@linkcode isPublicAddress}.
   */
  readonly allow?: ((address: string) => boolean) | undefined;
  /** Whether urls may begin with `http:`, too; `false` by default. */
  readonly http?: boolean | undefined;
}

/** Sends a request, and resolves to its response; rejects if there is no response. `fetch` is one. */
export type Send = (request: Request) => Promise<Response>;

/**
 * Makes a function that sends requests to urls that users have entered. It connects only to public addresses.
 * Otherwise, anyone who enters a url could reach servers that only your server can reach, such as
 * `http://169.254.169.254/` (SSRF).
 *
 * The address is checked when the connection is made, after the name was resolved. So a name that is public when it is
 * entered, and private later, is rejected (DNS rebinding). Redirects are not followed, and proxies that environment
 * variables name are not used. The body of a response is not read.
 *
 * It uses `node:https`, `node:http`, `node:dns` and `node:net` of Node.js, Deno or Bun. On Workers, which cannot reach
 * private networks, use `fetch`.
 *
 * @param options Which addresses and protocols are allowed.
 * @returns The function. It rejects with a `TypeError` for a url that is not allowed, and if one of the addresses of the
 * host is not.
 * @throws A `TypeError` if an option is unknown or wrong.
 *
 * @example A receiver in a private network
 * ```ts
 * import { isPublicAddress, publicSender } from "@fw/core/webhooks";
 *
 * const send = publicSender({ allow: (address) => isPublicAddress(address) || address === "10.0.0.5" });
 * ```
 */
export function publicSender(options: PublicSenderOptions = {}): Send {
  requireRules(options, "publicSender", {
    allow: optionalRule(FUNCTION),
    http: optionalRule(["a boolean", (value) => typeof value === "boolean"]),
  });
  const { allow = isPublicAddress, http = false } = options;
  let modules: ReturnType<typeof loadModules> | undefined;
  return async (request) => {
    const { protocol, hostname } = new URL(request.url);
    if (protocol !== "https:" && !(http && protocol === "http:")) {
      throw new TypeError(`The url of a receiver must begin with https: ${http ? "or http:" : "only"}`);
    }
    const { clients, lookup, isIP } = await (modules ??= loadModules());
    const requireAllowed = (address: string) => {
      if (!allow(address)) throw new TypeError("The host of a receiver resolves to an address that is not public");
    };
    // A host that is an address is not looked up.
    const host = hostname.replace(/^\[|\]$/g, "");
    if (isIP(host)) requireAllowed(host);
    const body = new Uint8Array(await request.arrayBuffer());
    return await new Promise((resolve, reject) => {
      const sent = clients[protocol].request(request.url, {
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), "content-length": body.length },
        signal: request.signal,
        agent: new clients[protocol].Agent(AGENT_OPTIONS),
        lookup(name, options, callback) {
          lookup(name, { ...options, all: true }).then((found) => {
            found.forEach(({ address }) => requireAllowed(address));
            const [{ address, family } = NO_ADDRESS] = found;
            if (options.all) callback(null, found);
            else callback(null, address, family);
          }).catch((error) => callback(error, ""));
        },
      });
      sent.on("error", reject);
      // After a 101, there is neither a response nor an error.
      sent.on("close", () => reject(new TypeError("The receiver closed the connection without a response")));
      sent.on("response", (response) => {
        response.on("error", () => {}); // it is not read
        response.destroy();
        const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        const status = Number(response.statusCode);
        if (status < 200 || status > 599) reject(new TypeError("The receiver sent no valid status"));
        else resolve(new Response(null, { status, headers: Object.fromEntries(headers) }));
      });
      sent.end(body);
    });
  };
}

/** No proxy of the environment: it would resolve the name by itself, and connect to any address. */
const AGENT_OPTIONS = { keepAlive: false, proxyEnv: {} };

/** For the compiler: `lookup` rejects if a name has no address. */
const NO_ADDRESS = { address: "", family: 0 };

/**
 * Whether an address can be reached from the internet, by the registries of special addresses of
 * [IANA](https://www.iana.org/assignments/iana-ipv4-special-registry). An IPv4 address within an IPv6 address, as in
 * `::ffff:10.0.0.1` or `64:ff9b::10.0.0.1`, is checked as this IPv4 address.
 *
 * @param address An IPv4 or IPv6 address as text.
 * @returns Whether it is public. `false` for any other text.
 */
export function isPublicAddress(address: string): boolean {
  const [, dotted] = /^(?:::ffff:|64:ff9b::)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address) ?? [];
  // Some programs read `010` as 8, others as 10.
  if (dotted !== undefined) return !/\b0\d/.test(dotted) && isPublicV4(dotted.split(".").map(Number));
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  const [first = 0, second = 0] = groups;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const isTranslated = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isMapped || isTranslated) {
    return isPublicV4(groups.slice(6).flatMap((group) => [group >> 8, group & 255]));
  }
  // Global unicast addresses are in 2000::/3. Some of them are for protocols, tunnels and documentation.
  return first >> 13 === 1 && !(first === 0x2001 && (second < 0x200 || second === 0xdb8)) &&
    first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

function isPublicV4(bytes: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = bytes;
  if (bytes.some((byte) => byte > 255)) return false;
  return !(
    a === 0 || a === 10 || a === 127 || a >= 224 || // this network, private, loopback; multicast, reserved, broadcast
    (a === 100 && b >= 64 && b < 128) || // carrier-grade NAT
    (a === 169 && b === 254) || // link-local, such as the metadata of clouds
    (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || // private
    (a === 192 && b === 0 && (c === 0 || c === 2)) || (a === 192 && b === 88 && c === 99) || // protocols, 6to4 relays
    (a === 198 && (b === 18 || b === 19)) || (a === 198 && b === 51 && c === 100) || // benchmarks, documentation
    (a === 203 && b === 0 && c === 113) // documentation
  );
}

/** The eight groups of an IPv6 address; `undefined` for any other text. */
function groupsOf(address: string): readonly number[] | undefined {
  // The parser of urls reads all forms, and writes hexadecimal groups.
  if (!/^[\da-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return undefined;
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const read = (part: string) => part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const [left, right] = [read(head), read(tail ?? "")];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** Loads the modules only where a request is sent: an import of them would stay in the bundle of a Worker. */
async function loadModules() {
  // `catch()` catches nothing. It tells esbuild that a module may be missing.
  const [https, http, dns, net] = await Promise.all([
    import("node:https").catch(),
    import("node:http").catch(),
    import("node:dns/promises").catch(),
    import("node:net").catch(),
  ]);
  return { clients: { "https:": https, "http:": http }, lookup: dns.lookup, isIP: net.isIP };
}
