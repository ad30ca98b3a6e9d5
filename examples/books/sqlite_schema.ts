import type { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import { checkVersion, SCHEMA_VERSION } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and processes that start at the same time wait for its end. Tables of another program, or of a
 * later version, make it fail.
 */
export function migrate(db: DatabaseSync, seed: Seed): void {
  transact(db, () => {
    const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
    checkVersion(version);
    for (const step of STEPS.slice(version)) step(db, seed);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** The migration to each version. Programs of the previous version must keep working: only add, never remove. */
const STEPS: readonly ((db: DatabaseSync, seed: Seed) => void)[] = [
  createTables,
  addTop,
  addIdempotencyKeys,
];

/**
 * Times are in milliseconds since 1970, UTC. The only row of `clock` contains the last `created_at` that was assigned.
 */
function createTables(db: DatabaseSync, { authors, books }: Seed): void {
  db.exec(`
    CREATE TABLE authors (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT;
    CREATE TABLE books (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      author_id TEXT NOT NULL,
      created_at INTEGER NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE clock (
      row INTEGER PRIMARY KEY CHECK (row = 1),
      last INTEGER NOT NULL
    ) STRICT;
  `);
  const insertAuthor = db.prepare("INSERT INTO authors (id, name) VALUES (:id, :name)");
  for (const { id, name } of authors) insertAuthor.run({ id, name });
  const insertBook = db.prepare(
    "INSERT INTO books (id, title, author_id, created_at) VALUES (:id, :title, :authorId, :createdAt)",
  );
  for (const book of books) insertBook.run({ ...book, createdAt: Date.parse(book.createdAt) });
  db.exec("INSERT INTO clock SELECT 1, coalesce(max(created_at), 0) FROM books");
}

function addTop(db: DatabaseSync, { top }: Seed): void {
  db.exec("ALTER TABLE books ADD COLUMN top INTEGER NOT NULL DEFAULT 0");
  db.exec("CREATE INDEX top_books ON books (created_at) WHERE top");
  const markTop = db.prepare("UPDATE books SET top = 1 WHERE id = :id");
  for (const id of top) markTop.run({ id });
}

/** Each row has a copy of the book as it was created, because the book may be deleted later. */
function addIdempotencyKeys(db: DatabaseSync): void {
  db.exec(`
    CREATE TABLE idempotency_keys (
      key TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      title TEXT NOT NULL,
      author_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
  `);
}
