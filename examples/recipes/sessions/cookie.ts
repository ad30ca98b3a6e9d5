import { deleteCookie, getCookies, setCookie } from "@std/http/cookie";
import { LIFETIME } from "./store.ts";

/** `__Host-`: the browser takes it only from this very host, over https or on localhost, for all paths. */
const NAME = "__Host-session";
const ATTRIBUTES = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** The id of the session, as the client sends it: it may be anything. */
export function readSessionId({ headers }: Request): string | undefined {
  try {
    return getCookies(headers)[NAME];
  } catch {
    return undefined; // getCookies throws for `Cookie: =`
  }
}

/** Makes an id of 256 random bits, and sends it to the client, which keeps it for as long as the session lasts. */
export function sendSessionId({ headers }: Response): string {
  const value = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  setCookie(headers, { name: NAME, value, ...ATTRIBUTES, maxAge: LIFETIME / 1000 });
  return value;
}

/** Deletes the id on the client. */
export function forgetSessionId({ headers }: Response): void {
  deleteCookie(headers, NAME, ATTRIBUTES);
}
