import type postgres from "postgres";

/** Runs statements as one transaction. Returns the rows, if it is one statement. */
export type Query = (
  statements: TemplateStringsArray,
  ...values: readonly (string | number)[]
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** How long statements may take, in milliseconds. This includes the time to connect. */
const MAX_WAIT = 2000;

/** How many calls may wait for the database. */
const MAX_WAITING = 1000;

/** How long to wait at least, in milliseconds, before all connections are replaced again. */
const REPLACE_AFTER = 10_000;

/**
 * Creates a function that sends statements in one message, which PostgreSQL runs as one transaction. An instance that
 * stops or vanishes at any moment holds no lock. The driver sends a statement with parameters in two messages, and the
 * locks of such a statement remain if the second message never comes.
 *
 * A message of several statements cannot have parameters: each value is written as a literal, and is always escaped.
 *
 * @param connect Connects: `() => postgres(url, { idle_timeout: 1, connection: { statement_timeout: 2000 } })`. It is
 * called again if the database does not answer: the driver would wait for minutes for a connection that is dead.
 * @returns A function that rejects if the database does not answer within two seconds, or if too many calls wait.
 */
export function createQuery(connect: () => postgres.Sql): Query {
  let sql = connect();
  let replacedAt = -Infinity;
  let waiting = 0;
  return async (statements, ...values) => {
    if (waiting >= MAX_WAITING) throw new Error("Too many statements wait for the database");
    const message = String.raw({ raw: statements }, ...values.map(toLiteral));
    const used = sql;
    waiting++;
    const rows = Promise.resolve(used.unsafe(message)).finally(() => waiting--);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`The database did not answer within ${MAX_WAIT} ms`));
        if (used !== sql || performance.now() - replacedAt < REPLACE_AFTER) return;
        replacedAt = performance.now();
        sql = connect();
        used.end({ timeout: 0 }).catch(() => {});
      }, MAX_WAIT);
    });
    return await Promise.race([rows, late]).finally(() => clearTimeout(timer));
  };
}

/** In `E'…'`, a backslash is an escape whatever the settings of the server. */
function toLiteral(value: string | number): string {
  if (typeof value === "number" && Number.isFinite(value)) return `(${value})`;
  if (typeof value === "string" && value.isWellFormed() && !value.includes("\0")) {
    return `E'${value.replace(/[\\']/g, "$&$&")}'`;
  }
  throw new TypeError("A value must be a finite number, or a well-formed string without NUL");
}
