import type { DeliveryStore } from "../stores/delivery.ts";
import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import { NOW, ON_PRIMARY, type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a store of deliveries in Redis or Valkey, for any number of instances. A receiver is a hash without a time to
 * live, by the clock of the server.
 *
 * A method rejects if there is no answer within 2 seconds.
 *
 * @param client A client of `ioredis` or `redis`.
 * @param options `name`: the prefix of the keys, `fw_deliveries` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function deliveryStore(client: RedisClient, options: StoreOptions = {}): DeliveryStore {
  const name = storeName(options, "deliveries");
  const scripts = scriptsOf(client);
  const take = scripts(NOW + ON_PRIMARY + TAKE);
  const advance = scripts(ON_PRIMARY + ADVANCE);
  const release = scripts(ON_PRIMARY + RELEASE);
  const remove = scripts(REMOVE);
  const keys = (receiver: string) => [`${name}:${receiver}`];
  return checked({
    async take(receiver, owner, seconds) {
      const found = await take(keys(receiver), owner, Math.round(seconds * 1000));
      if (!Array.isArray(found)) return undefined;
      return { position: typeof found[0] === "string" ? found[0] : null };
    },
    advance: async (receiver, owner, position) => Number(await advance(keys(receiver), owner, position)) === 1,
    release: async (receiver, owner) => void await release(keys(receiver), owner),
    remove: async (receiver) => void await remove(keys(receiver)),
  }, 250);
}

// Returns a list with the position, which is empty without one; `false` if another owner has the receiver.
const TAKE = `
local owner = redis.call('HGET', KEYS[1], 'owner')
local ends_at = tonumber(redis.call('HGET', KEYS[1], 'ends_at') or 0)
if owner and owner ~= ARGV[1] and ends_at > now then return false end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'ends_at', now + ARGV[2])
return { redis.call('HGET', KEYS[1], 'position') or nil }`;

const ADVANCE = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'position', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HSET', KEYS[1], 'ends_at', 0) end
return 1`;

const REMOVE = `return redis.call('DEL', KEYS[1])`;
