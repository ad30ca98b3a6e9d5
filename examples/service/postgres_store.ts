import { reply } from "@fw/core";
import {
  idempotencyStore,
  idempotencyTable,
  rateLimitStore,
  rateLimitTable,
  sessionStore,
  sessionTable,
} from "@fw/core/postgres";
import { picture } from "./api.ts";
import { openPool, transact } from "./postgres_pool.ts";
import { createStore, type Store, tables } from "./store.ts";

/** Opens the store in PostgreSQL, for any number of instances, and creates its tables if need be. */
export async function openPostgresStore(url: string): Promise<Store> {
  const pool = openPool(url);
  // One message is one transaction. The lock lets instances start at once.
  const lock = "SELECT pg_advisory_xact_lock(hashtext('create the tables of the service'));";
  const stored = sessionTable() + rateLimitTable() + idempotencyTable();
  await pool.query(lock + tables("bigserial PRIMARY KEY") + stored);
  return createStore({
    sessions: sessionStore(pool),
    limits: rateLimitStore(pool),
    keys: idempotencyStore(pool),
    run: async (sql, ...values) => (await pool.query(numberValues(sql), [...values])).rows,
    addOnce: (key, sql, ...values) =>
      transact(pool, async (client) => {
        const { rows } = await client.query(numberValues(sql), [...values]);
        const added = picture.optional().parse(rows[0]);
        return added && await key.keep(idempotencyStore(client), reply(201, added));
      }),
  });
}

/** Writes `$1`, `$2` for each `?`. */
function numberValues(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
