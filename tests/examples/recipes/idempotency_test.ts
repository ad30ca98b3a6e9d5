import { assert, assertEquals } from "@std/assert";
import { after, before, beforeEach, describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/idempotency.ts";
import type { IdempotencyStore } from "../../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../../src/memory/mod.ts";
import { until } from "../../support/until.ts";
import { granted } from "../serve.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

(granted("net") ? describe : describe.skip)("examples/recipes/idempotency.ts", () => {
  let served: ServedApp;
  /** The payments that have begun, and what each of them waits for. */
  let paid: { amount: number; key: string }[] = [];
  let gate: Promise<void> = Promise.resolve();
  let fails = false;
  const { error } = console;
  before(() => {
    console.error = () => {};
    const pay = async (amount: number, key: string) => {
      paid.push({ amount, key });
      await gate;
      return `payment ${paid.length}`;
    };
    let memory: IdempotencyStore;
    const store: IdempotencyStore = {
      reserve: (...args) => fails ? Promise.reject(new Error("away")) : memory.reserve(...args),
      keep: (...args) => memory.keep(...args),
      free: (...args) => memory.free(...args),
    };
    reset = () => memory = idempotencyStore({ most: 3 });
    served = serveApp(createApp({ pay, store }));
  });
  let reset: () => void;
  after(async () => {
    console.error = error;
    await served[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    reset();
    paid = [];
    gate = Promise.resolve();
    fails = false;
  });

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
    assertEquals(await post("a", { amount: 5 }, "eve"), [401, undefined, null]);
    assertEquals(await post("a", { amount: "5" }), [400, undefined, null]);
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

  it("the recipe idempotency pays nothing without a key, without a place, or without its store", async () => {
    for (const key of [undefined, "", "a b"]) assertEquals(await post(key), [400, undefined, null]);
    for (const key of ["a", "b", "c"]) await post(key);
    assertEquals(await post("d"), [503, undefined, "60"]);
    fails = true;
    assertEquals(await post("a"), [503, undefined, "5"]);
    assertEquals(paid.length, 3);
  });
});
