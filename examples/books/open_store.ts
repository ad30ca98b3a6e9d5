import { readVariable } from "../shared/read_variable.ts";
import { openPostgresStore } from "./postgres_store.ts";
import { seed } from "./seed.ts";
import { openSqliteStore } from "./sqlite_store.ts";
import type { BookStore } from "./store.ts";

/**
 * Opens the store that the environment asks for: the PostgreSQL database that `DATABASE_URL` names, or the SQLite file that
 * `BOOKS_DB` names, else one in memory.
 *
 * @returns The store, with the seed if it is new.
 * @throws If both variables are set, or the database cannot be opened.
 */
export async function openStore(): Promise<BookStore> {
  const url = readVariable("DATABASE_URL");
  const file = readVariable("BOOKS_DB");
  if (url && file) throw new Error("Set DATABASE_URL or BOOKS_DB, not both");
  return url ? await openPostgresStore(url, seed) : openSqliteStore(file || ":memory:", seed);
}
