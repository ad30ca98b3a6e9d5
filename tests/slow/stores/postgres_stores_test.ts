/** The stores in the PostgreSQL database that `DATABASE_URL` names, by each driver. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import pg from "pg";
import postgres from "postgres";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import { createApp as createSessionsApp } from "../../../examples/recipes/sessions.ts";
import { hashPassword } from "../../../examples/recipes/sessions/password.ts";
import type { App } from "../../../mod.ts";
import {
  deliveryStore,
  idempotencyStore,
  type PostgresClient,
  rateLimitStore,
  sessionStore,
} from "../../../src/postgres/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { serveApp } from "../../examples/recipes/serve_app.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { openTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/until.ts";

const HOURLY = { quota: 3, window: 3600 };
const HOUR = 3_600_000;
const NOW = Date.now();
const ADA = { digest: "a", user: "ada", begunAt: NOW - HOUR, endsAt: NOW + 4 * HOUR };
const ONCE = { key: "k", client: "c", request: "r", owner: "o" };
const LIMITS = { lifetime: 3600, perClient: 3 };

/** A client, and how it is closed. */
interface Connected {
  readonly client: PostgresClient;
  close(): Promise<void>;
}

const CLIENTS: Readonly<Record<string, (url: string, max?: number) => Connected>> = {
  pg: (url, max = 8) => {
    // Unlike `postgres`, it does not send the parameters of the url.
    const { searchParams } = new URL(url);
    const options = [...searchParams].map(([key, value]) => `-c ${key}=${value}`).join(" ");
    const client = new pg.Pool({ connectionString: url.replace(/\?.*/, ""), options, max });
    client.on("error", () => {});
    return { client, close: () => client.end() };
  },
  postgres: (url, max = 8) => {
    const client = postgres(url, { max, backoff: false, onnotice: () => {} });
    return { client, close: () => client.end({ timeout: 0 }) };
  },
  "postgres with names in Pascal case": (url, max = 8) => {
    const client = postgres(url, { max, backoff: false, onnotice: () => {}, transform: postgres.pascal });
    return { client, close: () => client.end({ timeout: 0 }) };
  },
};

