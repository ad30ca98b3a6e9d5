import { checked, reservedBy, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { SyncIdempotencyStore } from "../stores/stores.ts";
import { NOW, openDatabase, type SqliteClient } from "./client.ts";

/**
 * Makes a store of idempotency keys in SQLite, for the instances of one machine. The keys outlive the process. A
 * reservation removes up to 10 keys whose time is over.
 *
 * The table must be there: see {@linkcode idempotencyTable}. If it is missing, the error has the statements that create
 * it.
 *
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options `name`: the name of the table, `fw_idempotency` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls; an `Error` if the table is missing.
 */
export function idempotencyStore(client: SqliteClient, options: StoreOptions = {}): SyncIdempotencyStore {
  const name = storeName(options, "idempotency");
  const { prepare, atomically } = openDatabase(client, idempotencyTable({ name }));
  const removeEnded = prepare(`DELETE FROM ${name} WHERE key IN (
    SELECT key FROM ${name} WHERE ends_at <= ${NOW} ORDER BY ends_at LIMIT 10)`);
  const removeOwn = prepare(`DELETE FROM ${name} WHERE key = ? AND ends_at <= ${NOW}`);
  const insert = prepare(`
    INSERT INTO ${name} (key, client, request, owner, ends_at) SELECT ?, ?, ?, ?, ${NOW} + ?
    WHERE (SELECT count(*) FROM ${name} WHERE client = ? AND ends_at > ${NOW}) < ?
    ON CONFLICT (key) DO NOTHING`);
  const find = prepare(`SELECT request, owner, response FROM ${name} WHERE key = ?`);
  const ifOwn = "WHERE key = ? AND owner = ? AND response IS NULL";
  const keep = prepare(`UPDATE ${name} SET response = ? ${ifOwn} RETURNING key`);
  const keepFor = prepare(`UPDATE ${name} SET response = ?, ends_at = ${NOW} + ? ${ifOwn} RETURNING key`);
  const renew = prepare(`UPDATE ${name} SET ends_at = ${NOW} + ? ${ifOwn}`);
  const free = prepare(`DELETE FROM ${name} ${ifOwn}`);
  return checked({
    reserve: (reservation, { lifetime, perClient, lease = lifetime }) =>
      atomically(() => {
        const { key, client, request, owner } = reservation;
        removeOwn(key);
        removeEnded();
        insert(key, client, request, owner, lease * 1000, client, perClient);
        return reservedBy(Object.values(find(key) ?? {}), reservation);
      }),
    keep({ key, owner }, response, lifetime) {
      const found = lifetime === undefined
        ? keep(response, key, owner)
        : keepFor(response, lifetime * 1000, key, owner);
      return found !== undefined;
    },
    renew: ({ key, owner }, lease) => void renew(lease * 1000, key, owner),
    free: ({ key, owner }) => void free(key, owner),
  });
}

/**
 * Returns the statements that create the table of a {@linkcode idempotencyStore}, unless it exists.
 *
 * @param options `name`: the name of the table, `fw_idempotency` by default.
 * @returns The statements.
 */
export function idempotencyTable(options: StoreOptions = {}): string {
  const name = storeName(options, "idempotency");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key TEXT PRIMARY KEY, client TEXT NOT NULL, request TEXT NOT NULL, owner TEXT NOT NULL, response TEXT,
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS ${name}_client ON ${name} (client, ends_at);
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);`;
}
