import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { RateLimitStore } from "../stores/stores.ts";
import { openDatabase, type SqliteClient } from "./client.ts";

/**
 * Makes a store of rate limits in SQLite, for the instances of one machine. One statement reads and changes a bucket.
 * A key that is new removes two buckets that have been full for a while.
 *
 * The table must be there: see {@linkcode rateLimitTable}. If it is missing, the error has the statements that create
 * it.
 *
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options `name`: the name of the table, `fw_rate_limits` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls; an `Error` if the table is missing.
 */
export function rateLimitStore(client: SqliteClient, options: StoreOptions = {}): RateLimitStore {
  const name = storeName(options, "rate_limits");
  const { prepare } = openDatabase(client, rateLimitTable({ name }));
  // The rule of `takeFrom` in `stores/token_bucket.ts`.
  const take = prepare(`
    INSERT INTO ${name} AS old (key, missing, at, ends_at, allowed, is_new)
    VALUES (?, 1, ${SECONDS}, ${SECONDS} + 2 * ?, 1, 1)
    ON CONFLICT (key) DO UPDATE SET (missing, at, ends_at, allowed, is_new) = (
      SELECT
        CASE WHEN is_allowed THEN min(refilled + 1, quota) ELSE refilled END,
        ${SECONDS},
        excluded.ends_at,
        is_allowed,
        0
      FROM (
        SELECT quota, refilled, refilled + 1 <= quota + 1e-6 AS is_allowed
        FROM (
          SELECT quota, max(old.missing - max(${SECONDS} - old.at, 0) * quota / size, 0) AS refilled
          FROM (SELECT ? AS quota, ? AS size)
        )
      )
    )
    RETURNING missing, allowed, is_new`);
  const removeFull = prepare(`
    DELETE FROM ${name} WHERE key IN (
      SELECT key FROM ${name} WHERE ends_at <= ${SECONDS} ORDER BY ends_at LIMIT 2
    )`);
  return checked({
    take(key, { quota, window }) {
      const row = take(key, window, quota, window);
      // A database may be set to return whole numbers as a bigint.
      if (Number(row?.is_new) === 1) removeFull();
      return { allowed: Number(row?.allowed) === 1, missing: Number(row?.missing) };
    },
  }, 250);
}

const SECONDS = "unixepoch('subsec')";

/**
 * Returns the statements that create the table of a {@linkcode rateLimitStore}, unless it exists.
 *
 * @param options `name`: the name of the table, `fw_rate_limits` by default.
 * @returns The statements.
 */
export function rateLimitTable(options: StoreOptions = {}): string {
  const name = storeName(options, "rate_limits");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key TEXT PRIMARY KEY, missing REAL NOT NULL, at REAL NOT NULL, ends_at REAL NOT NULL,
  allowed INTEGER NOT NULL, is_new INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);`;
}
