import type { Seed } from "./store.ts";

export const SCHEMA_VERSION = 3;

/** Thrown if the tables of a database are not those that this program uses. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

/** Throws `SchemaMismatch` if the tables are of a later version than this program. */
export function checkVersion(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new SchemaMismatch(
    `The tables of the database have version ${version}, but this program works with ${SCHEMA_VERSION}: update it`,
  );
}

/**
 * Returns the statements that migrate the tables to each version, for SQLite and PostgreSQL. Programs of the previous
 * version must keep working: only add, never remove.
 */
export const migrationsOf = (seed: Seed): readonly string[] => [createTables(seed), addTop(seed), ADD_IDEMPOTENCY_KEYS];

/**
 * Times are in milliseconds since 1970, UTC, as in `Date`. The only row of `clock` contains the last `created_at` that
 * was assigned.
 */
function createTables({ authors, books }: Seed): string {
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
    ${insert("authors", authors.map(({ id, name }) => [id, name]))}
    ${insert("books", books.map(({ id, title, authorId, createdAt }) => [id, title, authorId, Date.parse(createdAt)]))}
    INSERT INTO clock SELECT 1, coalesce(max(created_at), 0) FROM books;
  `;
}

/** PostgreSQL adds a column with a constant default without a rewrite. */
function addTop({ top }: Seed): string {
  return `
    ALTER TABLE books ADD COLUMN top boolean NOT NULL DEFAULT false;
    CREATE INDEX top_books ON books (created_at) WHERE top;
    ${top.map((id) => `UPDATE books SET top = true WHERE id = ${literal(id)};`).join("\n")}
  `;
}

/** Each row has a copy of the book as it was created, because the book may be deleted later. */
const ADD_IDEMPOTENCY_KEYS = `
  CREATE TABLE idempotency_keys (
    key text PRIMARY KEY,
    id text NOT NULL,
    title text NOT NULL,
    author_id text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
`;

function insert(table: string, rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `INSERT INTO ${table} VALUES (${row.map(literal).join()});`).join("\n");
}

/** The values of the seed are ours. Pass values of clients as parameters. */
function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
