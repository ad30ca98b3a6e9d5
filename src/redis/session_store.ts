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
 * @throws A `TypeError` if the client has not the methods that are called.
 */
export function sessionStore(client: RedisClient, options: StoreOptions = {}): SessionStore {
  const prefix = `{${storeName(options, "fw_sessions")}}:`;
  const keyOf = (digest: string) => `${prefix}s:${digest}`;
  const ofUser = (user: string) => `${prefix}u:${user}`;
  const script = scriptsOf(client);
  const add = script(WRITE + NOW + ADD);
  const find = script("return redis.call('GET',KEYS[1])");
  const renew = script(WRITE + READ + RENEW);
  const end = script(READ + END);
  const endOthers = script(END_OTHERS);
  return checked({
    async add({ digest, user, begunAt, endsAt }, perUser) {
      await add([keyOf(digest), ofUser(user)], begunAt, endsAt, user, perUser);
    },
    async find(digest) {
      const [, begunAt, endsAt, user] = VALUE.exec(String(await find([keyOf(digest)]))) ?? [];
      return user === undefined ? undefined : { digest, user, begunAt: Number(begunAt), endsAt: Number(endsAt) };
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

/** Writes a session. The keys of a user's sessions are in a sorted set, by their ends, which lasts as long as they. */
const WRITE = `local function write(key,set,begun,ends,user)
redis.call('SET',key,begun..' '..ends..' '..user,'PXAT',ends)
redis.call('ZADD',set,ends,key)
redis.call('PEXPIREAT',set,redis.call('ZRANGE',set,-1,-1,'WITHSCORES')[2])
end
`;

const ADD = `write(KEYS[1],KEYS[2],ARGV[1],ARGV[2],ARGV[3])
redis.call('ZREMRANGEBYSCORE',KEYS[2],'-inf',now)
local over=redis.call('ZCARD',KEYS[2])-ARGV[4]
for _,key in ipairs(redis.call('ZRANGE',KEYS[2],0,-1)) do
if over<1 then break end
if key~=KEYS[1] then over=over-1 redis.call('DEL',key) redis.call('ZREM',KEYS[2],key) end
end`;

/** The key of the user is made of that of the session: `ioredis` may add a prefix to the keys that it is given. */
const READ = `local begun,ends,user=string.match(redis.call('GET',KEYS[1]) or '','^(%S+) (%S+) (.*)$')
if not user then return 0 end
local set=string.sub(KEYS[1],1,-3-#ARGV[1])..'u:'..user
`;

const RENEW = `if tonumber(ARGV[2])>tonumber(ends) then write(KEYS[1],set,begun,ARGV[2],user) end
return 1`;

const END = `redis.call('DEL',KEYS[1]) redis.call('ZREM',set,KEYS[1])`;

const END_OTHERS = `for _,key in ipairs(redis.call('ZRANGE',KEYS[1],0,-1)) do
if key~=KEYS[2] then redis.call('DEL',key) redis.call('ZREM',KEYS[1],key) end
end`;
