import type postgres from "postgres";
import { toBook } from "./row.ts";
import { type Book, KEY_LIFETIME, type NewBook } from "./store.ts";

/** A book to create, and the key that the client gave, if any. */
export interface Creation {
  /** The book. */
  readonly book: NewBook;
  /** The key. */
  readonly key: string | undefined;
}

/**
 * Creates books, all of them or none.
 *
 * The clock's row is locked until the transaction is committed. So books become visible in the order of their times: whoever
 * sees a book sees all that have an earlier time, and none comes in behind a cursor taken from it.
 *
 * @param sql The connection, in a transaction.
 * @param take Called when the lock is taken. It returns what to create.
 * @returns The books, in the same order. For a key that was used before, the book that was created then.
 */
export async function createBooks(sql: postgres.Sql, take: () => readonly Creation[]): Promise<readonly Book[]> {
  // The clock never goes back, whatever time it is.
  const [clock] = await sql`
    SELECT greatest(last + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)) AS first FROM clock FOR UPDATE
  `;
  const first = Number(clock?.first);
  const rows = take().map(({ book: { title, authorId }, key }, place) => (
    { id: crypto.randomUUID(), title, author_id: authorId, created_at: first + place, key }
  ));
  const keyed = rows.filter(({ key }) => key !== undefined);

  // Others wait for the lock: all of it is sent at once, and run in this order. A key that is there already keeps its book.
  const [, , , , kept] = await Promise.all([
    sql`DELETE FROM idempotency_keys WHERE created_at < ${first - KEY_LIFETIME}`,
    sql`
      INSERT INTO idempotency_keys
      SELECT * FROM jsonb_populate_recordset(NULL::idempotency_keys, ${sql.json(keyed)})
      ON CONFLICT (key) DO NOTHING
    `,
    sql`
      INSERT INTO books (id, title, author_id, created_at)
      SELECT id, title, author_id, created_at
      FROM jsonb_populate_recordset(NULL::idempotency_keys, ${sql.json(rows)}) AS wanted
      WHERE key IS NULL OR EXISTS (SELECT FROM idempotency_keys WHERE key = wanted.key AND id = wanted.id)
    `,
    sql`UPDATE clock SET last = ${first + rows.length - 1}`,
    sql`
      SELECT * FROM idempotency_keys
      WHERE key IN (SELECT key FROM jsonb_populate_recordset(NULL::idempotency_keys, ${sql.json(keyed)}))
    `,
  ]);
  const byKey = new Map(kept.map((row) => [row.key, row]));
  return rows.map((row) => toBook(byKey.get(row.key) ?? row));
}
