/** The functions of `@std/http/etag` that the examples use, for networks that reach npm but not JSR. */
import * as std from "npm:deno-std@1.4.0/http/etag.js";

export const eTag: (entity: string | Uint8Array<ArrayBuffer>) => Promise<string> = std.eTag;
export const ifMatch: (value: string | null, etag: string | undefined) => boolean = std.ifMatch;
export const ifNoneMatch: (value: string | null, etag: string | undefined) => boolean = std.ifNoneMatch;
