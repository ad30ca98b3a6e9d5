/**
 * Parses a url. No route may match a url that cannot be parsed. No route may match a url that two parsers can read
 * differently: a url without an authority, with a raw backslash in its path, with a raw dot segment, or, unless it is
 * trusted, with a fragment.
 *
 * The path is `new URL(request.url).pathname`. Most runtimes pass a url that a parser has normalized. `Deno.serve` does
 * not: it puts the `Host` header in front of what the client sent.
 *
 * @param url The url.
 * @param trustUrl The option of `setup`.
 * @returns The path, normalized and still encoded, and the query. Empty if no route may match: no pattern is empty.
 */
export function parseTarget(url: string, trustUrl: boolean): string {
  if (!trustUrl && url.includes("#")) return "";
  url = absoluteUrl(url);
  // A parser removes tabs and line ends before it looks for dot segments.
  if (AMBIGUOUS.test(url.replace(/[\t\n\r]/g, ""))) return "";
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    // Not URL.parse: Node.js before 22.1, Bun before 1.1.4 and Workers with an old compatibility date do not have it.
    return "";
  }
}

/**
 * Makes the url of a request absolute. That of Bun is only a path if the request has no `Host`, as HTTP/1.0 allows and
 * health checks of HAProxy do. `new Request` and `new URL` throw for it.
 *
 * @param url The url.
 * @returns The url, with an origin.
 */
export function absoluteUrl(url: string): string {
  return url.startsWith("/") ? `http://localhost${url}` : url;
}

/**
 * Urls that two parsers can read differently:
 * - Without an authority (an empty `Host`), the parser reads the first segment of the path as the authority.
 * - The parser reads a backslash in the path as a slash.
 * - nginx and Caddy merge `//` before they resolve `..`; a URL parser does not. A path that the proxy checked as
 *   `/public` would arrive here as `/admin`. Clients resolve dot segments before they send a url.
 */
const AMBIGUOUS = /^https?:(?!\/\/[^/\\?#])|^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|[\0- ]*$))/i;

/**
 * The scheme and the authority of a url exactly as received, if they are safe to reuse as a prefix. A host name has at
 * most 255 characters (RFC 1035, 2.3.4).
 */
export const PLAIN_ORIGIN: RegExp = /^https?:\/\/[^/\\?#@\s]{1,300}(?=\/)/i;

/**
 * Tests an encoded parameter: whether it has a dot segment once it is decoded. The dot segment is beside an encoded
 * slash or backslash, since a URL parser resolves all others. nginx, Caddy and h2o resolve `/admin/..%2fx` to `/x` for
 * their rules, and forward it as received.
 */
export const ENCODED_DOT_SEGMENT: RegExp = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c|$)/i;

/** Tests a path, with its query: whether it has a raw dot segment. */
export const RAW_DOT_SEGMENT: RegExp = /^[^?]*\/\.{1,2}(?:[/?]|$)/;

/**
 * Makes a function that tells whether the `Host` header of a request, if there is one, is a valid host. Servers build
 * `request.url` from it, so an invalid one can move the path: `Host: h/admin?` makes `/public` a query of `/admin`.
 */
export function createHostCheck(): (request: Request) => boolean {
  // The last `Host` found valid. Most requests have the same one, and comparing is faster than the test.
  let validHost: string | null = null;
  return (request) => {
    const host = request.headers.get("host");
    if (host !== validHost && INVALID_HOST.test(host ?? "")) return false;
    validHost = host;
    return true;
  };
}

/** What a valid `Host` header does not contain (RFC 9110, 7.2): credentials, or a character that ends the authority. */
const INVALID_HOST = /[/\\?#@\s]/;
