import { toHex } from "../core/values/hex.ts";
import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { SessionStore } from "../stores/stores.ts";
import { createQuery, type PostgresClient, STANDBY } from "./client.ts";

/**
 * Makes a store of sessions in PostgreSQL, for any number of instances. A sign-in removes up to 100 sessions that have
 * ended.
 *
 * The table must be there: see {@linkcode sessionTable}. If it is missing, the error has the statements that create it.
 * A method rejects if there is no answer within 2 seconds.
 *
 * @param client A pool of `pg`, or what `postgres` returns.
 * @param options `name`: the name of the table, `fw_sessions` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function sessionStore(client: PostgresClient, options: StoreOptions = {}): SessionStore {
  const name = storeName(options, "sessions");
  const query = createQuery(client, sessionTable({ name }));
  return checked({
    keepsData: true,
    async add({ digest, user, begunAt, endsAt, data }, perUser) {
      const own = literal(user);
      const row = [literal(digest), own, Number(begunAt), Number(endsAt)];
      // Without data, the table of a version without the column will do.
      const [columns, values] = data === undefined ? ["", row] : [", data", [...row, literal(data)]];
      // One message of several statements is one transaction, in one round trip. Without the lock, sign-ins of a user
      // at once would not see each other's sessions.
      await query(`
        ${lock(own)};

        DELETE FROM ${name} WHERE user_id = ${own} AND digest NOT IN (
          SELECT digest FROM ${name}
          WHERE user_id = ${own} AND ends_at > ${NOW}
          ORDER BY ends_at DESC
          LIMIT ${Number(perUser) - 1}
        );

        DELETE FROM ${name} WHERE digest = ANY (ARRAY(
          SELECT digest FROM ${name} WHERE ends_at <= ${NOW} ORDER BY ends_at LIMIT 100 FOR UPDATE SKIP LOCKED
        ));

        INSERT INTO ${name} (digest, user_id, begun_at, ends_at${columns}) VALUES (${values})`);
    },
    async find(digest) {
      // By the row as JSON: the table of a version without data has no such column.
      const [, user, begunAt, endsAt, data] = await query(
        `SELECT ${STANDBY}, user_id, begun_at, ends_at, to_jsonb(session) ->> 'data' AS data
        FROM ${name} AS session
        WHERE digest = $1 AND ends_at > ${NOW}`,
        digest,
      );
      if (typeof user !== "string") return undefined;
      const found = { digest, user, begunAt: Number(begunAt), endsAt: Number(endsAt) };
      return typeof data === "string" ? { ...found, data } : found;
    },
    async renew(digest, endsAt) {
      const found = await query(
        `UPDATE ${name} SET ends_at = greatest(ends_at, $2) WHERE digest = $1 AND ends_at > ${NOW} RETURNING digest`,
        digest,
        endsAt,
      );
      return found.length > 0;
    },
    async end(digest) {
      await query(`DELETE FROM ${name} WHERE digest = $1`, digest);
    },
    async endOthers(user, exceptDigest = "") {
      const own = literal(user);
      await query(`
        ${lock(own)};

        DELETE FROM ${name} WHERE user_id = ${own} AND digest <> ${literal(exceptDigest)}`);
    },
  });
}

/** The clock of the engine, in milliseconds since 1970, at the begin of the statement. */
export const NOW = "(extract(epoch FROM now()) * 1000)::bigint";

/** Writes a string as hexadecimal digits: nothing of it can be read as a statement, whatever the server's settings. */
function literal(text: string): string {
  return `convert_from(decode('${toHex(new TextEncoder().encode(text))}', 'hex'), 'UTF8')`;
}

/** The number tells these locks from others in the database. */
function lock(own: string): string {
  return `SELECT pg_advisory_xact_lock(7301946, hashtext(${own}))`;
}

/**
 * Returns the statements that create the table of a {@linkcode sessionStore}, unless it exists. They give the table of
 * a version without data its new column. Instances of that version go on.
 *
 * @param options `name`: the name of the table, `fw_sessions` by default.
 * @returns The statements.
 */
export function sessionTable(options: StoreOptions = {}): string {
  const name = storeName(options, "sessions");
  return `CREATE TABLE IF NOT EXISTS ${name} (
  digest text PRIMARY KEY, user_id text NOT NULL, begun_at bigint NOT NULL, ends_at bigint NOT NULL
);
ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS data text;
CREATE INDEX IF NOT EXISTS ${name}_user_id ON ${name} USING hash (user_id);
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);`;
}
