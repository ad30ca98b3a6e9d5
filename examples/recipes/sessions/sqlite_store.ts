import type { SessionStore } from "@fw/core/session";
import type { DatabaseSync } from "node:sqlite";

/**
 * Creates a store of sessions in SQLite, where they outlive the process, and its table if need be. A sign-in removes the
 * sessions that have ended.
 */
export function createSqliteStore(db: DatabaseSync): SessionStore {
  db.exec(`
    CREATE TABLE IF NOT EXISTS user_sessions (
      digest TEXT PRIMARY KEY, user TEXT NOT NULL, begunAt INTEGER NOT NULL, endsAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS user_sessions_of_user ON user_sessions (user, endsAt);
    CREATE INDEX IF NOT EXISTS user_sessions_by_end ON user_sessions (endsAt);
  `);
  const insert = db.prepare("INSERT INTO user_sessions VALUES (?, ?, ?, ?)");
  const removeEnded = db.prepare("DELETE FROM user_sessions WHERE endsAt <= ?");
  const removeOldest = db.prepare(`
    DELETE FROM user_sessions WHERE digest IN (
      SELECT digest FROM user_sessions WHERE user = ? AND digest <> ? ORDER BY endsAt DESC LIMIT -1 OFFSET ?
    )
  `);
  const find = db.prepare("SELECT user, begunAt, endsAt FROM user_sessions WHERE digest = ?");
  const renew = db.prepare("UPDATE user_sessions SET endsAt = max(endsAt, ?) WHERE digest = ?");
  const end = db.prepare("DELETE FROM user_sessions WHERE digest = ?");
  const endOthers = db.prepare("DELETE FROM user_sessions WHERE user = ? AND digest <> ?");

  return {
    // Not one transaction: if the process ends within it, the next sign-in removes what is left.
    add({ digest, user, begunAt, endsAt }, perUser) {
      insert.run(digest, user, begunAt, endsAt);
      removeOldest.run(user, digest, perUser - 1);
      removeEnded.run(begunAt);
    },
    find(digest) {
      const row = find.get(digest);
      return row && { digest, user: String(row.user), begunAt: Number(row.begunAt), endsAt: Number(row.endsAt) };
    },
    renew: (digest, endsAt) => renew.run(endsAt, digest).changes === 1,
    end: (digest) => void end.run(digest),
    endOthers: (user, exceptDigest = "") => void endOthers.run(user, exceptDigest),
  };
}
