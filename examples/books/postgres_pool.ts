import type postgres from "postgres";
import { createQueue, Overloaded } from "../shared/queue.ts";
import { type Deadline, timeToStart } from "./deadline.ts";
import { type Connection, openConnection, type Work } from "./postgres_connection.ts";
import { createSocketOpener } from "./postgres_socket.ts";
import type { PostgresAddress } from "./postgres_url.ts";

/** A pool of connections to a PostgreSQL database. */
export interface PostgresPool {
  /**
   * Runs statements that only read. They are run once more, on a new connection, if the first one breaks.
   *
   * @param work What to run.
   * @param deadline When to give up, whatever the work waits for.
   * @returns What the work returns.
   * @throws `StoreUnavailable` if the database is out of reach, `Overloaded` if it has too much to do.
   */
  read<Result>(work: Work<Result>, deadline: Deadline): Promise<Result>;
  /**
   * Runs statements, once, on connections of their own: reads do not wait behind writes that wait for a lock.
   *
   * @param work What to run.
   * @param deadline When to give up, whatever the work waits for.
   * @returns What the work returns.
   * @throws As `read` does. The work may have been done all the same.
   */
  write<Result>(work: Work<Result>, deadline: Deadline): Promise<Result>;
  /** Waits up to 2 seconds for running statements, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Creates a pool of connections. A connection opens when it is needed.
 *
 * @param address The address of the database. Half of its `max` connections are for reads.
 * @returns The pool. The caller must close it.
 */
export async function openPostgresPool(address: PostgresAddress): Promise<PostgresPool> {
  const driver = await loadDriver();
  const reads = openLane(driver, address, { size: Math.ceil(address.max / 2), attempts: 2 });
  const writes = openLane(driver, address, { size: Math.floor(address.max / 2), attempts: 1 });
  return {
    read: (work, deadline) => reads.run(work, deadline),
    write: (work, deadline) => writes.run(work, deadline),
    async close() {
      await Promise.all([reads.close(), writes.close()]);
    },
  };
}

/**
 * Loads the driver when it is needed. With a literal `import`, Deno would download it even if PostgreSQL is not used.
 */
async function loadDriver(): Promise<typeof postgres> {
  const { default: driver }: { readonly default: typeof postgres } = await import(DRIVER);
  return driver;
}

const DRIVER = "postgres";

/** The connections for reads, or those for writes. */
interface Lane {
  /** Runs work on a free connection. If the connection fails, repeats this while attempts and time are left. */
  run<Result>(work: Work<Result>, deadline: Deadline): Promise<Result>;
  close(): Promise<void>;
}

function openLane(
  driver: typeof postgres,
  address: PostgresAddress,
  { size, attempts }: { readonly size: number; readonly attempts: number },
): Lane {
  const inTurn = createQueue({ running: size, waiting: MAX_WAITING, maxWait: MAX_WAIT });
  const opener = createSocketOpener(address.hosts, size);
  const connections = new Set<Connection>();
  const idle: Connection[] = [];

  function take(): Connection {
    const connection = idle.pop() ?? openConnection(driver, address, opener);
    connections.add(connection);
    return connection;
  }

  function giveBack(connection: Connection): void {
    if (!connection.broken) {
      idle.push(connection);
      return;
    }
    // The idle connections have probably failed for the same reason.
    for (const broken of [connection, ...idle.splice(0)]) {
      connections.delete(broken);
      broken.destroy();
    }
  }

  return {
    run: (work, deadline) =>
      inTurn(async () => {
        if (timeToStart(deadline) < 0) throw new Overloaded("The deadline of a request is too near");
        for (let left = attempts - 1;; left--) {
          const connection = take();
          try {
            return await connection.run(work, deadline - performance.now());
          } catch (error) {
            if (!connection.broken || left === 0 || timeToStart(deadline) < 0) throw error;
          } finally {
            giveBack(connection);
          }
        }
      }, timeToStart(deadline)),

    async close() {
      await Promise.all(Array.from(connections, (connection) => connection.close()));
    },
  };
}

/** How many requests may wait for a connection. */
const MAX_WAITING = 1000;

/** How long to wait for a connection, in milliseconds. */
const MAX_WAIT = 5_000;
