import type { EventLog, EventLogOptions } from "../stores/event_log.ts";
import { logOptions, textsOf } from "../stores/event_log.ts";
import { firstNumber, idOfRow, type LogRow, pageOf } from "../stores/log_page.ts";
import { createEventLog } from "../stores/shared_log.ts";
import { storeName, type StoreOptions } from "../stores/store_calls.ts";
import { openDatabase, type SqliteClient } from "./client.ts";

/**
 * A log in SQLite. `appendNow` is for transactions.
 *
 * @typeParam Message A message. It is kept as JSON.
 */
export interface SqliteEventLog<Message> extends EventLog<Message> {
  /**
   * Adds a message within the transaction that the application has begun on this connection, without a pause: between
   * `BEGIN` and `COMMIT` must be no `await`, or another request writes into the transaction. So the message is there
   * exactly if the transaction is committed.
   *
   * @param message The message: as JSON, at most 262,144 characters.
   * @returns Its id.
   * @throws The error of the database. Let it end the transaction.
   */
  appendNow(message: Message): string;
}

/**
 * Makes a log of messages in SQLite, for the instances of one machine. An id is the number of a row, without gaps, and
 * the random tag of the row. If a backup is restored, or the table emptied, readers of messages that are gone are told
 * that they have missed some.
 *
 * The tables must be there: see {@linkcode eventTable}. If they are missing, the error has the statements that create
 * them.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options How many messages are kept, and in which table.
 * @returns The log.
 * @throws A `TypeError` if the client has not the methods that are called, or if an option is wrong; an `Error` if the
 * table is missing.
 *
 * @example A message that is there exactly if the order is
 * ```ts
 * import { eventLog, eventTable } from "@fw/core/sqlite";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const database = new DatabaseSync(":memory:"); // or the path of a file
 * database.exec(`CREATE TABLE orders (id TEXT PRIMARY KEY) STRICT; ${eventTable()}`);
 * const log = eventLog<{ created: string }>(database, { keep: 1000 });
 *
 * function createOrder(id: string): void {
 *   database.exec("BEGIN IMMEDIATE");
 *   try {
 *     database.prepare("INSERT INTO orders VALUES (?)").run(id);
 *     log.appendNow({ created: id });
 *     database.exec("COMMIT");
 *   } catch (error) {
 *     database.exec("ROLLBACK");
 *     throw error;
 *   }
 * }
 *
 * createOrder("emma");
 * ```
 */
export function eventLog<Message>(client: SqliteClient, options: EventLogOptions): SqliteEventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const { prepare, atomically } = openDatabase(client, eventTable({ name }));
  // An array of JSON has its elements in their order. The latest row is never removed, so numbers go on.
  const insert = prepare(`INSERT INTO ${name} (message) SELECT value FROM json_each(?) ORDER BY key`);
  const added = prepare(`
    SELECT json_group_array(json_array(CAST(id AS TEXT), tag)) AS rows
    FROM (SELECT id, tag FROM ${name}_tags ORDER BY id DESC LIMIT ?)`);
  // One more than readers get: its tag is compared.
  const remove = prepare(`DELETE FROM ${name} WHERE id < (SELECT max(id) FROM ${name}) - ?`);
  const after = prepare(`
    WITH last AS (
      SELECT id FROM ${name} ORDER BY id DESC LIMIT 1
    ),
    reader AS (
      SELECT ? AS number, ? AS keep
    ),
    page AS (
      -- The message of the reader's last row is not needed, and may be long.
      SELECT log.id, CASE WHEN log.id > reader.number THEN message END AS message
      FROM reader, ${name} AS log
      WHERE log.id >= max(reader.number, (SELECT id FROM last) - reader.keep)
      ORDER BY log.id
      LIMIT 101
    )
    SELECT
      (
        SELECT json_array(CAST(id AS TEXT), coalesce(tag, ''))
        FROM last LEFT JOIN ${name}_tags USING (id)
      ) AS last,
      (
        SELECT json_group_array(json_array(CAST(id AS TEXT), coalesce(tag, ''), message))
        FROM (SELECT id, tag, message FROM page LEFT JOIN ${name}_tags USING (id) ORDER BY id)
      ) AS page`);

  const append = (texts: readonly string[]): readonly string[] =>
    atomically(() => {
      insert(JSON.stringify(texts));
      const rows: readonly LogRow[] = JSON.parse(String(added(texts.length)?.rows));
      remove(keep);
      return rows.map(idOfRow).toReversed();
    });

  const { log, wake } = createEventLog<Message>({
    // deno-lint-ignore require-await -- an error of the engine rejects
    appendAll: async (texts) => append(texts),
    // deno-lint-ignore require-await -- an error of the engine rejects
    async after(id) {
      const row = after(firstNumber(id), keep);
      const last: LogRow | null = JSON.parse(String(row?.last ?? null));
      return pageOf(id, last ?? undefined, JSON.parse(String(row?.page)), keep);
    },
  }, interval);
  return {
    ...log,
    appendNow(message) {
      const [id] = append(textsOf([message]));
      wake();
      return String(id);
    },
  };
}

/**
 * Returns the statements that create the tables of an {@linkcode eventLog}, unless they are there: the rows, and their
 * tags. The table of a version without tags is used as it is, also by instances of that version: a trigger makes the
 * tag of each row that is added.
 *
 * @param options `name`: the name of the table, `fw_events` by default. The second table has this name and `_tags`.
 * @returns The statements.
 */
export function eventTable(options: StoreOptions = {}): string {
  const name = storeName(options, "fw_events");
  return `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS ${name}_tags (id INTEGER PRIMARY KEY, tag TEXT NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS ${name}_added AFTER INSERT ON ${name} BEGIN
  INSERT OR REPLACE INTO ${name}_tags VALUES (new.id, lower(hex(randomblob(6))));
END;
CREATE TRIGGER IF NOT EXISTS ${name}_removed AFTER DELETE ON ${name} BEGIN
  DELETE FROM ${name}_tags WHERE id = old.id;
END;`;
}
