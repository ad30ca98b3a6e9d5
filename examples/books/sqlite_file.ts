import { statSync } from "node:fs";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Remembers which file the path of an open database names. Returns a function that throws `StoreUnavailable` if it no
 * longer names that file: SQLite keeps writing to a file that was deleted, and such writes are lost.
 */
export function rememberFile(path: string): () => void {
  if (path === ":memory:") return () => {};
  const find = () => statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = find();
  return () => {
    const found = find();
    if (found === undefined || found.ino !== opened?.ino || found.dev !== opened.dev) {
      throw new StoreUnavailable("The database file was deleted or replaced: restart the process");
    }
  };
}
