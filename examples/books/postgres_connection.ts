import type { Socket } from "node:net";
import process from "node:process";
import type postgres from "postgres";
import type { SocketOpener } from "./postgres_socket.ts";
import type { PostgresAddress } from "./postgres_url.ts";
import { SchemaMismatch } from "./schema.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/** Runs statements with postgres.js. */
export type Work<Result> = (sql: postgres.Sql) => Promise<Result>;

/** One connection to a PostgreSQL database. It closes when it is idle, and reconnects when it is used. */
export interface Connection {
  /**
   * Whether the connection failed. It may never work again (postgres.js 3.4.9), and neither may other connections to
   * the same server: destroy them.
   */
  readonly broken: boolean;
  /**
   * Runs statements. Do not call it again before the promise is settled.
   *
   * @param work The statements.
   * @param timeout The maximum duration in milliseconds. A connection that takes longer is marked as broken.
   * @returns The result of `work`.
   * @throws `StoreUnavailable` if the connection fails, or the server lacks time or space.
   */
  run<Result>(work: Work<Result>, timeout: number): Promise<Result>;
  /** Waits up to 2 seconds for running statements, then closes the connection. */
  close(): Promise<void>;
  /** Closes the connection immediately. */
  destroy(): void;
}

/**
 * Creates a connection. It connects when it is first used.
 *
 * @param driver The postgres.js library.
 * @param address The address of the database.
 * @param opener Opens the sockets of the connection.
 * @returns The connection. The caller must close or destroy it.
 */
export function openConnection(driver: typeof postgres, address: PostgresAddress, opener: SocketOpener): Connection {
  let socket: Socket | undefined;
  let answered = false;
  let refusesTls = false;
  let broken = false;

  /** Called by the driver for each attempt to connect. The driver repeats attempts until a server accepts it. */
  async function openSocket(): Promise<Socket> {
    if (socket && !answered) {
      opener.reject(socket);
      if (address.hosts.length === 1) throw new Error("The server closed the connection before it answered");
    }
    answered = false;
    const opened = socket = await opener.open();
    if (broken) opened.destroy();
    // A server without TLS answers a request for TLS with the single byte "N".
    opened.once("data", (bytes: Uint8Array) => refusesTls = bytes.length === 1 && bytes[0] === 78);
    return opened;
  }

  function explain(error: unknown): unknown {
    if (!broken) {
      return isShortage(error, driver)
        ? new StoreUnavailable("The database lacks time or space", { cause: error })
        : error;
    }
    const reason = refusesTls && !answered ? "does not offer TLS, which the url requires" : "is unreachable";
    return new StoreUnavailable(`The database at ${address.name} ${reason}`, { cause: error });
  }

  const sql = connect(driver, address, openSocket);
  const connection: Connection = {
    get broken() {
      return broken;
    },

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
      // Without this, the driver waits forever for a server that is unreachable.
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
    // Documented in the manual of the driver, but missing in its types.
    socket,
    // With several hosts, the driver tries the next one if it needs the primary and reaches a standby.
    host: hosts.map(({ host, port }) => `${host}:${port}`).join(","),
    max: 1,
    // The opener pauses between attempts.
    backoff: false,
    // In seconds. Idle connections would delay the shutdown of the server.
    idle_timeout: 1,
    // No array types are used. A connection that fails while the driver fetches types ends the process.
    fetch_types: false,
    onnotice: () => {},
  };
  // The driver reads a dozen environment variables, and Deno would prompt for each. The url contains every setting.
  const { env } = process;
  process.env = {};
  try {
    return driver(url, options);
  } finally {
    process.env = env;
  }
}

/** Whether the connection failed, not the statement. Code 25006 means that the server has become a standby. */
function isBreak(error: unknown, { PostgresError }: typeof postgres): boolean {
  if (error instanceof PostgresError) return error.severity !== "ERROR" || error.code === "25006";
  return !(error instanceof SchemaMismatch || error instanceof StoreUnavailable);
}

/** Whether the server lacks space or connections (class 53), or cancelled a statement that took too long (57014). */
function isShortage(error: unknown, { PostgresError }: typeof postgres): boolean {
  return error instanceof PostgresError && (error.code === "57014" || error.code.startsWith("53"));
}
