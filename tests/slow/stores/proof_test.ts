/**
 * Instances behind HAProxy, under load and under faults: no session is accepted after its end, no quota is exceeded by more
 * than `.github/STORES.md` says, nothing is done twice under one idempotency key, and 200 listeners that move between
 * instances receive every message once, in order.
 */
import { assert, assertEquals } from "@std/assert";
import { afterEach, describe, it } from "@std/testing/bdd";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { freePort } from "../../support/free_port.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";
import { BUN, bundle, findProgram } from "../runtimes/programs.ts";
import { type Clients, ORIGIN, startClients } from "./proof/clients.ts";
import { balanceConnections, balanceRequests, hasBalancer } from "./proof/haproxy.ts";
import { judge } from "./proof/judge.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";
import { FLAGS } from "../../support/flags.ts";

if (!hasBalancer || !hasPostgres) assertMaySkip("HAProxy or PostgreSQL");

/** What to end after each test, the last first. */
const ends: (() => PromiseLike<unknown> | void)[] = [];
afterEach(async () => {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  assertEquals(failures, []);
});

/** How a runtime is started: its program, and arguments before those of the instance. */
type Runtime = readonly [program: string, ...args: readonly string[]];

const DENO: Runtime = [
  Deno.execPath(),
  ...["run", "--no-check", "--allow-all", ...FLAGS],
  "tests/slow/stores/proof/instance.ts",
];

/** What a fault is done to. */
interface Running {
  readonly clients: Clients;
  /** Kills an instance, and starts it again when the others have gone on for a while. */
  killInstance(index: number): Promise<void>;
}

/**
 * Runs clients during faults, and judges what they saw.
 *
 * @param runtimes What the instances run on.
 * @param env The variable that names the engine.
 * @param resets How often quotas may be whole again.
 * @param fail The faults.
 */
async function prove(
  runtimes: readonly Runtime[],
  env: Readonly<Record<string, string>>,
  resets: number,
  fail: (running: Running) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  ends.push(() => Deno.remove(directory, { recursive: true }));
  const effects = `${directory}/effects`;
  await Deno.writeTextFile(effects, "");
  const ports = runtimes.map(freePort);
  const start = (index: number): Promise<ServerProcess> => {
    const [program = "", ...args] = runtimes[index] ?? [];
    return startServer(program, args, {
      DATABASE_URL: "",
      ...env,
      DATA: `${directory}/data`,
      EFFECTS: effects,
      NAME: `${index}`,
      ORIGIN,
      PORT: `${ports[index]}`,
      PROXIES: "2", // the clients are the first
    });
  };
  const instances = await Promise.all(runtimes.map((_, index) => start(index)));
  ends.push(() => Promise.all(instances.map((instance) => instance.stop("SIGKILL"))));
  const balancer = await balanceRequests(ports);
  ends.push(() => balancer[Symbol.asyncDispose]());

  const clients = startClients(`http://127.0.0.1:${balancer.port}`, { service: "DATABASE_URL" in env, listeners: 200 });
  ends.push(clients.abandon);
  await clients.progress();
  await fail({
    clients,
    async killInstance(index) {
      await instances[index]?.stop("SIGKILL");
      await clients.progress();
      instances[index] = await start(index);
    },
  });
  await clients.progress();
  const record = await clients.finish();
  const done = (await Deno.readTextFile(effects)).split("\n").filter(Boolean);
  console.log(
    Object.entries(record.counts).map(([name, count]) => `${count} ${name}`).join(", "),
    ...record.limits.map(({ name, allowed, refused, seconds }) =>
      `\n${name}: ${allowed} allowed, ${refused} refused in ${seconds.toFixed()} s`
    ),
  );
  assertEquals(judge(record, done, resets), []);
  const { counts, limits } = record;
  for (const { refused, allowed } of limits) assert(refused > 0 && allowed > 0, JSON.stringify(limits));
  assert(counts["streams moved"] > 2 * 200, `Only ${counts["streams moved"]} streams moved`);
  assert(counts["orders done"] > counts["orders given up"], JSON.stringify(counts));
}

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
    await prove([DENO, DENO, DENO], { DATABASE_URL: url }, 2, async ({ clients, killInstance }) => {
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
    await prove([DENO, bun, node], { DATABASE_URL: cluster.url }, 1, async ({ clients, killInstance }) => {
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
    await prove([DENO, DENO, DENO], env, 0, async ({ clients, killInstance }) => {
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
