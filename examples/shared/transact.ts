import type { DatabaseSync } from "node:sqlite";
import { Overloaded } from "./queue.ts";

/**
 * Runs all of the work on a SQLite database, or none of it. The write lock is taken first: a read cannot turn out stale
 * when it comes to write. The work must not return a promise.
 *
 * What the work throws is thrown when all of it has been undone; `Overloaded` if another process keeps the write lock
 * for longer than `busy_timeout`.
 */
export function transact<Result>(db: DatabaseSync, work: () => Result): Result {
  begin(db);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function begin(db: DatabaseSync): void {
  try {
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    // Deno does not give the code of SQLite's error.
    const isLocked = error instanceof Error && error.message === "database is locked";
    throw isLocked ? new Overloaded("Another process writes to the database", { cause: error }) : error;
  }
}
