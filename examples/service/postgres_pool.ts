// @ts-types="npm:@types/pg@^8"
import pg from "pg";

/**
 * Opens a pool of connections. All of its calls end within seconds, and it goes on by itself after a restart of the
 * database.
 */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 1000,
    query_timeout: 2000,
    keepAlive: true,
  });
  // A connection that the server closes ends the process without these listeners, whether it is used or not.
  pool.on("error", (error) => console.error("PostgreSQL:", error.message));
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Runs statements in a transaction. If PostgreSQL cannot put it in order with others, it is begun again. */
export async function transact<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let left = 3;; left--) {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 5000"); // if this process hangs
      const result = await run(client);
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT") throw new Error("The transaction was rolled back, since a statement had failed");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => broken = true);
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (left === 0 || (code !== "40001" && code !== "40P01")) throw error;
    } finally {
      client.release(broken);
    }
  }
}
