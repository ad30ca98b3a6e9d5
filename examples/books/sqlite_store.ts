// deno-lint-ignore-file require-await -- SQLite is synchronous, other databases are not

import { DatabaseSync } from "node:sqlite";
import { isDiskFull } from "../shared/disk_full.ts";
import { transact } from "../shared/transact.ts";
import { toAuthor, toBook } from "./row.ts";
import { rememberFile } from "./sqlite_file.ts";
import { migrate } from "./sqlite_schema.ts";
import { type BookStore, KEY_LIFETIME, type Seed } from "./store.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Opens a book store on SQLite: a file, which is created if it does not exist, or `:memory:`. Several processes may
 * share a file, and may create it at the same time. The seed is the content of a new database.
 */
export function openSqliteStore(path: string, seed: Seed): BookStore {
  const db = new DatabaseSync(path);
  const checkFile = rememberFile(path);
  // In milliseconds: how long to wait while another process writes.
  db.exec("PRAGMA busy_timeout = 5000");
  preferWriteAheadLog(db);
  migrate(db, seed);

  const list = db.prepare(listSql("created_at < :before"));
  const listTop = db.prepare(listSql("top AND created_at < :before"));
  const listByAuthors = db.prepare(
    listSql("author_id IN (SELECT value FROM json_each(:authorIds)) AND created_at < :before"),
  );
  const listWindow = db.prepare(LIST_WINDOW);
  const getAuthors = db.prepare("SELECT id, name FROM authors WHERE id IN (SELECT value FROM json_each(:ids))");
  const get = db.prepare("SELECT id, title, author_id, created_at FROM books WHERE id = :id");
  const tick = db.prepare("UPDATE clock SET last = max(last + 1, :now) RETURNING last");
  const insert = db.prepare(INSERT_BOOK);
  const recall = db.prepare("SELECT id, title, author_id, created_at FROM idempotency_keys WHERE key = :key");
  const remember = db.prepare(INSERT_KEY);
  const forget = db.prepare("DELETE FROM idempotency_keys WHERE created_at < :before");
  const remove = db.prepare("DELETE FROM books WHERE id = :id");

  function read<Result>(work: () => Result): Result {
    checkFile();
    return work();
  }

  function write<Result>(work: () => Result): Result {
    try {
      return transact(db, () => {
        const result = work();
        // As late as possible: after the commit, the write is acknowledged.
        checkFile();
        return result;
      });
    } catch (error) {
      throw isDiskFull(error) ? new StoreUnavailable("The disk is full", { cause: error }) : error;
    }
  }

  return {
    async list({ before, limit, top = false, authorIds }) {
      const page = { before: before?.getTime() ?? Number.MAX_SAFE_INTEGER, limit };
      const rows = read(() =>
        authorIds === undefined
          ? (top ? listTop : list).all(page)
          : listByAuthors.all({ ...page, authorIds: JSON.stringify(authorIds) })
      );
      return rows.map(toBook);
    },

    async listWindow({ offset, limit }) {
      const rows = read(() => listWindow.all({ offset, limit }));
      return { books: rows.filter(({ id }) => id !== null).map(toBook), total: Number(rows[0]?.total) };
    },

    async getAuthors(ids) {
      const rows = read(() => getAuthors.all({ ids: JSON.stringify(ids) }));
      return new Map(rows.map(toAuthor).map((author) => [author.id, author]));
    },

    async get(id) {
      const row = read(() => get.get({ id }));
      return row && toBook(row);
    },

    async create({ title, authorId }, key) {
      return write(() => {
        forget.run({ before: Date.now() - KEY_LIFETIME });
        const before = key === undefined ? undefined : recall.get({ key });
        if (before) return toBook(before);
        const createdAt = Number(tick.get({ now: Date.now() })?.last);
        const id = crypto.randomUUID();
        insert.run({ id, title, authorId, createdAt });
        if (key !== undefined) remember.run({ key, id, title, authorId, createdAt });
        return { id, title, authorId, createdAt: new Date(createdAt).toISOString() };
      });
    },

    async delete(id) {
      return write(() => remove.run({ id }).changes > 0);
    },

    async ping() {
      read(() => list.get({ before: Number.MAX_SAFE_INTEGER, limit: 1 }));
    },

    async close() {
      db.close();
    },
  };
}

/** Lets others read during a write. The file stores this setting. Without it, the data is as safe, but reads wait. */
function preferWriteAheadLog(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA journal_mode = WAL");
  } catch {
    // If several processes switch at the same time, SQLite rejects some of them, whatever the timeout. Another process,
    // or the next one that opens the file, does it for all. If the reason is another one, the next transaction fails
    // too.
  }
}

function listSql(condition: string): string {
  return `SELECT id, title, author_id, created_at FROM books WHERE ${condition} ORDER BY created_at DESC LIMIT :limit`;
}

/** One statement, so that books and total are consistent. If the window is empty, it returns one row of nulls. */
const LIST_WINDOW = `
  SELECT total, id, title, author_id, created_at
  FROM (SELECT count(*) AS total FROM books)
  LEFT JOIN (
    SELECT id, title, author_id, created_at FROM books ORDER BY created_at DESC LIMIT :limit OFFSET :offset
  ) AS page
  ORDER BY created_at DESC
`;

const INSERT_BOOK = "INSERT INTO books (id, title, author_id, created_at) VALUES (:id, :title, :authorId, :createdAt)";

const INSERT_KEY = `
  INSERT INTO idempotency_keys (key, id, title, author_id, created_at) VALUES (:key, :id, :title, :authorId, :createdAt)
`;
