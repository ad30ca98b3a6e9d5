import { assert, assertEquals } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/idempotency.ts";
import { createIdempotency } from "../../../examples/recipes/idempotency/idempotency.ts";
import { until } from "../../support/until.ts";
import { granted } from "../serve.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

const LIMITS = { lifetime: 1000, max: 4, maxPerClient: 3 };

(granted("net") ? describe : describe.skip)("examples/recipes/idempotency.ts", () => {
  let time = 0;
  let served: ServedApp;
  /** The payments that have begun, and what each of them waits for. */
  let paid: { amount: number; key: string }[] = [];
  let gate: Promise<void> = Promise.resolve();
  const { error } = console;
  before(() => {
    console.error = () => {};
  });
  after(() => {
    console.error = error;
  });
  beforeEach(() => {
    time += LIMITS.lifetime;
    paid = [];
    gate = Promise.resolve();
  });
  before(() => {
    const pay = async (amount: number, key: string) => {
      paid.push({ amount, key });
      await gate;
      return `payment ${paid.length}`;
    };
    served = serveApp(createApp({ pay, limits: LIMITS, now: () => time }));
  });
  after(() => served[Symbol.asyncDispose]());

  async function post(key: string | undefined, body: unknown = { amount: 5 }, user = "ada") {
    const headers = { authorization: `Bearer ${user}`, ...key !== undefined && { "idempotency-key": key } };
    const response = await fetch(`${served.origin}/payments`, { method: "POST", headers, body: JSON.stringify(body) });
    const { id } = await response.json();
    return [response.status, id, response.headers.get("retry-after")];
  }

  it("the recipe idempotency does the work of a key once, and responds to each repeat with its result", async () => {
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("b"), [201, "payment 2", null]);
    assertEquals(paid, [{ amount: 5, key: "ada/a" }, { amount: 5, key: "ada/b" }]);
  });

  it("the recipe idempotency does the work once for requests that come at the same time", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const answers = Promise.all(Array.from({ length: 50 }, () => post("a").finally(() => answered++)));
    let answered = 0;
    await until(() => answered === 49); // all but the one that works
    resolve();
    const statuses = (await answers).map(([status]) => status);
    assertEquals([statuses.filter((status) => status === 201).length, new Set(statuses).size], [1, 2]);
    assert((await answers).every(([status, , retry]) => status === 201 || (status === 409 && retry === "1")));
    assertEquals([paid.length, await post("a")], [1, [201, "payment 1", null]]);
  });

  it("the recipe idempotency gives no client the result of another one, or of another input", async () => {
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("a", { amount: 6 }), [422, undefined, null]);
    assertEquals(await post("a", { amount: 5 }, "bob"), [201, "payment 2", null]);
    assertEquals(await post("a", { amount: 5, more: 1 }), [201, "payment 1", null]); // not in the schema, so not in the input
    assertEquals(await post("a", { amount: 5 }, "eve"), [401, undefined, null]);
  });

  it("the recipe idempotency frees the key of a payment that failed, and not that of a client that left", async () => {
    gate = Promise.reject(new Error("The bank is closed"));
    gate.catch(() => {});
    assertEquals(await post("a"), [500, undefined, null]);
    gate = Promise.resolve();
    assertEquals(await post("a"), [201, "payment 2", null]);

    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const client = new AbortController();
    const headers = { authorization: "Bearer ada", "idempotency-key": "b" };
    const init = { method: "POST", headers, body: '{"amount":5}', signal: client.signal };
    const left = fetch(`${served.origin}/payments`, init).catch(() => "left");
    await until(() => paid.length === 3);
    client.abort();
    assertEquals(await left, "left");
    resolve();
    await until(async () => (await post("b"))[0] === 201);
    assertEquals(paid.length, 3);
  });

  it("the recipe idempotency forgets a result when its time is over", async () => {
    await post("a");
    time += LIMITS.lifetime - 1;
    assertEquals(await post("a"), [201, "payment 1", null]);
    time += 1;
    assertEquals(await post("a"), [201, "payment 2", null]);
  });

  it("the recipe idempotency does nothing for a client that has taken its places, or if none is left", async () => {
    for (const key of ["a", "b", "c"]) await post(key);
    assertEquals(await post("d"), [503, undefined, "60"]);
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("a", { amount: 5 }, "bob"), [201, "payment 4", null]);
    assertEquals(await post("b", { amount: 5 }, "bob"), [503, undefined, "60"]);
    assertEquals(paid.length, 4);
    time += LIMITS.lifetime;
    assertEquals(await post("b", { amount: 5 }, "bob"), [201, "payment 5", null]);
  });

  it("the recipe idempotency gives a client each of its places back, and no other", async () => {
    await post("a");
    time += LIMITS.lifetime / 2;
    await post("b");
    time += LIMITS.lifetime / 2; // that of "a" is over
    for (const key of ["c", "d"]) assertEquals((await post(key))[0], 201);
    assertEquals((await post("e"))[0], 503);
  });

  it("the recipe idempotency requires a key of visible ASCII characters, and takes any of them", async () => {
    for (const key of [undefined, "", "a b", "é", "x".repeat(256), "a, a"]) {
      assertEquals(await post(key), [400, undefined, null], key);
    }
    assertEquals(paid, []);
    let count = 0;
    for (const key of ["__proto__", '"8e03978e"', "x".repeat(255)]) {
      assertEquals(await post(key), [201, `payment ${++count}`, null], key);
    }
    const twice = new Headers({ authorization: "Bearer ada" });
    for (const key of ["a", "b"]) twice.append("idempotency-key", key);
    const init = { method: "POST", headers: twice, body: '{"amount":5}' };
    const response = await fetch(`${served.origin}/payments`, init);
    await response.body?.cancel();
    assertEquals(response.status, 400);
  });
});

describe("createIdempotency() of examples/recipes/idempotency/", () => {
  it("createIdempotency() tells clients and keys apart, whatever characters they have", async () => {
    const once = createIdempotency<number>(LIMITS);
    let runs = 0;
    for (const [client, key] of [["a", "b,c"], ["a,b", "c"], ['a","b', "c"]] as const) {
      assertEquals(await once({ client, key, input: 1 }, () => Promise.resolve(++runs)), {
        state: "done",
        result: runs,
      });
    }
    assertEquals(runs, 3);
  });

  it("createIdempotency() keeps a key while its work runs, also beyond its lifetime", async () => {
    let time = 0;
    const once = createIdempotency<string>(LIMITS, () => time);
    const { promise, resolve } = Promise.withResolvers<string>();
    const request = { client: "ada", key: "slow", input: 1 };
    const started = Promise.withResolvers<void>();
    const first = once(request, () => {
      started.resolve();
      return promise;
    });
    await started.promise;
    time = 10 * LIMITS.lifetime;
    assertEquals(await once(request, () => Promise.resolve("twice")), { state: "running" });
    // What has ended behind it makes room all the same.
    for (let round = 0; round < 10; round++) {
      const others = ["a", "b"].map((key) => once({ client: "ada", key, input: 1 }, () => Promise.resolve("done")));
      assertEquals((await Promise.all(others)).map(({ state }) => state), ["done", "done"]);
      time += LIMITS.lifetime;
    }
    resolve("done");
    assertEquals(await first, { state: "done", result: "done" });
    assertEquals(await once(request, () => Promise.resolve("again")), { state: "done", result: "again" });
  });
});
