/** Instances behind HAProxy, clients that use them during faults, and the judgement of what the clients saw. */
import { assert, assertEquals } from "@std/assert";
import { FLAGS } from "../../../support/flags.ts";
import { freePort } from "../../../support/free_port.ts";
import { type ServerProcess, startServer } from "../../../support/server_process.ts";
import { until } from "../../../support/until.ts";
import { type Clients, ORIGIN, startClients } from "./clients.ts";
import { balanceRequests } from "./haproxy.ts";
import { judge } from "./judge.ts";

/** What to end after each test, the last first. */
export type Ends = (() => PromiseLike<unknown> | void)[];

/** How a runtime is started: its program, and arguments before those of the instance. */
export type Runtime = readonly [program: string, ...args: readonly string[]];

export const DENO: Runtime = [
  Deno.execPath(),
  ...["run", "--no-check", "--allow-all", ...FLAGS],
  "tests/slow/stores/proof/instance.ts",
];

/** How many clients listen to the stream. */
const LISTENERS = 200;

/** What a fault is done to. */
export interface Running {
  readonly clients: Clients;
  /** Kills an instance, and starts it again when the others have gone on for a while. */
  killInstance(index: number): Promise<void>;
}

/**
 * Runs clients during faults, and judges what they saw.
 *
 * @param runtimes What the instances run on.
 * @param env The variable that names the engine.
 * @param resets How often quotas may be whole again. A function is asked after the faults.
 * @param ends Receives what the caller must end afterwards.
 * @param fail The faults.
 */
export async function prove(
  runtimes: readonly Runtime[],
  env: Readonly<Record<string, string>>,
  resets: number | (() => number),
  ends: Ends,
  fail: (running: Running) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  ends.push(() => Deno.remove(directory, { recursive: true }));
  const effects = `${directory}/effects`;
  await Deno.writeTextFile(effects, "");
  const ports = runtimes.map(freePort);
  /** Starts an instance, as often as need be: it ends if it cannot create its tables in time. */
  const start = async (index: number): Promise<ServerProcess> => {
    const [program = "", ...args] = runtimes[index] ?? [];
    for (let left = 10;; left--) {
      try {
        return await startServer(program, args, {
          DATABASE_URL: "",
          ...env,
          DATA: `${directory}/data`,
          EFFECTS: effects,
          NAME: `${index}`,
          ORIGIN,
          PORT: `${ports[index]}`,
          PROXIES: "2", // the clients are the first
        });
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  };
  const instances = await Promise.all(runtimes.map((_, index) => start(index)));
  ends.push(() => Promise.all(instances.map((instance) => instance.stop("SIGKILL"))));
  const balancer = await balanceRequests(ports);
  ends.push(() => balancer[Symbol.asyncDispose]());

  const clients = startClients(`http://127.0.0.1:${balancer.port}`, {
    service: "DATABASE_URL" in env,
    listeners: LISTENERS,
  });
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
  const moved = () => clients.counts["streams moved"];
  await until(() => moved() > 2 * LISTENERS, () => `Only ${moved()} streams moved`);
  const record = await clients.finish();
  const done = (await Deno.readTextFile(effects)).split("\n").filter(Boolean);
  console.log(
    Object.entries(record.counts).map(([name, count]) => `${count} ${name}`).join(", "),
    ...record.limits.map(({ name, allowed, refused, seconds }) =>
      `\n${name}: ${allowed} allowed, ${refused} refused in ${seconds.toFixed()} s`
    ),
  );
  assertEquals(judge(record, done, typeof resets === "number" ? resets : resets()), []);
  const { counts, limits } = record;
  for (const { refused, allowed } of limits) assert(refused > 0 && allowed > 0, JSON.stringify(limits));
  assert(counts["orders done"] > counts["orders given up"], JSON.stringify(counts));
}

/**
 * Ends what a test has started, the last first.
 *
 * @param ends What to end. It is empty afterwards.
 */
export async function endAll(ends: Ends): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.splice(0).toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  assertEquals(failures, []);
}
