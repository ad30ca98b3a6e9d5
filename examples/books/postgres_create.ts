import type postgres from "postgres";
import { toBook } from "./row.ts";
import { type Book, KEY_LIFETIME, type NewBook } from "./store.ts";

/** A book to create, and the optional idempotency key of the client. */
export interface Creation {
  /** The book. */
  readonly book: NewBook;
  /** The key. */
  readonly key: string | undefined;
}

/**
 * Creates books in one transaction.
 *
 * The transaction locks the row of the clock until it commits. So books become visible in the order of their
 * `createdAt`: a client that sees a book also sees all earlier ones, and no book appears later behind a cursor.
 *
 * @param sql The connection, in a transaction.
 * @param take Called after the lock has been acquired. It returns the books to create.
 * @returns The books, in the same order. For a key that was used before, the book created with it.
 */
export async function createBooks(sql: postgres.Sql, take: () => readonly Creation[]): Promise<readonly Book[]> {
  // The clock never goes back, even if the system time does.
  const [clock] = await sql`
    SELECT greatest(last + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)) AS first FROM clock FOR UPDATE
  `;
  const first = Number(clock?.first);
  const rows = take().map(({ book: { title, authorId }, key }, place) => (
    { id: crypto.randomUUID(), title, author_id: authorId, created_at: first + place, key }
  ));
  const keyed = rows.filter(({ key }) => key !== undefined);

  // All statements are sent together, to hold the lock only briefly. The server runs them in this order. An existing
  // key keeps its book.
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
