/**
 * Responses that are kept in the transaction of the work, in PostgreSQL and SQLite, while instances are killed at random
 * moments or paused for longer than their lease, and the server is restarted: each order is made once, and each key
 * responds with the response of its order.
 */
import { assert, assertEquals } from "@std/assert";
import { afterEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { FLAGS } from "../../support/flags.ts";
import { freePort } from "../../support/free_port.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { type Cluster, createCluster, hasPostgres } from "../faults/cluster.ts";
import { LEASE, TABLE } from "./keep/orders.ts";

/** What to end after each test, the last first. */
const ends: (() => PromiseLike<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A database, and the instances on it. */
interface Engine {
  /** The variables that name it. */
  readonly env: Readonly<Record<string, string>>;
  /** The orders: their ids, and the keys that they were made for. */
  orders(): Promise<readonly { readonly id: number; readonly name: string }[]>;
  /** The server, if there is one. */
  readonly cluster?: Cluster;
  /** A directory for files. */
  readonly directory: string;
}

async function openEngine(kind: "PostgreSQL" | "SQLite"): Promise<Engine> {
  const directory = await Deno.makeTempDir();
  ends.push(() => Deno.remove(directory, { recursive: true }));
  if (kind === "SQLite") {
    const DB = `${directory}/orders.db`;
    const db = new DatabaseSync(DB);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000");
    db.exec(TABLE.sqlite);
    ends.push(() => db.close());
    const orders = () =>
      Promise.resolve(
        db.prepare("SELECT id, name FROM orders").all().map(({ id, name }) => ({ id: Number(id), name: String(name) })),
      );
    return { env: { DATABASE_URL: "", DB }, orders, directory };
  }
  const cluster = await createCluster();
  ends.push(() => cluster.remove());
  await cluster.exec(TABLE.postgres);
  const pool = new pg.Pool({ connectionString: cluster.url, connectionTimeoutMillis: 1000 });
  pool.on("error", () => {});
  ends.push(() => pool.end());
  const orders = async () => (await pool.query("SELECT id, name FROM orders")).rows;
  return { env: { DATABASE_URL: cluster.url }, orders, cluster, directory };
}

async function startInstance({ env }: Engine, port: number, more: Record<string, string> = {}): Promise<ServerProcess> {
  const args = ["run", "--no-check", "--allow-all", ...FLAGS, "tests/slow/stores/keep/instance.ts"];
  const instance = await startServer(Deno.execPath(), args, { ...env, ...more, PORT: `${port}` });
  ends.push(() => instance.stop("SIGKILL").catch(() => {}));
  return instance;
}

/** Orders under a key. Returns the status and the text, or the name of the error. */
async function order(
  origin: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<readonly [number, string]> {
  try {
    const signal = AbortSignal.timeout(20_000);
    const init = { method: "POST", headers: { ...headers, "idempotency-key": key, connection: "close" }, signal };
    const response = await fetch(`${origin}/orders`, init);
    return [response.status, await response.text()];
  } catch (error) {
    return [0, error instanceof Error ? error.name : "unknown"];
  }
}

/** Makes orders by six clients, which repeat each until they have its response twice. Returns the responses. */
async function makeOrders(origins: readonly string[], count: number, counts: Map<string, number>) {
  const responses = new Map<string, Set<string>>();
  let made = 0;
  await Promise.all(Array.from({ length: 6 }, async () => {
    while (made < count) {
      const key = `${made++}-${crypto.randomUUID()}`;
      const own = new Set<string>();
      responses.set(key, own);
      for (let attempt = made, confirmed = 0; confirmed < 2; attempt++) {
        const [status, text] = await order(origins[attempt % origins.length] ?? "", key);
        counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
        if (status === 201) {
          own.add(text);
          confirmed++;
        } else {
          assert(attempt < made + 2000, `${key} has no response after 2000 attempts: ${status} ${text}`);
          await pause(50);
        }
      }
    }
  }));
  return responses;
}

/** Asserts that each key has one order, and one response: that of its order. */
async function judge(engine: Engine, responses: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
  const orders = Map.groupBy(await engine.orders(), ({ name }) => name);
  const faults: string[] = [];
  for (const [key, texts] of responses) {
    const ids = orders.get(key)?.map(({ id }) => JSON.stringify({ id })) ?? [];
    if (ids.length !== 1) faults.push(`${key} has ${ids.length} orders`);
    if ([...texts].join() !== ids.join()) faults.push(`${key} has the responses ${[...texts]} for the orders ${ids}`);
  }
  assertEquals(faults, []);
  assertEquals(orders.size, responses.size);
}

const canRun = granted("env", "net", "read", "run", "write") && hasPostgres;

for (const kind of ["PostgreSQL", "SQLite"] as const) {
  (canRun ? describe : describe.skip)(`a response that is kept with the work in ${kind}`, () => {
    it("is that of the one order, for 500 orders while instances are killed at random moments", async () => {
      const engine = await openEngine(kind);
      const ports = [freePort(), freePort()];
      const instances = await Promise.all(ports.map((port) => startInstance(engine, port)));
      let [isOver, kills] = [false, 0];
      const killing = (async () => {
        for (let index = 0; !isOver; index = 1 - index) {
          await pause(Math.random() * 300);
          await instances[index]?.stop("SIGKILL");
          kills++;
          instances[index] = await startInstance(engine, ports[index] ?? 0);
        }
      })();
      const counts = new Map<string, number>();
      const responses = await makeOrders(instances.map(({ origin }) => origin), 500, counts);
      isOver = true;
      await killing;
      console.log(`${kind}: 500 orders, ${kills} kills, responses`, Object.fromEntries(counts));
      assert(kills >= 10, `Only ${kills} kills`);
      assert((counts.get("409") ?? 0) > 0, "No repeat came while the lease of a dead instance was running");
      await judge(engine, responses);
    });

    it("is that of another request if the process is paused for longer than the lease before it keeps its own", async () => {
      const engine = await openEngine(kind);
      const [one, other] = await Promise.all([startInstance(engine, freePort()), startInstance(engine, freePort())]);
      const go = `${engine.directory}/go`;
      const first = order(one.origin, "a", { "x-wait": "before", "x-until": go });
      await until(() => Deno.stat(`${go}.reached`).then(() => true, () => false));
      Deno.kill(one.pid, "SIGSTOP");
      const seen = new Set<number>();
      let done: readonly [number, string] = [0, ""];
      await until(async () => {
        done = await order(other.origin, "a");
        seen.add(done[0]);
        return done[0] === 201;
      });
      assertEquals([...seen], [409, 201]);
      await Deno.writeTextFile(go, "");
      Deno.kill(one.pid, "SIGCONT");
      assertEquals(await first, [409, '"running"']);
      assertEquals(await order(one.origin, "a"), done);
      await judge(engine, new Map([["a", new Set([done[1]])]]));
    });

    it("is that of the transaction if the process is paused for longer than the lease before the commit", async () => {
      const engine = await openEngine(kind);
      const start = () => startInstance(engine, freePort(), { IDLE: "0" });
      const [one, other] = await Promise.all([start(), start()]);
      const go = `${engine.directory}/go`;
      const first = order(one.origin, "a", { "x-wait": "after", "x-until": go });
      await until(() => Deno.stat(`${go}.reached`).then(() => true, () => false));
      Deno.kill(one.pid, "SIGSTOP");
      await pause(LEASE * 1000 + 1000);
      // The transaction has the row, or the whole database.
      for (let turn = 0; turn < 2; turn++) assertEquals((await order(other.origin, "a"))[0], 503);
      await Deno.writeTextFile(go, "");
      Deno.kill(one.pid, "SIGCONT");
      const done = await first;
      assertEquals(done[0], 201);
      await until(async () => (await order(other.origin, "a"))[0] === 201);
      for (const { origin } of [one, other]) assertEquals(await order(origin, "a"), done);
      await judge(engine, new Map([["a", new Set([done[1]])]]));
    });
  });
}

(canRun ? describe : describe.skip)("a response that is kept with the work in PostgreSQL", () => {
  it("is that of the one order, for 300 orders while the server is restarted, and no instance ends", async () => {
    const engine = await openEngine("PostgreSQL");
    const instances = await Promise.all([startInstance(engine, freePort()), startInstance(engine, freePort())]);
    const counts = new Map<string, number>();
    const done = () => counts.get("201") ?? 0;
    let [isOver, restarts] = [false, 0];
    const restarting = (async () => {
      while (!isOver) {
        const before = done();
        await until(() => isOver || done() > before + 30);
        await engine.cluster?.signal("SIGKILL");
        await engine.cluster?.start();
        restarts++;
      }
    })();
    const responses = await makeOrders(instances.map(({ origin }) => origin), 300, counts);
    isOver = true;
    await restarting;
    console.log(`300 orders, ${restarts} restarts, responses`, Object.fromEntries(counts));
    assert(restarts >= 10, `Only ${restarts} restarts`);
    for (const { exitCode } of instances) assertEquals(await Promise.race([exitCode, pause(0)]), undefined);
    await until(() => engine.orders().then(() => true, () => false));
    await judge(engine, responses);
  });

  it("is that of another request if the server ends the transaction of a process that hangs before the commit", async () => {
    const engine = await openEngine("PostgreSQL");
    const start = () => startInstance(engine, freePort(), { IDLE: "1000" });
    const [one, other] = await Promise.all([start(), start()]);
    const go = `${engine.directory}/go`;
    const first = order(one.origin, "a", { "x-wait": "after", "x-until": go });
    await until(() => Deno.stat(`${go}.reached`).then(() => true, () => false));
    Deno.kill(one.pid, "SIGSTOP");
    let done: readonly [number, string] = [0, ""];
    await until(async () => (done = await order(other.origin, "a"))[0] === 201);
    await Deno.writeTextFile(go, "");
    Deno.kill(one.pid, "SIGCONT");
    assertEquals((await first)[0], 500);
    for (const { origin } of [one, other]) assertEquals(await order(origin, "a"), done);
    await judge(engine, new Map([["a", new Set([done[1]])]]));
  });

  for (const isolation of ["REPEATABLE READ", "SERIALIZABLE"]) {
    it(`is kept by a ${isolation} transaction that is begun again, since its lease was renewed meanwhile`, async () => {
      const engine = await openEngine("PostgreSQL");
      const instance = await startInstance(engine, freePort(), { ISOLATION: isolation });
      const go = `${engine.directory}/go`;
      const first = order(instance.origin, "a", { "x-wait": "before", "x-until": go });
      await until(() => Deno.stat(`${go}.reached`).then(() => true, () => false));
      const end = () => engine.cluster?.exec("SELECT ends_at FROM fw_idempotency");
      const before = await end();
      await until(async () => await end() !== before);
      await Deno.writeTextFile(go, "");
      const done = await first;
      assertEquals([done[0], await order(instance.origin, "a")], [201, done]);
      await judge(engine, new Map([["a", new Set([done[1]])]]));
      // The number of the first transaction is missing.
      assertEquals((await engine.orders()).map(({ id }) => Number(id)), [2]);
    });
  }
});
