/**
 * One of several instances that keep responses in the transaction of their work. `DATABASE_URL` names a database of
 * PostgreSQL, or else `DB` the file of one of SQLite. `PORT` is its port on the loopback interface.
 *
 * With the header `x-wait`, a request waits `before` the response is kept, or `after` it, until the file exists that
 * `x-until` names. Without it, it takes up to 60 ms between its statements, so that a kill may be anywhere.
 */
import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import process from "node:process";
import { openPool, transact } from "../../../../examples/service/postgres_pool.ts";
import { type Answer, type Context, type Reply, reply, route, setup } from "../../../../mod.ts";
import { type IdempotencyStore, idempotent, type Key } from "../../../../src/idempotency/mod.ts";
import * as postgres from "../../../../src/postgres/mod.ts";
import * as sqlite from "../../../../src/sqlite/mod.ts";
import { LEASE, TABLE } from "./orders.ts";

const { DATABASE_URL = "", DB = "", PORT = "", ISOLATION = "READ COMMITTED", IDLE = "5000" } = process.env;

type Ordered = Reply<Answer<201, { id: number }>>;
interface Engine {
  readonly store: IdempotencyStore;
  readonly order: (name: string, key: Key, wait: Wait) => Promise<Ordered>;
}

/** Waits at a point of the work. */
interface Wait {
  readonly at: (point: "before" | "after") => Promise<void>;
  readonly atOnce: (point: "after") => void;
}

const some = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 60));

function openPostgres(): Engine {
  const pool = openPool(DATABASE_URL);
  return {
    store: postgres.idempotencyStore(pool),
    order: (name, key, wait) =>
      transact(pool, async (client) => {
        await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE}`);
        await client.query(`SET TRANSACTION ISOLATION LEVEL ${ISOLATION}`);
        await some();
        const { rows: [row] } = await client.query("INSERT INTO orders (name) VALUES ($1) RETURNING id", [name]);
        await some();
        await wait.at("before");
        const response = await key.keep(postgres.idempotencyStore(client), reply(201, { id: Number(row.id) }));
        await wait.at("after");
        await some();
        return response;
      }),
  };
}

function openSqlite(): Engine {
  const db = new DatabaseSync(DB);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1000");
  db.exec(TABLE.sqlite);
  const store = sqlite.idempotencyStore(db);
  return {
    store,
    async order(name, key, wait) {
      await some();
      await wait.at("before");
      db.exec("BEGIN IMMEDIATE");
      try {
        const row = db.prepare("INSERT INTO orders (name) VALUES (?) RETURNING id").get(name);
        const end = performance.now() + Math.random() * 5;
        while (performance.now() < end); // so that a kill may be here
        const response = key.keepNow(store, 201, { id: Number(row?.id) });
        wait.atOnce("after");
        db.exec("COMMIT");
        return response;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      } finally {
        await some();
      }
    },
  };
}

function waitOf({ headers }: Request): Wait {
  const [point, file] = [headers.get("x-wait"), headers.get("x-until") ?? ""];
  const arrive = () => writeFileSync(`${file}.reached`, "");
  return {
    async at(here) {
      if (here !== point) return;
      arrive();
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    atOnce(here) {
      if (here !== point) return;
      arrive();
      while (!existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    },
  };
}

const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
const { store, order } = DATABASE_URL === "" ? openSqlite() : openPostgres();
const once = idempotent({
  client: () => "ada",
  store,
  lease: LEASE,
  lifetime: 3600,
  perClient: 10_000,
  refuse: (_c: Context, why) => reply(STATUSES[why], why),
  whenStoreFails: (error) => reply(503, String(error)),
});
const app = setup({
  handlers: [
    route.post("/orders", {
      resolve: once(({ request }, key) => order(request.headers.get("idempotency-key") ?? "", key, waitOf(request))),
    }),
  ],
  onError: ({ error }) => new Response(String(error), { status: 500 }),
});

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
}, (request) => app.fetch(request));
