/**
 * Keeps sessions, rate limits, idempotency keys and messages in the memory of one process, for tests and for an app
 * that runs as a single instance. Everything is lost with the process. `@fw/core/sqlite`, `/postgres` and `/redis` have
 * the same four names, for apps that restart or run as several instances.
 *
 * @example One request of a rate limit
 * ```ts
 * import { rateLimitStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const store = rateLimitStore({ most: 100_000 });
 * assertEquals(await store.take("ada", { quota: 10, window: 60 }), { allowed: true, missing: 1 });
 * ```
 *
 * @module
 */

export { deliveryStore } from "./delivery_store.ts";
export { eventLog } from "./event_log.ts";
export { idempotencyStore } from "./idempotency_store.ts";
export { rateLimitStore } from "./rate_limit_store.ts";
export { sessionStore } from "./session_store.ts";
export type { DeliveryStore, TakenDelivery } from "../stores/delivery.ts";
export type { EventLog } from "../stores/event_log.ts";
export type {
  IdempotencyStore,
  Quota,
  RateLimitStore,
  Reservation,
  ReservationLimits,
  Reserved,
  SessionStore,
  StoredSession,
  SyncIdempotencyStore,
  Taken,
} from "../stores/stores.ts";
