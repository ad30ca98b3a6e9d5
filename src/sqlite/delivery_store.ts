import type { DeliveryStore } from "../stores/delivery.ts";
import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import { NOW, openDatabase, type SqliteClient } from "./client.ts";

/**
 * Makes a store of deliveries in SQLite, for the instances of one machine.
 *
 * The table must be there: see {@linkcode deliveryTable}. If it is missing, the error has the statement that creates it.
 *
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options `name`: the name of the table, `fw_deliveries` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls; an `Error` if the table is missing.
 */
export function deliveryStore(client: SqliteClient, options: StoreOptions = {}): DeliveryStore {
  const name = storeName(options, "deliveries");
  const { prepare } = openDatabase(client, deliveryTable({ name }));
  const take = prepare(`
    INSERT INTO ${name} AS old (receiver, owner, ends_at) VALUES (?, ?, ${NOW} + ?)
    ON CONFLICT (receiver) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at
    WHERE old.owner = excluded.owner OR old.ends_at <= ${NOW}
    RETURNING position`);
  const advance = prepare(`UPDATE ${name} SET position = ? WHERE receiver = ? AND owner = ? RETURNING receiver`);
  const release = prepare(`UPDATE ${name} SET ends_at = 0 WHERE receiver = ? AND owner = ?`);
  const remove = prepare(`DELETE FROM ${name} WHERE receiver = ?`);
  return checked({
    take(receiver, owner, seconds) {
      const row = take(receiver, owner, seconds * 1000);
      return row && { position: typeof row.position === "string" ? row.position : null };
    },
    advance: (receiver, owner, position) => advance(position, receiver, owner) !== undefined,
    release: (receiver, owner) => void release(receiver, owner),
    remove: (receiver) => void remove(receiver),
  }, 250);
}

/**
 * Returns the statement that creates the table of a {@linkcode deliveryStore}, unless it exists.
 *
 * @param options `name`: the name of the table, `fw_deliveries` by default.
 * @returns The statement.
 */
export function deliveryTable(options: StoreOptions = {}): string {
  const name = storeName(options, "deliveries");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  receiver TEXT PRIMARY KEY, owner TEXT NOT NULL, ends_at INTEGER NOT NULL, position TEXT
) STRICT;`;
}
