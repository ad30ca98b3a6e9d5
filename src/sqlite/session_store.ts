import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { SessionStore } from "../stores/stores.ts";
import { NOW, openDatabase, type SqliteClient } from "./client.ts";

/**
 * Makes a store of sessions in SQLite, for the instances of one machine. The sessions outlive the process.
 *
 * The table must be there: see {@linkcode sessionTable}. If it is missing, the error has the statements that create it.
 * A sign-in removes up to 100 sessions that have ended.
 *
 * @param client The database: `DatabaseSync` of `node:sqlite`, or `Database` of `bun:sqlite`.
 * @param options `name`: the name of the table, `fw_sessions` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls; an `Error` if the table is missing.
 */
export function sessionStore(client: SqliteClient, options: StoreOptions = {}): SessionStore {
  const name = storeName(options, "sessions");
  const { prepare, atomically } = openDatabase(client, sessionTable({ name }));
  // Before its statements have run again, a database of a version without data has no table for them.
  const countTables = prepare("SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = ?");
  const hasData = Number(countTables(`${name}_data`)?.found) === 1;
  const dataOf = hasData ? `(SELECT data FROM ${name}_data WHERE digest = session.digest)` : "NULL";

  const insert = prepare(`INSERT INTO ${name} (digest, user_id, begun_at, ends_at) VALUES (?, ?, ?, ?)`);
  const insertData = () => prepare(`INSERT OR REPLACE INTO ${name}_data (digest, data) VALUES (?, ?)`);
  const keepData = hasData ? insertData() : (digest: string, data: string) => insertData()(digest, data);
  const removeEnded = prepare(`
    DELETE FROM ${name} WHERE digest IN (
      SELECT digest FROM ${name} WHERE ends_at <= ${NOW} ORDER BY ends_at LIMIT 100
    )`);
  const removeOldest = prepare(`
    DELETE FROM ${name} WHERE digest IN (
      SELECT digest FROM ${name} WHERE user_id = ? AND digest <> ? ORDER BY ends_at DESC LIMIT -1 OFFSET ?
    )`);
  const find = prepare(`
    SELECT user_id, begun_at, ends_at, ${dataOf} AS data
    FROM ${name} AS session
    WHERE digest = ? AND ends_at > ${NOW}`);
  const renew = prepare(`
    UPDATE ${name} SET ends_at = max(ends_at, ?) WHERE digest = ? AND ends_at > ${NOW} RETURNING digest`);
  const end = prepare(`DELETE FROM ${name} WHERE digest = ?`);
  const endOthers = prepare(`DELETE FROM ${name} WHERE user_id = ? AND digest <> ?`);

  return checked({
    keepsData: true,
    add({ digest, user, begunAt, endsAt, data }, perUser) {
      atomically(() => {
        insert(digest, user, begunAt, endsAt);
        if (data !== undefined) keepData(digest, data);
        removeEnded();
        removeOldest(user, digest, perUser - 1);
      });
    },
    find(digest) {
      const row = find(digest);
      if (row === undefined) return undefined;
      const found = {
        digest,
        user: String(row.user_id),
        begunAt: Number(row.begun_at),
        endsAt: Number(row.ends_at),
      };
      return typeof row.data === "string" ? { ...found, data: row.data } : found;
    },
    renew: (digest, endsAt) => renew(endsAt, digest) !== undefined,
    end: (digest) => void end(digest),
    endOthers: (user, exceptDigest = "") => void endOthers(user, exceptDigest),
  });
}

/**
 * Returns the statements that create the tables of a {@linkcode sessionStore}, unless they exist: the sessions, and
 * their data. The table of an earlier version without data stays as it is, and instances of that version can still use
 * it. If they remove a session, a trigger removes its data.
 *
 * @param options `name`: the name of the table, `fw_sessions` by default. The second table has this name and `_data`.
 * @returns The statements.
 */
export function sessionTable(options: StoreOptions = {}): string {
  const name = storeName(options, "sessions");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, begun_at INTEGER NOT NULL, ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS ${name}_user_id ON ${name} (user_id, ends_at);
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);
CREATE TABLE IF NOT EXISTS ${name}_data (digest TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT;
CREATE TRIGGER IF NOT EXISTS ${name}_removed AFTER DELETE ON ${name} BEGIN
  DELETE FROM ${name}_data WHERE digest = old.digest;
END;`;
}
