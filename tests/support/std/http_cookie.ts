/** The functions of `@std/http/cookie` that the examples use, for networks that reach npm and no JSR. */
import * as std from "npm:deno-std@1.4.0/http/cookie.js";

/** What a cookie may have. */
export interface Cookie {
  name: string;
  value: string;
  maxAge?: number;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
}
export const setCookie: (headers: Headers, cookie: Cookie) => void = std.setCookie;
export const deleteCookie: (
  headers: Headers,
  name: string,
  attributes?: { path?: string; domain?: string; secure?: boolean; httpOnly?: boolean; partitioned?: boolean },
) => void = std.deleteCookie;
