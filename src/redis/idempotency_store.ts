import { checked, reservedBy, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { IdempotencyStore, Reservation } from "../stores/stores.ts";
import { NOW, ON_PRIMARY, type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a store of idempotency keys in Redis or Valkey, for any number of instances. Redis removes each key at the end
 * of its lifetime. In a cluster, the keys of one client share a slot, and clients are distributed over all slots.
 *
 * Redis may lose its last writes when it crashes or fails over. Then a request can run twice under one key. If that
 * must not happen, use PostgreSQL.
 *
 * A method rejects if there is no answer within 2 seconds.
 *
 * @param client A client of `ioredis` or `redis`.
 * @param options `name`: the prefix of the keys, `fw_idempotency` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function idempotencyStore(client: RedisClient, options: StoreOptions = {}): IdempotencyStore {
  const name = storeName(options, "idempotency");
  const keysOf = ({ client, key }: Reservation) => [`{${name}:${client}}:${key}`, `{${name}:${client}}`];
  const script = scriptsOf(client);
  const reserve = script(NOW + reserveScript());
  const keep = script(NOW + ifOwnScript() + keepScript());
  const renew = script(NOW + ifOwnScript() + renewScript());
  const free = script(ifOwnScript() + FREE);
  return checked({
    async reserve(reservation, { lifetime, perClient, lease = lifetime }) {
      const { request, owner } = reservation;
      const found = await reserve(keysOf(reservation), request, owner, lease * 1000, perClient);
      return reservedBy((found ?? []) as readonly unknown[], reservation);
    },
    async keep(reservation, response, lifetime) {
      const end = lifetime === undefined ? [] : [lifetime * 1000];
      return Number(await keep(keysOf(reservation), reservation.owner, response, ...end)) === 1;
    },
    async renew(reservation, lease) {
      await renew(keysOf(reservation), reservation.owner, lease * 1000);
    },
    async free(reservation) {
      await free(keysOf(reservation), reservation.owner);
    },
  });
}

/** The keys of a client are in a sorted set, by their ends. The set ends with the last of them. */
const MOVE_END = `
redis.call('PEXPIREAT', KEYS[1], ends)
redis.call('ZADD', KEYS[2], ends, KEYS[1])
redis.call('PEXPIREAT', KEYS[2], redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2])
`;

// A bundler keeps a template with expressions at the top of a module, even if nothing uses it. So these are functions.

// The first command that changes something needs memory: if there is none, nothing is changed.
function reserveScript(): string {
  return `
local old = redis.call('HMGET', KEYS[1], 'request', 'owner', 'response')
local count = redis.call('ZCOUNT', KEYS[2], string.format('(%.0f', now), '+inf')
if old[1] or count >= tonumber(ARGV[4]) then
  ${ON_PRIMARY}
  return old[1] and old
end
redis.call('HSET', KEYS[1], 'request', ARGV[1], 'owner', ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local ends = now + ARGV[3]
${MOVE_END}
return {ARGV[1], ARGV[2]}`;
}

function ifOwnScript(): string {
  return `${ON_PRIMARY}
local found = redis.call('HMGET', KEYS[1], 'owner', 'response')
if found[1] ~= ARGV[1] or found[2] then return 0 end
`;
}

function keepScript(): string {
  return `
redis.call('HSET', KEYS[1], 'response', ARGV[2])
if ARGV[3] then
  local ends = now + ARGV[3]
  ${MOVE_END}
end
return 1`;
}

function renewScript(): string {
  return `
local ends = now + ARGV[2]
${MOVE_END}
return 1`;
}

const FREE = `
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], KEYS[1])
return 1`;
