/**
 * Lets clients repeat a request safely: what has one `Idempotency-Key` runs once, and a repeat gets the first response.
 *
 * @module
 */

export type { IdempotencyStore, Reservation, ReservationLimits, Reserved } from "../core/values/stores.ts";
export { type IdempotencyOptions, idempotent, type Once, type Refusal } from "./idempotent.ts";
export { createMemoryStore } from "./memory_store.ts";
