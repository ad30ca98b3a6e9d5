import type { Socket } from "node:net";
import process from "node:process";
import type postgres from "postgres";
import type { SocketOpener } from "./postgres_socket.ts";
import type { PostgresAddress } from "./postgres_url.ts";
import { SchemaMismatch } from "./schema.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/** Statements to run, with postgres.js. */
export type Work<Result> = (sql: postgres.Sql) => Promise<Result>;

/** One connection to a PostgreSQL database. It rests when it is idle, and comes back when it is used. */
export interface Connection {
  /** Whether it broke. It may never work again (postgres.js 3.4.9), nor may others to the same server: destroy them. */
  readonly broken: boolean;
  /**
   * Runs work, one at a time.
   *
   * @param work What to run.
   * @param timeout How long to wait for its end, in milliseconds. A connection that takes longer is broken.
   * @returns What the work returns.
   * @throws `StoreUnavailable` if the connection breaks, or the server lacks time or space.
   */
  run<Result>(work: Work<Result>, timeout: number): Promise<Result>;
  /**
   * Runs work in a transaction: all of it or none. (`sql.begin` of postgres.js 3.4.9 ends the process if the connection breaks
   * in it, as it writes to a socket that is gone.)
   *
   * @param work What to run.
   * @param timeout As for `run`.
   * @returns What the work returns.
   * @throws As `run` does.
   */
  transact<Result>(work: Work<Result>, timeout: number): Promise<Result>;
  /** Waits 2 seconds for what is under way, and closes the connection. */
  close(): Promise<void>;
  /** Closes the connection now. */
  destroy(): void;
}

/**
 * Makes a connection, which is opened when it is used.
 *
 * @param driver postgres.js.
 * @param address Where the database is.
 * @param opener What opens its sockets.
 * @returns The connection: close or destroy it.
 */
export function openConnection(driver: typeof postgres, address: PostgresAddress, opener: SocketOpener): Connection {
  let socket: Socket | undefined;
  let answered = false;
  let refusesTls = false;
  let broken = false;
  let inTransaction = false;

  /** Called by the driver each time that it connects, which it does in a loop until a server lets it in. */
  async function openSocket(): Promise<Socket> {
    if (inTransaction) throw new Error("The connection was closed in a transaction");
    if (socket && !answered) {
      opener.reject(socket);
      if (address.hosts.length === 1) throw new Error("The server closed the connection before it answered");
    }
    answered = false;
    const opened = socket = await opener.open();
    if (broken) opened.destroy();
    // All that a server without TLS says to a client that asks for it.
    opened.once("data", (bytes: Uint8Array) => refusesTls = bytes.length === 1 && bytes[0] === 78);
    return opened;
  }

  function explain(error: unknown): unknown {
    if (!broken) {
      return isShortage(error, driver)
        ? new StoreUnavailable("The database is short of time or space", { cause: error })
        : error;
    }
    const reason = refusesTls && !answered ? "offers no TLS, which the url asks for" : "is out of reach";
    return new StoreUnavailable(`The database at ${address.name} ${reason}`, { cause: error });
  }

  const sql = connect(driver, address, openSocket);
  const connection: Connection = {
    get broken() {
      return broken;
    },

    transact: (work, timeout) =>
      connection.run(async () => {
        // An instance that stops in the middle must not keep its locks from others.
        await sql.unsafe("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '2s'");
        inTransaction = true;
        try {
          const result = await work(sql);
          await sql`COMMIT`;
          return result;
        } catch (error) {
          if (!isBreak(error, driver)) await sql`ROLLBACK`;
          throw error;
        } finally {
          inTransaction = false;
        }
      }, timeout),

    async run(work, timeout) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error(`No answer for ${Math.round(timeout)} ms`)), timeout);
      try {
        return await Promise.race([work(sql), late]);
      } catch (error) {
        broken = isBreak(error, driver);
        throw explain(error);
      } finally {
        clearTimeout(timer);
        if (!broken) {
          answered = true;
          opener.confirm();
        } else if (socket) opener.reject(socket);
      }
    },

    close: () => sql.end({ timeout: 2 }),

    destroy() {
      broken = true;
      sql.end({ timeout: 0 });
      // The driver would wait for ever for a server that is gone.
      socket?.destroy();
    },
  };
  return connection;
}

function connect(
  driver: typeof postgres,
  { url, hosts }: PostgresAddress,
  socket: () => Promise<Socket>,
): postgres.Sql {
  const options = {
    // Not in the types of the driver, but in its manual.
    socket,
    // With several hosts the driver goes on to connect when it meets a standby and wants the primary.
    host: hosts.map(({ host, port }) => `${host}:${port}`).join(","),
    max: 1,
    // The pauses are those of the opener.
    backoff: false,
    // In seconds. A server that is told to stop ends when nothing is open any more: idle connections would keep it.
    idle_timeout: 1,
    // Types of arrays, of which there are none here: a connection that broke while it asks for them would end the process.
    fetch_types: false,
    onnotice: () => {},
  };
  // The driver reads a dozen variables, and Deno would prompt for each of them. The url says all there is to say.
  const { env } = process;
  process.env = {};
  try {
    return driver(url, options);
  } finally {
    process.env = env;
  }
}

/** Whether it is the connection that failed, not the statement. Code 25006: the server has become a standby. */
function isBreak(error: unknown, { PostgresError }: typeof postgres): boolean {
  if (error instanceof PostgresError) return error.severity !== "ERROR" || error.code === "25006";
  return !(error instanceof SchemaMismatch);
}

/** Whether the server lacks space or connections (class 53), or has cancelled a statement that took too long. */
function isShortage(error: unknown, { PostgresError }: typeof postgres): boolean {
  return error instanceof PostgresError && (error.code === "57014" || error.code.startsWith("53"));
}
