import postgres from "postgres";
import { assertMaySkip } from "../support/assert_may_skip.ts";
import { granted } from "../support/granted.ts";

/** The url of the PostgreSQL database for the tests, if there is one and it may be used. */
export const DATABASE_URL: string | undefined = granted("env", "net") ? Deno.env.get("DATABASE_URL") : undefined;
if (DATABASE_URL === undefined) assertMaySkip("The database that DATABASE_URL names");

/** A schema, which isolates a test like a separate database. */
export interface Schema {
  /** The url of the database, with the schema. */
  readonly url: string;
  /** The same for `pg`, which reads the schema from `options`. */
  readonly urlForPg: string;
  /** The permission flags that a process needs to use the url. */
  readonly permissions: readonly string[];
  /** A connection to the schema. */
  readonly sql: postgres.Sql;
  /** The last statement of the other connections, if there are any. */
  lastStatement(): Promise<string | undefined>;
  /** The ids of the processes of the other connections, in ascending order. */
  pids(): Promise<readonly number[]>;
  /** Terminates all other connections to the schema. */
  disconnect(): Promise<void>;
  /** Removes the schema, even while it has other connections. */
  drop(): Promise<void>;
}

/**
 * Creates a schema in the database that `DATABASE_URL` names.
 *
 * @returns The schema. The caller must drop it.
 */
export async function createSchema(): Promise<Schema> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const url = new URL(DATABASE_URL ?? "");
  url.searchParams.set("search_path", name);
  url.searchParams.set("application_name", name);
  const urlForPg = new URL(DATABASE_URL ?? "");
  urlForPg.searchParams.set("application_name", name);
  urlForPg.searchParams.set("options", `-c search_path=${name}`);
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  const others = sql`application_name = ${name} AND pid <> pg_backend_pid()`;
  await sql`CREATE SCHEMA ${sql(name)}`;

  const disconnect = async () => {
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`;
  };
  return {
    url: url.href,
    urlForPg: urlForPg.href,
    permissions: ["--allow-env=DATABASE_URL", `--allow-net=${url.hostname}:${url.port || "5432"}`],
    sql,
    async lastStatement() {
      const [last] = await sql`SELECT query FROM pg_stat_activity WHERE ${others} ORDER BY query_start DESC LIMIT 1`;
      return last && String(last.query);
    },
    async pids() {
      const rows = await sql`SELECT pid FROM pg_stat_activity WHERE ${others} ORDER BY pid`;
      return rows.map(({ pid }) => Number(pid));
    },
    disconnect,
    async drop() {
      await disconnect();
      await sql`DROP SCHEMA ${sql(name)} CASCADE`;
      await sql.end();
    },
  };
}
