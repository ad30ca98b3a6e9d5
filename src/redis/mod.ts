/**
 * Stores in Redis or Valkey, for any number of instances: sessions, rate limits, idempotency keys and logs of events.
 *
 * The client is yours: one of `ioredis` or `redis`, for one server or for a cluster. Each call is one script, so it is
 * atomic, and Redis removes what has ended. The server must be Redis 6.2 or later, and must not evict keys: set
 * `maxmemory-policy noeviction`.
 *
 * @module
 */

export type { EventLog, EventLogOptions } from "../stores/event_log.ts";
export type { StoreOptions } from "../stores/store_calls.ts";
export type { IoredisClient, NodeRedisClient, RedisClient } from "./client.ts";
export { deliveryStore } from "./delivery_store.ts";
export { eventLog } from "./event_log.ts";
export { idempotencyStore } from "./idempotency_store.ts";
export { rateLimitStore } from "./rate_limit_store.ts";
export { sessionStore } from "./session_store.ts";
