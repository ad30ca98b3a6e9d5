/** The logs of messages in a real Redis, in a cluster, and in PostgreSQL, by each driver. */
import { assertEquals, assertRejects } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import { Cluster, Redis } from "ioredis";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import { eventLog as postgresLog, eventTables, type PostgresClient } from "../../../src/postgres/mod.ts";
import { eventLog as redisLog, type RedisClient } from "../../../src/redis/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
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
        const ending = new AbortController();
        const { value } = await log.read(id, ending.signal)[Symbol.asyncIterator]().next();
        assertEquals(value, ["0-0", undefined]);
        ending.abort();
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

  it("begins anew after its tables were truncated, as tests do, and tells readers of before", async () => {
    for (const client of clients) {
      const log = postgresLog<string>(client, OPTIONS);
      await log.append("lost");
      const before = await log.append("lost, too");
      await schema.sql`TRUNCATE fw_events, fw_events_last`;
      const ending = new AbortController();
      const { value } = await log.read(before, ending.signal)[Symbol.asyncIterator]().next();
      assertEquals(value, ["00", undefined]);
      assertEquals(await log.append("kept"), "1");
      assertEquals((await log.read("0", ending.signal)[Symbol.asyncIterator]().next()).value, ["1", "kept"]);
      ending.abort();
    }
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
