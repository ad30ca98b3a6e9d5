import type { RateLimitStore } from "@fw/core/rate-limit";
import type postgres from "postgres";
import { createQuery } from "../sessions/postgres_query.ts";

/** Creates the table: a migration. It is unlogged, for speed: after a crash of the database all quotas are whole. */
export async function createTable(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    CREATE UNLOGGED TABLE rate_limits (
      key text PRIMARY KEY,
      missing double precision NOT NULL,
      at timestamptz NOT NULL,
      full_at timestamptz NOT NULL,
      allowed boolean NOT NULL
    )
  `);
}

/**
 * Creates a store of rate limits in PostgreSQL, for any number of instances. One statement reads and changes a bucket,
 * so no two requests take the same, and the only clock is that of the database. `take` rejects if it does not answer.
 *
 * @param connect Connects: see `createQuery`.
 */
export function createPostgresStore(connect: () => postgres.Sql): RateLimitStore {
  const query = createQuery(connect);
  return {
    async take(key, { quota, window }) {
      const perSecond = quota / window;
      // The clock is read once the row is locked. If it goes back, nothing is refilled, and nobody waits longer than
      // the window. Sums of fractions are not exact: without the 1e-6, the last request could be lost.
      const [row] = await query`
        INSERT INTO rate_limits AS old (key, missing, at, full_at, allowed)
        VALUES (${key}, 1, clock_timestamp(), clock_timestamp() + ${1 / perSecond} * interval '1 second', true)
        ON CONFLICT (key) DO UPDATE SET (missing, at, full_at, allowed) = (
          SELECT left_over, time, time + left_over / ${perSecond} * interval '1 second', has_one
          FROM (SELECT clock_timestamp() AS time OFFSET 0) AS clock,
          LATERAL (
            SELECT greatest(old.missing - greatest(extract(epoch FROM time - old.at), 0) * ${perSecond}, 0) AS refilled
          ) AS before,
          LATERAL (SELECT refilled + 1 <= ${quota} + 1e-6 AS has_one) AS decision,
          LATERAL (SELECT CASE WHEN has_one THEN least(refilled + 1, ${quota}) ELSE refilled END AS left_over) AS after
        )
        RETURNING allowed, missing
      `;
      return { allowed: row?.allowed === true, missing: Number(row?.missing) };
    },
  };
}

/** Removes the buckets that are full, as those that are not there are. Call it now and then, from one place. */
export async function removeFullBuckets(sql: postgres.Sql): Promise<void> {
  await sql.unsafe("DELETE FROM rate_limits WHERE full_at <= now()");
}
