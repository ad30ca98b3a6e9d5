import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import postgres from "postgres";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import {
  createPostgresBuckets,
  createTable,
  removeFullBuckets,
} from "../../../examples/recipes/rate_limit/postgres_bucket.ts";
import { createSchema, DATABASE_URL, type Schema } from "../postgres_schema.ts";
import { serveApp } from "./serve_app.ts";

const LIMIT = { quota: 3, window: 3600 };

(DATABASE_URL === undefined ? describe.skip : describe)("a token bucket in PostgreSQL", () => {
  let schema: Schema;
  let instances: readonly postgres.Sql[] = [];
  beforeEach(async () => {
    schema = await createSchema();
    instances = [1, 2].map(() => postgres(schema.url, { max: 4, onnotice: () => {} }));
    await createTable(schema.sql);
  });
  afterEach(async () => {
    await Promise.all(instances.map((sql) => sql.end()));
    await schema.drop();
  });

  /** Lets time pass, for all buckets. */
  const pass = (seconds: number) =>
    schema.sql`UPDATE rate_limits SET full_at = full_at - ${seconds} * interval '1 second'`;

  it("a token bucket in PostgreSQL gives no token twice, however many instances ask at once", async () => {
    const takes = instances.map((sql) => createPostgresBuckets(sql, LIMIT));
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => takes[index % 2]?.(index < 20 ? "ada" : "grace")),
    );
    for (const half of [taken.slice(0, 20), taken.slice(20)]) {
      const allowed = half.filter((one) => one?.allowed);
      assertEquals(allowed.map((one) => one?.remaining).sort(), [0, 1, 2]);
    }
  });

  it("a token bucket in PostgreSQL gives them back as time passes", async () => {
    const take = createPostgresBuckets(schema.sql, LIMIT);
    const ask = async () => {
      const { allowed, remaining, next } = await take("ada");
      return [allowed, remaining, next];
    };
    assertEquals((await ask()).slice(0, 2), [true, 2]);
    await ask();
    await ask();
    assertEquals((await ask()).slice(0, 2), [false, 0]);
    await pass(1199 - 300);
    const [allowed, remaining, next] = await ask();
    assertEquals([allowed, remaining, Number(next) <= 301 && Number(next) > 0], [false, 0, true]);
    await pass(301);
    assertEquals((await ask()).slice(0, 2), [true, 0]);
    await pass(1e6);
    assertEquals((await ask()).slice(0, 2), [true, 2]);
  });

  it("a token bucket in PostgreSQL lets nobody wait longer than the window if the clock goes back", async () => {
    const take = createPostgresBuckets(schema.sql, LIMIT);
    for (let turn = 0; turn < 5; turn++) await take("ada");
    await pass(-7200);
    const refused = await take("ada");
    assertEquals([refused.allowed, refused.remaining, refused.next <= 1200], [false, 0, true]);
    await pass(1200);
    assertEquals([(await take("ada")).allowed, (await take("ada")).allowed], [true, false]);
    await pass(3600);
    assertEquals((await take("ada")).remaining, 2);
  });

  it("a token bucket in PostgreSQL removes those that are full, and no others", async () => {
    const take = createPostgresBuckets(schema.sql, LIMIT);
    await take("ada");
    await pass(1e6);
    await take("grace");
    await removeFullBuckets(schema.sql);
    assertEquals([...await schema.sql`SELECT key FROM rate_limits`], [{ key: "grace" }]);
  });

  it("a token bucket in PostgreSQL serves no request that it cannot count", async () => {
    const [sql] = instances;
    if (sql === undefined) throw new Error("There are two");
    const limited = createApp(LIMIT, createPostgresBuckets(sql, LIMIT));
    await using served = serveApp(limited);
    const response = await fetch(`${served.origin}/search`);
    assertEquals([response.status, response.headers.get("ratelimit")?.slice(0, 16)], [200, '"address";r=2;t=']);
    await response.body?.cancel();
    await schema.sql`DROP TABLE rate_limits`;
    const info = { remoteAddr: { transport: "tcp", hostname: "::1", port: 1 } as const, completed: Promise.resolve() };
    await assertRejects(
      async () => await limited.fetch(new Request("http://localhost/search"), info),
      postgres.PostgresError,
      'relation "rate_limits" does not exist',
    );
  });
});