for (const [driver, connect] of Object.entries(CLIENTS)) {
  (DATABASE_URL === undefined ? describe.skip : describe)(`the stores in PostgreSQL by ${driver}`, () => {
    let schema: Schema;
    let connected: Connected;
    let client: PostgresClient;
    beforeEach(async () => {
      schema = await createSchema();
      connected = connect(schema.url);
      ({ client } = connected);
      for (const call of calls(client).slice(0, 4)) {
        const { message } = await assertRejects(async () => await call(), Error, "Create it:");
        await schema.sql.unsafe(message.slice(message.indexOf("CREATE")));
      }
    });
    afterEach(async () => {
      await connected.close();
      await schema.drop();
    });

    /** Each changes something. The first four are one of each store. */
    const calls = (client: PostgresClient): readonly (() => unknown)[] => [
      () => sessionStore(client).add({ ...ADA, digest: "b" }, 1),
      () => rateLimitStore(client).take("ada", HOURLY),
      () => idempotencyStore(client).reserve({ ...ONCE, owner: "p" }, LIMITS),
      () => deliveryStore(client).take("ada", "a", 1),
      () => sessionStore(client).renew("a", ADA.endsAt + 1),
      () => sessionStore(client).end("a"),
      () => sessionStore(client).endOthers("ada", undefined),
      () => idempotencyStore(client).keep(ONCE, "response"),
      () => idempotencyStore(client).free(ONCE),
    ];

    /** Lets time pass, for all rows. */
    const pass = async (seconds: number) => {
      const { sql } = schema;
      await sql`UPDATE fw_sessions SET ends_at = ends_at - ${seconds * 1000}`;
      await sql`UPDATE fw_rate_limits SET at = at - ${seconds}, ends_at = ends_at - ${seconds}`;
      await sql`UPDATE fw_deliveries SET ends_at = ends_at - ${seconds * 1000}`;
      await sql`UPDATE fw_idempotency SET ends_at = ends_at - ${seconds} * interval '1 second'`;
    };

    for (const [name, run] of Object.entries(storeCases.sessions)) {
      it(`a store of sessions ${name}`, () => run(sessionStore(client), pass));
    }
    for (const [name, run] of Object.entries(storeCases.rateLimits)) {
      it(`a store of rate limits ${name}`, () => run(rateLimitStore(client), pass));
    }
    for (const [name, run] of Object.entries(storeCases.deliveries)) {
      it(`a store of deliveries ${name}`, () => run(deliveryStore(client), pass));
    }
    for (const [name, run] of Object.entries(storeCases.idempotency)) {
      it(`a store of idempotency keys ${name}`, () => run(idempotencyStore(client), pass));
    }

    for (const index of [0, 6]) {
      it(`an instance that vanishes after any part of call ${index} holds no lock`, async () => {
        let vanished = true;
        for (let bytes = 0; vanished; bytes += 50) {
          await sessionStore(client).add(ADA, 9);
          const { hostname, port, pathname, search, username, password } = new URL(schema.url);
          assertEquals(hostname, "127.0.0.1");
          const proxy = await openTcpProxy(Number(port));
          const far = connect(`postgres://${username}:${password}@127.0.0.1:${proxy.port}${pathname}${search}`, 1);
          await sessionStore(far.client).find("a");
          const cut = proxy.cut(bytes).then(() => true);
          const called = Promise.resolve(calls(far.client)[index]?.()).then(() => false, () => true);
          vanished = await Promise.race([cut, called]);
          await schema.sql`SET lock_timeout = '3s'`;
          await schema.sql.begin((own) => own`LOCK TABLE fw_sessions IN ACCESS EXCLUSIVE MODE`);
          await sessionStore(client).end("a");
          proxy.shut();
          await called;
          await far.close().catch(() => {});
        }
      });
    }

    it("sessions with data stand in the table of a version without data, beside instances of that version", async () => {
      const { sql } = schema;
      await sql.unsafe(`DROP TABLE fw_sessions; CREATE TABLE fw_sessions (
        digest text PRIMARY KEY, user_id text NOT NULL, begun_at bigint NOT NULL, ends_at bigint NOT NULL)`);
      /** As that version did it. */
      const addBefore = (digest: string) =>
        sql.unsafe(`INSERT INTO fw_sessions VALUES ('${digest}', 'ada', ${ADA.begunAt}, ${ADA.endsAt})`);
      const store = sessionStore(client);
      await addBefore("old");
      await store.add(ADA, 9);
      assertEquals([(await store.find("old"))?.user, await store.find("a")], ["ada", ADA]);
      const withData = { ...ADA, digest: "b", data: '{"role":"admin"}' };
      const { message } = await assertRejects(async () => await store.add(withData, 9), Error, "Create it:");
      for (let turn = 0; turn < 2; turn++) await sql.unsafe(message.slice(message.indexOf("CREATE")));
      await store.add(withData, 9);
      await addBefore("late");
      await sql.unsafe(`UPDATE fw_sessions SET ends_at = greatest(ends_at, ${ADA.endsAt + 5}) WHERE digest = 'b'`);
      assertEquals(await store.find("b"), { ...withData, endsAt: ADA.endsAt + 5 });
      assertEquals((await store.find("late"))?.data, undefined);
    });

    it("sign-ins and new passwords of several users at once neither fail nor end what they must not", async () => {
      const many = Array.from({ length: 300 }, (_, index) => `(${index}, 'user ${index % 5}', 0, ${500 + index})`);
      await schema.sql.unsafe(`INSERT INTO fw_sessions VALUES ${many}`);
      const other = connect(schema.url);
      const stores = [client, other.client].map((own) => sessionStore(own));
      await Promise.all(Array.from({ length: 100 }, async (_, index) => {
        const user = `user ${index % 5}`;
        const store = stores[index % 2];
        await store?.add({ digest: `new ${index}`, user, begunAt: NOW, endsAt: NOW + HOUR + index }, 3);
        if (index % 10 === 4) await store?.endOthers(user, `new ${index}`);
      }));
      const left = await schema.sql`SELECT user_id, count(*)::int FROM fw_sessions GROUP BY user_id ORDER BY user_id`;
      const counts = left.map(({ user_id, count }) => [user_id, count]);
      assertEquals(counts.slice(0, 4), [["user 0", 3], ["user 1", 3], ["user 2", 3], ["user 3", 3]]);
      // Only this user has new passwords. Two at once may end each other's session.
      assert(counts.slice(4).every(([user, count]) => user === "user 4" && count <= 3), `${counts}`);
      await other.close();
    });

    it("rows whose time is over are removed in small batches, and no others", async () => {
      const [sessions, limits, keys] = [sessionStore(client), rateLimitStore(client), idempotencyStore(client)];
      const count = async () => {
        const [row] = await schema.sql`SELECT (SELECT count(*)::int FROM fw_sessions) AS sessions,
          (SELECT count(*)::int FROM fw_rate_limits) AS limits, (SELECT count(*)::int FROM fw_idempotency) AS keys`;
        return [row?.sessions, row?.limits, row?.keys];
      };
      await schema.sql`INSERT INTO fw_sessions SELECT n, n, 0, n FROM generate_series(1, 150) AS n`;
      await schema.sql`INSERT INTO fw_rate_limits SELECT n, 1, 0, n, true FROM generate_series(1, 20) AS n`;
      await schema.sql`INSERT INTO fw_idempotency SELECT n, n, n, n, n, now() FROM generate_series(1, 15) AS n`;
      await sessions.add(ADA, 3);
      await limits.take("ada", HOURLY);
      await keys.reserve(ONCE, LIMITS);
      assertEquals(await count(), [51, 5, 6]);
      await sessions.add({ ...ADA, digest: "b" }, 3);
      for (let call = 2; call <= 8; call++) await limits.take("ada", HOURLY);
      assertEquals((await count())[1], 5);
      await limits.take("bob", HOURLY);
      await keys.reserve({ ...ONCE, key: "other" }, LIMITS);
      assertEquals(await count(), [2, 2, 2]);
      assertEquals((await sessions.find("a"))?.user, "ada");
    });

    it("no request is counted twice or left out, however many instances ask at once", async () => {
      const other = connect(schema.url);
      const stores = [client, other.client].map((own) => rateLimitStore(own));
      await schema.sql`INSERT INTO fw_rate_limits SELECT n, 1, 0, n, true FROM generate_series(1, 100) AS n`;
      const taken = await Promise.all(
        Array.from({ length: 200 }, (_, index) => stores[index % 2]?.take(`key ${index % 20}`, HOURLY)),
      );
      for (let key = 0; key < 20; key++) {
        const own = taken.filter((_, index) => index % 20 === key);
        assertEquals(own.flatMap((one) => one?.allowed ? [Math.round(one.missing)] : []).toSorted(), [1, 2, 3]);
      }
      await other.close();
    });

    it("a key is reserved once, however many instances ask at once, while others end", async () => {
      const other = connect(schema.url);
      const stores = [client, other.client].map((own) => idempotencyStore(own));
      await schema
        .sql`INSERT INTO fw_idempotency SELECT 'key ' || n, n, n, n, n, now() FROM generate_series(0, 99) AS n`;
      const states = await Promise.all(Array.from({ length: 200 }, async (_, index) => {
        const key = `key ${index % 20}`;
        return [
          key,
          (await stores[index % 2]?.reserve({ ...ONCE, key, client: key, owner: `${index}` }, LIMITS))?.state,
        ];
      }));
      for (let key = 0; key < 20; key++) {
        const own = states.filter(([name]) => name === `key ${key}`).map(([, state]) => state);
        assertEquals(own.toSorted(), ["reserved", ...Array(9).fill("running")].toSorted());
      }
      await other.close();
    });

    it("the recipe rate_limit has one limit for two instances that share a database", async () => {
      const apps = [1, 2].map(() => createApp({ store: rateLimitStore(client), proxies: 0 }));
      const statuses: (number | undefined)[] = [];
      for (let turn = 0; turn < 12; turn++) {
        statuses.push((await apps[turn % 2]?.fetch(new Request("http://localhost/search")))?.status);
      }
      assertEquals(statuses, [...Array(10).fill(200), 429, 429]);
    });

    it("the recipe sessions signs in at one instance, and out at another one that shares its database", async () => {
      const origin = "https://app.example.com";
      const passwordHash = await hashPassword("correct horse");
      const accounts = new Map([["ada@example.com", { name: "Ada", passwordHash }]]);
      const store = () => sessionStore(client);
      const apps = [1, 2].map(() =>
        createSessionsApp({ accounts, store: store(), tokens: store(), origins: [origin] })
      );
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

    it("a database that does not respond fails after two seconds, and at once for more than 1000 calls", async () => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert(typeof address === "object" && address !== null);
      const far = connect(`postgres://ada@127.0.0.1:${address.port}/ada`, 2);
      const store = rateLimitStore(far.client);
      const calls = Array.from({ length: 1001 }, () => Promise.resolve(store.take("ada", HOURLY)).catch(String));
      assertEquals(await calls[1000], "Error: More than 1000 calls wait for PostgreSQL");
      assertEquals(await calls[0], "Error: PostgreSQL did not answer within 2 seconds");
      for (const socket of sockets) socket.destroy();
      server.close();
      await Promise.all(calls);
      await far.close().catch(() => {});
    });

    it("calls fail while the connections are cut, and work again afterwards", async () => {
      const store = sessionStore(client);
      await store.add(ADA, 9);
      await schema.disconnect();
      await until(async () => (await Promise.resolve(store.find("a")).catch(() => undefined))?.user === "ada");
    });
  });
}
