import type postgres from "postgres";
import { describeTaken, inMilliseconds, type Limit, type Take } from "./bucket.ts";

/** Creates the table: a migration. It is unlogged, for speed: after a crash of the database all buckets are full. */
export async function createTable(sql: postgres.Sql): Promise<void> {
  await sql`
    CREATE UNLOGGED TABLE rate_limits (
      key text PRIMARY KEY,
      full_at timestamptz NOT NULL,
      allowed boolean NOT NULL
    )
  `;
}

/**
 * Creates a token bucket for each key, in PostgreSQL, for any number of instances. One statement reads and changes a bucket,
 * so that no two requests take the same token, and the only clock is that of the database.
 *
 * @param sql The connection. Give it bounds for the time to connect and for a statement.
 * @param limit How much one key may use.
 * @returns Takes a token. It rejects where the database does not answer: the request is then not served.
 */
export function createPostgresBuckets(sql: postgres.Sql, limit: Limit): Take {
  const { perToken, most } = inMilliseconds(limit);
  return async (key) => {
    const [row] = await sql`
      INSERT INTO rate_limits AS old (key, full_at, allowed)
      VALUES (${key}, statement_timestamp() + ${perToken} * interval '1 ms', true)
      ON CONFLICT (key) DO UPDATE SET
        allowed = old.full_at <= statement_timestamp() + ${most} * interval '1 ms',
        full_at = CASE
          WHEN old.full_at <= statement_timestamp() + ${most} * interval '1 ms'
          THEN greatest(old.full_at, statement_timestamp()) + ${perToken} * interval '1 ms'
          -- If the clock of the database goes back, nobody waits longer than the window.
          ELSE least(old.full_at, statement_timestamp() + ${limit.window} * interval '1 s')
        END
      RETURNING allowed, extract(epoch FROM full_at - statement_timestamp()) * 1000 AS left
    `;
    return describeTaken(limit, row?.allowed === true, Number(row?.left));
  };
}

/** Removes the buckets that are full, as those that are not there are. Call it now and then, from one place. */
export async function removeFullBuckets(sql: postgres.Sql): Promise<void> {
  await sql`DELETE FROM rate_limits WHERE full_at <= now()`;
}
