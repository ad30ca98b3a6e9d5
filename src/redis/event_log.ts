import { type EventLog, type EventLogOptions, type LoggedText, logOptions } from "../stores/event_log.ts";
import { createTag } from "../stores/log_page.ts";
import { createEventLog } from "../stores/shared_log.ts";
import { type RedisClient, scriptsOf } from "./client.ts";

/**
 * Makes a log of messages in Redis or Valkey, for any number of instances: one stream. An id consists of the id of the
 * entry in Redis and a random tag. Redis removes the messages that are not kept, in groups: a few more may be there.
 *
 * A client must not send a command again whose answer was lost, or a message may be there twice: `ioredis` needs
 * `autoResendUnfulfilledCommands: false`.
 *
 * Redis may lose its last messages when it crashes or fails over. Then readers are told that they have missed some. A
 * replica is not read: it may not know the latest messages.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client A client of `ioredis` or `redis`.
 * @param options How many messages are kept, and under which key.
 * @returns The log. Its methods reject if there is no answer within 2 seconds.
 * @throws A `TypeError` if the client lacks a method that the store calls, or if an option is wrong.
 */
export function eventLog<Message>(client: RedisClient, options: EventLogOptions): EventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const script = scriptsOf(client);
  const append = script(APPEND);
  const after = script(AFTER);
  return createEventLog<Message>({
    // One more is kept than readers get: its tag is compared.
    appendAll: async (texts) => (await append([name], keep + 1, createTag(), ...texts)) as readonly string[],
    async after(id) {
      const [last, texts] = (await after([name], askedOf(id))) as readonly [string, readonly LoggedText[] | null];
      return { last, texts: texts ?? undefined };
    },
  }, interval).log;
}

/** An id as the script takes it: `latest` for no messages, `unknown` for what cannot be an id. */
function askedOf(id: string | null): string {
  if (id === null) return "latest";
  return /^(0|0-0|\d{1,19}-\d{1,19}(-[\da-f]+)?)$/.test(id) ? id : "unknown";
}

/** KEYS: the stream. ARGV: how many entries are kept, the tag of the new ones, their texts. Returns their ids. */
const APPEND = `
local stream, keep, tag = KEYS[1], ARGV[1], ARGV[2]
local ids = {}
for index = 3, #ARGV do
  ids[#ids + 1] = redis.call('XADD', stream, 'MAXLEN', '~', keep, '*', tag, ARGV[index]) .. '-' .. tag
end
return ids
`;

/**
 * KEYS: the stream. ARGV: the id after which to read. Returns the latest id and the messages, or no messages if the id
 * is unknown. Without entries, the latest id is `0-0`. It is known while no entry has been removed, which Redis tells
 * from version 7 on.
 */
const AFTER = `
local stream, asked = KEYS[1], ARGV[1]

-- A replica rejects this, which removes nothing.
redis.call('XDEL', stream, '0-0')

-- The tag is the name of an entry's only field. A version without tags called it m.
local function id_of(entry)
  local number, tag = entry[1], entry[2][1]
  if tag == 'm' then return number end
  return number .. '-' .. tag
end

local function page_from(start)
  local page = {}
  for index, entry in ipairs(redis.call('XRANGE', stream, start, '+', 'COUNT', 100)) do
    page[index] = { id_of(entry), entry[2][2] }
  end
  return page
end

local latest = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
local last = latest and id_of(latest) or '0-0'

if asked == 'latest' or asked == last then return { last, {} } end
if asked == 'unknown' then return { last, false } end
if asked == '0' then return { last, page_from('-') } end

if asked == '0-0' then
  local info = redis.call('XINFO', 'STREAM', stream)
  local has_removed = info[11] == 'entries-added' and info[12] > info[2]
  return { last, not has_removed and page_from('-') }
end

local number = string.match(asked, '^%d+-%d+')
local entry = redis.call('XRANGE', stream, number, number)[1]
local is_known = entry and id_of(entry) == asked
return { last, is_known and page_from('(' .. number) }
`;
