import type postgres from "postgres";
import { quote, transact } from "./postgres_transact.ts";
import { checkSchema, SCHEMA_VERSION, TABLES } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and instances that start at the same time wait for its end.
 *
 * @param sql The connection.
 * @param seed The content of a new database.
 * @throws `SchemaMismatch` if the tables are from a later version, or from another program.
 */
export async function migrate(sql: postgres.Sql, seed: Seed): Promise<void> {
  const { version, columns } = await readSchema(sql);
  checkSchema(version, columns);
  if (version === SCHEMA_VERSION) return;
  try {
    await transact(
      sql,
      [LOCK, LOCK_TIMEOUT, setVersion(version), ...STEPS.slice(version).map((step) => step(seed))].join(";"),
    );
  } catch (error) {
    // Another instance may have migrated meanwhile. Then `setVersion` has failed.
    if ((await readSchema(sql)).version === version) throw error;
    await migrate(sql, seed);
  }
}

/** Reads the version, and the columns as `table.column`. The lock makes both fit together. */
async function readSchema(sql: postgres.Sql, hasVersion = false): Promise<{ version: number; columns: string[] }> {
  const [, found = [], versions] = await transact(
    sql,
    `
      ${LOCK};
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema
      AND table_name IN (SELECT jsonb_array_elements_text(${quote([...TABLES, "books_version"])}));
      ${hasVersion ? "SELECT version FROM books_version" : ""}
    `,
  );
  const columns = found.map(({ name }) => String(name));
  if (columns.includes("books_version.version") && !hasVersion) return await readSchema(sql, true);
  // Version 1 did not store its number.
  return { version: Number(versions?.[0]?.version ?? (columns.includes("clock.last") ? 1 : 0)), columns };
}

/** Migrations take turns. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('create the tables of books'))";

/** ALTER TABLE waits until no transaction uses the table, and blocks all others meanwhile. Give up after a short time. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'";

/** Fails if the version is not `from`: by the constraint NOT NULL, or because the table exists. */
function setVersion(from: number): string {
  return from > 1
    ? `UPDATE books_version SET version = CASE version WHEN ${from} THEN ${SCHEMA_VERSION} END`
    : `CREATE TABLE books_version (version integer NOT NULL); INSERT INTO books_version VALUES (${SCHEMA_VERSION})`;
}

/** The migration to each version. Programs of the previous version must keep working: only add, never remove. */
const STEPS: readonly ((seed: Seed) => string)[] = [
  createTables,
  addTop,
  addIdempotencyKeys,
];

/** Times are in milliseconds since 1970, UTC, as in `Date`. `timestamptz` does not cover the range of `Date`. */
function createTables({ authors, books }: Seed): string {
  const rows = books.map(({ id, title, authorId, createdAt }) => (
    { id, title, author_id: authorId, created_at: Date.parse(createdAt) }
  ));
  return `
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
    INSERT INTO authors (id, name) SELECT id, name FROM jsonb_populate_recordset(NULL::authors, ${quote(authors)});
    INSERT INTO books (id, title, author_id, created_at)
    SELECT id, title, author_id, created_at FROM jsonb_populate_recordset(NULL::books, ${quote(rows)});
    INSERT INTO clock (row, last) SELECT 1, coalesce(max(created_at), 0) FROM books
  `;
}

/**
 * Some databases of version 1 already have this column. PostgreSQL adds a column with a constant default without a
 * rewrite.
 */
function addTop({ top }: Seed): string {
  return `
    ALTER TABLE books ADD COLUMN IF NOT EXISTS top boolean NOT NULL DEFAULT false;
    CREATE INDEX IF NOT EXISTS top_books ON books (created_at) WHERE top;
    UPDATE books SET top = true WHERE id IN (SELECT jsonb_array_elements_text(${quote(top)}))
  `;
}

/** Each row has a copy of the book as it was created, because the book may be deleted later. */
function addIdempotencyKeys(): string {
  return `
    CREATE TABLE idempotency_keys (
      key text PRIMARY KEY,
      id text NOT NULL,
      title text NOT NULL,
      author_id text NOT NULL,
      created_at bigint NOT NULL
    );
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)
  `;
}
