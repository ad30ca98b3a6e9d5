/**
 * Stores in SQLite, for the instances of one machine: sessions, rate limits and idempotency keys.
 *
 * The database is yours: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`. Create the tables first: the
 * error for a missing one has the statements that create it.
 *
 * @module
 */

export type { EventLog, EventLogOptions } from "../core/values/event_log.ts";
export type { StoreOptions } from "../core/values/store_calls.ts";
export type { SqliteClient, SqliteStatement, SqliteValue } from "./client.ts";
export { eventLog, eventTable } from "./event_log.ts";
export { idempotencyStore, idempotencyTable } from "./idempotency_store.ts";
export { rateLimitStore, rateLimitTable } from "./rate_limit_store.ts";
export { sessionStore, sessionTable } from "./session_store.ts";
