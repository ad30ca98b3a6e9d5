import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { RateLimitStore } from "../stores/stores.ts";

/**
 * Makes a store of rate limits in memory, for a single instance. With several instances, each allows the whole quota.
 *
 * Several limits may share a store. Then a client with many addresses can make it forget the keys of other limits, too.
 *
 * @param options `most`: how many keys are remembered, from 1 to 10,000,000. Each takes up to 500 bytes. Beyond that,
 * the key that was used least recently is forgotten, and its quota is whole again.
 * @returns The store.
 * @throws A `TypeError` if `most` is not a whole number within these bounds.
 *
 * @example One request
 * ```ts
 * import { rateLimitStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const store = rateLimitStore({ most: 100_000 });
 * assertEquals(await store.take("ada", { quota: 10, window: 60 }), { allowed: true, missing: 1 });
 * ```
 */
export function rateLimitStore(options: { readonly most: number }): RateLimitStore {
  requireOptions(options, "rateLimitStore", ["most"], []);
  const { most } = options;
  requireWhole(most, "Option most of rateLimitStore", 1e7);
  // The last to be used comes last.
  const buckets = new Map<string, { readonly missing: number; readonly at: number }>();
  return {
    take(key, { quota, window }) {
      const time = performance.now(); // nobody sets this clock
      const { missing: before, at } = buckets.get(key) ?? { missing: 0, at: time };
      // If the clock goes back, nothing is refilled, and nobody waits longer than the window.
      const refilled = Math.max(before - Math.max(time - at, 0) * quota / (window * 1000), 0);
      // Sums of fractions are not exact: without this part, the last request could be lost.
      const allowed = refilled + 1 <= quota + 1e-6;
      const missing = allowed ? Math.min(refilled + 1, quota) : refilled;
      buckets.delete(key);
      buckets.set(key, { missing, at: time });
      for (const oldest of buckets.keys()) {
        if (buckets.size <= most) break;
        buckets.delete(oldest);
      }
      return { allowed, missing };
    },
  };
}
