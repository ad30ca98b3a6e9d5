import type { Context } from "../core/guards/context.ts";
import { allow, deny, type GuardResult } from "../core/guards/guard.ts";
import type { Answer, AsJson, Reply, SentAs } from "../core/responses/reply_type.ts";
import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireOrigins } from "../core/values/origin.ts";

/** The local that {@linkcode handshake} adds. Only that guard should add it. */
export interface Handshake {
  /** The request is the handshake of a WebSocket, and no page of another site has sent it. */
  readonly handshake: "checked";
}

/** What {@linkcode handshake} denies with by default: a response without a body. */
export type HandshakeDenial = Reply<
  | Answer<400, undefined, AsJson>
  | Answer<403, undefined, AsJson>
  | Answer<426, undefined, SentAs<"application/json", HandshakeHeaders>>
>;

/** The headers of a response of the status 426. */
export interface HandshakeHeaders {
  /** The protocol that the endpoint demands. HTTP/2 has no such header. */
  readonly upgrade?: string;
  /** The version of the protocol. */
  readonly "sec-websocket-version": string;
}

/** The options of {@linkcode handshake}. */
export interface HandshakeOptions {
  /**
   * The origins of other pages that may connect, such as `https://app.example.com`. Pages from the same host as the
   * request may always connect. `"any"` lets every page connect. Use it only if access to the socket depends neither on
   * a cookie nor on the client's network.
   */
  readonly origins: readonly string[] | "any";
}

/**
 * The options of {@linkcode handshake} with responses of your own.
 *
 * @typeParam Denial The response with which the guard denies.
 */
export interface RefusingHandshakeOptions<out Denial extends Response> extends HandshakeOptions {
  /**
   * Builds the response to a request that is no handshake: 426 if it does not ask for a WebSocket of version 13, 400 if
   * it is malformed, 403 if a page of another site has sent it. By default, it has no body. A response of 426 gets the
   * headers `upgrade` and `sec-websocket-version`. On Node.js, it gets `upgrade` only if the request has the header
   * `connection`: HTTP/2 has neither.
   *
   * @param status The status.
   * @param c The context.
   * @returns The response.
   */
  readonly refuse: (status: 400 | 403 | 426, c: Context) => Denial;
}

/**
 * The guard that {@linkcode handshake} creates.
 *
 * @typeParam Denial The response with which it denies.
 */
// The name of the function: TypeScript infers the locals of a generic function that returns nothing but a function too
// late, if it is called where the guard is listed.
export type HandshakeGuard<Denial extends Response> =
  & ((c: Context) => GuardResult<Handshake, Denial>)
  & { readonly name: string };

/**
 * Creates the guard of a socket, which denies with responses of your own. It denies what is no handshake (RFC 6455,
 * 4.2.1), and handshakes of pages of other sites: browsers let any page open a WebSocket to any site, and send the
 * cookies of that site. `accept` compiles only behind it.
 *
 * - Browsers always send `Origin` with a handshake. A client without an origin is not a browser, and passes.
 * - The schemes of the origin and of the request are not compared, since a proxy may terminate TLS. The host is
 *   compared, with its port: so the proxy must pass `Host` on, or `origins` must name the pages.
 * - List it after guards that authenticate. Then `connect` can find out their response: a request without a handshake
 *   gets it, or 426.
 *
 * @typeParam Denial The response with which the guard denies.
 * @param options Which pages may connect, and the response to others.
 * @returns The guard.
 * @throws A `TypeError` if an option is unknown, or if an origin is not written as browsers write it.
 *
 * @example A denial with a body
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { handshake } from "@fw/core/sockets";
 * import { assertEquals } from "@std/assert";
 *
 * const shaken = handshake({
 *   origins: ["https://app.example.com"],
 *   refuse: (status) => reply(status, { code: status === 403 ? "foreign_page" : "no_handshake" }),
 * });
 *
 * const app = setup({ handlers: [route.get("/live", { guards: [shaken], resolve: () => new Response() })] });
 * const response = await app.fetch(new Request("http://localhost/live"));
 * assertEquals([response.status, response.headers.get("upgrade")], [426, "websocket"]);
 * assertEquals(await response.json(), { code: "no_handshake" });
 * ```
 */
// This signature first: TypeScript would else not know the types of the parameters of `refuse`.
export function handshake<const Denial extends Response>(
  options: RefusingHandshakeOptions<Denial>,
): HandshakeGuard<Denial>;
/**
 * Creates the guard of a socket, which denies without a body.
 *
 * @param options Which pages may connect.
 * @returns The guard.
 * @throws A `TypeError` if an option is unknown, or if an origin is not written as browsers write it.
 *
 * @example Sockets for pages of two sites
 * ```ts
 * import { route } from "@fw/core";
 * import { handshake } from "@fw/core/sockets";
 *
 * export const live = route.with({ prefix: "/live", guards: [handshake({ origins: ["https://app.example.com"] })] });
 * ```
 */
export function handshake(options: HandshakeOptions): HandshakeGuard<HandshakeDenial>;
export function handshake(
  options: HandshakeOptions & Partial<RefusingHandshakeOptions<Response>>,
): HandshakeGuard<Response> {
  requireOptions(options, "handshake", ["origins"], ["refuse"]);
  const { origins, refuse = (status: number) => new Response(null, { status }) } = options;
  requireFunction("Option refuse of handshake", refuse);
  requireThat(origins === "any" || Array.isArray(origins), "Option origins of handshake", "an array, or any", origins);
  const known = new Set(origins === "any" ? [] : origins);
  requireOrigins("handshake", known);
  return (c: Context, ...extra: readonly unknown[]) => {
    const { method, headers, url } = c.request;
    if (!lists(headers.get("upgrade"), "websocket") || headers.get("sec-websocket-version") !== "13") {
      const denial = refuse(426, c);
      // HTTP/2 has neither header. An adapter on `node:http2` would throw where nobody catches it.
      const mayThrow = extra.some((each) => Object(each).throwsForUpgrade === true);
      if (!mayThrow || headers.has("connection")) denial.headers.set("upgrade", "websocket");
      denial.headers.set("sec-websocket-version", "13");
      return deny(denial);
    }
    const hasKey = KEY.test(`${headers.get("sec-websocket-key")}`);
    if (method !== "GET" || !lists(headers.get("connection"), "upgrade") || !hasKey) return deny(refuse(400, c));
    const origin = headers.get("origin");
    const mayConnect = origin === null || origins === "any" || known.has(origin) ||
      hostsOf(origin).includes(new URL(url).host);
    return mayConnect ? allow<Handshake>({ handshake: "checked" }) : deny(refuse(403, c));
  };
}

/** Whether a comma-separated header contains an item. Case is ignored. */
function lists(header: string | null, item: string): boolean {
  return header?.toLowerCase().split(",").some((each) => each.trim() === item) ?? false;
}

/** 16 bytes in Base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** How a request may name the host of an origin; in no way that of `null`, of a sandboxed page, and of an app. */
function hostsOf(origin: string): readonly string[] {
  if (!ORIGIN.test(origin) || !URL.canParse(origin)) return [];
  const { host, port, protocol } = new URL(origin);
  // Some proxies add the default port to `Host`.
  return port === "" ? [host, `${host}:${protocol === "https:" ? 443 : 80}`] : [host];
}

/** What browsers write: nothing that a parser would take for credentials or a path. */
const ORIGIN = /^https?:\/\/[^/\\?#@]+$/;
