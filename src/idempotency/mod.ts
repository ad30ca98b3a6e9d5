/**
 * Lets clients repeat a request safely: what has one `Idempotency-Key` runs once, and a repeat gets the first response.
 *
 * @module
 */

export type { IdempotencyStore, Reservation, ReservationLimits, Reserved } from "../stores/stores.ts";
export { type IdempotencyOptions, idempotent, type Once, type Refusal } from "./idempotent.ts";
