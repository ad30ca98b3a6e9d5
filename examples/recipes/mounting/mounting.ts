import { type AnyRoute, type Context, route } from "@fw/core";

/**
 * Mounts an app under a prefix: gives routes for `handlers`. Its hooks run inside those of the outer app, and its 404 is final.
 *
 * The app does not know the prefix: links, redirects and the paths of cookies that it writes lack it. If the routes are yours,
 * declare them with `route.with({ prefix })` instead, and list `...inner.routes` in the outer app.
 *
 * @param prefix The prefix: literal segments, without a slash at the end.
 * @throws If the prefix has a parameter or a wildcard: paths would be cut at a wrong place.
 */
export function under(
  prefix: `/${string}`,
  fetch: (request: Request) => Response | Promise<Response>,
): readonly AnyRoute[] {
  if (/[:*]/.test(prefix)) throw new TypeError(`Prefix must have literal segments: received ${JSON.stringify(prefix)}`);
  const { length } = new URL(prefix, "http://localhost").pathname; // as it arrives: percent-encoded
  const resolve = ({ request }: Context) => {
    const url = new URL(request.url);
    // The raw path, not the decoded parameter `*`. The setter keeps a path that begins with `//` a path.
    url.pathname = url.pathname.slice(length) || "/";
    return fetch(new Request(url, request));
  };
  return [route.all(prefix, { resolve }), route.all(`${prefix}/*`, { resolve })];
}
