import type { SessionStore } from "@fw/core/session";
import type postgres from "postgres";
import { createQuery } from "./postgres_query.ts";

/** Creates the table: a migration. */
export async function createTable(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE user_sessions (
      digest text PRIMARY KEY,
      user_id text NOT NULL,
      begun_at bigint NOT NULL,
      ends_at bigint NOT NULL
    );
    CREATE INDEX user_sessions_of_user ON user_sessions (user_id, ends_at);
    CREATE INDEX user_sessions_by_end ON user_sessions (ends_at)
  `);
}

/**
 * Creates a store of sessions in PostgreSQL, for any number of instances. A sign-in removes up to 100 sessions that have
 * ended. The methods reject if the database does not answer.
 *
 * @param connect Connects: see `createQuery`.
 */
export function createPostgresStore(connect: () => postgres.Sql): SessionStore {
  const query = createQuery(connect);
  return {
    async add({ digest, user, begunAt, endsAt }, perUser) {
      // Without the lock, several sign-ins of a user at once would not see each other's sessions.
      await query`
        SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${user}));
        DELETE FROM user_sessions WHERE user_id = ${user} AND digest NOT IN (
          SELECT digest FROM user_sessions WHERE user_id = ${user} ORDER BY ends_at DESC LIMIT ${perUser - 1}
        );
        DELETE FROM user_sessions WHERE digest IN (
          SELECT digest FROM user_sessions WHERE ends_at <= ${begunAt} ORDER BY ends_at LIMIT 100 FOR UPDATE SKIP LOCKED
        );
        INSERT INTO user_sessions VALUES (${digest}, ${user}, ${begunAt}, ${endsAt})
      `;
    },
    async find(digest) {
      const [row] = await query`SELECT user_id, begun_at, ends_at FROM user_sessions WHERE digest = ${digest}`;
      return row && { digest, user: String(row.user_id), begunAt: Number(row.begun_at), endsAt: Number(row.ends_at) };
    },
    async renew(digest, endsAt) {
      const found = await query`
        UPDATE user_sessions SET ends_at = greatest(ends_at, ${endsAt}) WHERE digest = ${digest} RETURNING digest
      `;
      return found.length === 1;
    },
    async end(digest) {
      await query`DELETE FROM user_sessions WHERE digest = ${digest}`;
    },
    async endOthers(user, exceptDigest = "") {
      await query`
        SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${user}));
        DELETE FROM user_sessions WHERE user_id = ${user} AND digest <> ${exceptDigest}
      `;
    },
  };
}

/** Tells these locks from others in the database. */
const LOCK = 7_301_946;
