import process from "node:process";
import type postgres from "postgres";

/** Connections to a PostgreSQL database. */
export interface PostgresPool {
  /**
   * Runs statements.
   *
   * @param work What to run, with postgres.js.
   * @returns What the work returns.
   */
  run<Result>(work: (sql: postgres.Sql) => Promise<Result>): Promise<Result>;
  /** Waits a little for what is under way, and closes the connections. */
  close(): Promise<void>;
}

/**
 * Makes a pool of up to 10 connections, opened when they are needed.
 *
 * @param url `postgres://user:password@host:5432/database`; it may go on with `?sslmode=require` and the like.
 * @returns The pool: close it.
 * @throws If the url is none.
 */
export async function openPostgresPool(url: string): Promise<PostgresPool> {
  const { href } = readUrl(url);
  const driver = await loadDriver();
  let sql = connect(driver, href);
  return {
    async run(work) {
      const used = sql;
      try {
        return await work(used);
      } catch (error) {
        // A connection that broke may never work again (postgres.js 3.4.9), nor does the driver replace it: we do.
        if (used === sql && isBreak(error, driver)) {
          sql = connect(driver, href);
          end(used);
        }
        throw error;
      }
    },

    async close() {
      await end(sql);
    },
  };
}

/** The driver would cite what is no url, password and all, and ask the system for a user that is missing. */
function readUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.username === "") {
    throw new TypeError("The database must be named as postgres://user:password@host:5432/database, percent-encoded");
  }
  return parsed;
}

/** Loads the driver only now. Deno downloads what an `import` names by a literal, for those, too, who use no PostgreSQL. */
async function loadDriver(): Promise<typeof postgres> {
  const { default: driver }: { readonly default: typeof postgres } = await import(DRIVER);
  return driver;
}

const DRIVER = "postgres";

function connect(driver: typeof postgres, url: string): postgres.Sql {
  // The driver reads a dozen variables, and Deno would prompt for each of them. The url says all there is to say.
  const { env } = process;
  process.env = {};
  try {
    return driver(url, {
      max: 10,
      // Without a pause before it connects again, a database that is back is used at once.
      backoff: false,
      // In seconds. A server that is told to stop ends when nothing is open any more: idle connections would keep it.
      idle_timeout: 1,
      // Types of arrays, of which there are none here: a connection that broke while it asks for them would end the process.
      fetch_types: false,
      onnotice: () => {},
    });
  } finally {
    process.env = env;
  }
}

/** Whether it is the connection that failed, not the statement. */
function isBreak(error: unknown, { PostgresError }: typeof postgres): boolean {
  return !(error instanceof PostgresError) || error.severity === "FATAL";
}

/** Ends within 2 seconds: for an answer that a broken connection owes, the driver would wait for ever. */
function end(sql: postgres.Sql): Promise<void> {
  return sql.end({ timeout: 2 });
}
