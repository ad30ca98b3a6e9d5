/** What the tasks, and the programs that tests start, resolve packages by: the versions of `tests/deno.lock`. */
export const LOCKED: readonly string[] = ["--lock=tests/deno.lock", "--frozen"];

/** `LOCKED`, and `@std` from npm, which is reached where JSR is not. */
export const FLAGS: readonly string[] = ["--import-map=tests/import_map.json", ...LOCKED];
