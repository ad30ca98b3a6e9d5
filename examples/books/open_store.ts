import process from "node:process";
import { seed } from "./seed.ts";
import { openSqliteStore } from "./sqlite_store.ts";
import type { BookStore } from "./store.ts";

/**
 * Opens the store that the environment asks for: the SQLite file that `BOOKS_DB` names, else one in memory.
 *
 * @returns The store, with the seed if it is new.
 */
export function openStore(): BookStore {
  return openSqliteStore(readVariable("BOOKS_DB") || ":memory:", seed);
}

/** An environment variable, where it may be read already: to ask would make Deno prompt. Other runtimes have no permissions. */
function readVariable(name: string): string | undefined {
  const { state } = globalThis.Deno?.permissions.querySync({ name: "env", variable: name }) ?? { state: "granted" };
  return state === "granted" ? process.env[name] : undefined;
}
