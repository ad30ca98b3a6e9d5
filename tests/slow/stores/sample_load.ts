/** What programs of `samples_test.ts` do with a sample: work on all of its connections, for ever. */
import process from "node:process";
import type pg from "pg";
import type { EventLog } from "../../../src/events/mod.ts";
import * as postgres from "../../../src/postgres/mod.ts";
import * as redis from "../../../src/redis/mod.ts";

/** What a sample exports: a pool, what opens one or a client, a log, or what runs a transaction. */
interface Sample {
  readonly pool?: pg.Pool;
  readonly openPool?: (url: string) => pg.Pool;
  readonly transact?: <Result>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;
  readonly openRedis?: (url: string) => redis.RedisClient | Promise<redis.RedisClient>;
  readonly openLog?: () => Promise<EventLog<number>>;
}

type Job = () => Promise<unknown>;

/** Does each job again and again, six at once, and prints how often each was done. */
export async function load(sample: Sample): Promise<void> {
  const jobs = await jobsOf(sample);
  const done = jobs.map(() => 0);
  setInterval(() => console.log(`done ${JSON.stringify(done)}`), 100);
  jobs.forEach((job, index) => {
    for (let worker = 0; worker < 6; worker++) void repeat(job, () => done[index] = (done[index] ?? 0) + 1);
  });
}

async function repeat(job: Job, done: () => void): Promise<never> {
  for (;;) {
    try {
      await job();
      done();
    } catch {
      await pause(20);
    }
  }
}

async function jobsOf(sample: Sample): Promise<readonly Job[]> {
  const { DATABASE_URL = "", REDIS_URL = "" } = process.env;
  if (sample.openLog !== undefined) return jobsOfLog(await sample.openLog());
  if (sample.openRedis !== undefined) {
    const client = await sample.openRedis(REDIS_URL);
    const [sessions, limits] = [redis.sessionStore(client), redis.rateLimitStore(client)];
    return [
      async () => await sessions.find("a"),
      async () => await limits.take("a", { quota: 100, window: 60 }),
    ];
  }
  // A sample that has only a transaction is given the pool of the first one.
  const pool = sample.pool ?? sample.openPool?.(DATABASE_URL) ?? await plainPool(DATABASE_URL);
  const transact = sample.transact ?? transactByHand;
  await createTable(pool);
  const sessions = postgres.sessionStore(pool);
  return [
    async () => await sessions.find("a"),
    () => pool.query("SELECT pg_sleep(0.05)"),
    () =>
      transact(pool, async (client) => {
        await client.query("SELECT 1");
        await pause(30); // a connection that is lost here is checked out, and has no query
        await client.query("SELECT 2");
      }),
  ];
}

/** Again and again: on a busy machine, the first connection may take longer than a sample waits for one. */
async function createTable(pool: pg.Pool): Promise<void> {
  const creating = pool.query(postgres.sessionTable());
  await creating.catch(async () => {
    await pause(100);
    await createTable(pool);
  });
}

function jobsOfLog(log: EventLog<number>): readonly Job[] {
  const ending = new AbortController();
  let received = 0;
  const reading = async () => {
    for (let last: string | null = null;;) {
      try {
        for await (const [id] of log.read(last, ending.signal)) {
          last = id;
          received++;
        }
      } catch {
        await pause(20);
      }
    }
  };
  void reading();
  return [
    () => log.append(1),
    async () => {
      const before = received;
      while (received === before) await pause(5);
    },
  ];
}

async function transactByHand(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("BEGIN");
    await run(client);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => broken = true);
    throw error;
  } finally {
    client.release(broken);
  }
}

async function plainPool(url: string): Promise<pg.Pool> {
  const { openPool } = await import("../../../examples/service/postgres_pool.ts");
  return openPool(url);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
