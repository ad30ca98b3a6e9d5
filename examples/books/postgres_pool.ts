import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
// @ts-types="@types/pg"
import type pg from "pg";
import { createQueue, Overloaded } from "../shared/queue.ts";
import { type Deadline, timeToStart } from "./deadline.ts";
import type { PostgresAddress } from "./postgres_url.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/** Runs statements with node-postgres. */
export type Work<Result> = (client: pg.ClientBase) => Promise<Result>;

/**
 * Creates a pool of connections to a PostgreSQL database. A connection opens when it is needed. Half of them are for
 * reads: these do not wait behind writes that wait for a lock.
 *
 * Its methods throw `StoreUnavailable` if the database is out of reach, or lacks time or space; `Overloaded` if it has
 * too much to do.
 */
export async function openPostgresPool(address: PostgresAddress) {
  using _hidden = hideVariables();
  // With a literal `import`, Deno would download the driver even if PostgreSQL is not used.
  const { default: driver }: { readonly default: typeof pg } = await import(DRIVER);
  const reads = openLane(driver, address, { size: Math.ceil(address.max / 2), attempts: 2 });
  const writes = openLane(driver, address, { size: Math.floor(address.max / 2), attempts: 1 });
  return {
    /** Runs statements that only read. They are run once more, on a new connection, if the first one breaks. */
    read: reads.run,
    /** Runs statements, once. If it throws, they may have been run all the same. */
    write: writes.run,
    /** Waits up to 2 seconds for running statements. */
    async close() {
      await Promise.race([Promise.all([reads.close(), writes.close()]), pause(2_000)]);
    },
  };
}

const DRIVER = "pg";

/** The driver reads a dozen environment variables, and Deno would prompt for each. The url contains every setting. */
function hideVariables(): Disposable {
  const { env } = process;
  process.env = new Proxy<typeof env>({}, {
    get: (_, name) => /^(PG|NODE_PG|USER)/.test(String(name)) ? undefined : Reflect.get(env, name),
  });
  return { [Symbol.dispose]: () => process.env = env };
}

/**
 * Opens the connections for reads, or those for writes. If one fails, work is repeated while attempts and time are
 * left.
 */
function openLane(
  { Client, DatabaseError, Pool }: typeof pg,
  { settings, hosts, primary, name }: PostgresAddress,
  { size, attempts }: { readonly size: number; readonly attempts: number },
) {
  const inTurn = createQueue({ running: size, waiting: 1000, maxWait: 5_000 });
  const primaries = new WeakSet<pg.ClientBase>();
  let current = 0;
  let pool = openPool();

  function openPool(): pg.Pool {
    const pool = new Pool({
      ...settings,
      ...hosts[current],
      Client: new Proxy(Client, {
        construct(_, options) {
          using _hidden = hideVariables();
          return new Client(...options);
        },
      }),
      max: size,
      // Idle connections would delay the shutdown of the server.
      idleTimeoutMillis: 1_000,
    });
    // A connection that fails while it is not used would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }

  /** After a failure, the other connections have probably failed, too. Uses new ones, to the next host. */
  function replace(failed: pg.Pool): void {
    if (failed !== pool || pool.ending) return;
    current = (current + 1) % hosts.length;
    pool = openPool();
    failed.end();
  }

  async function runOn<Result>(used: pg.Pool, work: Work<Result>, timeout: number): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`No answer for ${Math.round(timeout)} ms`)), timeout);
    const connecting = used.connect();
    let broken = false;
    try {
      const client = await Promise.race([connecting, late]);
      if (primary && !primaries.has(client)) {
        await Promise.race([requirePrimary(client), late]);
        primaries.add(client);
      }
      return await Promise.race([work(client), late]);
    } catch (error) {
      broken = isBreak(error);
      throw error;
    } finally {
      clearTimeout(timer);
      connecting.then((client) => client.release(broken), () => {});
    }
  }

  /** Whether the connection failed, not the statement. Code 25006 means that the server has become a standby. */
  function isBreak(error: unknown): boolean {
    if (error instanceof DatabaseError) return error.severity !== "ERROR" || error.code === "25006";
    return !(error instanceof StoreUnavailable);
  }

  return {
    run: <Result>(work: Work<Result>, deadline: Deadline): Promise<Result> =>
      inTurn(async () => {
        if (timeToStart(deadline) < 0) throw new Overloaded("The deadline of a request is too near");
        for (let left = attempts - 1;; left--) {
          const used = pool;
          try {
            return await runOn(used, work, deadline - performance.now());
          } catch (error) {
            // The server lacks space or connections (class 53), or has cancelled a slow statement (57014).
            if (error instanceof DatabaseError && /^53|^57014$/.test(error.code ?? "")) {
              throw new StoreUnavailable("The database lacks time or space", { cause: error });
            }
            if (!isBreak(error)) throw error;
            replace(used);
            if (left > 0 && timeToStart(deadline) >= 0) continue;
            const reason = error instanceof Error ? error.message : error;
            throw new StoreUnavailable(`The database at ${name} is unreachable: ${reason}`, { cause: error });
          }
        }
      }, timeToStart(deadline)),
    close: () => pool.end(),
  };
}

async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows: [row] } = await client.query("SHOW transaction_read_only");
  if (row?.transaction_read_only !== "off") throw new Error("The server is a standby");
}
