import { mayReadVariable, readVariable } from "../shared/read_variable.ts";
import { openPostgresStore } from "./postgres_store.ts";
import { readPostgresUrl } from "./postgres_url.ts";
import { seed } from "./seed.ts";
import { openSqliteStore } from "./sqlite_store.ts";
import type { BookStore } from "./store.ts";

/**
 * Opens the store that the environment asks for: the PostgreSQL database that `DATABASE_URL` names, or the SQLite file that
 * `BOOKS_DB` names, else one in memory. Prints which one it is, and which variables it was not permitted to read.
 *
 * @returns The store, with the seed if it is new.
 * @throws If both variables are set, or the database cannot be opened.
 */
export async function openStore(): Promise<BookStore> {
  const url = readVariable("DATABASE_URL");
  const file = readVariable("BOOKS_DB") || ":memory:";
  if (url && file !== ":memory:") throw new Error("Set DATABASE_URL or BOOKS_DB, not both");
  const store = url ? await openPostgresStore(url, seed) : openSqliteStore(file, seed);
  console.info(`Store: ${describeStore(url, file)}${warnOfUnread()}`);
  return store;
}

function describeStore(url: string | undefined, file: string): string {
  if (url) return `PostgreSQL at ${readPostgresUrl(url).name}`;
  return file === ":memory:" ? "memory, which is lost when this process ends" : `the SQLite file ${file}`;
}

/** Writes that go to another store than the one intended are lost writes, so this is said aloud. */
function warnOfUnread(): string {
  const unread = ["DATABASE_URL", "BOOKS_DB"].filter((name) => !mayReadVariable(name));
  return unread.length === 0 ? "" : `. Warning: ${unread.join(" and ")} not read, as --allow-env=${unread} is missing`;
}
