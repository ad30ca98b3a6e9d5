import type { Quota, Taken } from "./stores.ts";

/** A bucket, as it was when a request was last taken or refused. */
export interface Bucket {
  /** How many requests it lacked. */
  readonly missing: number;
  /** When that was, in seconds. */
  readonly at: number;
}

/**
 * Takes a request out of a bucket. SQLite, PostgreSQL and Redis do the same in their languages: `tests/support/` has the
 * vectors that all of them must meet.
 *
 * @param bucket The bucket; `undefined` for a full one.
 * @param time The time, in seconds.
 * @param quota The size of the bucket.
 * @returns What came of it.
 */
export function takeFrom(bucket: Bucket | undefined, time: number, { quota, window }: Quota): Taken {
  const { missing: before, at } = bucket ?? { missing: 0, at: time };
  // If the clock goes back, nothing is refilled, and nobody waits longer than the window.
  const refill = Math.max(time - at, 0) * quota / window;
  const refilled = Math.max(before - refill, 0);
  // Sums of fractions are not exact: without this part, the last request could be lost.
  const allowed = refilled + 1 <= quota + 1e-6;
  return { allowed, missing: allowed ? Math.min(refilled + 1, quota) : refilled };
}
