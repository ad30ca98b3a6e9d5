import type { EventLog } from "@fw/core/events";
import { eventLog } from "@fw/core/memory";
import { readVariable } from "../shared/read_variable.ts";

/**
 * Opens the log of messages that the environment variables select: PostgreSQL (`DATABASE_URL`), Redis (`REDIS_URL`), or
 * memory, for a single instance. With an engine, a client that connects again may reach any instance.
 *
 * The log keeps the latest 1,000 messages.
 */
export async function openLog<Message>(): Promise<EventLog<Message>> {
  const options = { keep: 1000 };
  const [database, redis] = [readVariable("DATABASE_URL"), readVariable("REDIS_URL")];
  if (database) {
    // Loaded only here: a driver takes time, and memory needs none.
    const [{ default: pg }, { eventLog, eventTables }] = await Promise.all([import("pg"), import("@fw/core/postgres")]);
    const pool = new pg.Pool({ connectionString: database, connectionTimeoutMillis: 1000, query_timeout: 2000 });
    // A connection that the server closes ends the process without these listeners, whether it is used or not.
    pool.on("error", console.error);
    pool.on("connect", (client) => client.on("error", () => {}));
    // Instances that start at once would create the tables at once. Both statements are one transaction.
    await pool.query(`SELECT pg_advisory_xact_lock(hashtext('create the tables of events')); ${eventTables()}`);
    return eventLog(pool, options);
  }
  if (redis) {
    const [{ Redis }, { eventLog }] = await Promise.all([import("ioredis"), import("@fw/core/redis")]);
    // A command without an answer is not sent again: the engine may have done it.
    const client = new Redis(redis, { autoResendUnfulfilledCommands: false });
    client.on("error", console.error); // it connects again by itself
    return eventLog(client, options);
  }
  return eventLog(options);
}
