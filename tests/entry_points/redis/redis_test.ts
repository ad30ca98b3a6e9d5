/** What the stores send, and what they make of results and errors. `tests/slow/stores/` runs them on a real server. */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  deliveryStore,
  idempotencyStore,
  type IoredisClient,
  type NodeRedisClient,
  rateLimitStore,
  type RedisClient,
  sessionStore,
} from "../../../src/redis/mod.ts";

const STORES = { sessionStore, rateLimitStore, idempotencyStore, deliveryStore };
const ADA = { digest: "a", user: "ada", begunAt: 1000, endsAt: 4000 };
const ONCE = { key: "k", client: "c", request: "r", owner: "o" };

/** Clients of both drivers that return this, and the names, keys and arguments that they were sent. */
function clientsFor(result: unknown, knows = true) {
  const sent: unknown[][] = [];
  const answer = (name: string, script: string, keys: readonly unknown[], args: readonly unknown[]) => {
    sent.push([name, script, keys, args]);
    const isKnown = knows || name === "eval";
    return isKnown ? Promise.resolve(result) : Promise.reject(new Error("NOSCRIPT No matching script."));
  };
  const clients: readonly [IoredisClient, NodeRedisClient] = [
    {
      evalsha: (sha, count, ...rest) => answer("evalsha", sha, rest.slice(0, count), rest.slice(count)),
      eval: (text, count, ...rest) => answer("eval", text, rest.slice(0, count), rest.slice(count)),
    },
    {
      evalSha: (sha, { keys, arguments: args }) => answer("evalSha", sha, keys, args),
      eval: (text, { keys, arguments: args }) => answer("eval", text, keys, args),
    },
  ];
  return { sent, clients };
}

