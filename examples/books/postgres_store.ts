import type postgres from "postgres";
import { openPostgresPool } from "./postgres_pool.ts";
import { readPostgresUrl } from "./postgres_url.ts";
import { toAuthor, toBook } from "./row.ts";
import type { BookStore, Seed } from "./store.ts";

/**
 * Opens a book store on PostgreSQL. Any number of processes may share a database, and may open it at the same time when it is
 * new. One that is out of reach later makes calls fail until it is back.
 *
 * @param url What `readPostgresUrl` reads.
 * @param seed What a new database begins with; one that has its tables is left as it is.
 * @returns The store.
 * @throws If the database is out of reach, or what is there under the names of the tables is something else.
 */
export async function openPostgresStore(url: string, seed: Seed): Promise<BookStore> {
  const pool = await openPostgresPool(readPostgresUrl(url));
  try {
    await pool.write((sql) => sql.begin((transaction) => createOnce(transaction, seed)));
  } catch (error) {
    await pool.close();
    throw error;
  }

  return {
    async list({ before, limit, top = false }) {
      const rows = await pool.read((sql) => (
        sql`
          SELECT * FROM books
          WHERE ${top ? sql`top AND` : sql``} created_at < ${before?.getTime() ?? Number.MAX_SAFE_INTEGER}
          ORDER BY created_at DESC LIMIT ${limit}
        `
      ));
      return rows.map(toBook);
    },

    async listWindow({ offset, limit }) {
      // In one statement, so that the total is of the same moment; with nulls for a book where the window has none.
      const rows = await pool.read((sql) => (
        sql`
          SELECT total, page.*
          FROM (SELECT count(*) AS total FROM books) AS whole
          LEFT JOIN (SELECT * FROM books ORDER BY created_at DESC LIMIT ${limit} OFFSET ${offset}) AS page ON true
          ORDER BY created_at DESC
        `
      ));
      return { books: rows.filter(({ id }) => id !== null).map(toBook), total: Number(rows[0]?.total) };
    },

    async getAuthors(ids) {
      const rows = await pool.read((sql) => (
        sql`
          SELECT id, name FROM authors
          WHERE id IN (SELECT jsonb_array_elements_text(${sql.json(ids.filter(isText))}))
        `
      ));
      return new Map(rows.map(toAuthor).map((author) => [author.id, author]));
    },

    async get(id) {
      if (!isText(id)) return undefined;
      const [row] = await pool.read((sql) => sql`SELECT * FROM books WHERE id = ${id}`);
      return row && toBook(row);
    },

    async create({ title, authorId }) {
      const id = crypto.randomUUID();
      // The clock's row stays locked until the book is committed. So books become visible in the order of their times, one at
      // a time: whoever sees a book sees all that have an earlier time, and none comes in behind a cursor taken from it.
      const [row] = await pool.write((sql) => (
        sql`
          WITH tick AS (
            UPDATE clock SET last = greatest(last + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)) RETURNING last
          )
          INSERT INTO books (id, title, author_id, created_at)
          SELECT ${id}, ${title}, ${authorId}, last FROM tick
          RETURNING created_at
        `
      ));
      return { id, title, authorId, createdAt: new Date(Number(row?.created_at)).toISOString() };
    },

    async delete(id) {
      if (!isText(id)) return false;
      const { count } = await pool.write((sql) => sql`DELETE FROM books WHERE id = ${id}`);
      return count > 0;
    },

    async close() {
      await pool.close();
    },
  };
}

/** Creates and fills the tables unless they are there: in one transaction, so that nobody ever finds half of them. */
async function createOnce(sql: postgres.TransactionSql, { authors, books, top }: Seed): Promise<void> {
  // Others that open the database at the same time wait here, and then find the tables.
  await sql`SELECT pg_advisory_xact_lock(hashtext('create the tables of books'))`;
  const [found] = await sql`SELECT to_regclass('clock') IS NOT NULL AS created`;
  if (found?.created) return;
  await sql.unsafe(CREATE_TABLES);
  const authorRows = authors.map(({ id, name }) => ({ id, name }));
  await sql`INSERT INTO authors SELECT * FROM jsonb_populate_recordset(NULL::authors, ${sql.json(authorRows)})`;
  const bookRows = books.map(({ id, title, authorId, createdAt }) => (
    { id, title, author_id: authorId, created_at: Date.parse(createdAt), top: top.includes(id) }
  ));
  await sql`INSERT INTO books SELECT * FROM jsonb_populate_recordset(NULL::books, ${sql.json(bookRows)})`;
  await sql`INSERT INTO clock SELECT 1, coalesce(max(created_at), 0) FROM books`;
}

/** Times are in milliseconds since 1970, UTC, as in `Date`, whose range `timestamptz` does not cover. */
const CREATE_TABLES = `
  CREATE TABLE authors (
    id text PRIMARY KEY,
    name text NOT NULL
  );
  CREATE TABLE books (
    id text PRIMARY KEY,
    title text NOT NULL,
    author_id text NOT NULL,
    created_at bigint NOT NULL UNIQUE,
    top boolean NOT NULL DEFAULT false
  );
  CREATE INDEX top_books ON books (created_at) WHERE top;
  CREATE TABLE clock (
    row integer PRIMARY KEY CHECK (row = 1),
    last bigint NOT NULL
  );
`;

/** Whether PostgreSQL can keep it: it refuses NUL, and half of a surrogate pair would reach it as another character. */
function isText(id: string): boolean {
  return id.isWellFormed() && !id.includes("\0");
}
