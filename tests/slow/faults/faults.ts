/**
 * What only the books API does on PostgreSQL, under the faults of production: its clock, its batches of creations, its
 * connections and its migrations. Three instances, clients that create, delete and list, a fault, and a record of it
 * all that `check` judges. `stores.ts` does this with the stores of `@fw/core/postgres`. Run by `deno task slow faults`,
 * as it takes more than a minute and programs of Debian.
 */
import { assert, assertEquals } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { serve, type Served } from "../../examples/serve.ts";
import { openTcpProxy } from "../../support/tcp_proxy.ts";
import { pause, until } from "../../support/until.ts";
import { check } from "./check.ts";
import { type Cluster, createCluster } from "./cluster.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { type Clients, startClients } from "./record.ts";

/** What to stop after each test, the last first. */
const ends: (() => Promise<unknown> | void)[] = [];

/** Starts an instance of the example. */
async function startInstance(url: string): Promise<Served> {
  const permissions = ["--allow-env=DATABASE_URL,BOOKS_DB", "--allow-net=127.0.0.1"];
  return await serve("examples/books.ts", { permissions, env: { DATABASE_URL: url, BOOKS_DB: "" } });
}

/** Three instances on a database. */
interface Instances {
  readonly instances: Served[];
  readonly origins: string[];
}

async function startInstances(url: string): Promise<Instances> {
  const instances = await Promise.all([url, url, url].map(startInstance));
  ends.push(() => Promise.all(instances.map((instance) => instance.stop("SIGKILL").catch(() => {}))));
  return { instances, origins: instances.map(({ origin }) => origin) };
}

/** Runs clients during a fault. Asserts that they continue afterwards and that all promises were kept. */
async function judge(
  url: string,
  fault: (service: Instances & { readonly clients: Clients }) => Promise<void>,
): Promise<void> {
  const { instances, origins } = await startInstances(url);
  const clients = startClients(origins, { creators: 12, deleters: 2, walkers: 2 });
  ends.push(clients.abandon);
  await clients.progress(300);
  await fault({ instances, origins, clients });
  await clients.progress(300);
  const { record } = clients;
  while (record.deletions.length <= 10 || record.walks.length <= 10) await clients.progress(1);
  const recording = await clients.finish();
  const { creations, deletions, walks } = recording;
  console.log(
    `${creations.length} creations, ${deletions.length} deletions, ${walks.length} walks, ${clients.failed()} failed requests`,
  );
  assertEquals(check(recording), []);
}

