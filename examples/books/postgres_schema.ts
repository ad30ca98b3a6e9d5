// @ts-types="@types/pg"
import type pg from "pg";
import { quote, quoteString, transact } from "./postgres_transact.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and instances that start at the same time wait for its end. Tables of another program make it
 * fail. Returns the version that the tables have now.
 */
export async function migrate(client: pg.ClientBase, seed: Seed): Promise<number> {
  const [, , , versions] = await transact(
    client,
    `
      -- Migrations take turns.
      SELECT pg_advisory_xact_lock(hashtext('create the tables of books'));
      -- ALTER TABLE waits until no transaction uses the table, and blocks all others meanwhile: not for long.
      SET LOCAL lock_timeout = '2s';
      DO ${quoteString(migrationSql(seed))};
      SELECT version FROM books_version;
    `,
  );
  return Number(versions?.[0]?.version);
}

/** Version 1 did not store its number. */
function migrationSql(seed: Seed): string {
  const steps = STEPS.map((step, version) => `
    IF (SELECT version FROM books_version) = ${version} THEN
      ${step(seed)}
      UPDATE books_version SET version = ${version + 1};
    END IF;
  `);
  return `BEGIN
    IF to_regclass('books_version') IS NULL THEN
      CREATE TABLE books_version (version integer NOT NULL);
      INSERT INTO books_version SELECT CASE WHEN to_regclass('clock') IS NULL THEN 0 ELSE 1 END;
    END IF;
    ${steps.join("")}
  END`;
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
    INSERT INTO clock (row, last) SELECT 1, coalesce(max(created_at), 0) FROM books;
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
    UPDATE books SET top = true WHERE id IN (SELECT jsonb_array_elements_text(${quote(top)}));
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
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
  `;
}
