// @ts-types="@types/pg"
import type pg from "pg";
import type { Row } from "./row.ts";

/**
 * Runs statements in one transaction, which never waits for this process. All of them are sent in one message, which
 * the server runs as one transaction without `BEGIN` and `COMMIT`. It starts when it has the whole message, and commits
 * at the end. So an instance that stops or vanishes at any moment holds no lock.
 *
 * A statement with parameters would be several messages, and the server would hold its locks until the last one
 * arrives. So insert strings with `client.escapeLiteral`, and with nothing else. They must be well-formed and contain
 * no NUL, which would end the message. If a statement fails, the log of the server contains them.
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
