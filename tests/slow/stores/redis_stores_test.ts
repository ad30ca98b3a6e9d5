/** The stores in a real Redis: one server, and a cluster of three masters, by each driver. */
import { assert, assertEquals } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import {
  deliveryStore,
  idempotencyStore,
  rateLimitStore,
  type RedisClient,
  sessionStore,
} from "../../../src/redis/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { until } from "../../support/until.ts";
import { hasRedis, type RedisServers, startRedis } from "./redis_servers.ts";

if (!hasRedis) assertMaySkip("redis-server");

/** A client, and how it is closed. */
interface Connected {
  readonly client: RedisClient;
  close(): unknown;
}

const CLIENTS: Readonly<Record<string, (ports: readonly number[]) => Promise<Connected>>> = {
  "ioredis": async ([port = 0]) => {
    const client = new Redis(port, "127.0.0.1");
    client.on("error", () => {});
    await client.ping();
    return { client, close: () => client.disconnect() };
  },
  "ioredis with a prefix, and numbers as strings": async ([port = 0]) => {
    const client = new Redis(port, "127.0.0.1", { keyPrefix: "app:", stringNumbers: true });
    await client.ping();
    return { client, close: () => client.disconnect() };
  },
  "redis": async ([port = 0]) => {
    const client = createClient({ socket: { host: "127.0.0.1", port } });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  "ioredis on a cluster": async (ports) => {
    const client = new Cluster(ports.map((port) => ({ host: "127.0.0.1", port })));
    await client.ping();
    return { client, close: () => client.disconnect() };
  },
  "redis on a cluster": async (ports) => {
    const client = createCluster({ rootNodes: ports.map((port) => ({ socket: { host: "127.0.0.1", port } })) });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
};

/** Moves what is stored into the past, with its expiry. */
const PASS = `for _,key in ipairs(redis.call('KEYS','*')) do
local kind=redis.call('TYPE',key).ok
if kind=='hash' then local at=redis.call('HGET',key,'at') if at then redis.call('HSET',key,'at',at-ARGV[1]) end
local ends=redis.call('HGET',key,'ends_at') if ends then redis.call('HSET',key,'ends_at',ends-ARGV[1]) end end
if kind=='zset' then for _,one in ipairs(redis.call('ZRANGE',key,0,-1)) do redis.call('ZINCRBY',key,-ARGV[1],one) end end
local left=redis.call('PTTL',key)
if left>0 then redis.call('PEXPIRE',key,left-ARGV[1]) end
end`;

const ADA = { digest: "a", user: "ada", begunAt: Date.now(), endsAt: Date.now() + 3_600_000 };
const HOURLY = { quota: 3, window: 3600 };

for (const [name, connect] of Object.entries(CLIENTS)) {
  (hasRedis ? describe : describe.skip)(`the stores in Redis by ${name}`, () => {
    let servers: RedisServers;
    let connected: Connected;
    before(async () => {
      servers = await startRedis(name.includes("cluster") ? 3 : 1);
      connected = await connect(servers.ports);
    });
    after(async () => {
      connected.close();
      await servers[Symbol.asyncDispose]();
    });
    const eachServer = (run: (client: Redis) => Promise<unknown>) =>
      Promise.all(servers.ports.map(async (port) => {
        const client = new Redis(port, "127.0.0.1");
        await run(client);
        client.disconnect();
      }));
    beforeEach(async () => {
      await eachServer((client) => client.flushall());
    });
    const pass = (seconds: number) => eachServer((client) => client.eval(PASS, 0, seconds * 1000));
    const keys = async () => {
      const found: string[] = [];
      await eachServer(async (client) => found.push(...await client.keys("*")));
      return found.map((key) => key.replace(/^app:/, "")).toSorted();
    };

    for (const [title, run] of Object.entries(storeCases.sessions)) {
      it(`a store of sessions ${title}`, () => run(sessionStore(connected.client), pass));
    }
    for (const [title, run] of Object.entries(storeCases.rateLimits)) {
      it(`a store of rate limits ${title}`, () => run(rateLimitStore(connected.client), pass));
    }
    for (const [title, run] of Object.entries(storeCases.deliveries)) {
      it(`a store of deliveries ${title}`, () => run(deliveryStore(connected.client), pass));
    }
    for (const [title, run] of Object.entries(storeCases.idempotency)) {
      it(`a store of idempotency keys ${title}`, () => run(idempotencyStore(connected.client), pass));
    }

    it("leave nothing behind once their time is over", async () => {
      const [sessions, limits, once] = [sessionStore, rateLimitStore, idempotencyStore];
      const store = sessions(connected.client);
      for (const digest of ["a", "b"]) await store.add({ ...ADA, digest }, 9);
      await store.renew("a", ADA.endsAt + 1000);
      await limits(connected.client).take("ada", HOURLY);
      await once(connected.client).reserve({ key: "k", client: "c", request: "r", owner: "o" }, {
        lifetime: 3600,
        perClient: 9,
      });
      assertEquals((await keys()).length, 6);
      await pass(3700);
      assertEquals(await keys(), []);
    });

    it("end a session with its entry in the list of its user", async () => {
      const store = sessionStore(connected.client);
      for (const digest of ["a", "b"]) await store.add({ ...ADA, digest }, 9);
      await store.end("a");
      assertEquals(await keys(), ["{fw_sessions}:s:b", "{fw_sessions}:u:ada"]);
      await store.end("b");
      assertEquals(await keys(), []);
    });

    it("keep data of a session as long as it, also if a version without data renews it", async () => {
      const store = sessionStore(connected.client);
      await store.add({ ...ADA, data: '{"role":"admin"}' }, 9);
      assertEquals(await keys(), ["{fw_sessions}:d:a", "{fw_sessions}:s:a", "{fw_sessions}:u:ada"]);
      // That version reads and writes the session alone.
      const later = ADA.endsAt + 3_600_000;
      const written = await Promise.all(servers.ports.map(async (port) => {
        const client = new Redis(port, "127.0.0.1");
        const prefix = name.includes("prefix") ? "app:" : "";
        const value = await client.get(`${prefix}{fw_sessions}:s:a`).catch(() => null);
        if (value !== null) {
          await client.set(`${prefix}{fw_sessions}:s:a`, value.replace(`${ADA.endsAt}`, `${later}`), "PXAT", later);
        }
        client.disconnect();
        return value;
      }));
      assertEquals(written.filter((value) => value !== null), [`${ADA.begunAt} ${ADA.endsAt} ada`]);
      await pass(5400);
      assertEquals(await store.find("a"), { ...ADA, endsAt: later, data: '{"role":"admin"}' });
      await store.end("a");
      assertEquals(await keys(), []);
    });

    it("end the other sessions of a user, also those that were renewed long ago", async () => {
      const store = sessionStore(connected.client);
      for (const digest of ["a", "b", "c"]) await store.add({ ...ADA, digest }, 9);
      for (const digest of ["a", "b"]) await store.renew(digest, ADA.endsAt + 7_200_000);
      await pass(5400); // "c" has ended
      await store.endOthers("ada", "a");
      assertEquals([(await store.find("a"))?.user, await store.find("b")], ["ada", undefined]);
    });

    it("have keys of other names for stores of other names", async () => {
      const [one, other] = [sessionStore(connected.client), sessionStore(connected.client, { name: "tokens" })];
      await one.add(ADA, 1);
      await other.add({ ...ADA, digest: "b" }, 1);
      assertEquals([(await one.find("a"))?.user, await one.find("b")], ["ada", undefined]);
    });

    it("work after the server has forgotten its scripts", async () => {
      const store = rateLimitStore(connected.client);
      await store.take("ada", HOURLY);
      await eachServer((client) => client.script("FLUSH"));
      assertEquals(Math.round((await store.take("ada", HOURLY)).missing), 2);
    });

    it("spread their limits and their clients over a cluster", async () => {
      const limits = rateLimitStore(connected.client);
      const once = idempotencyStore(connected.client);
      for (let turn = 0; turn < 20; turn++) {
        await limits.take(`key ${turn}`, HOURLY);
        const client = `client ${turn}`;
        await once.reserve({ key: "k", client, request: "r", owner: "o" }, { lifetime: 60, perClient: 9 });
      }
      const sizes: number[] = [];
      await eachServer(async (client) => sizes.push(await client.dbsize()));
      assert(sizes.every((size) => size > 0), `${sizes}`);
    });
  });
}

(hasRedis ? describe : describe.skip)("a Redis that does not respond", () => {
  for (const name of ["ioredis", "redis"]) {
    it(`fails a call of ${name} after two seconds, and serves the next one when it is back`, async () => {
      await using servers = await startRedis();
      const connected = await CLIENTS[name]?.(servers.ports);
      assert(connected !== undefined);
      const store = rateLimitStore(connected.client);
      await store.take("ada", HOURLY);
      servers.signal("SIGSTOP");
      const calls = Array.from({ length: 1001 }, () => Promise.resolve(store.take("ada", HOURLY)));
      const errors = (await Promise.allSettled(calls)).map((call) => call.status === "rejected" && `${call.reason}`);
      assertEquals(errors[1000], "Error: More than 1000 calls wait for Redis");
      assertEquals(errors[0], "Error: Redis did not answer within 2 seconds");
      servers.signal("SIGCONT");
      // What was sent meanwhile counts, too.
      await until(async () => {
        const taken = await attempt(() => store.take("grace", HOURLY));
        return taken !== undefined && Math.round(taken.missing) === 1;
      });
      connected.close();
    });
  }

  it("rejects calls while it is away, and takes them after a restart", async () => {
    await using servers = await startRedis();
    const client = new Redis(servers.ports[0] ?? 0, "127.0.0.1", {
      enableOfflineQueue: false,
      retryStrategy: () => 50,
    });
    client.on("error", () => {});
    await new Promise((resolve) => client.once("ready", resolve));
    const store = sessionStore(client);
    await store.add(ADA, 1);
    servers.signal("SIGKILL");
    await until(async () => await attempt(async () => [await store.find("a")]) === undefined);
    await servers.restart();
    await until(async () => (await attempt(async () => [await store.find("a")]))?.length === 1);
    assertEquals(await store.find("a"), undefined);
    client.disconnect();
  });
});

/** What a call returns, or `undefined` if it fails. */
async function attempt<Result>(call: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}
