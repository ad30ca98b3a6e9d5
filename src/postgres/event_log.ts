import { type EventLog, type EventLogOptions, logOptions } from "../stores/event_log.ts";
import { createTag, firstNumber, idOfRow, type LogRow, pageOf } from "../stores/log_page.ts";
import { createEventLog } from "../stores/shared_log.ts";
import { storeName, type StoreOptions } from "../stores/store_calls.ts";
import { createQuery, type PostgresClient, STANDBY } from "./client.ts";

/**
 * Makes a log of messages in PostgreSQL, for any number of instances. An id is the number of a row, without gaps, and
 * the random tag of the row. Rows are in the order in which they become visible: no reader passes by one that is
 * committed later. So messages are added one after the other.
 *
 * If a failover loses the latest messages, or a backup is restored, readers of messages that are gone are told that they
 * have missed some.
 *
 * A log made from the client of a transaction adds its messages within the transaction. The messages are stored if the
 * transaction commits, and otherwise not. Another transaction that adds to the same log waits until then, so append
 * last, and commit at once.
 *
 * Instances ask the table for new messages. They need no extra connection, so the log continues by itself after a
 * failover. With `pg`, it works behind PgBouncer in transaction mode, as all stores do: version 1.18 is tested.
 *
 * The tables must be there: see {@linkcode eventTables}. If they are missing, the error has the statements that create
 * them.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client A pool of `pg`, or what `postgres` returns; a client of either, in a transaction.
 * @param options How many messages are kept, and in which table.
 * @returns The log. Its methods reject if there is no answer within 2 seconds.
 * @throws A `TypeError` if the client lacks a method that the store calls, or if an option is wrong.
 *
 * @example A message that is there exactly if the order is
 * ```ts
 * import { eventLog } from "@fw/core/postgres";
 * import type pg from "pg";
 *
 * async function createOrder(pool: pg.Pool, id: string): Promise<void> {
 *   const client = await pool.connect();
 *   const ignore = () => {}; // a lost connection also rejects the call
 *   client.on("error", ignore);
 *   try {
 *     await client.query("BEGIN");
 *     await client.query("INSERT INTO orders (id) VALUES ($1)", [id]);
 *     await eventLog<{ created: string }>(client, { keep: 1000 }).append({ created: id });
 *     await client.query("COMMIT");
 *     client.off("error", ignore);
 *     client.release();
 *   } catch (error) {
 *     client.release(true); // closes the connection, which ends the transaction
 *     throw error;
 *   }
 * }
 * ```
 */
export function eventLog<Message>(client: PostgresClient, options: EventLogOptions): EventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const query = createQuery(client, eventTables({ name }));
  // The row with the latest number is locked until the transaction ends. `removed` leaves one row more than readers get:
  // its tag is compared. Of more messages than are kept, the first ones get a number and no row.
  const append = `
    WITH next AS (
      INSERT INTO ${name}_last AS old (last)
      VALUES ($1::bigint + coalesce((SELECT max(id) FROM ${name}), 0))
      ON CONFLICT (one) DO UPDATE SET last = old.last + $1::bigint
      RETURNING last
    ),
    removed AS (
      DELETE FROM ${name} WHERE id < (SELECT last FROM next) - $2::bigint
    ),
    added AS (
      INSERT INTO ${name} (id, tag, message)
      SELECT last - $1::bigint + position, $3::text, message
      FROM next, json_array_elements_text($4::text::json) WITH ORDINALITY AS given (message, position)
      WHERE position >= $1::bigint - $2::bigint
    )
    SELECT last::text FROM next`;
  // The message of the reader's last row is not needed, and may be long.
  const after = `
    WITH last AS (
      SELECT id, tag FROM ${name} ORDER BY id DESC LIMIT 1
    ),
    page AS (
      SELECT id, tag, CASE WHEN id > $1::bigint THEN message END AS message
      FROM ${name}
      WHERE id >= greatest($1::bigint, (SELECT id FROM last) - $2::bigint)
      ORDER BY id
      LIMIT 101
    )
    SELECT
      ${STANDBY},
      (SELECT json_build_array(id::text, tag)::text FROM last) AS last,
      (SELECT json_agg(json_build_array(id::text, tag, message) ORDER BY id)::text FROM page) AS page`;

  return createEventLog<Message>({
    async appendAll(texts) {
      const tag = createTag();
      const [last] = await query(append, texts.length, keep, tag, JSON.stringify(texts));
      const before = Number(last) - texts.length;
      return texts.map((_, index) => idOfRow([`${before + index + 1}`, tag]));
    },
    async after(id) {
      const [, last, page] = await query(after, firstNumber(id), keep);
      const lastRow: LogRow | null = JSON.parse(String(last ?? null));
      return pageOf(id, lastRow ?? undefined, JSON.parse(String(page ?? "[]")), keep);
    },
  }, interval).log;
}

/**
 * Returns the statements that create the tables of an {@linkcode eventLog}, unless they exist. They give the table of a
 * version without tags its new column. Instances of that version go on: the rows that they add get a tag by the default
 * of the column.
 *
 * @param options `name`: the name of the log, `fw_events` by default. The second table has this name and `_last`.
 * @returns The statements.
 */
export function eventTables(options: StoreOptions = {}): string {
  const name = storeName(options, "events");
  return `CREATE TABLE IF NOT EXISTS ${name} (id bigint PRIMARY KEY, message text NOT NULL);
ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS tag text NOT NULL DEFAULT '';
ALTER TABLE ${name} ALTER COLUMN tag SET DEFAULT substr(md5(random()::text || clock_timestamp()::text), 1, 12);
CREATE TABLE IF NOT EXISTS ${name}_last (one boolean PRIMARY KEY DEFAULT true CHECK (one), last bigint NOT NULL);`;
}
