/**
 * Stores in SQLite, for the instances of one machine: sessions, rate limits, idempotency keys and logs of events.
 *
 * The database is yours: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`. Create the tables first: the
 * error for a missing one has the statements that create it.
 *
 * @example Sessions in a file
 * ```ts
 * import { reply } from "@fw/core";
 * import { createSessions } from "@fw/core/session";
 * import { sessionStore, sessionTable } from "@fw/core/sqlite";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const database = new DatabaseSync(":memory:"); // or the path of a file
 * database.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 2000;");
 * database.exec(sessionTable());
 *
 * const sessions = createSessions({
 *   store: sessionStore(database),
 *   idle: 30 * 60,
 *   absolute: 8 * 60 * 60,
 *   perUser: 10,
 *   refuse: () => reply(401, { error: "Sign in" }),
 * });
 * ```
 *
 * @module
 */

export type { EventLog, EventLogOptions } from "../stores/event_log.ts";
export type { StoreOptions } from "../stores/store_calls.ts";
export type { SqliteClient, SqliteStatement, SqliteValue } from "./client.ts";
export { deliveryStore, deliveryTable } from "./delivery_store.ts";
export { eventLog, eventTable, type SqliteEventLog } from "./event_log.ts";
export { idempotencyStore, idempotencyTable } from "./idempotency_store.ts";
export { rateLimitStore, rateLimitTable } from "./rate_limit_store.ts";
export { sessionStore, sessionTable } from "./session_store.ts";
