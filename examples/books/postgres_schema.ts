import type postgres from "postgres";
import { checkSchema, SCHEMA_VERSION, TABLES } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or brings those of an earlier version up to date. All of it is one transaction, so that nobody finds half
 * of it, and others that open the database at the same time wait for its end.
 *
 * @param sql The connection, in a transaction.
 * @param seed What a new database begins with.
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
  // Version 1 was not written down.
  const version = Number(row?.version ?? (columns.includes("clock.last") ? 1 : 0));
  checkSchema(version, columns);
  if (version === SCHEMA_VERSION) return;

  // A table is changed when nobody uses it. Meanwhile all others would wait: give up soon.
  await sql`SET LOCAL lock_timeout = '2s'`;
  for (const step of STEPS.slice(version)) await step(sql, seed);
  await sql`CREATE TABLE IF NOT EXISTS books_version (version integer NOT NULL)`;
  await sql`DELETE FROM books_version`;
  await sql`INSERT INTO books_version VALUES (${SCHEMA_VERSION})`;
}

/** What makes each version out of the one before. Programs of the version before must still work: add, and remove nothing. */
const STEPS: readonly ((sql: postgres.Sql, seed: Seed) => Promise<unknown>)[] = [
  createTables,
  addTop,
  addIdempotencyKeys,
];

/** Times are in milliseconds since 1970, UTC, as in `Date`, whose range `timestamptz` does not cover. */
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

/** Some databases of version 1 have it already. A column with a constant default is added without rewriting the table. */
async function addTop(sql: postgres.Sql, { top }: Seed): Promise<void> {
  await sql`ALTER TABLE books ADD COLUMN IF NOT EXISTS top boolean NOT NULL DEFAULT false`;
  await sql`CREATE INDEX IF NOT EXISTS top_books ON books (created_at) WHERE top`;
  await sql`UPDATE books SET top = true WHERE id IN (SELECT jsonb_array_elements_text(${sql.json(top)}))`;
}

/** The book of each key is kept with it, as it was created: it may be deleted since. */
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
