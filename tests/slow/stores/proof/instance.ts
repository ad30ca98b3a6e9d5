/**
 * One of several instances, on Deno, Bun or Node.js. With `DATABASE_URL`, it is `examples/service`, and beside it routes
 * for what the service does not have. With `REDIS_URL`, it has these routes only.
 *
 * `PORT` is its port on the loopback interface, `EFFECTS` the file of what orders have done.
 */
import { serve } from "@hono/node-server";
import { Redis } from "ioredis";
import { appendFile } from "node:fs/promises";
import process from "node:process";
import { openApp } from "../../../../examples/service/open_app.ts";
import { openPool } from "../../../../examples/service/postgres_pool.ts";
import type { Connection } from "../../../../examples/service/connection.ts";
import { type App, type Context, reply, route, setup } from "../../../../mod.ts";
import { events, replyEvents } from "../../../../src/events/mod.ts";
import { idempotent } from "../../../../src/idempotency/mod.ts";
import * as inPostgres from "../../../../src/postgres/mod.ts";
import { limit } from "../../../../src/rate_limit/mod.ts";
import * as inRedis from "../../../../src/redis/mod.ts";
import { createSessions } from "../../../../src/session/mod.ts";
import { standardSchema } from "../../../../src/standard_schema/mod.ts";
import { z } from "zod";
import { IDLE, LIMITED } from "./policies.ts";

const { DATABASE_URL = "", REDIS_URL = "", EFFECTS = "", PORT = "", NAME = "" } = process.env;
const LOG = { keep: 10_000 };

/** The stores, by the entry points of the engines. */
async function openStores() {
  if (DATABASE_URL === "") {
    const redis = new Redis(REDIS_URL, {
      commandTimeout: 1500,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false, // the engine may have done them
    });
    redis.on("error", () => {}); // it connects again by itself
    return {
      sessions: inRedis.sessionStore(redis),
      limits: inRedis.rateLimitStore(redis),
      keys: inRedis.idempotencyStore(redis),
      log: inRedis.eventLog<string>(redis, LOG),
    };
  }
  const pool = openPool(DATABASE_URL);
  const tables = { sessions: { name: "own_sessions" }, limits: { name: "own_limits" } };
  await pool.query(
    "SELECT pg_advisory_xact_lock(46);" + inPostgres.sessionTable(tables.sessions) +
      inPostgres.rateLimitTable(tables.limits) + inPostgres.idempotencyTable() + inPostgres.eventTables(),
  );
  return {
    sessions: inPostgres.sessionStore(pool, tables.sessions),
    limits: inPostgres.rateLimitStore(pool, tables.limits),
    keys: inPostgres.idempotencyStore(pool),
    log: inPostgres.eventLog<string>(pool, LOG),
  };
}

const stores = await openStores();
const userOf = (c: Context) => c.request.headers.get("authorization") ?? "";
const failed = () => reply(503, { error: "Try again" });

const sessions = createSessions({
  store: stores.sessions,
  cookie: "own",
  idle: IDLE,
  absolute: 3600,
  perUser: 20,
  refuse: () => reply(401, { error: "Sign in" }),
});
const limited = limit({
  name: "own",
  ...LIMITED,
  key: userOf,
  store: stores.limits,
  refuse: () => reply(429, { error: "Too many requests" }),
  whenStoreFails: failed,
});
const once = idempotent({
  client: userOf,
  store: stores.keys,
  lifetime: 3600,
  perClient: 10_000,
  refuse: (_c, why) => reply(why === "running" ? 409 : 400, { error: why }),
  whenStoreFails: failed,
});

const own = setup({
  validator: standardSchema,
  handlers: [
    route.post("/own/begin", {
      resolve: async (c) => reply(201, undefined, { headers: { ...await sessions.begin(c.request, userOf(c)) } }),
    }),
    route.get("/own/me", {
      guards: [sessions.reading],
      resolve: ({ locals: { session } }) => reply(200, session.user),
    }),
    route.post("/own/end", {
      resolve: async ({ request }) => reply(204, undefined, { headers: { ...await sessions.end(request) } }),
    }),
    route.post("/own/end-others", {
      resolve: async (c) => {
        await sessions.endOthers(c.request, userOf(c));
        return reply(204);
      },
    }),
    route.get("/own/limited", { guards: [limited], resolve: () => reply(204) }),
    route.post("/own/orders", {
      request: { body: z.string() },
      resolve: once(async ({ request }) => {
        // One write of a file that is only appended to: all of it happens, or nothing.
        await appendFile(EFFECTS, `${request.headers.get("idempotency-key")}\n`);
        await new Promise((resolve) => setTimeout(resolve, 20)); // there is time to be killed
        return reply(201, { id: crypto.randomUUID() });
      }),
    }),
    route.post("/own/messages", {
      request: { body: z.string() },
      resolve: async ({ input }) => reply(201, { id: await stores.log.append(input.ok ? input.body : "") }),
    }),
    route.get("/own/events", {
      responses: { 200: events({ message: z.string(), missed: z.null() }) },
      resolve: ({ request }) =>
        replyEvents(200, async function* (signal, event) {
          for await (const [id, text] of stores.log.read(request.headers.get("last-event-id"), signal)) {
            yield text === undefined ? event("missed", null, { id }) : event("message", text, { id });
          }
        }, { heartbeat: 5 }),
    }),
    route.get("/ready", {
      resolve: async () => {
        await stores.sessions.find("nobody");
        return reply(200, "Ready");
      },
    }),
  ],
  onError: () => failed(),
});

const service: App<[Connection]> | undefined = DATABASE_URL === "" ? undefined : await openApp(
  new AbortController().signal,
);

async function handle(request: Request, connection: Connection): Promise<Response> {
  const isOwn = service === undefined || new URL(request.url).pathname.startsWith("/own/");
  const response = isOwn ? await own.fetch(request) : await service.fetch(request, connection);
  const named = new Response(response.body, response);
  named.headers.set("x-instance", NAME);
  return named;
}

const hostname = "127.0.0.1";
if ("Deno" in globalThis) {
  Deno.serve({ hostname, port: Number(PORT), onListen: ({ port }) => tell(port) }, handle);
} else {
  serve({ hostname, port: Number(PORT), fetch: handle }, ({ port }) => tell(port));
}

function tell(port: number): void {
  console.log(`Listening on http://${hostname}:${port}`);
}
