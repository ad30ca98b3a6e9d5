import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { RateLimitStore } from "../stores/stores.ts";
import { NOW, type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a store of rate limits in Redis or Valkey, for any number of instances. One script reads and changes a bucket,
 * by the clock of the server. Redis removes a bucket when it is full. The buckets spread over a cluster.
 *
 * `take` rejects if there is no answer within 2 seconds.
 *
 * @param client A client of `ioredis` or `redis`.
 * @param options `name`: the prefix of the keys, `fw_rate_limits` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function rateLimitStore(client: RedisClient, options: StoreOptions = {}): RateLimitStore {
  const name = storeName(options, "rate_limits");
  const take = scriptsOf(client)(NOW + TAKE);
  return checked({
    async take(key, { quota, window }) {
      const [allowed, missing] = await take([`${name}:${key}`], quota, window) as readonly [unknown, unknown];
      return { allowed: Number(allowed) === 1, missing: Number(missing) }; // `ioredis` may return strings
    },
  }, 250);
}

/**
 * KEYS: the bucket. ARGV: the quota, the window in seconds. Returns whether there was a request to take, and how many
 * are missing now.
 *
 * If the clock goes back, nothing is refilled, and nobody waits longer than the window. Sums of fractions are not exact:
 * without the 1e-6, the last request could be lost. A replica rejects the bucket that is written.
 */
const TAKE = `
local quota, window = tonumber(ARGV[1]), ARGV[2] * 1000
local old = redis.call('HMGET', KEYS[1], 'missing', 'at')
local missing_before, at = old[1] or 0, old[2] or now

local refill = math.max(now - at, 0) * quota / window
local missing = math.max(missing_before - refill, 0)
local is_allowed = missing + 1 <= quota + 1e-6
if is_allowed then missing = math.min(missing + 1, quota) end

local text = string.format('%.17g', missing)
redis.call('HSET', KEYS[1], 'missing', text, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(missing * window / quota) + 1)
return { is_allowed and 1 or 0, text }
`;
