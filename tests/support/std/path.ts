/** The functions of `@std/path` that the examples use, for networks that reach npm but not JSR. */
import * as std from "npm:deno-std@1.4.0/path/mod.js";

export const SEPARATOR: "/" | "\\" = std.SEPARATOR;
export const extname: (path: string) => string = std.extname;
export const join: (path: string | URL, ...paths: string[]) => string = std.join;
