/**
 * Instances behind HAProxy, under load and under faults: no session is accepted after its end, no quota is exceeded by more
 * than `.github/manual/stores.md` says, nothing is done twice under one idempotency key, and 200 listeners that move between
 * instances receive every message once, in order.
 */
import { afterEach, describe, it } from "@std/testing/bdd";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { pause } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";
import { BUN, bundle, findProgram } from "../runtimes/programs.ts";
import { balanceConnections, hasBalancer } from "./proof/haproxy.ts";
import { DENO, endAll, type Ends, prove } from "./proof/prove.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";

if (!hasBalancer || !hasPostgres) assertMaySkip("HAProxy or PostgreSQL");

const ends: Ends = [];
afterEach(() => endAll(ends));

const canRun = granted("env", "net", "read", "run", "write") && hasBalancer && hasPostgres;

(canRun ? describe : describe.skip)("three instances behind HAProxy keep their promises", () => {
  it("on PostgreSQL, which is cut off, killed, paused for 10 s and fails over to a synchronous standby", async () => {
    const cluster = await createCluster();
    ends.push(() => cluster.remove());
    const standby = await cluster.createStandby(cluster.port);
    ends.push(() => standby.remove());
    await standby.exec("ALTER SYSTEM SET wal_retrieve_retry_interval = '100ms'");
    await standby.exec("SELECT pg_reload_conf()");
    await cluster.exec("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await cluster.exec("SELECT pg_reload_conf()");
    const balancer = await balanceConnections(cluster.port, standby.port);
    ends.push(() => balancer[Symbol.asyncDispose]());
    const url = cluster.url.replace(`:${cluster.port}/`, `:${balancer.port}/`);
    // Quotas are whole after a crash, and after a failover.
    await prove([DENO, DENO, DENO], { DATABASE_URL: url }, 2, ends, async ({ clients, killInstance }) => {
      await killInstance(0);
      await clients.progress();
      await cluster.exec(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      await clients.progress();
      await cluster.signal("SIGKILL");
      await cluster.start();
      await clients.progress();
      await cluster.signal("SIGSTOP");
      await pause(10_000);
      await cluster.signal("SIGCONT");
      await clients.progress();
      await cluster.signal("SIGKILL");
      await standby.promote();
    });
  });

  it("on Deno, Bun and Node.js at once, on one PostgreSQL database", async () => {
    const cluster = await createCluster();
    ends.push(() => cluster.remove());
    const directory = await Deno.makeTempDir();
    ends.push(() => Deno.remove(directory, { recursive: true }));
    const program = await bundle("tests/slow/stores/proof/instance.ts", directory);
    const bun = [await findProgram(BUN, "bun"), program] as const;
    const node = [await findProgram("node@22.18.0", "node"), program] as const;
    await prove([DENO, bun, node], { DATABASE_URL: cluster.url }, 1, ends, async ({ clients, killInstance }) => {
      for (const index of [0, 1, 2]) await killInstance(index);
      await cluster.signal("SIGKILL");
      await cluster.start();
      await clients.progress();
    });
  });

  (hasRedis ? it : it.skip)("on Redis, which is cut off, killed and paused for 10 s", async () => {
    const redis = await startRedis(1, { keepsWrites: true });
    ends.push(() => redis[Symbol.asyncDispose]());
    const env = { REDIS_URL: `redis://127.0.0.1:${redis.ports[0]}` };
    await prove([DENO, DENO, DENO], env, 0, ends, async ({ clients, killInstance }) => {
      await killInstance(0);
      await redis.command("CLIENT", "KILL", "TYPE", "normal");
      await clients.progress();
      await redis.restart();
      await clients.progress();
      redis.signal("SIGSTOP");
      await pause(10_000);
      redis.signal("SIGCONT");
    });
  });
});
