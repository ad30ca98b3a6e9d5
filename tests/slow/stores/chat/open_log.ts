import { Redis } from "ioredis";
import { openPool } from "../../../../examples/service/postgres_pool.ts";
import * as inPostgres from "../../../../src/postgres/mod.ts";
import * as inRedis from "../../../../src/redis/mod.ts";
import type { EventLog } from "../../../../src/stores/event_log.ts";

/** An event log on an engine, with its connections. */
export interface OpenLog extends AsyncDisposable {
  /** The log. */
  readonly log: EventLog<string>;
}

/** Opens the event log of a url: `redis:` or `postgres:`. The tables are created if they are missing. */
export async function openLog(url: string, keep: number): Promise<OpenLog> {
  if (url.startsWith("redis:")) {
    const redis = new Redis(url, { commandTimeout: 1500 });
    redis.on("error", () => {}); // it connects again by itself
    return {
      log: inRedis.eventLog<string>(redis, { keep }),
      [Symbol.asyncDispose]: () => Promise.resolve(redis.disconnect()),
    };
  }
  const pool = openPool(url);
  await pool.query("SELECT pg_advisory_xact_lock(60);" + inPostgres.eventTables());
  return { log: inPostgres.eventLog<string>(pool, { keep }), [Symbol.asyncDispose]: () => pool.end() };
}
