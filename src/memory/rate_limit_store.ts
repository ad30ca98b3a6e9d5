import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { RateLimitStore } from "../stores/stores.ts";
import { type Bucket, takeFrom } from "../stores/token_bucket.ts";

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
  const buckets = new Map<string, Bucket>();
  return {
    take(key, quota) {
      const at = performance.now() / 1000; // nobody sets this clock
      const taken = takeFrom(buckets.get(key), at, quota);
      buckets.delete(key);
      buckets.set(key, { missing: taken.missing, at });
      for (const oldest of buckets.keys()) {
        if (buckets.size <= most) break;
        buckets.delete(oldest);
      }
      return taken;
    },
  };
}
