/** A log in PostgreSQL whose asynchronous standby is promoted, and lacks the latest messages. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import pg from "pg";
import { eventLog, eventTables } from "../../../src/postgres/mod.ts";
import { openTcpProxy } from "../../support/tcp_proxy.ts";
import { granted } from "../../support/granted.ts";
import { readLog } from "../../support/read_log.ts";
import { pause, until } from "../../support/until.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";

(granted("env", "net", "read", "run", "write") && hasPostgres ? it : it.skip)(
  "a failover that loses messages gives no id twice, and tells the readers that have lost messages, and no others",
  async () => {
    const primary = await createCluster();
    const ends: (() => Promise<unknown>)[] = [() => primary.remove()];
    try {
      await primary.exec(eventTables());
      const standby = await primary.createStandby(primary.port);
      ends.push(() => standby.remove());
      const address = await openTcpProxy(primary.port);
      ends.push(() => Promise.resolve(address.shut()));
      const url = new URL(primary.url);
      url.port = `${address.port}`;
      const pool = new pg.Pool({ connectionString: url.href, connectionTimeoutMillis: 1000, query_timeout: 2000 });
      pool.on("error", () => {});
      ends.push(() => pool.end());

      const log = eventLog<string>(pool, { keep: 100 });
      const kept = await log.appendAll(["one", "two", "three"]);
      await until(async () => (await standby.exec("SELECT max(id) FROM fw_events")).trim() === "3");
      // The standby is cut off from its primary, which goes on.
      await standby.exec("ALTER SYSTEM SET primary_conninfo = ''");
      await standby.exec("SELECT pg_reload_conf()");
      await until(async () => (await standby.exec("SELECT count(*) FROM pg_stat_wal_receiver")).trim() === "0");
      const lost = await log.appendAll(["four, lost", "five, lost"]);
      assertEquals((await standby.exec("SELECT max(id) FROM fw_events")).trim(), "3");

      /** A client that stays connected, and connects again with its last id, as browsers do. */
      const received: (string | undefined)[] = [];
      const ending = new AbortController();
      const listen = async () => {
        let last = lost[1] ?? "";
        while (!ending.signal.aborted) {
          try {
            for await (const [id, message] of log.read(last, ending.signal)) {
              last = id;
              received.push(message);
            }
          } catch {
            await pause(50);
          }
        }
      };
      const listening = listen();

      await primary.signal("SIGKILL");
      await standby.promote();
      address.moveTo(standby.port);
      const again: string[] = [];
      const append = async (message: string) => {
        for (let turn = 0; turn < 100; turn++) {
          const id = await log.append(message).catch(() => undefined);
          if (id !== undefined) return again.push(id);
          await pause(50);
        }
        throw new Error("The promoted standby takes no messages");
      };
      for (const message of ["FOUR", "FIVE", "SIX"]) await append(message);

      // Its numbers go on where the standby was, so two of them were given before.
      assertEquals(again.map((id) => id.split("-")[0]), ["4", "5", "6"]);
      assertEquals(new Set([...kept, ...lost, ...again]).size, 8);

      await until(() => received.includes(undefined));
      await append("seven");
      await until(() => received.includes("seven"));
      ending.abort();
      await listening;
      assertEquals(received[0], undefined);
      const all = ["FOUR", "FIVE", "SIX", "seven"];
      assert(received.slice(1).every((message, index, rest) => message === all.at(index - rest.length)), `${received}`);

      for (const id of lost) assertEquals<unknown>(await readLog(log, id, 1), [[again[3], undefined]]);
      const rest = all.map((message, index) => [again[index], message]);
      assertEquals<unknown>(await readLog(log, kept[2] ?? "", 4), rest);
      assertEquals<unknown>(await readLog(log, kept[1] ?? "", 5), [[kept[2], "three"], ...rest]);
    } finally {
      for (const end of ends.toReversed()) await end();
    }
  },
);

(granted("env", "net", "read", "run", "write") && hasPostgres ? it : it.skip)(
  "a backup that is restored gives no id twice, and tells the readers that have lost messages, also a connected one",
  async () => {
    const cluster = await createCluster();
    const pool = new pg.Pool({ connectionString: cluster.url });
    pool.on("error", () => {});
    const ending = new AbortController();
    try {
      await cluster.exec(eventTables());
      const log = eventLog<string>(pool, { keep: 100 });
      const kept = await log.appendAll(["one", "two"]);
      const restore = await cluster.backUp("fw_events");
      const lost = await log.appendAll(["three", "four"]);
      const connected = log.read(lost[1] ?? "", ending.signal)[Symbol.asyncIterator]();
      const told = connected.next();
      await restore();
      const again = [await log.append("THREE"), await log.append("FOUR")];
      assertEquals((await told).value?.[1], undefined);
      const next = connected.next();
      again.push(await log.append("five"));
      assert(["THREE", "FOUR", "five"].includes(String((await next).value?.[1])));
      assertEquals(again.map((id) => id.split("-")[0]), ["3", "4", "5"]);
      assertEquals(new Set([...kept, ...lost, ...again]).size, 7);
      for (const id of lost) assertEquals<unknown>(await readLog(log, id, 1), [[again[2], undefined]]);
      const rest = ["THREE", "FOUR", "five"].map((message, index) => [again[index], message]);
      assertEquals<unknown>(await readLog(log, kept[1] ?? "", 3), rest);
    } finally {
      ending.abort();
      await pool.end();
      await cluster.remove();
    }
  },
);
