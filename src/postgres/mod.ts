/**
 * Stores in PostgreSQL, for any number of instances: sessions, rate limits, idempotency keys and logs of events.
 *
 * The client is yours: a pool of `pg`, or what `postgres` returns. Use `pg` for transactions and behind PgBouncer. Create
 * the tables first: the error for a missing one has the statements that create it.
 *
 * @module
 */

export type { EventLog, EventLogOptions } from "../stores/event_log.ts";
export type { StoreOptions } from "../stores/store_calls.ts";
export type { PgClient, PostgresClient, PostgresJsClient } from "./client.ts";
export { deliveryStore, deliveryTable } from "./delivery_store.ts";
export { eventLog, eventTables } from "./event_log.ts";
export { idempotencyStore, idempotencyTable } from "./idempotency_store.ts";
export { rateLimitStore, rateLimitTable } from "./rate_limit_store.ts";
export { sessionStore, sessionTable } from "./session_store.ts";
