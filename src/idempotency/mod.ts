/**
 * Requests with the same `Idempotency-Key` run once: a retry gets the stored response.
 *
 * @module
 */

export type {
  IdempotencyStore,
  Reservation,
  ReservationLimits,
  Reserved,
  SyncIdempotencyStore,
} from "../stores/stores.ts";
export {
  type IdempotencyOptions,
  idempotent,
  type LeaseOptions,
  type Once,
  type OnceWithKey,
  type Refusal,
} from "./idempotent.ts";
export { type KeepNow, type Key, KeyLost } from "./key.ts";
