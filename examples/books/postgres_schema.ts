import type postgres from "postgres";
import { checkSchema, SCHEMA_VERSION, TABLES } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and instances that start at the same time wait for its end.
 *
 * @param sql The connection, in a transaction.
 * @param seed The content of a new database.
 * @throws `SchemaMismatch` if the tables are from a later version, or from another program.
 */
export async function migrate(sql: postgres.Sql, seed: Seed): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('create the tables of books'))`;
  const found = await sql`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema
    AND table_name IN (SELECT jsonb_array_elements_text(${sql.json([...TABLES, "books_version"])}))
  `;
  const columns = found.map(({ name }) => String(name));
  const [row] = columns.includes("books_version.version") ? await sql`SELECT version FROM books_version` : [];
  // Version 1 did not store its number.
  const version = Number(row?.version ?? (columns.includes("clock.last") ? 1 : 0));
  checkSchema(version, columns);
  if (version === SCHEMA_VERSION) return;

  // ALTER TABLE waits until no transaction uses the table, and blocks all others meanwhile. Give up after a short time.
  await sql`SET LOCAL lock_timeout = '2s'`;
  for (const step of STEPS.slice(version)) await step(sql, seed);
  await sql`CREATE TABLE IF NOT EXISTS books_version (version integer NOT NULL)`;
  await sql`DELETE FROM books_version`;
  await sql`INSERT INTO books_version VALUES (${SCHEMA_VERSION})`;
}

/** The migration to each version. Programs of the previous version must keep working: only add, never remove. */
const STEPS: readonly ((sql: postgres.Sql, seed: Seed) => Promise<unknown>)[] = [
  createTables,
  addTop,
  addIdempotencyKeys,
];

/** Times are in milliseconds since 1970, UTC, as in `Date`. `timestamptz` does not cover the range of `Date`. */
async function createTables(sql: postgres.Sql, { authors, books }: Seed): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE authors (
      id text PRIMARY KEY,
      name text NOT NULL
    );
    CREATE TABLE books (
      id text PRIMARY KEY,
      title text NOT NULL,
      author_id text NOT NULL,
      created_at bigint NOT NULL UNIQUE
    );
    CREATE TABLE clock (
      row integer PRIMARY KEY CHECK (row = 1),
      last bigint NOT NULL
    );
  `);
  const authorRows = authors.map(({ id, name }) => ({ id, name }));
  await sql`INSERT INTO authors SELECT * FROM jsonb_populate_recordset(NULL::authors, ${sql.json(authorRows)})`;
  const bookRows = books.map(({ id, title, authorId, createdAt }) => (
    { id, title, author_id: authorId, created_at: Date.parse(createdAt) }
  ));
  await sql`INSERT INTO books SELECT * FROM jsonb_populate_recordset(NULL::books, ${sql.json(bookRows)})`;
  await sql`INSERT INTO clock SELECT 1, coalesce(max(created_at), 0) FROM books`;
}

/**
 * Some databases of version 1 already have this column. PostgreSQL adds a column with a constant default without a
 * rewrite.
 */
async function addTop(sql: postgres.Sql, { top }: Seed): Promise<void> {
  await sql`ALTER TABLE books ADD COLUMN IF NOT EXISTS top boolean NOT NULL DEFAULT false`;
  await sql`CREATE INDEX IF NOT EXISTS top_books ON books (created_at) WHERE top`;
  await sql`UPDATE books SET top = true WHERE id IN (SELECT jsonb_array_elements_text(${sql.json(top)}))`;
}

/** Each row has a copy of the book as it was created, because the book may be deleted later. */
async function addIdempotencyKeys(sql: postgres.Sql): Promise<void> {
  await sql`
    CREATE TABLE idempotency_keys (
      key text PRIMARY KEY,
      id text NOT NULL,
      title text NOT NULL,
      author_id text NOT NULL,
      created_at bigint NOT NULL
    )
  `;
  await sql`CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`;
}
