/** Requests under way while an engine is paused: their clients repeat them when it is back. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Redis } from "ioredis";
import pg from "pg";
import { reply, route, setup } from "../../../mod.ts";
import { idempotent } from "../../../src/idempotency/mod.ts";
import { idempotencyStore as postgresStore, idempotencyTable } from "../../../src/postgres/mod.ts";
import { idempotencyStore as redisStore } from "../../../src/redis/mod.ts";
import type { IdempotencyStore } from "../../../src/idempotency/mod.ts";
import { until } from "../../support/until.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";

const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
const KEYS = Array.from({ length: 8 }, (_, number) => `key-${number}`);

/** Sends requests while the engine is paused, and again until they have run. */
async function repeatAfterPause(store: IdempotencyStore, signal: (name: "SIGSTOP" | "SIGCONT") => unknown) {
  const once = idempotent({
    client: () => "ada",
    lifetime: 3600,
    perClient: 100,
    store,
    refuse: (_c, why) => reply(STATUSES[why]),
    whenStoreFails: () => reply(503),
  });
  const runs = new Map<string, number>();
  const app = setup({
    handlers: [route.post("/:key", {
      resolve: once((c) => {
        runs.set(c.raw.params.key, (runs.get(c.raw.params.key) ?? 0) + 1);
        return reply(201);
      }),
    })],
  });
  const send = async (key: string) => {
    const init = { method: "POST", headers: { "idempotency-key": key } };
    return (await app.fetch(new Request(`http://localhost/${key}`, init))).status;
  };
  await Promise.all(KEYS.map((key) => send(`warm-${key}`)));
  runs.clear();
  await signal("SIGSTOP");
  assertEquals(await Promise.all(KEYS.map(send)), KEYS.map(() => 503));
  await signal("SIGCONT");
  await Promise.all(KEYS.map((key) => until(async () => await send(key) === 201)));
  assertEquals(Object.fromEntries(runs), Object.fromEntries(KEYS.map((key) => [key, 1])));
}

(hasRedis ? describe : describe.skip)("idempotent() on a Redis that was paused", () => {
  it("runs a request once that is repeated, although the engine has reserved its key meanwhile", async () => {
    await using servers = await startRedis();
    const client = new Redis(servers.ports[0] ?? 0, "127.0.0.1", { commandTimeout: 1000 });
    await repeatAfterPause(redisStore(client), servers.signal);
    client.disconnect();
  });
});

(hasPostgres ? describe : describe.skip)("idempotent() on a PostgreSQL that was paused", () => {
  it("runs a request once that is repeated, although the engine has reserved its key meanwhile", async () => {
    const cluster = await createCluster();
    const pool = new pg.Pool({ connectionString: cluster.url, connectionTimeoutMillis: 1000, query_timeout: 1500 });
    pool.on("error", () => {});
    try {
      await cluster.exec(idempotencyTable());
      await repeatAfterPause(postgresStore(pool), cluster.signal);
    } finally {
      await pool.end();
      await cluster.remove();
    }
  });
});
