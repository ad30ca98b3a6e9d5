import {
  createEventLog,
  type EventLog,
  type EventLogOptions,
  type LoggedText,
  logOptions,
} from "../stores/event_log.ts";
import { type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a log of messages in Redis or Valkey, for any number of instances: one stream, whose ids are those of Redis.
 * Redis removes the messages that are not kept, in groups: a few more may be there.
 *
 * Redis may lose its last messages when it crashes or fails over. Then readers are told that they have missed some.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client A client of `ioredis` or `redis`.
 * @param options How many messages are kept, and under which key.
 * @returns The log. Its methods reject if there is no answer within 2 seconds.
 * @throws A `TypeError` if the client has not the methods that are called, or if an option is wrong.
 */
export function eventLog<Message>(client: RedisClient, options: EventLogOptions): EventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const script = scriptsOf(client);
  const append = script("return redis.call('XADD',KEYS[1],'MAXLEN','~',ARGV[1],'*','m',ARGV[2])");
  const after = script(AFTER);
  return createEventLog({
    append: async (text) => String(await append([name], keep, text)),
    async after(id) {
      const isId = id === null || id === "0" || /^\d{1,19}-\d{1,19}$/.test(id);
      const [last, texts] = await after([name], isId ? id ?? "" : "?") as readonly [
        string,
        readonly LoggedText[] | null,
      ];
      return { last, texts: texts ?? undefined };
    },
  }, interval);
}

/**
 * The latest id, and the messages after another one: none, if that is unknown and not the latest. Without messages, the
 * latest id is `0-0`. It is known while no message has been removed, which Redis tells from version 7 on.
 */
const AFTER = `local id,last=ARGV[1],redis.call('XREVRANGE',KEYS[1],'+','-','COUNT',1)[1]
last=last and last[1] or '0-0'
local page={}
if id=='' or id==last then return {last,page} end
local info=id=='0-0' and redis.call('XINFO','STREAM',KEYS[1]) or page
if id=='?' or info[11]=='entries-added' and info[12]>info[2]
or id~='0' and id~='0-0' and not redis.call('XRANGE',KEYS[1],id,id)[1] then return {last,false} end
for i,m in ipairs(redis.call('XRANGE',KEYS[1],'('..id,'+','COUNT',100)) do page[i]={m[1],m[2][2]} end
return {last,page}`;