let cluster: Cluster;
beforeEach(async () => {
  cluster = await createCluster();
  ends.push(() => cluster.remove());
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** The url of the database at another port. */
function urlAt(port: number): string {
  return cluster.url.replace(`:${cluster.port}/`, `:${port}/`);
}

describe("no acknowledged write is lost, doubled or out of order, and no page is wrong,", () => {
  it("when the disk of the database is full, until the database ends, and has room again", async () => {
    const cluster = await createCluster({ disk: 96 });
    ends.push(() => cluster.remove());
    await judge(cluster.url, async ({ clients }) => {
      await cluster.fillDisk();
      const failed = clients.failed();
      await until(() => clients.failed() > failed + 100);
      // The next segment of the write-ahead log finds no room. Neither does the recovery.
      await cluster.exec("SELECT pg_switch_wal()").catch(() => {});
      await until(async () => !await cluster.running());
      await cluster.freeDisk();
      await cluster.start();
    });
  });

  it("when the clock of the database is set forward by an hour, and back by two", async () => {
    const cluster = await createCluster({ clock: true });
    ends.push(() => cluster.remove());
    await judge(cluster.url, async ({ clients }) => {
      for (const seconds of [3600, -3600]) {
        await cluster.shiftClock(seconds);
        const now = Number(await cluster.exec("SELECT extract(epoch FROM clock_timestamp())"));
        assert(Math.abs(now - Date.now() / 1000 - seconds) < 60, "The clock has not changed");
        await clients.progress(100);
      }
    });
  });

  it("when connections die silently: new ones are used, and nobody waits for the old ones for minutes", async () => {
    const proxy = await openTcpProxy(cluster.port);
    ends.push(() => proxy.shut());
    await judge(urlAt(proxy.port), async ({ clients }) => {
      proxy.set("stall");
      await pause(1_000);
      proxy.set("forward");
      await clients.progress(100);
    });
  });

  it("when a balancer closes each new connection for a while", async () => {
    const proxy = await openTcpProxy(cluster.port);
    ends.push(() => proxy.shut());
    await judge(urlAt(proxy.port), async ({ clients }) => {
      const before = proxy.accepted();
      const failed = clients.failed();
      proxy.set("refuse");
      await cluster.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        .catch(() => {});
      await pause(2_000);
      // Reads are tried twice.
      const attempts = proxy.accepted() - before;
      assert(attempts <= 2 * (clients.failed() - failed) + 30, `${attempts} connections`);
      proxy.set("forward");
    });
  });

  it("when a standby is promoted: instances that know both hosts find the new primary", async () => {
    const standby = await cluster.createStandby(cluster.port);
    ends.push(() => standby.remove());
    await cluster.exec("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await cluster.exec("SELECT pg_reload_conf()");
    const hosts = `127.0.0.1:${cluster.port},127.0.0.1:${standby.port}`;
    const url = `${cluster.url.replace(`127.0.0.1:${cluster.port}`, hosts)}?target_session_attrs=primary`;
    await judge(url, async ({ clients }) => {
      await cluster.signal("SIGKILL");
      await standby.promote();
      await clients.progress(100);
    });
    await cluster.start();
  });

  it("with a synchronous standby 20 ms away, where the creations of 24 clients share transactions", async () => {
    const proxy = await openTcpProxy(cluster.port, 20);
    ends.push(() => proxy.shut());
    const standby = await cluster.createStandby(proxy.port);
    ends.push(() => standby.remove());
    await cluster.exec("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await cluster.exec("SELECT pg_reload_conf()");
    const { origins } = await startInstances(cluster.url);
    for (const creators of [1, 24]) {
      const clients = startClients(origins, { creators, deleters: 0, walkers: creators - 1 && 2 });
      ends.push(clients.abandon);
      const from = performance.now();
      while (clients.created() < 20 * creators) await clients.progress(1);
      const rate = 1000 * clients.created() / (performance.now() - from);
      const recording = await clients.finish();
      assertEquals(check(recording), []);
      const counted = await cluster.exec(
        `SELECT count(*), count(DISTINCT xmin::text) FROM books WHERE author_id = '${recording.authorId}'`,
      );
      const [books = 0, transactions = 0] = counted.split("|").map(Number);
      console.log(
        `${creators} clients: ${rate.toFixed()} creations a second, ${books} in ${transactions} transactions`,
      );
      // The most is 8, where a third of the clients wait at the instance whose turn it is.
      assert(creators === 1 || books > 2 * transactions);
    }
  });

  it("behind a pooler in transaction mode, when its connections break", async () => {
    const pooler = await startPgBouncer(cluster);
    ends.push(() => pooler.stop());
    await judge(`${urlAt(pooler.port)}?prepare=false`, async ({ clients }) => {
      assertEquals(clients.failed(), 0);
      await cluster.exec(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
    });
  });
});

describe("creations go on within two requests", () => {
  for (const pooled of [false, true]) {
    for (const fault of ["stopped", "vanished"]) {
      it(`after an instance was ${fault} in one, ${pooled ? "behind a pooler" : "without a pooler"}`, async () => {
        const pooler = pooled ? await startPgBouncer(cluster) : undefined;
        if (pooler) ends.push(() => pooler.stop());
        const query = pooled ? "?prepare=false" : "";
        const { port } = pooler ?? cluster;
        const proxy = await openTcpProxy(port);
        ends.push(() => proxy.shut());
        const one = await startInstance(urlAt(proxy.port) + query);
        ends.push(() => one.stop("SIGKILL"));
        const other = await startInstance(urlAt(port) + query);
        ends.push(() => other.stop("SIGKILL"));

        const locking = cluster.exec("BEGIN; LOCK TABLE books IN SHARE ROW EXCLUSIVE MODE; SELECT pg_sleep(600)")
          .catch(() => {});
        const whereLock = (condition: string) => `FROM pg_locks WHERE relation = 'books'::regclass AND ${condition}`;
        const hasLock = async (condition: string) => await cluster.exec(`SELECT 1 ${whereLock(condition)}`) !== "";
        await until(() => hasLock("mode = 'ShareRowExclusiveLock'"));
        const begun = create(one.origin).catch(() => {});
        await until(() => hasLock("NOT granted"));
        if (fault === "stopped") Deno.kill(one.pid, "SIGSTOP");
        else proxy.set("stall");
        await cluster.exec(`SELECT pg_terminate_backend(pid) ${whereLock("mode = 'ShareRowExclusiveLock'")}`);
        await locking;
        // Each of them ends within 7 seconds.
        let failed = 0;
        while (failed <= 2 && await create(other.origin) !== 201) failed++;
        assert(failed <= 2, `${failed} creations failed`);
        if (fault === "stopped") Deno.kill(one.pid, "SIGCONT");
        await begun;
      });
    }
  }
});

describe("a new version changes the tables", () => {
  for (const pooled of [false, true]) {
    for (const fault of ["stopped", "vanished"]) {
      it(`after an instance was ${fault} in reads and in a deletion, ${pooled ? "behind a pooler" : "without a pooler"}`, async () => {
        const pooler = pooled ? await startPgBouncer(cluster) : undefined;
        if (pooler) ends.push(() => pooler.stop());
        const query = pooled ? "?prepare=false" : "";
        const { port } = pooler ?? cluster;
        const proxy = await openTcpProxy(port);
        ends.push(() => proxy.shut());
        const old = await startInstance(urlAt(proxy.port) + query);
        ends.push(() => old.stop("SIGKILL"));
        // The tables of the first version. The next instance migrates them, by ALTER TABLE.
        await cluster.exec("DROP TABLE books_version, idempotency_keys; ALTER TABLE books DROP COLUMN top");

        const locks = async (condition: string) =>
          Number(
            await cluster.exec(`
              SELECT count(*) FROM pg_locks
              WHERE relation IN ('books'::regclass, 'authors'::regclass) AND pid <> pg_backend_pid() AND ${condition}
            `),
          );
        const begun: Promise<unknown>[] = [];
        const begin = async (path: string, method = "GET") => {
          const before = await locks("NOT granted");
          begun.push(
            fetch(old.origin + path, { method }).then((response) => response.body?.cancel()).catch(() => {}),
          );
          await until(async () => await locks("NOT granted") > before);
        };
        // Each statement waits at the server, which has parsed none of it.
        const blocked: Promise<unknown>[] = [];
        const block = async (table: string) => {
          blocked.push(cluster.exec(`BEGIN; LOCK TABLE ${table}; SELECT pg_sleep(600)`).catch(() => {}));
          await until(async () => await locks("mode = 'AccessExclusiveLock' AND granted") === blocked.length);
        };
        await block("authors");
        await begin("/v2/books");
        await block("books");
        await begin("/books");
        await begin("/books/emma");
        await begin("/books/persuasion", "DELETE");
        if (fault === "stopped") Deno.kill(old.pid, "SIGSTOP");
        else proxy.set("stall");
        await cluster.exec("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'AccessExclusiveLock'");
        await Promise.all(blocked);
        for (let turn = 0; await locks("true") > 0; turn++) {
          assert(turn < 100, "A statement of the instance holds a lock");
          await pause(20);
        }

        const next = await startInstance(urlAt(port) + query);
        ends.push(() => next.stop("SIGKILL"));
        assertEquals(await cluster.exec("SELECT version FROM books_version"), "3\n");
        if (fault === "stopped") Deno.kill(old.pid, "SIGCONT");
        await Promise.all(begun);
      });
    }
  }

  it("after an instance was stopped while it received a list that is longer than all buffers", async () => {
    const old = await startInstance(cluster.url);
    ends.push(() => old.stop("SIGKILL"));
    await cluster.exec(`
      DROP TABLE books_version, idempotency_keys;
      ALTER TABLE books DROP COLUMN top;
      UPDATE books SET title = repeat('x', 1000000)
    `);
    const sending = () =>
      cluster.exec(`
        SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE relation = 'books'::regclass AND wait_event = 'ClientWrite'
      `);
    const locking = cluster.exec("BEGIN; LOCK TABLE books; SELECT pg_sleep(600)").catch(() => {});
    const waiting = () => cluster.exec("SELECT count(*) FROM pg_locks WHERE relation = 'books'::regclass");
    await until(async () => await waiting() === "1\n");
    const begun = fetch(`${old.origin}/books?limit=100`).then((response) => response.body?.cancel()).catch(() => {});
    await until(async () => await waiting() === "2\n");
    Deno.kill(old.pid, "SIGSTOP");
    await cluster.exec("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'AccessExclusiveLock'");
    await locking;
    await until(async () => await sending() === "1\n");
    for (let turn = 0; await sending() === "1\n"; turn++) {
      assert(turn < 600, "The server waits for the instance, with a lock");
      await pause(20);
    }
    const next = await startInstance(cluster.url);
    ends.push(() => next.stop("SIGKILL"));
    Deno.kill(old.pid, "SIGCONT");
    await begun;
  });
});

/** Creates a book. Returns the status. */
async function create(origin: string): Promise<number> {
  const body = JSON.stringify({ title: "Emma", authorId: "jane-austen" });
  const response = await fetch(`${origin}/books`, { method: "POST", body });
  await response.body?.cancel();
  return response.status;
}
