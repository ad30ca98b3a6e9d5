import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { RateLimitStore } from "../stores/stores.ts";
import { createQuery, type PostgresClient } from "./client.ts";

/**
 * Makes a store of rate limits in PostgreSQL, for any number of instances. One statement reads and changes a bucket, by
 * the clock of the database. Every eighth call also removes up to 16 buckets that have been full for a while.
 *
 * The table must be there: see {@linkcode rateLimitTable}. If it is missing, the error has the statements that create
 * it. The table is not logged, for speed: after a crash or a failover of the database, all quotas are whole. `take`
 * rejects if there is no answer within 2 seconds.
 *
 * @param client A pool of `pg`, or what `postgres` returns.
 * @param options `name`: the name of the table, `fw_rate_limits` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function rateLimitStore(client: PostgresClient, options: StoreOptions = {}): RateLimitStore {
  const name = storeName(options, "rate_limits");
  const query = createQuery(client, rateLimitTable({ name }));
  // The rule of `takeFrom` in `stores/token_bucket.ts`. The clock is read once the row is locked. `ends_at` is indexed, so
  // it moves rarely.
  const take = `
    INSERT INTO ${name} AS old (key, missing, at, ends_at, allowed)
    VALUES ($1, 1, ${SECONDS}, ${SECONDS} + 2 * $3::float8, true)
    ON CONFLICT (key) DO UPDATE SET (missing, at, ends_at, allowed) = (
      SELECT
        CASE WHEN is_allowed THEN least(refilled + 1, quota) ELSE refilled END,
        time,
        CASE WHEN old.ends_at < time + size THEN time + 2 * size ELSE old.ends_at END,
        is_allowed
      FROM
        (SELECT ${SECONDS} AS time, $2::float8 AS quota, $3::float8 AS size OFFSET 0) AS given,
        LATERAL (SELECT greatest(time - old.at, 0) * quota / size AS refill) AS passed,
        LATERAL (SELECT greatest(old.missing - refill, 0) AS refilled) AS bucket,
        LATERAL (SELECT refilled + 1 <= quota + 1e-6 AS is_allowed) AS decision
    )
    RETURNING missing, allowed`;
  // The removal waits for no lock, and comes last: no two calls wait for each other. Not in each call: a driver that
  // prepares no statements plans it each time, which takes as long as all the rest.
  const takeAndRemove = `
    WITH taken AS (${take}
    ),
    full_for_long AS (
      SELECT key FROM ${name}
      WHERE ends_at <= extract(epoch FROM now())::float8 AND key <> $1
      ORDER BY ends_at
      LIMIT (SELECT 16 * count(*) FROM taken)
      FOR UPDATE SKIP LOCKED
    ),
    removed AS (
      DELETE FROM ${name} WHERE key = ANY (ARRAY(SELECT key FROM full_for_long))
    )
    SELECT missing, allowed FROM taken`;
  let calls = 0;
  return checked({
    async take(key, { quota, window }) {
      const [missing, allowed] = await query(calls++ % 8 === 0 ? takeAndRemove : take, key, quota, window);
      return { allowed: allowed === true, missing: Number(missing) };
    },
  }, 250);
}

const SECONDS = "extract(epoch FROM clock_timestamp())::float8";

/**
 * Returns the statements that create the table of a {@linkcode rateLimitStore}, unless it exists.
 *
 * @param options `name`: the name of the table, `fw_rate_limits` by default.
 * @returns The statements.
 */
export function rateLimitTable(options: StoreOptions = {}): string {
  const name = storeName(options, "rate_limits");
  return `CREATE UNLOGGED TABLE IF NOT EXISTS ${name} (
  key text PRIMARY KEY, missing float8 NOT NULL, at float8 NOT NULL, ends_at float8 NOT NULL, allowed boolean NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);`;
}
