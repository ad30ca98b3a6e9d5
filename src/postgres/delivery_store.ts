import type { DeliveryStore } from "../stores/delivery.ts";
import { checked, storeName, type StoreOptions } from "../stores/store_calls.ts";
import { createQuery, type PostgresClient } from "./client.ts";
import { NOW } from "./session_store.ts";

/**
 * Makes a store of deliveries in PostgreSQL, for any number of instances.
 *
 * The table must be there: see {@linkcode deliveryTable}. If it is missing, the error has the statement that creates it.
 * A method rejects if there is no answer within 2 seconds.
 *
 * @param client A pool of `pg`, or what `postgres` returns.
 * @param options `name`: the name of the table, `fw_deliveries` by default.
 * @returns The store.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function deliveryStore(client: PostgresClient, options: StoreOptions = {}): DeliveryStore {
  const name = storeName(options, "deliveries");
  const query = createQuery(client, deliveryTable({ name }));
  const take = `
    INSERT INTO ${name} AS old (receiver, owner, ends_at) VALUES ($1, $2, ${NOW} + $3::bigint)
    ON CONFLICT (receiver) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at
    WHERE old.owner = excluded.owner OR old.ends_at <= ${NOW}
    RETURNING receiver, position`;
  const advance = `UPDATE ${name} SET position = $3 WHERE receiver = $1 AND owner = $2 RETURNING receiver`;
  const release = `UPDATE ${name} SET ends_at = 0 WHERE receiver = $1 AND owner = $2`;
  const remove = `DELETE FROM ${name} WHERE receiver = $1`;
  return checked({
    async take(receiver, owner, seconds) {
      const [found, position] = await query(take, receiver, owner, Math.round(seconds * 1000));
      return found === undefined ? undefined : { position: typeof position === "string" ? position : null };
    },
    advance: async (receiver, owner, position) => (await query(advance, receiver, owner, position)).length > 0,
    release: async (receiver, owner) => void await query(release, receiver, owner),
    remove: async (receiver) => void await query(remove, receiver),
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
  receiver text PRIMARY KEY, owner text NOT NULL, ends_at bigint NOT NULL, position text
);`;
}
