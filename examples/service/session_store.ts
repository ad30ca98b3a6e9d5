import type { SessionStore } from "@fw/core/session";
import type { DatabaseSync } from "node:sqlite";

/** Keeps sessions in SQLite, where they outlive the process. */
export function createSessionStore(db: DatabaseSync): SessionStore {
  db.exec(`
    CREATE TABLE IF NOT EXISTS sessions (
      digest TEXT PRIMARY KEY, user TEXT NOT NULL, begunAt INTEGER NOT NULL, endsAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS sessions_of_user ON sessions (user, endsAt);
    CREATE INDEX IF NOT EXISTS sessions_by_end ON sessions (endsAt);
  `);
  const prepare = (sql: string) => db.prepare(sql);
  const insert = prepare("INSERT INTO sessions VALUES (?, ?, ?, ?)");
  const removeEnded = prepare("DELETE FROM sessions WHERE endsAt <= ?");
  const removeOldest = prepare(`DELETE FROM sessions WHERE digest IN
    (SELECT digest FROM sessions WHERE user = ? AND digest <> ? ORDER BY endsAt DESC LIMIT -1 OFFSET ?)`);
  const find = prepare("SELECT user, begunAt, endsAt FROM sessions WHERE digest = ?");
  const renew = prepare("UPDATE sessions SET endsAt = max(endsAt, ?) WHERE digest = ?");
  const end = prepare("DELETE FROM sessions WHERE digest = ?");
  const endOthers = prepare("DELETE FROM sessions WHERE user = ? AND digest <> ?");

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
