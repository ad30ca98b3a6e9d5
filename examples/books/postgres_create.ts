// @ts-types="@types/pg"
import type pg from "pg";
import { transact } from "./postgres_transact.ts";
import { type Row, toBook } from "./row.ts";
import { type Book, KEY_LIFETIME, type NewBook } from "./store.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/** A book to create, and the optional idempotency key of the client. */
export interface Creation {
  readonly book: NewBook;
  readonly key: string | undefined;
}

/**
 * Creates books in one transaction.
 *
 * The transaction locks the row of the clock until it commits. So books become visible in the order of their
 * `createdAt`: a client that sees a book also sees all earlier ones, and no book appears later behind a cursor.
 *
 * Returns the books in the same order. For a key that was used before, it is the book created with it.
 */
export async function createBooks(client: pg.ClientBase, creations: readonly Creation[]): Promise<readonly Book[]> {
  const rows = creations.map(({ book: { title, authorId }, key }, place) => (
    { place, id: crypto.randomUUID(), title, author_id: authorId, key }
  ));
  const received = client.escapeLiteral(JSON.stringify(rows));
  const [ticked] = await transact(client, createSql(received, rows.length));
  const first = Number(ticked?.[0]?.last) - rows.length + 1;
  const byKey = await readKeys(client, rows.flatMap(({ key }) => key ?? []));
  return rows.map((row) => {
    const created = row.key === undefined ? { ...row, created_at: first + row.place } : byKey.get(row.key);
    if (created === undefined) throw new StoreUnavailable("The key expired during the creation");
    return toBook(created);
  });
}

/** The clock never goes back, even if the system time does. An existing key keeps its book. */
function createSql(received: string, count: number): string {
  return `
    UPDATE clock
    SET last = greatest(last, floor(extract(epoch FROM clock_timestamp()) * 1000) - 1) + ${count}
    RETURNING last;

    DELETE FROM idempotency_keys WHERE created_at < (SELECT last FROM clock) - ${KEY_LIFETIME};

    WITH wanted AS (
      SELECT key, id, title, author_id, (SELECT last FROM clock) - ${count - 1} + place AS created_at
      FROM jsonb_to_recordset(${received}) AS received (place integer, id text, title text, author_id text, key text)
    ), used AS (
      INSERT INTO idempotency_keys (key, id, title, author_id, created_at)
      SELECT key, id, title, author_id, created_at FROM wanted WHERE key IS NOT NULL
      ON CONFLICT (key) DO NOTHING
      RETURNING id
    )
    INSERT INTO books (id, title, author_id, created_at)
    SELECT id, title, author_id, created_at FROM wanted WHERE key IS NULL OR id IN (SELECT id FROM used)
  `;
}

/** Reads the books of keys, after the commit: while it sends them, the server holds no lock on the clock. */
async function readKeys(client: pg.ClientBase, keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  if (keys.length === 0) return new Map();
  const { rows } = await client.query<Row>(`
    SELECT key, id, title, author_id, created_at FROM idempotency_keys
    WHERE key IN (SELECT jsonb_array_elements_text(${client.escapeLiteral(JSON.stringify(keys))}))
  `);
  return new Map(rows.map((row) => [String(row.key), row]));
}
