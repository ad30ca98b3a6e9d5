/** The stores at a standby, which runs behind its primary. */
import { assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import pg from "pg";
import postgres from "postgres";
import { eventLog, eventTables, type PostgresClient, sessionStore, sessionTable } from "../../../src/postgres/mod.ts";
import { granted } from "../../support/granted.ts";
import { until } from "../../support/until.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";

const ADA = { digest: "a", user: "ada", begunAt: 1000, endsAt: Date.now() + 3_600_000 };

(granted("env", "net", "read", "run", "write") && hasPostgres ? it : it.skip)(
  "a standby accepts no session that was ended, and gives no messages, since it may not know the latest",
  async () => {
    const primary = await createCluster();
    const ends: (() => Promise<unknown>)[] = [() => primary.remove()];
    try {
      await primary.exec(sessionTable() + eventTables());
      const standby = await primary.createStandby(primary.port);
      ends.push(() => standby.remove());
      const sql = postgres(primary.url, { onnotice: () => {} });
      ends.push(() => sql.end());
      const store = sessionStore(sql);
      await store.add(ADA, 1);
      await until(async () => (await standby.exec("SELECT digest FROM fw_sessions")) === "a\n");
      await standby.exec("SELECT pg_wal_replay_pause()");
      await store.end("a");
      assertEquals(await store.find("a"), undefined);

      const stale = postgres(standby.url, { onnotice: () => {} });
      ends.push(() => stale.end());
      const pool = new pg.Pool({ connectionString: standby.url });
      pool.on("error", () => {});
      ends.push(() => pool.end());
      const clients: readonly PostgresClient[] = [stale, pool];
      for (const client of clients) {
        await assertRejects(async () => await sessionStore(client).find("a"), Error, "connect to the primary");
        assertEquals(await sessionStore(client).find("b"), undefined);
        await assertRejects(async () => await sessionStore(client).renew("a", ADA.endsAt + 1), Error, "read-only");
        const reading = eventLog(client, { keep: 9 }).read("0", new AbortController().signal)[Symbol.asyncIterator]();
        await assertRejects(() => reading.next(), Error, "connect to the primary");
      }
    } finally {
      for (const end of ends.toReversed()) await end();
    }
  },
);
