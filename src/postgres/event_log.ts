import {
  createEventLog,
  type EventLog,
  type EventLogOptions,
  type LoggedText,
  logOptions,
} from "../stores/event_log.ts";
import { storeName, type StoreOptions } from "../stores/store_calls.ts";
import { createQuery, type PostgresClient, STANDBY } from "./client.ts";

/**
 * Makes a log of messages in PostgreSQL, for any number of instances. The ids are whole numbers without gaps, in the
 * order in which messages become visible: no reader passes by one that is committed later. So messages are added one
 * after the other.
 *
 * Instances ask the table for new messages. They need no connection of their own, so the log works behind PgBouncer,
 * and goes on by itself after a failover.
 *
 * The tables must be there: see {@linkcode eventTables}. If they are missing, the error has the statements that create
 * them.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client A pool of `pg`, or what `postgres` returns.
 * @param options How many messages are kept, and in which table.
 * @returns The log. Its methods reject if there is no answer within 2 seconds.
 * @throws A `TypeError` if the client has not the method that is called, or if an option is wrong.
 */
export function eventLog<Message>(client: PostgresClient, options: EventLogOptions): EventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const query = createQuery(client, eventTables({ name }));
  const append = `
    WITH next AS (
      INSERT INTO ${name}_last AS old (last) VALUES (1) ON CONFLICT (one) DO UPDATE SET last = old.last + 1
      RETURNING last
    ),
    removed AS (DELETE FROM ${name} WHERE id <= (SELECT last FROM next) - $1::bigint)
    INSERT INTO ${name} (id, message) SELECT last, $2::text FROM next RETURNING id::text`;
  // Without messages, the latest id is not "0": that is the oldest one that is kept, also once others were removed.
  const after = `
    SELECT ${STANDBY}, coalesce((SELECT last::text FROM ${name}_last), '00'), (
      SELECT coalesce(json_agg(json_build_array(id::text, message) ORDER BY id), '[]')::text
      FROM (SELECT id, message FROM ${name} WHERE id > $1::bigint ORDER BY id LIMIT 100) AS page
    ) AS page`;
  return createEventLog({
    append: async (text) => String((await query(append, keep, text))[0]),
    async after(id) {
      const isId = id !== null && /^\d{1,15}$/.test(id);
      const [, last = "0", text = "[]"] = (await query(after, isId ? id : Number.MAX_SAFE_INTEGER)).map(String);
      const page: readonly LoggedText[] = JSON.parse(text);
      const following = Number(page[0]?.[0] ?? Number(last) + 1);
      const isKnown = id === null || id === "0" || (isId && Number(id) + 1 === following);
      return { last, texts: isKnown ? page : undefined };
    },
  }, interval);
}

/**
 * Returns the statements that create the tables of an {@linkcode eventLog}, unless they are there.
 *
 * @param options `name`: the name of the log, `fw_events` by default. The second table has this name and `_last`.
 * @returns The statements.
 */
export function eventTables(options: StoreOptions = {}): string {
  const name = storeName(options, "fw_events");
  return `CREATE TABLE IF NOT EXISTS ${name} (id bigint PRIMARY KEY, message text NOT NULL);
CREATE TABLE IF NOT EXISTS ${name}_last (one boolean PRIMARY KEY DEFAULT true CHECK (one), last bigint NOT NULL);`;
}
