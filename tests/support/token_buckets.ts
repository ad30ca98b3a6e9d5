import { assertEquals } from "@std/assert";
import type { Taken } from "../../src/rate_limit/mod.ts";

/** What a request takes out of a bucket. The same on each engine: one row for each rule of the bucket. */
export interface TokenBucket {
  /** What the row is about. */
  readonly about: string;
  /** How many requests the bucket lacked, and when that was, in seconds. `undefined` for a bucket that is not there. */
  readonly state: readonly [missing: number, at: number] | undefined;
  /** When the request comes, in seconds. */
  readonly time: number;
  /** The size of the bucket, and the seconds in which it fills up. */
  readonly quota: number;
  readonly window: number;
  /** What comes of it. */
  readonly allowed: boolean;
  readonly missing: number;
}

/** Times are small, and have whole milliseconds, so that the sums of all engines are exact to the last digits. */
export const TOKEN_BUCKETS: readonly TokenBucket[] = [
  row("a new key has a full bucket", undefined, 1000, [3, 3600], true, 1),
  row("a new key with a quota of one", undefined, 1000, [1, 1], true, 1),
  row("nothing was refilled", [1, 1000], 1000, [3, 3600], true, 2),
  row("the last request", [2, 1000], 1000, [3, 3600], true, 3),
  row("no request is left", [3, 1000], 1000, [3, 3600], false, 3),
  row("a quota of one is used up", [1, 1000], 1000, [1, 60], false, 1),
  row("half a request was refilled", [3, 1000], 1600, [3, 3600], false, 2.5),
  row("a whole request was refilled", [3, 1000], 2200, [3, 3600], true, 3),
  row("a millisecond is missing to a whole request", [3, 1000], 2199.999, [3, 3600], true, 3),
  row("four milliseconds are missing to a whole request", [3, 1000], 2199.996, [3, 3600], false, 2 + 1 / 300_000),
  row("one and a half requests were refilled", [3, 1000], 2800, [3, 3600], true, 2.5),
  row("a fraction was missing, and is refilled", [0.25, 1000], 1600, [3, 3600], true, 1),
  row("a fraction is missing", [0.25, 1000], 1000, [3, 3600], true, 1.25),
  row("the window is over", [3, 1000], 4600, [3, 3600], true, 1),
  row("the window has been over for long", [3, 1000], 1e6, [3, 3600], true, 1),
  row("the clock went back, and a request is left", [2, 1000], 10, [3, 3600], true, 3),
  row("the clock went back, and none is left", [3, 1000], 10, [3, 3600], false, 3),
  row("the sum of fractions is too large by the last digits", [2.0000000000000004, 1000], 1000, [3, 3600], true, 3),
  row("the sum of fractions is within what is tolerated", [2.0000009, 1000], 1000, [3, 3600], true, 3),
  row("the sum of fractions is more than what is tolerated", [2.000002, 1000], 1000, [3, 3600], false, 2.000002),
  row("thousands in a second, after a millisecond", [4999.5, 1000], 1000.001, [5000, 1], true, 4995.5),
  row("thousands in a second, used up", [5000, 1000], 1000, [5000, 1], false, 5000),
  row("thousands in a second, used up a millisecond ago", [5000, 1000], 1000.001, [5000, 1], true, 4996),
  row("one request in 400 days, after 200", [1, 0], 17_280_000, [1, 34_560_000], false, 0.5),
  row("one request in 400 days, after all of them", [1, 0], 34_560_000, [1, 34_560_000], true, 1),
];

function row(
  about: string,
  state: TokenBucket["state"],
  time: number,
  [quota, window]: readonly [number, number],
  allowed: boolean,
  missing: number,
): TokenBucket {
  return { about, state, time, quota, window, allowed, missing };
}

/** Compares what was taken with what a row expects. Sums of fractions differ in their last digits. */
export function assertTaken(taken: Taken, { allowed, missing }: TokenBucket): void {
  assertEquals([taken.allowed, taken.missing.toFixed(9)], [allowed, missing.toFixed(9)]);
}
