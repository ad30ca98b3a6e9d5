import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { LIFETIME, type Sessions } from "./store.ts";

/**
 * Creates a store of sessions in SQLite, where they outlive the process. It keeps a digest of each id: whoever reads the table
 * cannot use a session.
 *
 * @param db The database. The table is created if need be.
 * @param now The time in milliseconds.
 * @returns The store.
 */
export function createSqliteSessions(db: DatabaseSync, now: () => number = Date.now): Sessions {
  db.exec(`
    CREATE TABLE IF NOT EXISTS sessions (digest TEXT PRIMARY KEY, user TEXT NOT NULL, ends_at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS sessions_by_end ON sessions (ends_at);
  `);
  const find = db.prepare("SELECT user FROM sessions WHERE digest = ? AND ends_at > ?");
  const insert = db.prepare("INSERT INTO sessions VALUES (?, ?, ?)");
  const removeEnded = db.prepare("DELETE FROM sessions WHERE ends_at <= ?");
  const remove = db.prepare("DELETE FROM sessions WHERE digest = ?");

  return {
    async find(id = "") {
      const row = await find.get(digest(id), now());
      return row && String(row.user);
    },
    async add(id, user) {
      removeEnded.run(now());
      await insert.run(digest(id), user, now() + LIFETIME);
    },
    async delete(id = "") {
      await remove.run(digest(id));
    },
  };
}

/** SHA-256 is enough for a random id. A password takes a slow hash. */
function digest(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
