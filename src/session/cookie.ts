import { readCookies } from "../core/input/headers.ts";

/**
 * Reads the id of a session.
 *
 * @param request The request.
 * @param name The name of the cookie.
 * @returns The id; `undefined` if there is none, if the cookie comes twice, or if it cannot be an id.
 */
export function readId({ headers }: Request, name: string): string | undefined {
  const value = readCookies(headers.get("cookie"))[name];
  return typeof value === "string" && ID.test(value) ? value : undefined;
}

/** 256 bits in hexadecimal digits. */
const ID = /^[\da-f]{64}$/;

/**
 * Returns the value of `Set-Cookie` with which a browser keeps the id of a session.
 *
 * @param name The name of the cookie.
 * @param id The id.
 * @param maxAge For how many seconds. A browser forgets the cookie at once if it is 0.
 * @returns The value.
 */
export function writeId(name: string, id: string, maxAge: number): string {
  return `${name}=${id}; Max-Age=${maxAge}; Path=/; Secure; HttpOnly; SameSite=Lax`;
}
