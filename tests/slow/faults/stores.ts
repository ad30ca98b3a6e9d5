/**
 * The stores of `@fw/core/postgres` under the faults of production: three instances behind HAProxy, clients that use
 * sessions, limits, idempotency keys and a log, a fault, and a record of it all that `judge` compares with
 * `.github/manual/stores.md`. Run by `deno task slow faults`, as it takes minutes and programs of Debian.
 */
import { assert } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openTcpProxy } from "../../support/tcp_proxy.ts";
import { pause, until } from "../../support/until.ts";
import { DENO, endAll, type Ends, prove } from "../stores/proof/prove.ts";
import { type Cluster, createCluster } from "./cluster.ts";
import { startPgBouncer } from "./pgbouncer.ts";

const INSTANCES = [DENO, DENO, DENO];

const ends: Ends = [];
afterEach(() => endAll(ends));

let cluster: Cluster;
beforeEach(async () => {
  cluster = await createCluster();
  ends.push(() => cluster.remove());
});

/** The url of the database at another port. */
const urlAt = (port: number) => cluster.url.replace(`:${cluster.port}/`, `:${port}/`);

const CUT =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

describe("no session is accepted after its end, no order is made twice, and no message is lost or doubled,", () => {
  it("when instances are killed one after another and restarted", async () => {
    await prove(INSTANCES, { DATABASE_URL: cluster.url }, 0, ends, async ({ killInstance }) => {
      for (const index of [0, 1, 2]) await killInstance(index);
    });
  });

  it("when the database is killed twice and restarted", async () => {
    await prove(INSTANCES, { DATABASE_URL: cluster.url }, 2, ends, async ({ clients }) => {
      for (let round = 0; round < 2; round++) {
        await cluster.signal("SIGKILL");
        await pause(500);
        await cluster.start();
        await clients.progress();
      }
    });
  });

  it("when the disk of the database is full, until the database ends, and has room again", async () => {
    const cluster = await createCluster({ disk: 96 });
    ends.push(() => cluster.remove());
    await prove(INSTANCES, { DATABASE_URL: cluster.url }, 1, ends, async ({ clients }) => {
      await cluster.fillDisk();
      const { failures } = clients.counts;
      await until(() => clients.counts.failures > failures + 100);
      // The next segment of the write-ahead log finds no room. Neither does the recovery.
      await cluster.exec("SELECT pg_switch_wal()").catch(() => {});
      await until(async () => !await cluster.running());
      await cluster.freeDisk();
      await cluster.start();
    });
  });

  it("when the clock of the database is set back by an hour", async () => {
    const cluster = await createCluster({ clock: true });
    ends.push(() => cluster.remove());
    await prove(INSTANCES, { DATABASE_URL: cluster.url }, 0, ends, async ({ clients }) => {
      await cluster.shiftClock(-3600);
      const now = Number(await cluster.exec("SELECT extract(epoch FROM clock_timestamp())"));
      assert(Math.abs(now - Date.now() / 1000 + 3600) < 60, "The clock has not changed");
      await clients.progress();
    });
  });

  it("when connections die silently: new ones are used, and nobody waits for the old ones for minutes", async () => {
    const proxy = await openTcpProxy(cluster.port);
    ends.push(() => proxy.shut());
    await prove(INSTANCES, { DATABASE_URL: urlAt(proxy.port) }, 0, ends, async ({ clients }) => {
      proxy.set("stall");
      await pause(1_000);
      proxy.set("forward");
      await clients.progress();
    });
  });

  it("when a balancer closes each new connection for a while", async () => {
    const proxy = await openTcpProxy(cluster.port);
    ends.push(() => proxy.shut());
    await prove(INSTANCES, { DATABASE_URL: urlAt(proxy.port) }, 0, ends, async ({ clients }) => {
      const { failures } = clients.counts;
      proxy.set("refuse");
      await cluster.exec(CUT);
      await until(() => clients.counts.failures > failures + 100);
      proxy.set("forward");
      await clients.progress();
    });
  });

  it("behind PgBouncer in transaction mode, when its connections break", async () => {
    const pooler = await startPgBouncer(cluster);
    ends.push(() => pooler.stop());
    await prove(INSTANCES, { DATABASE_URL: urlAt(pooler.port) }, 0, ends, async ({ clients }) => {
      const before = await cluster.exec("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'");
      assert(Number(before) <= 5, `${before} connections: the instances do not use PgBouncer`);
      for (let round = 0; round < 3; round++) {
        await cluster.exec(CUT);
        await clients.progress();
      }
    });
  });
});
