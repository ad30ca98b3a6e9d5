import type postgres from "postgres";
import { type Row, toBook } from "./row.ts";
import { type Book, KEY_LIFETIME, type NewBook } from "./store.ts";

/** A book to create, and the key that the client gave, if any. */
export interface Creation {
  /** The book. */
  readonly book: NewBook;
  /** The key. */
  readonly key: string | undefined;
}

/**
 * Creates books in one transaction: all of them or none.
 *
 * The clock's row stays locked until the transaction is committed. So books become visible in the order of their times:
 * whoever sees a book sees all that have an earlier time, and none comes in behind a cursor taken from it.
 *
 * @param sql The connection.
 * @param creations What to create.
 * @returns The books, in the same order. For a key that was used before, the book that was created then.
 */
export async function createBooks(sql: postgres.Sql, creations: readonly Creation[]): Promise<readonly Book[]> {
  const wanted = creations.map(({ book: { title, authorId }, key = null }, place) => (
    { id: crypto.randomUUID(), title, author_id: authorId, key, place }
  ));
  // The keys come second, as the lock on the clock must be the first: of two transactions with the same key, the later one
  // then finds that of the earlier one.
  const created = await sql`
    WITH wanted AS (
      SELECT * FROM jsonb_to_recordset(${sql.json(wanted)})
        AS wanted (id text, title text, author_id text, key text, place bigint)
    ), tick AS (
      UPDATE clock
      SET last = greatest(last, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1) + ${wanted.length}::bigint
      RETURNING last - ${wanted.length}::bigint + 1 AS first
    ), remembered AS (
      INSERT INTO idempotency_keys (key, id, title, author_id, created_at)
      SELECT key, id, title, author_id, first + place FROM tick, wanted WHERE key IS NOT NULL
      ON CONFLICT (key) DO NOTHING
      RETURNING id
    ), forgotten AS (
      DELETE FROM idempotency_keys USING tick WHERE created_at < first - ${KEY_LIFETIME}::bigint
    )
    INSERT INTO books (id, title, author_id, created_at)
    SELECT id, title, author_id, first + place FROM tick, wanted
    WHERE key IS NULL OR id IN (SELECT id FROM remembered)
    RETURNING id, title, author_id, created_at
  `;
  const byId = new Map(created.map((row) => [row.id, row]));
  const repeated = wanted.flatMap(({ id, key }) => byId.has(id) || key === null ? [] : [key]);
  const before: readonly Row[] = repeated.length === 0 ? [] : await sql`
    SELECT * FROM idempotency_keys WHERE key IN (SELECT jsonb_array_elements_text(${sql.json(repeated)}))
  `;
  const byKey = new Map(before.map((row) => [row.key, row]));
  return wanted.map(({ id, key }) => {
    const row = byId.get(id) ?? byKey.get(key);
    if (row === undefined) throw new Error("The key has expired just now");
    return toBook(row);
  });
}
