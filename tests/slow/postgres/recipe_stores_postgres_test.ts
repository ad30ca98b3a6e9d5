import { assert, assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import postgres from "postgres";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import * as limits from "../../../examples/recipes/rate_limit/postgres_store.ts";
import { storeCases as limitCases } from "../../../examples/recipes/rate_limit/store_cases.ts";
import { createApp as createSessionsApp } from "../../../examples/recipes/sessions.ts";
import { hashPassword } from "../../../examples/recipes/sessions/password.ts";
import * as sessions from "../../../examples/recipes/sessions/postgres_store.ts";
import { storeCases as sessionCases } from "../../../examples/recipes/sessions/store_cases.ts";
import type { App } from "../../../mod.ts";
import { serveApp } from "../../examples/recipes/serve_app.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { openTcpProxy } from "../../examples/tcp_proxy.ts";

const HOURLY = { quota: 3, window: 3600 };
const ADA = { digest: "a", user: "ada", begunAt: 1000, endsAt: 4000 };

(DATABASE_URL === undefined ? describe.skip : describe)("the stores of the recipes in PostgreSQL", () => {
  let schema: Schema;
  let sql: postgres.Sql;
  const connect = (url: string, max = 8) => postgres(url, { max, backoff: false, onnotice: () => {} });
  beforeEach(async () => {
    schema = await createSchema();
    sql = connect(schema.url);
    await sessions.createTable(sql);
    await limits.createTable(sql);
  });
  afterEach(async () => {
    await sql.end({ timeout: 0 });
    await schema.drop();
  });

  /** Lets time pass, for all buckets. */
  const pass = async (seconds: number) => {
    const shift = schema.sql`${seconds} * interval '1 second'`;
    await schema.sql`UPDATE rate_limits SET at = at - ${shift}, full_at = full_at - ${shift}`;
  };

  for (const [name, run] of Object.entries(sessionCases)) {
    it(`a store of sessions in PostgreSQL ${name}`, () => run(sessions.createPostgresStore(() => sql)));
  }
  for (const [name, run] of Object.entries(limitCases)) {
    it(`a store of rate limits in PostgreSQL ${name}`, () => run(limits.createPostgresStore(() => sql), pass));
  }

  /** Each call changes something. */
  const CALLS: Readonly<Record<string, (sql: postgres.Sql) => unknown>> = {
    "a sign-in": (sql) => sessions.createPostgresStore(() => sql).add({ ...ADA, digest: "b" }, 1),
    "a renewal": (sql) => sessions.createPostgresStore(() => sql).renew("a", 5000),
    "a sign-out": (sql) => sessions.createPostgresStore(() => sql).end("a"),
    "a new password": (sql) => sessions.createPostgresStore(() => sql).endOthers("ada", undefined),
    "a request that is counted": (sql) => limits.createPostgresStore(() => sql).take("ada", HOURLY),
  };

  for (const [name, call] of Object.entries(CALLS)) {
    it(`an instance that vanishes after any part of ${name} holds no lock`, async () => {
      await limits.createPostgresStore(() => sql).take("ada", HOURLY);
      let vanished = true;
      for (let bytes = 0; vanished; bytes += 50) {
        await schema.sql`INSERT INTO user_sessions VALUES ('a', 'ada', 1000, 4000) ON CONFLICT DO NOTHING`;
        const { hostname, port, pathname, search, username, password } = new URL(schema.url);
        assertEquals(hostname, "127.0.0.1");
        const proxy = await openTcpProxy(Number(port));
        const far = connect(`postgres://${username}:${password}@127.0.0.1:${proxy.port}${pathname}${search}`, 1);
        await far`SELECT 1`;
        const cut = proxy.cut(bytes).then(() => true);
        const called = Promise.resolve(call(far)).then(() => false, () => true);
        vanished = await Promise.race([cut, called]);
        await schema.sql`SET lock_timeout = '3s'`;
        await schema.sql.begin((own) => own`LOCK TABLE user_sessions, rate_limits IN ACCESS EXCLUSIVE MODE`);
        proxy.shut();
        await called;
        await far.end({ timeout: 0 });
      }
    });
  }

  it("sign-ins and new passwords of several users at once neither fail nor end what they must not", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `(${index}, 'user ${index % 5}', 0, ${500 + index})`);
    await schema.sql.unsafe(`INSERT INTO user_sessions VALUES ${many}`);
    const other = connect(schema.url);
    const stores = [sql, other].map((own) => sessions.createPostgresStore(() => own));
    await Promise.all(Array.from({ length: 100 }, async (_, index) => {
      const user = `user ${index % 5}`;
      const store = stores[index % 2];
      await store?.add({ digest: `new ${index}`, user, begunAt: 1000, endsAt: 4000 + index }, 3);
      if (index % 10 === 4) await store?.endOthers(user, `new ${index}`);
    }));
    const left = await schema.sql`SELECT user_id, count(*)::int FROM user_sessions GROUP BY user_id ORDER BY user_id`;
    const counts = left.map(({ user_id, count }) => [user_id, count]);
    assertEquals(counts.slice(0, 4), [["user 0", 3], ["user 1", 3], ["user 2", 3], ["user 3", 3]]);
    // Only this user has new passwords. Two at once may end each other's session.
    assert(counts.slice(4).every(([user, count]) => user === "user 4" && count <= 3), `${counts}`);
    await other.end();
  });

  it("a sign-in removes at most 100 sessions that have ended", async () => {
    const many = Array.from({ length: 150 }, (_, index) => `(${index}, 'user ${index}', 0, ${index})`);
    await schema.sql.unsafe(`INSERT INTO user_sessions VALUES ${many}`);
    const store = sessions.createPostgresStore(() => sql);
    await store.add({ ...ADA, begunAt: 149 }, 3);
    assertEquals((await schema.sql`SELECT count(*)::int FROM user_sessions`)[0]?.count, 51);
    await store.add({ ...ADA, digest: "b", begunAt: 148 }, 3);
    const left = await schema.sql`SELECT digest FROM user_sessions ORDER BY digest`;
    assertEquals(left.map(({ digest }) => digest), ["149", "a", "b"]);
  });

  it("no request is counted twice or left out, however many instances ask at once", async () => {
    const other = connect(schema.url);
    const stores = [sql, other].map((own) => limits.createPostgresStore(() => own));
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stores[index % 2]?.take(index < 20 ? "ada" : "grace", HOURLY)),
    );
    for (const half of [taken.slice(0, 20), taken.slice(20)]) {
      const missing = half.flatMap((one) => one?.allowed ? [Math.round(one.missing)] : []);
      assertEquals(missing.toSorted(), [1, 2, 3]);
    }
    await other.end();
  });

  it("the recipe rate_limit has one limit for two instances that share a database", async () => {
    const apps = [1, 2].map(() => createApp({ store: limits.createPostgresStore(() => sql), proxies: 0 }));
    const statuses: (number | undefined)[] = [];
    for (let turn = 0; turn < 12; turn++) {
      statuses.push((await apps[turn % 2]?.fetch(new Request("http://localhost/search")))?.status);
    }
    assertEquals(statuses, [...Array(10).fill(200), 429, 429]);
  });

  it("the recipe sessions signs in at one instance, and out at another one that shares its database", async () => {
    const origin = "https://app.example.com";
    const accounts = new Map([["ada@example.com", { name: "Ada", passwordHash: await hashPassword("correct horse") }]]);
    const store = () => sessions.createPostgresStore(() => sql);
    const apps = [1, 2].map(() => createSessionsApp({ accounts, store: store(), tokens: store(), origins: [origin] }));
    await using one = serveApp(apps[0] as App);
    await using other = serveApp(apps[1] as App);
    const post = (at: string, cookie: string, body?: URLSearchParams) =>
      fetch(at, { method: "POST", headers: { origin, cookie }, redirect: "manual", ...body && { body } });
    const form = new URLSearchParams({ email: "ada@example.com", password: "correct horse" });
    const signedIn = await post(`${one.origin}/sign-in`, "", form);
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const nameAt = async (at: string) => {
      const response = await fetch(`${at}/api/me`, { headers: { cookie } });
      return (await response.json()).name ?? response.status;
    };
    assertEquals([signedIn.status, await nameAt(one.origin), await nameAt(other.origin)], [303, "Ada", "Ada"]);
    const signedOut = await post(`${other.origin}/sign-out`, cookie);
    assertEquals([signedOut.status, await nameAt(one.origin), await nameAt(other.origin)], [303, 401, 401]);
    await Promise.all([signedIn.body?.cancel(), signedOut.body?.cancel()]);
  });

  it("buckets that are full are removed, and no others", async () => {
    const store = limits.createPostgresStore(() => sql);
    await store.take("ada", HOURLY);
    await pass(1190);
    await store.take("ada", HOURLY);
    await store.take("grace", HOURLY);
    const keys = async () => (await schema.sql`SELECT key FROM rate_limits ORDER BY key`).map(({ key }) => key);
    await pass(1195);
    await limits.removeFullBuckets(sql);
    assertEquals(await keys(), ["ada", "grace"]);
    await pass(10);
    await limits.removeFullBuckets(sql);
    assertEquals(await keys(), ["ada"]);
  });

  it("a string that PostgreSQL cannot keep as it is fails", async () => {
    const store = sessions.createPostgresStore(() => sql);
    for (const user of ["ada\0", "ada\ud800"]) {
      await assertRejects(async () => await store.add({ ...ADA, user }, 3), TypeError, "without NUL");
    }
    await assertRejects(async () => await store.renew("a", NaN), TypeError, "a finite number");
  });

  it("a database that does not respond fails after two seconds, and at once for more than 1000 calls", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    const pools: postgres.Sql[] = [];
    const store = limits.createPostgresStore(() => {
      const pool = connect(`postgres://ada@127.0.0.1:${address.port}/ada`, 2);
      pools.push(pool);
      return pool;
    });
    const calls = Array.from({ length: 1001 }, () => Promise.resolve(store.take("ada", HOURLY)).catch(String));
    assertEquals(await calls[1000], "Error: Too many statements wait for the database");
    assertEquals(await calls[0], "Error: The database did not answer within 2000 ms");
    const others = (await Promise.all(calls)).map(String);
    assertEquals(others.filter((other) => !/did not answer|too many|CONNECTION_DESTROYED/i.test(other)), []);
    assertEquals(pools.length, 2);
    for (const socket of sockets) socket.destroy();
    server.close();
    await Promise.all(pools.map((pool) => pool.end({ timeout: 0 })));
  });

  it("connections that are dead are replaced, so that calls are served once the database is", async () => {
    const { port } = new URL(schema.url);
    const proxy = await openTcpProxy(Number(port));
    const url = schema.url.replace(`:${port}/`, `:${proxy.port}/`);
    const pools: postgres.Sql[] = [];
    const store = limits.createPostgresStore(() => {
      const pool = connect(url, 2);
      pools.push(pool);
      return pool;
    });
    const take = () => Promise.resolve(store.take("ada", { quota: 100, window: 3600 })).then(() => "counted", String);
    assertEquals(await Promise.all([take(), take(), take()]), Array(3).fill("counted"));
    proxy.set("stall");
    const late = "Error: The database did not answer within 2000 ms";
    assertEquals(await Promise.all([take(), take(), take()]), Array(3).fill(late));
    proxy.set("forward");
    assertEquals(await Promise.all([take(), take(), take()]), Array(3).fill("counted"));
    assertEquals(pools.length, 2);
    proxy.shut();
    await Promise.all(pools.map((pool) => pool.end({ timeout: 0 })));
  });
});
