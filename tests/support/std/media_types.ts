/** The function of `@std/media-types` that the examples use, for networks that reach npm but not JSR. */
import * as std from "npm:deno-std@1.4.0/media_types/mod.js";

export const contentType: (extensionOrType: string) => string | undefined = std.contentType;
