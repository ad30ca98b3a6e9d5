/** The stores at a replica of Redis that was cut off from its primary, and at a primary whose memory is full. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Redis } from "ioredis";
import { createClient } from "redis";
import {
  deliveryStore,
  eventLog,
  idempotencyStore,
  rateLimitStore,
  type RedisClient,
  sessionStore,
} from "../../../src/redis/mod.ts";
import { freePort } from "../../support/free_port.ts";
import { readLog } from "../../support/read_log.ts";
import { pause, until } from "../../support/until.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";

const ADA = { digest: "a", user: "ada", begunAt: Date.now(), endsAt: Date.now() + 3_600_000 };
const HOURLY = { quota: 3, window: 3600 };
const ONCE = { key: "k", client: "c", request: "r", owner: "o" };
const LIMITS = { lifetime: 3600, perClient: 3 };

/** Clients of both drivers at a server, and how they are closed. */
async function connect(port: number): Promise<{ readonly clients: readonly RedisClient[]; close(): void }> {
  const ioredis = new Redis(port, "127.0.0.1");
  ioredis.on("error", () => {});
  const redis = createClient({ socket: { host: "127.0.0.1", port } });
  redis.on("error", () => {});
  await redis.connect();
  return {
    clients: [ioredis, redis],
    close() {
      ioredis.disconnect();
      redis.destroy();
    },
  };
}

/** What the stores are asked that may have another answer at the primary. */
const CALLS: Readonly<Record<string, (client: RedisClient) => unknown>> = {
  "find of a session": (client) => sessionStore(client).find("a"),
  "find of a session that is not there": (client) => sessionStore(client).find("z"),
  "renew of a session to an end that is not later": (client) => sessionStore(client).renew("a", 1),
  "renew of a session that is not there": (client) => sessionStore(client).renew("z", ADA.endsAt),
  "end of a session": (client) => sessionStore(client).end("a"),
  "end of a session that is not there": (client) => sessionStore(client).end("z"),
  "endOthers of a user": (client) => sessionStore(client).endOthers("ada", "a"),
  "endOthers of a user without sessions": (client) => sessionStore(client).endOthers("zoe", undefined),
  "add of a session": (client) => sessionStore(client).add({ ...ADA, digest: "x" }, 9),
  "take of a limit": (client) => rateLimitStore(client).take("ada", HOURLY),
  "take of a limit that is used up": (client) => rateLimitStore(client).take("full", { quota: 1, window: 3600 }),
  "reserve of a key": (client) => idempotencyStore(client).reserve({ ...ONCE, key: "free" }, LIMITS),
  "reserve of a key that is taken": (client) => idempotencyStore(client).reserve({ ...ONCE, owner: "p" }, LIMITS),
  "keep of a response": (client) => idempotencyStore(client).keep(ONCE, "response"),
  "keep of a response to another owner's key": (client) => idempotencyStore(client).keep({ ...ONCE, owner: "p" }, ""),
  "free of a key": (client) => idempotencyStore(client).free(ONCE),
  "free of another owner's key": (client) => idempotencyStore(client).free({ ...ONCE, owner: "p" }),
  "take of a receiver": (client) => deliveryStore(client).take("r", "o", 60),
  "take of another owner's receiver": (client) => deliveryStore(client).take("r", "p", 60),
  "advance of a receiver": (client) => deliveryStore(client).advance("r", "o", "1"),
  "advance of another owner's receiver": (client) => deliveryStore(client).advance("r", "p", "1"),
  "release of another owner's receiver": (client) => deliveryStore(client).release("r", "p"),
  "append to a log": (client) => eventLog(client, { keep: 10 }).append("x"),
  "read of a log from its oldest message": (client) => readLog(eventLog(client, { keep: 10 }), "0", 1),
  "read of a log from the next message": (client) => readLog(eventLog(client, { keep: 10 }), null, 1),
  "read of a log from an unknown message": (client) => readLog(eventLog(client, { keep: 10 }), "x", 1),
  "read of a log that is not there": (client) => readLog(eventLog(client, { keep: 10, name: "none" }), "0", 1),
};

/** Lets the stores keep something of each kind. Returns the id of the message. */
async function fill(client: RedisClient): Promise<string> {
  for (const digest of ["a", "b"]) await sessionStore(client).add({ ...ADA, digest }, 9);
  await rateLimitStore(client).take("ada", HOURLY);
  await rateLimitStore(client).take("full", { quota: 1, window: 3600 });
  await idempotencyStore(client).reserve(ONCE, LIMITS);
  await deliveryStore(client).take("r", "o", 3600);
  return await eventLog(client, { keep: 10 }).append("one");
}

