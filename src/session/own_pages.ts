import type { Context } from "../core/guards/context.ts";
import { allow, deny, type GuardResult } from "../core/guards/guard.ts";
import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireOrigins } from "../core/values/origin.ts";

/**
 * What {@linkcode ownPages} needs to know.
 *
 * @typeParam Denial The response to a forged request.
 */
export interface OwnPagesOptions<out Denial extends Response> {
  /**
   * The origins of other pages that may send requests, and of your own pages for browsers that send no
   * `Sec-Fetch-Site`. They are compared as a whole, such as `https://app.example.com`.
   */
  readonly origins: readonly string[] | ReadonlySet<string>;
  /** Builds the response to a request that another site may have forged. */
  readonly refuse: (c: Context) => Denial;
}

/** The local that {@linkcode ownPages} adds. No other guard should add it. */
export interface OwnPage {
  /** The request comes from one of your own pages. */
  readonly ownPage: true;
}

/**
 * Makes a guard against cross-site request forgery (CSRF): it lets in only requests of your own pages.
 *
 * A page of another site can make a browser send a request with the cookies of your site. Use this guard for each route
 * that changes something for a user who is known by a cookie, and for the sign-in: otherwise, another site could sign a
 * visitor in to an account of the attacker. Such a route must not accept GET.
 *
 * The guard decides by two headers that no page can set. A request with `Sec-Fetch-Site: same-origin` passes. Any other
 * request passes only if its `Origin` is in the list. A request without both headers is denied. Browsers send
 * `Sec-Fetch-Site` over https and to localhost, and `Origin` with each request that is not GET or HEAD. Method,
 * content type and body do not matter.
 *
 * It reads headers only, so it can run before the body is read: `beforeBody(ownPages({ origins, refuse }))`.
 *
 * @typeParam Denial The response to a forged request. If `reply` makes it, routes that declare `responses` must declare
 * it.
 * @param options The origins, and the response to other requests.
 * @returns A guard that adds the local `ownPage`.
 * @throws A `TypeError` if an origin is not one, such as a URL with a path or a final slash.
 *
 * @example A sign-out that other sites cannot forge
 * ```ts
 * import { beforeBody, reply, route, setup } from "@fw/core";
 * import { ownPages } from "@fw/core/session";
 * import { assertEquals } from "@std/assert";
 *
 * const ownPage = beforeBody(ownPages({
 *   origins: ["https://app.example.com"],
 *   refuse: () => reply(403, { error: "Cross-site request" }),
 * }));
 *
 * const app = setup({
 *   handlers: [route.post("/sign-out", { guards: [ownPage], resolve: () => reply(204) })],
 * });
 *
 * const post = (headers: HeadersInit) => new Request("http://localhost/sign-out", { method: "POST", headers });
 * assertEquals((await app.fetch(post({ "sec-fetch-site": "same-origin" }))).status, 204);
 * assertEquals((await app.fetch(post({ origin: "https://app.example.com" }))).status, 204);
 * assertEquals((await app.fetch(post({ origin: "https://evil.example" }))).status, 403);
 * ```
 */
export function ownPages<const Denial extends Response>(
  options: OwnPagesOptions<Denial>,
): (c: Context) => GuardResult<OwnPage, Denial> {
  requireOptions(options, "ownPages", ["origins", "refuse"], []);
  const { origins, refuse } = options;
  requireFunction("Option refuse of ownPages", refuse);
  const isList = Array.isArray(origins) || origins instanceof Set;
  requireThat(isList, "Option origins of ownPages", "an array or a Set of origins", origins);
  const known = new Set(origins);
  requireOrigins("ownPages", known);
  return (c) => {
    const { headers } = c.request;
    const isOwn = headers.get("sec-fetch-site") === "same-origin" || known.has(headers.get("origin") ?? "");
    return isOwn ? allow({ ownPage: true }) : deny(refuse(c));
  };
}
