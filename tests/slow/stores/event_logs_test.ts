/** The logs of messages in a real Redis, in a cluster, and in PostgreSQL, by each driver. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import { Cluster, Redis } from "ioredis";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import { eventLog as postgresLog, eventTables, type PostgresClient } from "../../../src/postgres/mod.ts";
import { eventLog as redisLog, type RedisClient } from "../../../src/redis/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { readLog } from "../../support/read_log.ts";
import { hasRedis, type RedisServers, startRedis } from "./redis_servers.ts";

const OPTIONS = { keep: 10, interval: 0.02 };

for (const count of [1, 3] as const) {
  (hasRedis ? describe : describe.skip)(`eventLog() in Redis on ${count} servers`, () => {
    let servers: RedisServers;
    let ioredis: Redis | Cluster;
    const clients: [string, RedisClient][] = [];
    before(async () => {
      servers = await startRedis(count);
      const [port = 0] = servers.ports;
      ioredis = count === 1 ? new Redis(port, "127.0.0.1") : new Cluster([{ host: "127.0.0.1", port }]);
      clients.push(["ioredis", ioredis]);
      if (count === 1) {
        const redis = createClient({ socket: { host: "127.0.0.1", port } });
        redis.on("error", () => {});
        await redis.connect();
        clients.push(["redis", redis]);
      }
    });
    after(async () => {
      ioredis.disconnect();
      for (const [, client] of clients) {
        if ("destroy" in client && typeof client.destroy === "function") client.destroy();
      }
      await servers[Symbol.asyncDispose]();
    });

    for (const [name, run] of Object.entries(storeCases.eventLogs)) {
      it(`a log ${name}`, async () => {
        for (const [driver, client] of clients) {
          await run(
            redisLog(client, { ...OPTIONS, name: `log_${driver}_${crypto.randomUUID().slice(0, 8).replace("-", "")}` }),
            () => {},
          );
        }
      });
    }

    it("tells a reader that the server has lost the messages", async () => {
      for (const [, client] of clients) {
        const log = redisLog<string>(client, OPTIONS);
        const id = await log.append("lost");
        await ioredis.del("fw_events");
        assertEquals<unknown>(await readLog(log, id, 1), [["0-0", undefined]]);
      }
    });

    it("tells a reader whose id was given to another message, as by a server whose clock is behind", async () => {
      for (const [driver, client] of clients) {
        const name = `again_${driver}`;
        const log = redisLog<string>(client, { ...OPTIONS, name });
        const lost = await log.append("lost");
        const [time, sequence] = lost.split("-");
        await ioredis.del(name);
        await ioredis.xadd(name, `${time}-${sequence}`, "000000000000", '"another"');
        const last = `${time}-${sequence}-000000000000`;
        assertEquals<unknown>(await readLog(log, lost, 1), [[last, undefined]]);
        const id = await log.append("next");
        assertEquals<unknown>(await readLog(log, last, 1), [[id, "next"]]);
      }
    });

    it("goes on with the stream of a version without tags, beside instances of that version", async () => {
      for (const [driver, client] of clients) {
        const name = `before_${driver}`;
        /** As that version did it. */
        const appendBefore = async (message: string) =>
          String(await ioredis.xadd(name, "MAXLEN", "~", "10", "*", "m", JSON.stringify(message)));
        const first = await appendBefore("one");
        const log = redisLog<string>(client, { ...OPTIONS, name });
        const second = await log.append("two");
        const third = await appendBefore("three");
        assertEquals<unknown>(await readLog(log, first, 2), [[second, "two"], [third, "three"]]);
        assertEquals<unknown>(await readLog(log, second, 1), [[third, "three"]]);
        assertEquals<unknown>(await readLog(log, "0", 1), [[first, "one"]]);
        // That version reads the value of the first field, whatever its name is.
        const entries = await ioredis.xrange(name, `(${first}`, "+");
        assertEquals(entries.map(([, fields]) => fields?.[1]), ['"two"', '"three"']);
      }
    });
  });
}

