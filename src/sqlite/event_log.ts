import {
  createEventLog,
  type EventLog,
  type EventLogOptions,
  type LoggedText,
  logOptions,
} from "../stores/event_log.ts";
import { storeName, type StoreOptions } from "../stores/store_calls.ts";
import { openDatabase, type SqliteClient } from "./client.ts";

/**
 * Makes a log of messages in SQLite, for the instances of one machine. The ids are whole numbers without gaps.
 *
 * The table must be there: see {@linkcode eventTable}. If it is missing, the error has the statement that creates it.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options How many messages are kept, and in which table.
 * @returns The log.
 * @throws A `TypeError` if the client has not the methods that are called, or if an option is wrong; an `Error` if the
 * table is missing.
 */
export function eventLog<Message>(client: SqliteClient, options: EventLogOptions): EventLog<Message> {
  const { name, keep, interval } = logOptions(options);
  const { prepare, atomically } = openDatabase(client, eventTable({ name }));
  // The latest message is never removed, so no id comes twice.
  const add = prepare(`INSERT INTO ${name} (message) VALUES (?) RETURNING id`);
  const remove = prepare(`DELETE FROM ${name} WHERE id <= ?`);
  // Without messages, the latest id is not "0": that is the oldest one that is kept, also once others were removed.
  const after = prepare(`
    SELECT (SELECT coalesce(CAST(max(id) AS TEXT), '00') FROM ${name}) AS last, (
      SELECT json_group_array(json_array(CAST(id AS TEXT), message))
      FROM (SELECT id, message FROM ${name} WHERE id > ? ORDER BY id LIMIT 100)
    ) AS page`);
  return createEventLog({
    // deno-lint-ignore require-await -- an error of the engine rejects
    async append(text) {
      return atomically(() => {
        const id = Number(add(text)?.id);
        remove(id - keep);
        return `${id}`;
      });
    },
    // deno-lint-ignore require-await -- an error of the engine rejects
    async after(id) {
      const isId = id !== null && /^\d{1,15}$/.test(id);
      const row = after(isId ? Number(id) : Number.MAX_SAFE_INTEGER);
      const last = String(row?.last);
      const page: readonly LoggedText[] = JSON.parse(String(row?.page));
      const following = Number(page[0]?.[0] ?? Number(last) + 1);
      const isKnown = id === null || id === "0" || (isId && Number(id) + 1 === following);
      return { last, texts: isKnown ? page : undefined };
    },
  }, interval);
}

/**
 * Returns the statement that creates the table of an {@linkcode eventLog}, unless it is there.
 *
 * @param options `name`: the name of the table, `fw_events` by default.
 * @returns The statement.
 */
export function eventTable(options: StoreOptions = {}): string {
  const name = storeName(options, "fw_events");
  return `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;`;
}
