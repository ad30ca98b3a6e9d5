import type { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import { checkSchema, SCHEMA_VERSION, TABLES } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or brings those of an earlier version up to date. All of it is one transaction, so that nobody finds half
 * of it, and others that open the database at the same time wait for its end.
 *
 * @param db The database.
 * @param seed What a new database begins with.
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

/** What makes each version out of the one before. Programs of the version before must still work: add, and remove nothing. */
const STEPS: readonly ((db: DatabaseSync, seed: Seed) => void)[] = [
  createTables,
  addTop,
  addIdempotencyKeys,
];

/** Times are in milliseconds since 1970, UTC. The clock's one row is the last `created_at` ever given. */
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

/** Some databases of version 1 have it already. */
function addTop(db: DatabaseSync, { top }: Seed): void {
  if (!columnsOf(db).includes("books.top")) db.exec("ALTER TABLE books ADD COLUMN top INTEGER NOT NULL DEFAULT 0");
  db.exec("CREATE INDEX IF NOT EXISTS top_books ON books (created_at) WHERE top");
  const markTop = db.prepare("UPDATE books SET top = 1 WHERE id = :id");
  for (const id of top) markTop.run({ id });
}

/** The book of each key is kept with it, as it was created: it may be deleted since. */
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
