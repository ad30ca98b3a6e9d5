import type { EventLog, EventLogOptions } from "../stores/event_log.ts";
import { logOptions, textsOf } from "../stores/event_log.ts";
import { createTag, firstNumber, idOfRow, type LogRow, pageOf } from "../stores/log_page.ts";
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
   * Adds a message synchronously, within the transaction that the application has begun on this connection. Do not
   * `await` between `BEGIN` and `COMMIT`, or another request writes into the transaction. The message is stored if the
   * transaction commits, and otherwise not.
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
 * The table must be there: see {@linkcode eventTable}. If it is missing, the error has the statement that creates it.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options How many messages are kept, and in which table.
 * @returns The log.
 * @throws A `TypeError` if the client lacks a method that the store calls, or if an option is wrong; an `Error` if the
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
  addTags(client, name);
  // An array of JSON has its elements in their order. The latest row is never removed, so numbers go on.
  const insert = prepare(`
    INSERT INTO ${name} (tag, message) SELECT ?, value FROM json_each(?) ORDER BY key`);
  const remove = prepare(`DELETE FROM ${name} WHERE id < ?`);
  const latest = prepare(`
    SELECT CAST(id AS TEXT) AS number, tag FROM ${name} ORDER BY id DESC LIMIT 1`);
  // The message of the reader's last row is not needed, and may be long.
  const pageFrom = prepare(`
    SELECT json_group_array(json_array(CAST(id AS TEXT), tag, message)) AS rows
    FROM (
      SELECT id, tag, CASE WHEN id > ? THEN message END AS message
      FROM ${name}
      WHERE id >= ?
      ORDER BY id
      LIMIT 101
    )`);

  const append = (texts: readonly string[]): readonly string[] =>
    atomically(() => {
      const tag = createTag();
      insert(tag, JSON.stringify(texts));
      const last = Number(latest()?.number);
      // One more stays than readers get: its tag is compared.
      remove(last - keep);
      return texts.map((_, index) => idOfRow([`${last - texts.length + index + 1}`, tag]));
    });

  const { log, wake } = createEventLog<Message>({
    // deno-lint-ignore require-await -- an error of the engine rejects
    appendAll: async (texts) => append(texts),
    // deno-lint-ignore require-await -- an error of the engine rejects
    async after(id) {
      const row = latest();
      const last: LogRow | undefined = row && [String(row.number), String(row.tag)];
      const first = firstNumber(id);
      const rows = pageFrom(first, Math.max(first, Number(last?.[0] ?? 0) - keep))?.rows;
      return pageOf(id, last, JSON.parse(String(rows)), keep);
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
 * Gives the table of a version without tags its new column. SQLite has no statement that adds a column unless it
 * exists. Instances of that version go on: the rows that they add have no tag.
 */
function addTags(client: SqliteClient, name: string): void {
  const columns = client.prepare(
    `SELECT count(*) AS found, count(*) FILTER (WHERE name = 'tag') AS tags FROM pragma_table_info('${name}')`,
  ).get() as { readonly found: unknown; readonly tags: unknown };
  if (Number(columns.found) === 0 || Number(columns.tags) === 1) return;
  try {
    client.exec(`ALTER TABLE ${name} ADD COLUMN tag TEXT NOT NULL DEFAULT ''`);
  } catch (error) {
    // Another process has added it meanwhile.
    if (!String(error).includes("duplicate column")) throw error;
  }
}

/**
 * Returns the statement that creates the table of an {@linkcode eventLog}, unless it exists. The table of a version
 * without tags does not change: {@linkcode eventLog} adds the column.
 *
 * @param options `name`: the name of the table, `fw_events` by default.
 * @returns The statement.
 */
export function eventTable(options: StoreOptions = {}): string {
  const name = storeName(options, "events");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  id INTEGER PRIMARY KEY, message TEXT NOT NULL, tag TEXT NOT NULL DEFAULT ''
) STRICT;`;
}
