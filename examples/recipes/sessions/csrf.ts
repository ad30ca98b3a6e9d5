// Guards against cross-site request forgery (CSRF) by `Sec-Fetch-Site`, `Origin` and the content type.
//
// A page of another site can make a browser send a request, and the browser adds the cookies of our site to it. Every route
// that changes something for a user who is known by a cookie needs these guards, and must not accept GET.
//
// A JSON body is no defence. A form with `enctype="text/plain"` can send text that is JSON, without a preflight, and the
// framework parses a body as JSON whatever its content type. `SameSite=Lax` is not enough by itself: a page on another
// subdomain is of the same site.

import { allow, type Context, deny, reply } from "@fw/core";

/**
 * Creates the guard that denies requests of other pages than our own. It does not look at the method: list it for the routes
 * that change something.
 *
 * `Sec-Fetch-Site: same-origin` is enough. Browsers send this header over https and to localhost, and no page can set it.
 * Otherwise the origin must be one of the list: for older browsers, and for trusted pages elsewhere. A request with neither
 * header is denied. Every browser sends `Origin` with a POST.
 *
 * @param origins The origins of the pages, such as `https://app.example.com`. They are compared as a whole.
 * @returns The guard.
 */
export function fromOwnPages(origins: ReadonlySet<string>) {
  return ({ request: { headers } }: Context) => {
    if (headers.get("sec-fetch-site") === "same-origin") return allow();
    return origins.has(headers.get("origin") ?? "") ? allow() : deny(reply(403, { error: "Cross-site request" }));
  };
}

/**
 * Denies bodies whose content type is not JSON. The framework parses a body as JSON whatever its content type is, and a page of
 * another origin can send a JSON type only after a preflight.
 *
 * @param c The context.
 * @returns Denies with 415.
 */
export function jsonBody({ request: { headers } }: Context) {
  return JSON_TYPE.test(headers.get("content-type") ?? "")
    ? allow()
    : deny(reply(415, { error: "Content-Type must be JSON" }));
}

/** `application/json` or `application/*+json`, with or without parameters. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
