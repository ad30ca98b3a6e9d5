/** The rule of rate limits in PostgreSQL and Redis: their statements and scripts, at a time that is given. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { Redis } from "ioredis";
import { rateLimitStore as postgresStore, rateLimitTable } from "../../../src/postgres/mod.ts";
import { rateLimitStore as redisStore } from "../../../src/redis/mod.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { assertTaken, TOKEN_BUCKETS } from "../../support/token_buckets.ts";
import { hasRedis, type RedisServers, startRedis } from "./redis_servers.ts";

/** The text of a statement or script in which the clock of the engine is replaced by a time. */
function atTime(text: string, clock: string, time: string): string {
  assert(text.includes(clock), `The clock is not read by ${clock}`);
  return text.replaceAll(clock, time);
}

(DATABASE_URL === undefined ? describe.skip : describe)("a request takes out of a bucket in PostgreSQL", () => {
  let schema: Schema;
  before(async () => {
    schema = await createSchema();
    await schema.sql.unsafe(rateLimitTable());
  });
  after(() => schema.drop());

  for (const bucket of TOKEN_BUCKETS) {
    const { about, state, time, quota, window } = bucket;
    it(`where ${about}`, async () => {
      const { sql } = schema;
      await sql`TRUNCATE fw_rate_limits`;
      if (state) await sql`INSERT INTO fw_rate_limits VALUES ('k', ${state[0]}, ${state[1]}, 1e10, true)`;
      const store = postgresStore({
        unsafe: (text, values) =>
          sql.unsafe(atTime(text, "clock_timestamp()", `to_timestamp(${time})`), values, { prepare: true }),
      });
      const taken = await store.take("k", { quota, window });
      assertTaken(taken, bucket);
      const [stored] = await sql`SELECT missing, at FROM fw_rate_limits`;
      assertEquals([stored?.missing, stored?.at], [taken.missing, time]);
    });
  }
});

(hasRedis ? describe : describe.skip)("a request takes out of a bucket in Redis", () => {
  let servers: RedisServers;
  let client: Redis;
  before(async () => {
    servers = await startRedis();
    client = new Redis(servers.ports[0] ?? 0, "127.0.0.1");
  });
  after(async () => {
    client.disconnect();
    await servers[Symbol.asyncDispose]();
  });

  for (const bucket of TOKEN_BUCKETS) {
    const { about, state, time, quota, window } = bucket;
    it(`where ${about}`, async () => {
      const key = "fw_rate_limits:k";
      await client.del(key);
      if (state) await client.hset(key, "missing", state[0], "at", state[1] * 1000);
      const [seconds, micros] = [Math.floor(time), Math.round((time % 1) * 1e6)];
      const store = redisStore({
        evalsha: () => Promise.reject(new Error("NOSCRIPT")),
        eval: (script: string, count: number, ...args: (string | number)[]) =>
          client.eval(atTime(script, "redis.call('TIME')", `{ ${seconds}, ${micros} }`), count, ...args),
      });
      const taken = await store.take("k", { quota, window });
      assertTaken(taken, bucket);
      assertEquals(Number(await client.hget(key, "at")), Math.round(time * 1000));
      // A bucket goes once it is full.
      const left = await client.pttl(key);
      const fullIn = taken.missing * window * 1000 / quota;
      assert(left > fullIn - 10_000 && left <= fullIn + 2, `${left} ms are left, and it is full in ${fullIn}`);
    });
  }
});
