import { mayReadVariable, readVariable } from "../shared/read_variable.ts";
import { openPostgresStore } from "./postgres_store.ts";
import { readPostgresUrl } from "./postgres_url.ts";
import { seed } from "./seed.ts";
import { openSqliteStore } from "./sqlite_store.ts";
import type { BookStore } from "./store.ts";

/**
 * Opens the store that the environment variables select: a PostgreSQL database (`DATABASE_URL`), a SQLite file
 * (`BOOKS_DB`), or a database in memory. A new one contains the seed. Prints a line that names the store, and the
 * variables that may not be read.
 */
export async function openStore(print: (line: string) => void = console.info): Promise<BookStore> {
  const url = readVariable("DATABASE_URL");
  const file = readVariable("BOOKS_DB") || ":memory:";
  if (url && file !== ":memory:") throw new Error("Set DATABASE_URL or BOOKS_DB, not both");
  const store = url ? await openPostgresStore(url, seed) : openSqliteStore(file, seed);
  print(`Store: ${describeStore(url, file)}${warnOfUnread()}`);
  return store;
}

function describeStore(url: string | undefined, file: string): string {
  if (url) return `PostgreSQL at ${readPostgresUrl(url).name}`;
  return file === ":memory:" ? "memory, which is lost when this process ends" : `the SQLite file ${file}`;
}

/** Warns about variables that could not be read: writes to the wrong store are lost writes. */
function warnOfUnread(): string {
  const unread = ["DATABASE_URL", "BOOKS_DB"].filter((name) => !mayReadVariable(name));
  return unread.length === 0 ? "" : `. Warning: ${unread.join(" and ")} not read, as --allow-env=${unread} is missing`;
}
