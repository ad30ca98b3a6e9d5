/**
 * Three instances behind HAProxy, of which one is killed every few seconds, and the engine now and then. What clients saw
 * is judged at the end. `FAULT_MINUTES=10 deno task slow faults` goes on for ten minutes on each engine; without it, each is
 * killed once.
 */
import { afterEach, describe, it } from "@std/testing/bdd";
import { pause } from "../../support/until.ts";
import { DENO, endAll, type Ends, prove, type Running } from "../stores/proof/prove.ts";
import { startRedis } from "../stores/redis_servers.ts";
import { createCluster } from "./cluster.ts";

const MINUTES = Number(Deno.env.get("FAULT_MINUTES") ?? "0");
const INSTANCES = [DENO, DENO, DENO];

const ends: Ends = [];
afterEach(() => endAll(ends));

/** Counts what was killed. */
const counts = () => ({ instances: 0, engine: 0 });

/** Kills instances one after another, and the engine after each fifth of them, until the time is over. */
async function killAll(
  { clients, killInstance }: Running,
  killed: ReturnType<typeof counts>,
  killEngine: () => Promise<void>,
) {
  const end = performance.now() + MINUTES * 60_000;
  do {
    await killInstance(killed.instances++ % INSTANCES.length);
    if (killed.instances % 5 === 1) {
      await killEngine();
      killed.engine++;
    }
    await clients.progress();
    await pause(2000 * Math.random());
  } while (performance.now() < end);
  console.log(`${killed.instances} times an instance was killed, and ${killed.engine} times the engine`);
}

describe(`no session is accepted after its end, no order is made twice, and no message is lost, for ${MINUTES} minutes`, () => {
  it("on PostgreSQL", async () => {
    const cluster = await createCluster();
    ends.push(() => cluster.remove());
    const killed = counts();
    // Quotas are whole after a crash of the engine.
    await prove(INSTANCES, { DATABASE_URL: cluster.url }, () => killed.engine, ends, async (running) => {
      await killAll(running, killed, async () => {
        await cluster.signal("SIGKILL");
        await pause(1000 * Math.random());
        await cluster.start();
      });
    });
  });

  it("on Redis, which keeps its writes", async () => {
    const redis = await startRedis(1, { keepsWrites: true });
    ends.push(() => redis[Symbol.asyncDispose]());
    const killed = counts();
    const env = { REDIS_URL: `redis://127.0.0.1:${redis.ports[0]}` };
    await prove(INSTANCES, env, 0, ends, async (running) => {
      await killAll(running, killed, () => redis.restart());
    });
  });
});