(DATABASE_URL === undefined ? describe.skip : describe)("eventLog() in PostgreSQL", () => {
  let schema: Schema;
  const clients: PostgresClient[] = [];
  let close: () => Promise<unknown>;
  before(async () => {
    schema = await createSchema();
    const name = new URL(schema.url).searchParams.get("search_path");
    const pool = new pg.Pool({ connectionString: DATABASE_URL, options: `-c search_path=${name}` });
    const sql = postgres(schema.url, { onnotice: () => {} });
    clients.push(pool, sql);
    close = () => Promise.all([pool.end(), sql.end()]);
  });
  after(async () => {
    await close();
    await schema.drop();
  });
  beforeEach(async () => {
    await schema.sql.unsafe(`DROP TABLE IF EXISTS fw_events, fw_events_last; ${eventTables()}`);
  });

  for (const [name, run] of Object.entries(storeCases.eventLogs)) {
    it(`a log ${name}`, async () => {
      for (const client of clients) {
        await schema.sql.unsafe("TRUNCATE fw_events, fw_events_last");
        await run(postgresLog(client, OPTIONS), () => {});
      }
    });
  }

  it("passes by no message that is committed later, however many are added at once", async () => {
    const [first, second] = clients.map((client) => postgresLog<number>(client, { keep: 10_000, interval: 0.02 }));
    const ending = new AbortController();
    const received: number[] = [];
    const reading = (async () => {
      for await (const [, message] of first?.read("0", ending.signal) ?? []) {
        received.push(message ?? -1);
        if (received.length === 400) break;
      }
    })();
    const numbers = Array.from({ length: 400 }, (_, number) => number);
    await Promise.all(numbers.map((number) => (number % 2 ? first : second)?.append(number)));
    await reading;
    assertEquals(received.toSorted((a, b) => a - b), numbers);
  });

  it("begins anew after its tables were emptied, and tells readers of before", async () => {
    for (
      const statement of ["TRUNCATE fw_events, fw_events_last", "DELETE FROM fw_events; DELETE FROM fw_events_last"]
    ) {
      for (const client of clients) {
        const log = postgresLog<string>(client, OPTIONS);
        await log.append("lost");
        const before = await log.append("lost, too");
        await schema.sql.unsafe(statement);
        assertEquals<unknown>(await readLog(log, before, 1), [["00", undefined]]);
        const id = await log.append("kept");
        assertMatch(id, /^1-[\da-f]{12}$/);
        assertEquals<unknown>([await readLog(log, "0", 1), await readLog(log, "00", 1)], [[[id, "kept"]], [[
          id,
          "kept",
        ]]]);
        const [, second] = [await log.append("x"), await log.append("y")];
        assertEquals<unknown>(await readLog(log, before, 1), [[second, undefined]]);
        await schema.sql.unsafe(statement);
      }
    }
  });

  it("tells readers if one of its tables was emptied, and adds messages", async () => {
    for (const client of clients) {
      const log = postgresLog<string>(client, OPTIONS);
      const lost = await log.append("lost");
      await schema.sql.unsafe("TRUNCATE fw_events");
      assertEquals<unknown>((await readLog(log, lost, 1))[0]?.[1], undefined);
      const kept = await log.append("kept");
      assertEquals<unknown>((await readLog(log, lost, 1))[0], [kept, undefined]);
      await schema.sql.unsafe("TRUNCATE fw_events_last");
      const next = await log.append("next");
      assertEquals<unknown>(await readLog(log, kept, 1), [[next, "next"]]);
    }
  });

  it("tells readers whose last message a restored backup lacks, also one that is connected", async () => {
    for (const client of clients) {
      await schema.sql.unsafe("TRUNCATE fw_events, fw_events_last");
      const log = postgresLog<string>(client, OPTIONS);
      const ids = await log.appendAll(["one", "two"]);
      await schema.sql.unsafe(`DROP TABLE IF EXISTS saved, saved_last;
        CREATE TABLE saved AS TABLE fw_events; CREATE TABLE saved_last AS TABLE fw_events_last`);
      const lost = await log.appendAll(["three", "four"]);
      const ending = new AbortController();
      const connected = log.read(lost[1] ?? "", ending.signal)[Symbol.asyncIterator]();
      const told = connected.next();
      // One transaction, so that the reader does not see the tables in between.
      await schema.sql.unsafe(`BEGIN; DELETE FROM fw_events; DELETE FROM fw_events_last;
        INSERT INTO fw_events SELECT * FROM saved; INSERT INTO fw_events_last SELECT * FROM saved_last;
        INSERT INTO fw_events VALUES (3, '"THREE"'), (4, '"FOUR"'), (5, '"FIVE"'); UPDATE fw_events_last SET last = 5;
        COMMIT`);
      const { value } = await told;
      assertEquals(value?.[1], undefined);
      const next = connected.next();
      const six = await log.append("six");
      assertEquals((await next).value, [six, "six"]);
      ending.abort();
      for (const id of lost) assertEquals<unknown>(await readLog(log, id, 1), [[six, undefined]]);
      const rest = (await readLog(log, ids[1] ?? "", 4)).map(([, message]) => message);
      assertEquals(rest, ["THREE", "FOUR", "FIVE", "six"]);
    }
  });

  it("goes on with the tables of a version without tags, beside instances of that version", async () => {
    for (const client of clients) {
      await schema.sql.unsafe(`DROP TABLE fw_events, fw_events_last;
        CREATE TABLE fw_events (id bigint PRIMARY KEY, message text NOT NULL);
        CREATE TABLE fw_events_last (one boolean PRIMARY KEY DEFAULT true CHECK (one), last bigint NOT NULL)`);
      /** As that version did it. */
      const appendBefore = async (message: string) => {
        const [row] = await schema.sql.unsafe(
          `WITH next AS (
            INSERT INTO fw_events_last AS old (last) VALUES (1) ON CONFLICT (one) DO UPDATE SET last = old.last + 1
            RETURNING last
          ),
          removed AS (DELETE FROM fw_events WHERE id <= (SELECT last FROM next) - $1::bigint)
          INSERT INTO fw_events (id, message) SELECT last, $2::text FROM next RETURNING id::text`,
          [10, JSON.stringify(message)],
        );
        return String(row?.id);
      };
      const first = await appendBefore("one");
      const second = await appendBefore("two");
      const log = postgresLog<string>(client, OPTIONS);
      const { message } = await assertRejects(
        async () => await log.append("x"),
        Error,
        "of another version. Create it:",
      );
      for (let turn = 0; turn < 2; turn++) await schema.sql.unsafe(message.slice(message.indexOf("CREATE")));
      assertEquals<unknown>(await readLog(log, first, 1), [[second, "two"]]);
      assertEquals<unknown>((await readLog(log, "0", 2)).map(([id]) => id), ["1", "2"]);
      const third = await log.append("three");
      const fourth = await appendBefore("four");
      const items = await readLog(log, second, 2);
      assertEquals([items[0], items[1]?.[1]], [[third, "three"], "four"]);
      // That version has told its reader "4". Whether that is this row, nobody knows.
      assertMatch(items[1]?.[0] ?? "", /^4-[\da-f]{12}$/);
      assertEquals<unknown>((await readLog(log, fourth, 1))[0]?.[1], undefined);
    }
  });

  it("adds messages in a transaction of pg or postgres, or not, with the rest of it", async () => {
    const [pool, sql] = clients as [pg.Pool, postgres.Sql];
    await schema.sql.unsafe("CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY); TRUNCATE orders");
    const log = postgresLog<string>(pool, OPTIONS);
    const ending = new AbortController();
    const reading = log.read("0", ending.signal)[Symbol.asyncIterator]();
    const ids: string[] = [];
    for (const [order, ends] of [["emma", "ROLLBACK"], ["persuasion", "COMMIT"]] as const) {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query("INSERT INTO orders VALUES ($1)", [order]);
      ids.push(...await postgresLog<string>(client, OPTIONS).appendAll([order, `${order}!`]));
      await client.query(ends);
      client.release();
    }
    await sql.begin(async (transaction) => {
      await transaction.unsafe("INSERT INTO orders VALUES ('sanditon')");
      ids.push(await postgresLog<string>(transaction, OPTIONS).append("sanditon"));
    });
    const rolledBack = sql.begin(async (transaction) => {
      await transaction.unsafe("INSERT INTO orders VALUES ('watsons')");
      await postgresLog<string>(transaction, OPTIONS).append("watsons");
      throw new Error("on purpose");
    });
    await assertRejects(() => rolledBack, Error, "on purpose");
    const [undone, , ...done] = ids;
    const items = [await reading.next(), await reading.next(), await reading.next()].map(({ value }) => value);
    assertEquals(items, ["persuasion", "persuasion!", "sanditon"].map((message, index) => [done[index], message]));
    // The numbers of what was rolled back are given again, with other tags.
    assertEquals(undone?.split("-")[0], done[0]?.split("-")[0]);
    assertEquals<unknown>(await readLog(log, undone ?? "", 1), [[done[2], undefined]]);
    assertEquals((await schema.sql`SELECT id FROM orders ORDER BY id`).map(({ id }) => id), ["persuasion", "sanditon"]);
    ending.abort();
  });

  it("prints the statements for tables that are missing", async () => {
    await schema.sql.unsafe("DROP TABLE fw_events, fw_events_last");
    for (const client of clients) {
      const { message } = await assertRejects(
        async () => await postgresLog(client, OPTIONS).append(1),
        Error,
        "Create it:",
      );
      assertEquals(message.slice(message.indexOf("CREATE")), eventTables());
    }
  });
});
