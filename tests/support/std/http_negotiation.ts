/** The functions of `@std/http/negotiation` that the examples use, for networks that reach npm and no JSR. */
import * as std from "npm:deno-std@1.4.0/http/negotiation.js";

interface Accepts {
  (request: Pick<Request, "headers">): string[];
  <Value extends string>(request: Pick<Request, "headers">, ...values: Value[]): Value | undefined;
}

export const accepts: Accepts = std.accepts;
export const acceptsEncodings: Accepts = std.acceptsEncodings;
export const acceptsLanguages: Accepts = std.acceptsLanguages;
