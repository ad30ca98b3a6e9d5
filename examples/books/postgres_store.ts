// @ts-types="@types/pg"
import type pg from "pg";
import { createBatcher } from "./batch.ts";
import { startDeadline } from "./deadline.ts";
import { createBooks, type Creation } from "./postgres_create.ts";
import { openPostgresPool } from "./postgres_pool.ts";
import { migrate } from "./postgres_schema.ts";
import { readPostgresUrl } from "./postgres_url.ts";
import { type Row, toAuthor, toBook } from "./row.ts";
import { checkVersion } from "./schema.ts";
import type { BookStore, Seed } from "./store.ts";

/**
 * Opens a book store on PostgreSQL. Any number of processes may share a database, and may open it at the same time,
 * even if it is new. The seed is the content of a new database. If the database becomes unreachable later, calls fail
 * until it is back.
 */
export async function openPostgresStore(url: string, seed: Seed): Promise<BookStore> {
  const pool = await openPostgresPool(readPostgresUrl(url));
  try {
    checkVersion(await pool.write((client) => migrate(client, seed), startDeadline()));
  } catch (error) {
    await pool.close();
    throw error;
  }

  // Each creation needs the lock on the clock and a commit. Creations that wait here share one lock and one commit.
  const create = createBatcher(
    (creations: readonly Creation[], deadline) => pool.write((client) => createBooks(client, creations), deadline),
    MAX_WAITING_CREATIONS,
  );

  async function read(
    statement: (client: pg.ClientBase) => string,
    deadline = startDeadline(),
  ): Promise<readonly Row[]> {
    return (await pool.read((client) => client.query<Row>(statement(client)), deadline)).rows;
  }

  return {
    async list({ before, limit, top = false, authorIds }, deadline) {
      const wanted = authorIds && JSON.stringify(authorIds.filter(isText));
      const rows = await read((client) => `
        SELECT id, title, author_id, created_at FROM books
        WHERE ${top ? "top AND" : ""}
          ${wanted ? `author_id IN (SELECT jsonb_array_elements_text(${client.escapeLiteral(wanted)})) AND` : ""}
          created_at < ${before?.getTime() ?? Number.MAX_SAFE_INTEGER}
        ORDER BY created_at DESC LIMIT ${limit}
      `, deadline);
      return rows.map(toBook);
    },

    async listWindow({ offset, limit }) {
      // One statement, so that books and total are consistent. If the window is empty, it returns one row of nulls.
      const statement = `
        SELECT total, id, title, author_id, created_at
        FROM (SELECT count(*) AS total FROM books) AS whole
        LEFT JOIN (
          SELECT id, title, author_id, created_at FROM books ORDER BY created_at DESC LIMIT ${limit} OFFSET ${offset}
        ) AS page ON true
        ORDER BY created_at DESC
      `;
      const rows = await read(() => statement);
      return { books: rows.filter(({ id }) => id !== null).map(toBook), total: Number(rows[0]?.total) };
    },

    async getAuthors(ids, deadline) {
      const wanted = JSON.stringify(ids.filter(isText));
      const rows = await read((client) => `
        SELECT id, name FROM authors WHERE id IN (SELECT jsonb_array_elements_text(${client.escapeLiteral(wanted)}))
      `, deadline);
      return new Map(rows.map(toAuthor).map((author) => [author.id, author]));
    },

    async get(id, deadline) {
      if (!isText(id)) return undefined;
      const [row] = await read((client) => `
        SELECT id, title, author_id, created_at FROM books WHERE id = ${client.escapeLiteral(id)}
      `, deadline);
      return row && toBook(row);
    },

    create: (book, key) => create({ book, key }, startDeadline()),

    async delete(id) {
      if (!isText(id)) return false;
      const { rowCount } = await pool.write(
        (client) => client.query(`DELETE FROM books WHERE id = ${client.escapeLiteral(id)}`),
        startDeadline(),
      );
      return rowCount === 1;
    },

    async ping() {
      await read(() => "SELECT id FROM books LIMIT 1");
    },

    close: pool.close,
  };
}

/** Whether PostgreSQL can store a string. It rejects NUL, and a lone surrogate would arrive as another character. */
function isText(id: string): boolean {
  return id.isWellFormed() && !id.includes("\0");
}

/** All of them fit into one batch, so each waits for one running batch at most. */
const MAX_WAITING_CREATIONS = 1000;
