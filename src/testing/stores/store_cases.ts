import type { DeliveryStore } from "../../stores/delivery.ts";
import type { EventLog } from "../../stores/event_log.ts";
import type { IdempotencyStore, RateLimitStore, SessionStore } from "../../stores/stores.ts";
import { deliveryCases } from "./delivery_cases.ts";
import { eventLogCases } from "./event_log_cases.ts";
import { idempotencyCases } from "./idempotency_cases.ts";
import { rateLimitCases } from "./rate_limit_cases.ts";
import { sessionCases } from "./session_cases.ts";
import type { StoreCases } from "./store_case.ts";

/**
 * The tests that a store must pass, for your test runner: those of sessions, of rate limits, of idempotency keys,
 * of deliveries and of logs. The name of each says what a store does.
 *
 * Give each test an empty store of its own, and a function that lets time pass. The function receives a number of
 * seconds, and moves all stored times into the past by that number, or into the future if it is negative. In SQL, that
 * is an `UPDATE` of the columns with times.
 *
 * @example A store of sessions, by any test runner
 * ```ts
 * import { sessionStore } from "@fw/core/memory";
 * import { storeCases } from "@fw/core/testing";
 *
 * // A store in memory keeps no time. In SQL: "UPDATE sessions SET ends_at = ends_at - …".
 * const pass = (_seconds: number) => {};
 *
 * for (const [name, run] of Object.entries(storeCases.sessions)) {
 *   // Of a test runner: it(`my store ${name}`, () => run(createMyStore(), pass));
 *   console.info(`my store ${name}`);
 *   await run(sessionStore({ most: 100 }), pass);
 * }
 * ```
 */
export const storeCases: {
  /** For a {@linkcode SessionStore}. */
  readonly sessions: StoreCases<SessionStore>;
  /** For a {@linkcode RateLimitStore}. */
  readonly rateLimits: StoreCases<RateLimitStore>;
  /** For an {@linkcode IdempotencyStore}. */
  readonly idempotency: StoreCases<IdempotencyStore>;
  /** For a {@linkcode DeliveryStore}. */
  readonly deliveries: StoreCases<DeliveryStore>;
  /** For an {@linkcode EventLog} that keeps 10 messages. */
  readonly eventLogs: StoreCases<EventLog<unknown>>;
} = {
  sessions: sessionCases,
  rateLimits: rateLimitCases,
  idempotency: idempotencyCases,
  deliveries: deliveryCases,
  eventLogs: eventLogCases,
};
