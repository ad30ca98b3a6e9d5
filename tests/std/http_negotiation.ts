/** The functions of `@std/http/negotiation` that the examples use, for networks that reach npm and no JSR. */
import * as std from "npm:deno-std@1.4.0/http/negotiation.js";

export const accepts: (request: Pick<Request, "headers">, ...types: string[]) => string | undefined = std.accepts;
export const acceptsEncodings: (request: Pick<Request, "headers">, ...encodings: string[]) => string | undefined =
  std.acceptsEncodings;
export const acceptsLanguages: (request: Pick<Request, "headers">, ...languages: string[]) => string | undefined =
  std.acceptsLanguages;