describe("the stores in Redis", () => {
  it("take a client of ioredis or redis, and nothing else", () => {
    const upstash = { evalsha() {}, eval() {}, createScript() {} };
    const others = [{ query() {} }, { eval() {} }, { evalsha() {} }, { evalSha() {} }, upstash];
    for (const client of [undefined, null, {}, ...others]) {
      for (const make of Object.values(STORES)) {
        assertThrows(
          () => make(client as unknown as RedisClient),
          TypeError,
          "Client of a store in Redis must be one of ioredis, with the methods evalsha and eval, or one of redis, with " +
            "the methods evalSha and eval",
        );
      }
    }
  });

  it("send each call as one script, whose keys share a slot", async () => {
    const { sent, clients } = clientsFor(null);
    for (const client of clients) {
      const [sessions, keys] = [sessionStore(client), idempotencyStore(client, { name: "mine" })];
      await sessions.add(ADA, 3);
      await sessions.add({ ...ADA, data: "{}" }, 3);
      assertEquals(await sessions.find("a"), undefined);
      assertEquals(await sessions.renew("a", 5000), false);
      await sessions.end("a");
      await sessions.endOthers("ada", undefined);
      await sessions.endOthers("ada", "b");
      assertEquals(await keys.reserve(ONCE, { lifetime: 60, perClient: 3 }), { state: "full" });
      await keys.keep(ONCE, "response");
      await keys.free(ONCE);
      await keys.reserve(ONCE, { lifetime: 60, perClient: 3, lease: 2 });
      assertEquals(await keys.keep(ONCE, "response", 60), false);
      await keys.renew?.(ONCE, 2);
    }
    const [s, u] = ["{fw_sessions}:s:a", "{fw_sessions}:u:ada"];
    const [k, c] = ["{mine:c}:k", "{mine:c}"];
    const expected = [
      [[s, u], ["1000", "4000", "ada", "3"]],
      [[s, u], ["1000", "4000", "ada", "3", "{}"]],
      [[s], []],
      [[s], ["a", "5000"]],
      [[s], ["a"]],
      [[u, "{fw_sessions}:s:"], []],
      [[u, "{fw_sessions}:s:b"], []],
      [[k, c], ["r", "o", "60000", "3"]],
      [[k, c], ["o", "response"]],
      [[k, c], ["o"]],
      [[k, c], ["r", "o", "2000", "3"]],
      [[k, c], ["o", "response", "60000"]],
      [[k, c], ["o", "2000"]],
    ];
    assertEquals(sent.map(([, , keys, args]) => [keys, args]), [...expected, ...expected]);
    for (const [, sha] of sent) assertMatch(String(sha), /^[\da-f]{40}$/);
  });

  it("ask for a receiver of deliveries, and return its last message", async () => {
    for (
      const [found, taken] of [
        [null, undefined],
        [[], { position: null }],
        [["7-x"], { position: "7-x" }],
      ] as const
    ) {
      const { sent, clients } = clientsFor(found);
      for (const client of clients) {
        const store = deliveryStore(client, { name: "mine" });
        assertEquals(await store.take("ada", "o", 2.5), taken);
        await store.release("ada", "o");
        await store.remove("ada");
      }
      const calls = [["o", "2500"], ["o"], []].map((args) => [["mine:ada"], args]);
      assertEquals(sent.map(([, , keys, args]) => [keys, args]), [...calls, ...calls]);
    }
    for (const [changed, isOwner] of [[1, true], ["1", true], [0, false]] as const) {
      for (const client of clientsFor(changed).clients) {
        assertEquals(await deliveryStore(client).advance("ada", "o", "8-x"), isOwner);
      }
    }
  });

  it("send the text of a script that the server does not know", async () => {
    const { sent, clients } = clientsFor([1, "1.5"], false);
    for (const client of clients) {
      const store = rateLimitStore(client);
      assertEquals(await store.take("a", { quota: 3, window: 60 }), { allowed: true, missing: 1.5 });
    }
    assertEquals(sent.map(([name]) => name), ["evalsha", "eval", "evalSha", "eval"]);
    assertMatch(String(sent[1]?.[1]), /^\nlocal time = redis\.call\('TIME'\)/);
  });

  it("return what a script returns", async () => {
    for (const client of clientsFor("1000 4000 ada lovelace\n2").clients) {
      assertEquals(await sessionStore(client).find("a"), { ...ADA, user: "ada lovelace\n2" });
    }
    for (const client of clientsFor(["1000 4000 ada", "{}"]).clients) {
      assertEquals(await sessionStore(client).find("a"), { ...ADA, data: "{}" });
    }
    for (const client of clientsFor(1).clients) assertEquals(await sessionStore(client).renew("a", 5000), true);
    for (const client of clientsFor([0, "3"]).clients) {
      assertEquals(await rateLimitStore(client).take("a", { quota: 3, window: 60 }), { allowed: false, missing: 3 });
    }
    for (
      const [found, reserved] of [
        [["r", "o"], { state: "reserved" }],
        [["r", "p", null], { state: "running" }],
        [["x", "p", "text"], { state: "mismatch" }],
        [["r", "p", "text"], { state: "done", response: "text" }],
      ] as const
    ) {
      for (const client of clientsFor(found).clients) {
        assertEquals(await idempotencyStore(client).reserve(ONCE, { lifetime: 60, perClient: 3 }), reserved);
      }
    }
  });

  it("reject with the error of the client, and say where a replica answers", async () => {
    for (
      const [error, message] of [
        ["away", "away"],
        [
          "READONLY You can't write against a read only replica.",
          "Redis is a replica (READONLY): connect to the primary",
        ],
        ["NOSCRIPT", "NOSCRIPT"], // from the second call, too
      ] as const
    ) {
      const fail = () => Promise.reject(new Error(error));
      const clients: readonly RedisClient[] = [{ evalsha: fail, eval: fail }, { evalSha: fail, eval: fail }];
      for (const client of clients) {
        const { cause } = await assertRejects(async () => await sessionStore(client).find("a"), Error, message);
        assertEquals(cause === undefined, error === message);
      }
    }
    const late = (digest: string) => Promise.reject(new Error(digest.length === 40 ? "NOSCRIPT" : "READONLY"));
    await assertRejects(async () => await sessionStore({ evalsha: late, eval: late }).find("a"), Error, "a replica");
  });
});
