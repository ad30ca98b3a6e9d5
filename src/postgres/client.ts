import { requireThat } from "../core/values/assert.ts";
import { boundedCalls } from "../stores/bounded_calls.ts";

/** The methods of a client that stores call: a pool of `pg`, or the result of `postgres`. */
export type PostgresClient = PgClient | PostgresJsClient;

/** The methods of a `pg` pool that stores call. */
export interface PgClient {
  /** Runs a statement, or several ones without values. */
  query(text: string, values?: (string | number)[]): PromiseLike<{ readonly rows: readonly unknown[] }>;
}

/** The methods of the result of `postgres` that stores call. */
export interface PostgresJsClient {
  /** Runs a statement, or several ones without values. */
  unsafe(text: string, values?: (string | number)[], options?: { prepare: boolean }): PromiseLike<readonly unknown[]>;
}

/**
 * Runs a statement with values, or several ones without values as one transaction. Returns the columns of the first row
 * in their order, if there is one: `postgres` may be told to change their names, as by `postgres.camel`.
 */
export type Query = (text: string, ...values: (string | number)[]) => Promise<readonly unknown[]>;

/**
 * The first column of statements that only read. A standby runs them, too, and may not know yet that a session was
 * ended, or that there are messages. A statement that writes fails there anyway. Its first column is never a boolean.
 */
export const STANDBY = "pg_is_in_recovery()";

/**
 * Makes the function that sends the statements of a store: one message each.
 *
 * @param client The client.
 * @param table The statements that create the table. They are printed if it is missing.
 * @returns The function. It rejects if there is no answer within 2 seconds, and if a standby answers.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function createQuery(client: PostgresClient, table: string): Query {
  const bounded = boundedCalls("PostgreSQL");
  const send = senderOf(client);
  return async (text, ...values) => {
    try {
      const [row] = await bounded(() => send(text, values));
      const columns = Object.values(row ?? {});
      if (columns[0] === true) throw new Error("PostgreSQL is a standby: connect to the primary");
      return columns;
    } catch (error) {
      // An undefined table, or an undefined column.
      if (!/^42(P01|703)$/.test((error as { code?: string }).code ?? "")) throw error;
      const text = `A table of PostgreSQL is missing, or of another version. Create it:\n${table}`;
      throw new Error(text, { cause: error });
    }
  };
}

function senderOf(
  client: PostgresClient,
): (text: string, values: (string | number)[]) => Promise<readonly unknown[]> {
  if (isPostgresJs(client)) {
    return async (text, values) => await client.unsafe(text, values, { prepare: true });
  }
  // `bun:sqlite` and drivers of MySQL have a method of this name, too.
  const isPg = typeof client?.query === "function" && !("prepare" in client || "execute" in client);
  requireThat(
    isPg,
    "Client of a store in PostgreSQL",
    "a pool of pg, with the method query, or what postgres() returns, with the method unsafe",
    client,
  );
  return async (text, values) => (await client.query(text, values.length > 0 ? values : undefined)).rows ?? [];
}

function isPostgresJs(client: PostgresClient): client is PostgresJsClient {
  return typeof (client as Partial<PostgresJsClient> | undefined)?.unsafe === "function";
}
