import { deleteCookie, setCookie } from "@std/http/cookie";
import { LIFETIME } from "./store.ts";

/** `__Host-`: the browser takes it only from this very host, over https or on localhost, for all paths. */
const NAME = "__Host-session";
// `Lax`: no page of another site sends the cookie with a script or a form. If such a page must, by CORS, it takes `None`.
const ATTRIBUTES = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/**
 * The id of the session, as the client sends it: it may be anything. `undefined` if there is no such cookie, or more than
 * one.
 *
 * `getCookies` of `@std/http/cookie` strips all Unicode white space. Browsers do not: another host of the same site may set
 * `\xA0__Host-session`, which would then count as `__Host-session`.
 */
export function readSessionId({ headers }: Request): string | undefined {
  const ids = (headers.get("cookie") ?? "").split(";").flatMap((pair) => COOKIE.exec(pair)?.[1] ?? []);
  return ids.length === 1 ? ids[0] : undefined;
}

/** Spaces and tabs may surround the name and the value, and nothing else. */
const COOKIE = new RegExp(`^[ \\t]*${NAME}[ \\t]*=[ \\t]*([^ \\t]*(?:[ \\t]+[^ \\t]+)*)`);

/** Makes an id of 256 random bits, and sends it to the client, which keeps it for as long as the session lasts. */
export function sendSessionId(headers: Headers): string {
  const value = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  setCookie(headers, { name: NAME, value, ...ATTRIBUTES, maxAge: LIFETIME / 1000 });
  return value;
}

/** Deletes the id on the client. */
export function forgetSessionId(headers: Headers): void {
  deleteCookie(headers, NAME, ATTRIBUTES);
}
