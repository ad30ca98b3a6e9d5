// @ts-types="@types/pg"
import type pg from "pg";
import type { Row } from "./row.ts";

/**
 * Runs statements in one transaction, which never waits for this process. All of them are sent in one message, which
 * the server runs as one transaction without `BEGIN` and `COMMIT`. It starts when it has the whole message, and commits
 * at the end. So an instance that stops or vanishes at any moment holds no lock.
 *
 * A message of several statements cannot have parameters. Insert strings with `quote`, and with nothing else. If a
 * statement fails, the log of the server contains them.
 *
 * The server sends the rows before it commits. It waits if the client does not read megabytes: return few rows.
 *
 * Returns the rows of each statement.
 */
export async function transact(client: pg.ClientBase, statements: string): Promise<readonly (readonly Row[])[]> {
  // The driver returns an array for several statements, which its types do not say.
  const results: pg.QueryResult<Row>[] = [await client.query<Row>(`${BOUND}; ${statements}`)].flat();
  return results.slice(1).map(({ rows }) => rows);
}

/** PostgreSQL 17 and later end a transaction that takes longer. Earlier ones do not have this setting. */
const BOUND = `
  SELECT set_config('transaction_timeout', '7s', true) WHERE current_setting('transaction_timeout', true) = '0'
`;

/**
 * Runs one statement. It is sent as one message, as those of `transact` are: the parts of a statement with
 * parameters are several messages, and the server holds the locks of the statement until the last one arrives. Insert
 * strings with `quoteString` or `quote`, and with nothing else.
 */
export async function query(client: pg.ClientBase, statement: string): Promise<readonly Row[]> {
  return (await client.query<Row>(statement)).rows;
}

/** Writes JSON as a string literal of SQL. */
export function quote(value: unknown): string {
  return quoteString(JSON.stringify(value));
}

/**
 * Writes a string as a literal of SQL. It must be well-formed and contain no NUL, which would end the message. In
 * `E'…'`, a backslash is an escape whatever the settings of the server.
 */
export function quoteString(value: string): string {
  return `E'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