(hasRedis ? describe : describe.skip)("the stores at a replica of Redis that is cut off", () => {
  it("answer nothing, and after it was promoted, readers of lost messages are told", async () => {
    await using primary = await startRedis();
    await using replica = await startRedis();
    const [at, atReplica] = [await connect(primary.ports[0] ?? 0), await connect(replica.ports[0] ?? 0)];
    const [client] = at.clients as [RedisClient];
    try {
      const kept = await fill(client);
      await replica.command("REPLICAOF", "127.0.0.1", `${primary.ports[0]}`);
      await until(async () => (await replica.command("XLEN", "fw_events")) === "1");
      // It follows an address where nobody is: it has what it had, and answers.
      await replica.command("REPLICAOF", "127.0.0.1", `${freePort()}`);
      await sessionStore(client).end("a");
      const lost = await eventLog(client, { keep: 10 }).append("two");
      assertEquals(await sessionStore(client).find("a"), undefined);
      assertEquals(await replica.command("EXISTS", "{fw_sessions}:s:a"), "1");

      for (const [name, call] of Object.entries(CALLS)) {
        for (const stale of atReplica.clients) {
          const message = "Redis is a replica (READONLY): connect to the primary";
          await assertRejects(async () => await call(stale), Error, message, name);
        }
      }
      assertEquals(await replica.command("DBSIZE"), "9");

      await replica.command("REPLICAOF", "NO", "ONE");
      for (const promoted of atReplica.clients) {
        const log = eventLog<string>(promoted, { keep: 10 });
        const id = await log.append("TWO");
        assertEquals<unknown>(await readLog(log, lost, 1), [[id, undefined]]);
        assertEquals<unknown>((await readLog(log, kept, 1))[0]?.[1], "TWO");
      }
      assertEquals((await sessionStore(atReplica.clients[0] as RedisClient).find("b"))?.user, "ada");
    } finally {
      at.close();
      atReplica.close();
    }
  });
});

(hasRedis ? describe : describe.skip)("a log in a Redis whose backup is restored", () => {
  it("tells readers whose last message the backup lacks, also one that is connected", async () => {
    await using server = await startRedis();
    const { clients, close } = await connect(server.ports[0] ?? 0);
    const ending = new AbortController();
    try {
      for (const [index, client] of clients.entries()) {
        const log = eventLog<string>(client, { keep: 10, name: `log_${index}` });
        const kept = await log.appendAll(["one", "two"]);
        await server.command("SAVE");
        const lost = await log.appendAll(["three", "four"]);
        const received: (string | undefined)[] = [];
        const listening = (async () => {
          let last = lost[1] ?? "";
          while (!received.includes("six")) {
            try {
              for await (const [id, message] of log.read(last, ending.signal)) {
                last = id;
                received.push(message);
                if (message === "six") break;
              }
            } catch {
              await pause(20); // the server is away
            }
          }
        })();
        await server.restart(); // with what was saved
        let id: string | undefined;
        await until(async () => (id = await log.append("five").catch(() => undefined)) !== undefined);
        await until(() => received.length > 0);
        const six = await log.append("six");
        await listening;
        assertEquals([received[0], received.at(-1)], [undefined, "six"]);
        for (const id of lost) assertEquals<unknown>(await readLog(log, id, 1), [[six, undefined]]);
        assertEquals<unknown>(await readLog(log, kept[0] ?? "", 2), [[kept[1], "two"], [id, "five"]]);
      }
    } finally {
      ending.abort();
      close();
    }
  });
});

(hasRedis ? describe : describe.skip)("the stores in a Redis whose memory is full", () => {
  it("find, end and read what is there, and reject what needs memory", async () => {
    await using server = await startRedis();
    const { clients, close } = await connect(server.ports[0] ?? 0);
    try {
      for (const client of clients) {
        await server.command("CONFIG", "SET", "maxmemory", "100mb");
        await server.command("FLUSHALL");
        const first = await fill(client);
        const second = await eventLog(client, { keep: 10 }).append("two");
        await server.command("CONFIG", "SET", "maxmemory", "1mb");

        const [sessions, log] = [sessionStore(client), eventLog(client, { keep: 10 })];
        assertEquals((await sessions.find("a"))?.user, "ada");
        for (const end of [1, ADA.endsAt + 1000]) assertEquals(await sessions.renew("a", end), true);
        assertEquals<unknown>(await readLog(log, first, 1), [[second, "two"]]);
        assertEquals(await idempotencyStore(client).reserve({ ...ONCE, owner: "p" }, LIMITS), { state: "running" });
        await idempotencyStore(client).free(ONCE);
        const keysBefore = await server.command("DBSIZE");

        const needMemory = ["add of a session", "take of a limit", "reserve of a key", "append to a log"];
        for (const name of needMemory) {
          await assertRejects(async () => await CALLS[name]?.(client), Error, "OOM", name);
        }
        assertEquals(await server.command("DBSIZE"), keysBefore);
        assertEquals<unknown>(await readLog(log, first, 1), [[second, "two"]]);

        await sessions.end("a");
        assertEquals(await sessions.find("a"), undefined);
        await sessions.endOthers("ada", undefined);
        assertEquals(await sessions.find("b"), undefined);
      }
    } finally {
      close();
    }
  });
});
