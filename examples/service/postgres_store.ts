import { rateLimitStore, rateLimitTable, sessionStore, sessionTable } from "@fw/core/postgres";
import postgres from "postgres";
import { createStore, type Run, type Store, tables } from "./store.ts";

/** How long a statement may take, in milliseconds. */
const MAX_WAIT = 2000;

/** Opens the store in PostgreSQL, for any number of instances, and creates its tables if need be. */
export async function openPostgresStore(url: string): Promise<Store> {
  const sql = postgres(url, { connect_timeout: 2, onnotice: () => {}, connection: { statement_timeout: MAX_WAIT } });
  // One message is one transaction. The lock lets instances start at once.
  const lock = "SELECT pg_advisory_xact_lock(hashtext('create the tables of the service'));";
  await sql.unsafe(lock + tables("bigserial PRIMARY KEY") + sessionTable() + rateLimitTable());
  const run: Run = (statement, ...values) => {
    let count = 0;
    const text = statement.replace(/\?/g, () => `$${++count}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("The database did not answer")), MAX_WAIT);
    });
    return Promise.race([sql.unsafe(text, [...values], { prepare: true }), late]).finally(() => clearTimeout(timer));
  };
  return createStore(run, { sessions: sessionStore(sql), limits: rateLimitStore(sql) });
}
