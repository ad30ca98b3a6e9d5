import { requireThat } from "../core/values/assert.ts";

/** The methods of a database that stores call: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`. */
export interface SqliteClient {
  /** Runs statements. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
}

/** The methods of a prepared statement that stores call. */
export interface SqliteStatement {
  /** Runs the statement, and returns its first row, if there is one. */
  get(...values: SqliteValue[]): unknown;
}

/** A value that is passed to a statement. */
export type SqliteValue = string | number | null;

/** A row, by its columns. */
type Row = { readonly [column: string]: unknown };

/**
 * Prepares the statements of a store.
 *
 * @param client The database.
 * @param table The statements that create the table. They are printed if it is missing.
 * @returns A function that prepares one, and one that runs a function as a transaction.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function openDatabase(client: SqliteClient, table: string): {
  readonly prepare: (sql: string) => (...values: readonly SqliteValue[]) => Row | undefined;
  readonly atomically: <Result>(run: () => Result) => Result;
} {
  requireThat(
    // `better-sqlite3` and `sqlite3` have these methods, too, and statements that are called otherwise.
    typeof client?.prepare === "function" && typeof client.exec === "function" &&
      !("pragma" in client || "each" in client),
    "Client of a store in SQLite",
    "a database with the methods prepare and exec, of node:sqlite or bun:sqlite",
    client,
  );
  return {
    prepare(sql) {
      const statement = explain(() => client.prepare(sql), table);
      // Bun returns `null` for no row.
      return (...values) => explain(() => statement.get(...values), table) as Row | null ?? undefined;
    },
    // A savepoint, since the application may have begun a transaction.
    atomically(run) {
      client.exec("SAVEPOINT fw");
      try {
        const result = run();
        client.exec("RELEASE fw");
        return result;
      } catch (error) {
        // What cannot be released is a transaction of its own, which must not stay open. A full disk has ended it.
        for (const undo of ["ROLLBACK TO fw; RELEASE fw", "ROLLBACK"]) {
          try {
            client.exec(undo);
            break;
          } catch { /* the first error says why */ }
        }
        throw error;
      }
    },
  };
}

/** The clock of the engine, in milliseconds since 1970. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Says what to do if a table is missing. */
function explain<Result>(run: () => Result, table: string): Result {
  try {
    return run();
  } catch (error) {
    if (!/no such (table|column)|has (no column|\d+ columns)/.test(String(error))) throw error;
    throw new Error(`A table of SQLite is missing, or of another version. Create it:\n${table}`, { cause: error });
  }
}
