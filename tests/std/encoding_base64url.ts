/** The function of `@std/encoding/base64url` that the examples use, for networks that reach npm and no JSR. */
import * as std from "npm:deno-std@1.4.0/encoding/base64url.js";

export const encodeBase64Url: (bytes: ArrayBuffer | Uint8Array | string) => string = std.encodeBase64Url;
