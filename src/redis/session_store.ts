import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { SessionStore } from "../stores/stores.ts";
import { NOW, type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a store of sessions in Redis or Valkey, for any number of instances. Redis removes each session at its end.
 *
 * All sessions are in one slot of a cluster: a session is found by its digest, and ended by its user. A method rejects
 * if there is no answer within 2 seconds.
 *
 * @param client A client of `ioredis` or `redis`.
 * @param options `name`: the prefix of the keys, `fw_sessions` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function sessionStore(client: RedisClient, options: StoreOptions = {}): SessionStore {
  const prefix = `{${storeName(options, "sessions")}}:`;
  const keyOf = (digest: string) => `${prefix}s:${digest}`;
  const ofUser = (user: string) => `${prefix}u:${user}`;
  const script = scriptsOf(client);
  const add = script(NOW + DATA + WRITE + REMOVE + ADD);
  const find = script(DATA + FIND);
  const renew = script(DATA + WRITE + READ + RENEW);
  const end = script(DATA + REMOVE + READ + END);
  const endOthers = script(DATA + REMOVE + END_OTHERS);
  return checked({
    keepsData: true,
    async add({ digest, user, begunAt, endsAt, data }, perUser) {
      await add([keyOf(digest), ofUser(user)], begunAt, endsAt, user, perUser, ...data === undefined ? [] : [data]);
    },
    async find(digest) {
      const [session, data] = [await find([keyOf(digest)])].flat();
      const [, begunAt, endsAt, user] = VALUE.exec(String(session)) ?? [];
      if (user === undefined) return undefined;
      const found = { digest, user, begunAt: Number(begunAt), endsAt: Number(endsAt) };
      return typeof data === "string" ? { ...found, data } : found;
    },
    renew: async (digest, endsAt) => Number(await renew([keyOf(digest)], digest, endsAt)) === 1,
    async end(digest) {
      await end([keyOf(digest)], digest);
    },
    async endOthers(user, exceptDigest = "") {
      await endOthers([ofUser(user), keyOf(exceptDigest)]);
    },
  });
}

/** A session is a string: when it began, when it ends, and its user. */
const VALUE = /^(-?\d+) (-?\d+) ([^]*)$/;

/**
 * Data of a session has a key of its own, since versions without data read the session, too. It is made of the key of
 * the session: `ioredis` may add a prefix to the keys that it is given.
 */
const DATA = `
local function data_of(session)
  return (string.gsub(session, '}:s:', '}:d:', 1))
end
`;

/**
 * Writes a session. The keys of a user's sessions are in a sorted set, by their ends, which lasts as long as they. Data
 * lasts a day longer than its session: a version without data renews the session alone.
 */
const WRITE = `
local function write(session, sessions_of_user, begun, ends, user)
  redis.call('SET', session, begun .. ' ' .. ends .. ' ' .. user, 'PXAT', ends)
  redis.call('PEXPIREAT', data_of(session), ends + 86400000)
  redis.call('ZADD', sessions_of_user, ends, session)
  local last_end = redis.call('ZRANGE', sessions_of_user, -1, -1, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', sessions_of_user, last_end)
end
`;

/** Removes a session of a user. */
const REMOVE = `
local function remove(session, sessions_of_user)
  redis.call('DEL', session, data_of(session))
  redis.call('ZREM', sessions_of_user, session)
end
`;

/**
 * KEYS: the session, the sessions of its user. ARGV: when it begins, when it ends, its user, how many sessions the user
 * may have, its data if there are any.
 */
const ADD = `
local session, sessions_of_user = KEYS[1], KEYS[2]
if ARGV[5] then redis.call('SET', data_of(session), ARGV[5]) end
write(session, sessions_of_user, ARGV[1], ARGV[2], ARGV[3])

redis.call('ZREMRANGEBYSCORE', sessions_of_user, '-inf', now)
local surplus = redis.call('ZCARD', sessions_of_user) - ARGV[4]
for _, other in ipairs(redis.call('ZRANGE', sessions_of_user, 0, -1)) do
  if surplus < 1 then break end
  if other ~= session then
    surplus = surplus - 1
    remove(other, sessions_of_user)
  end
end
`;

/**
 * KEYS: the session. Returns it, and its data if there are any. A replica rejects GETEX, which counts as a write: it may
 * not know that the session was ended.
 */
const FIND = `
local session = redis.call('GETEX', KEYS[1])
local data = redis.call('GET', data_of(KEYS[1]))
if data then return { session, data } end
return session
`;

/**
 * Begins a script about one session. KEYS: the session. ARGV: its digest. The key of the user is made of that of the
 * session, as that of the data.
 */
const READ = `
local session = KEYS[1]
local value = redis.call('GETEX', session) or ''
local begun, ends, user = string.match(value, '^(%S+) (%S+) (.*)$')
if not user then return 0 end
local sessions_of_user = string.sub(session, 1, -3 - #ARGV[1]) .. 'u:' .. user
`;

/** ARGV, after the digest: the new end. Returns 1: the session is there. */
const RENEW = `
if tonumber(ARGV[2]) > tonumber(ends) then write(session, sessions_of_user, begun, ARGV[2], user) end
return 1
`;

const END = `
remove(session, sessions_of_user)
return 1
`;

/** KEYS: the sessions of a user, the one that goes on. A replica rejects ZREM, which removes nothing. */
const END_OTHERS = `
redis.call('ZREM', KEYS[1], '')
for _, session in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if session ~= KEYS[2] then remove(session, KEYS[1]) end
end
`;
