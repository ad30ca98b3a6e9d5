/** The stores behind PgBouncer in transaction mode, by `pg`, with fewer connections to the server than clients have. */
import { assert, assertEquals } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import type pg from "pg";
import { openPool, transact } from "../../../examples/service/postgres_pool.ts";
import { reply, route, setup } from "../../../mod.ts";
import { idempotent } from "../../../src/idempotency/mod.ts";
import {
  eventLog,
  eventTables,
  idempotencyStore,
  idempotencyTable,
  rateLimitStore,
  rateLimitTable,
  sessionStore,
  sessionTable,
} from "../../../src/postgres/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { granted } from "../../examples/serve.ts";
import { until } from "../../support/until.ts";
import { type Cluster, createCluster, hasPostgres } from "../faults/cluster.ts";
import { type Pooler, startPgBouncer } from "../faults/pgbouncer.ts";

const TABLES = sessionTable() + rateLimitTable() + idempotencyTable() + eventTables() +
  "CREATE TABLE orders (id serial PRIMARY KEY, name text NOT NULL);";
const NAMES = "fw_sessions, fw_rate_limits, fw_idempotency, fw_events, fw_events_last, orders";
const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;

(granted("env", "net", "read", "run", "write") && hasPostgres ? describe : describe.skip)("behind PgBouncer", () => {
  let cluster: Cluster;
  let pooler: Pooler;
  let pool: pg.Pool;
  before(async () => {
    cluster = await createCluster();
    await cluster.exec(TABLES);
    pooler = await startPgBouncer(cluster);
    pool = openPool(cluster.url.replace(`:${cluster.port}/`, `:${pooler.port}/`));
    const version = await new Deno.Command("/usr/sbin/pgbouncer", { args: ["--version"] }).output();
    console.log(new TextDecoder().decode(version.stdout).split("\n", 1)[0]);
  });
  after(async () => {
    await pool.end();
    await pooler.stop();
    await cluster.remove();
  });
  beforeEach(async () => void await cluster.exec(`TRUNCATE ${NAMES}`));

  const pass = (seconds: number) =>
    cluster.exec(`
      UPDATE fw_sessions SET ends_at = ends_at - ${seconds * 1000};
      UPDATE fw_rate_limits SET at = at - ${seconds}, ends_at = ends_at - ${seconds};
      UPDATE fw_idempotency SET ends_at = ends_at - interval '${seconds} seconds';
    `);
  for (const [name, run] of Object.entries(storeCases.sessions)) {
    it(`a store of sessions ${name}`, () => run(sessionStore(pool), pass));
  }
  for (const [name, run] of Object.entries(storeCases.rateLimits)) {
    it(`a store of rate limits ${name}`, () => run(rateLimitStore(pool), pass));
  }
  for (const [name, run] of Object.entries(storeCases.idempotency)) {
    it(`a store of idempotency keys ${name}`, () => run(idempotencyStore(pool), pass));
  }
  for (const [name, run] of Object.entries(storeCases.eventLogs)) {
    it(`a log ${name}`, () => run(eventLog(pool, { keep: 10, interval: 0.02 }), () => {}));
  }

  it("each call receives its own answer while all stores and transactions are used at once", async () => {
    const sessions = sessionStore(pool);
    const log = eventLog<number>(pool, { keep: 1000 });
    const [now, hour] = [Date.now(), 3_600_000];
    const use = async (index: number) => {
      const user = `user ${index}`;
      const session = { digest: `${index}`, user, begunAt: now, endsAt: now + hour };
      await sessions.add(session, 3);
      const [found, id, read] = await Promise.all([
        sessions.find(`${index}`),
        log.append(index),
        transact(pool, async (client) => {
          const { rows: [own] } = await client.query("INSERT INTO orders (name) VALUES ($1) RETURNING id", [user]);
          return (await client.query("SELECT name FROM orders WHERE id = $1", [own.id])).rows;
        }),
      ]);
      assertEquals([found, read], [session, [{ name: user }]]);
      assert(id !== "");
    };
    // Ten at once: no call waits for a connection for longer than the pool allows.
    await Promise.all(Array.from({ length: 10 }, async (_, worker) => {
      for (let turn = 0; turn < 25; turn++) await use(10 * turn + worker);
    }));
    assertEquals((await pool.query("SELECT count(*)::int FROM orders")).rows, [{ count: 250 }]);
    const connections = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'";
    assert(Number(await cluster.exec(connections)) <= 5, "PgBouncer has opened more connections than it may");
  });

  it("a response is kept with the work, while the connections of PgBouncer are cut", async () => {
    const once = idempotent({
      client: () => "ada",
      store: idempotencyStore(pool),
      lease: 2,
      lifetime: 3600,
      perClient: 1000,
      refuse: (_c, why) => reply(STATUSES[why], why),
      whenStoreFails: () => reply(503, "store"),
    });
    const app = setup({
      handlers: [
        route.post("/orders/:name", {
          resolve: once((c, key) =>
            transact(pool, async (client) => {
              const sql = "INSERT INTO orders (name) VALUES ($1) RETURNING id";
              const { rows: [order] } = await client.query(sql, [c.raw.params.name]);
              return await key.keep(idempotencyStore(client), reply(201, { id: order.id }));
            })
          ),
        }),
      ],
      onError: () => reply(500),
    });
    const post = async (name: string) => {
      const init = { method: "POST", headers: { "idempotency-key": name } };
      const response = await app.fetch(new Request(`http://localhost/orders/${name}`, init));
      return [response.status, await response.text()] as const;
    };
    let isOver = false;
    const cutting = (async () => {
      while (!isOver) {
        await cluster.exec(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        );
      }
    })();
    const texts = new Map<string, string>();
    await Promise.all(Array.from({ length: 40 }, async (_, index) => {
      await until(async () => {
        const [status, text] = await post(`${index}`);
        if (status === 201) texts.set(`${index}`, text);
        return status === 201;
      });
    }));
    isOver = true;
    await cutting;
    // A connection that was cut last fails once more.
    let made: string[][] | undefined;
    await until(async () => {
      const result = await pool.query("SELECT id, name FROM orders").catch(() => undefined);
      made = result?.rows.map(({ id, name }) => [name, JSON.stringify({ id })]);
      return made !== undefined;
    });
    assertEquals(made?.toSorted(), [...texts].toSorted());
    for (const [name, text] of texts) {
      await until(async () => (await post(name))[0] === 201);
      assertEquals(await post(name), [201, text]);
    }
  });
});
