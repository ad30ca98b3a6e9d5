import { checked, reservedBy, storeName, type StoreOptions } from "../stores/store_calls.ts";
import type { IdempotencyStore } from "../stores/stores.ts";
import { createQuery, type PostgresClient } from "./client.ts";

/**
 * Makes a store of idempotency keys in PostgreSQL, for any number of instances. A reservation removes up to 10 keys
 * whose time is over. Concurrent requests of one client may exceed `perClient` by the number of these requests.
 *
 * The table must be there: see {@linkcode idempotencyTable}. If it is missing, the error has the statements that create
 * it. A method rejects if there is no answer within 2 seconds.
 *
 * @param client A pool of `pg`, or what `postgres` returns.
 * @param options `name`: the name of the table, `fw_idempotency` by default.
 * @returns The store.
 * @throws A `TypeError` if the client is neither of them.
 */
export function idempotencyStore(client: PostgresClient, options: StoreOptions = {}): IdempotencyStore {
  const name = storeName(options, "idempotency");
  const query = createQuery(client, idempotencyTable({ name }));
  // A key whose time is over goes to the new owner. Any other row is written as it was, since only then it is returned:
  // the snapshot of a SELECT would not have what another instance has just added.
  const columns = ["client", "request", "owner", "response", "ends_at"]
    .map((column) => `${column} = CASE WHEN old.ends_at <= now() THEN excluded.${column} ELSE old.${column} END`);
  const reserve = `
    WITH found AS (
      INSERT INTO ${name} AS old (key, client, request, owner, ends_at)
      SELECT $1::text, $2::text, $3::text, $4::text, now() + $5::float8 * interval '1 second'
      WHERE (SELECT count(*) FROM ${name} WHERE client = $2::text AND ends_at > now()) < $6::int
        OR EXISTS (SELECT FROM ${name} WHERE key = $1::text AND ends_at > now())
      ON CONFLICT (key) DO UPDATE SET ${columns}
      RETURNING request, owner, response
    ), removed AS (
      DELETE FROM ${name} WHERE key = ANY (ARRAY(
        SELECT key FROM ${name} WHERE ends_at <= now() AND key <> $1::text ORDER BY ends_at
        LIMIT (SELECT 10 * count(*) FROM found) FOR UPDATE SKIP LOCKED
      ))
    )
    SELECT request, owner, response FROM found`;
  // Where a transaction of another call has the row, this waits for its end, and sees what it has written.
  const ifOwn = "WHERE key = $1 AND owner = $2 AND response IS NULL";
  // Not now(): a transaction may have begun long ago.
  const inSeconds = (value: string) => `clock_timestamp() + ${value}::float8 * interval '1 second'`;
  return checked({
    async reserve(reservation, { lifetime, perClient, lease = lifetime }) {
      const { key, client, request, owner } = reservation;
      return reservedBy(await query(reserve, key, client, request, owner, lease, perClient), reservation);
    },
    async keep({ key, owner }, response, lifetime) {
      const found = lifetime === undefined
        ? await query(`UPDATE ${name} SET response = $3 ${ifOwn} RETURNING key`, key, owner, response)
        : await query(
          `UPDATE ${name} SET response = $3, ends_at = ${inSeconds("$4")} ${ifOwn} RETURNING key`,
          key,
          owner,
          response,
          lifetime,
        );
      return found.length > 0;
    },
    async renew({ key, owner }, lease) {
      await query(`UPDATE ${name} SET ends_at = ${inSeconds("$3")} ${ifOwn}`, key, owner, lease);
    },
    async free({ key, owner }) {
      await query(`DELETE FROM ${name} ${ifOwn}`, key, owner);
    },
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
  key text PRIMARY KEY, client text NOT NULL, request text NOT NULL, owner text NOT NULL, response text,
  ends_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${name}_client ON ${name} (client, ends_at);
CREATE INDEX IF NOT EXISTS ${name}_ends_at ON ${name} (ends_at);`;
}
