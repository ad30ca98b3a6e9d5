import type { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import { checkSchema, SCHEMA_VERSION, TABLES } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and processes that start at the same time wait for its end.
 *
 * @param db The database.
 * @param seed The content of a new database.
 * @throws `SchemaMismatch` if the tables are from a later version, or from another program.
 */
export function migrate(db: DatabaseSync, seed: Seed): void {
  transact(db, () => {
    const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
    checkSchema(version, columnsOf(db));
    for (const step of STEPS.slice(version)) step(db, seed);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function columnsOf(db: DatabaseSync): readonly string[] {
  return db.prepare(`
    SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.name IN (SELECT value FROM json_each(:tables))
  `).all({ tables: JSON.stringify(TABLES) }).map(({ name }) => String(name));
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

/** Some databases of version 1 already have this column. */
function addTop(db: DatabaseSync, { top }: Seed): void {
  if (!columnsOf(db).includes("books.top")) db.exec("ALTER TABLE books ADD COLUMN top INTEGER NOT NULL DEFAULT 0");
  db.exec("CREATE INDEX IF NOT EXISTS top_books ON books (created_at) WHERE top");
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
