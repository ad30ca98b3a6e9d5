import { assertEquals } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { createApp, openLedger } from "../../../examples/recipes/idempotency.ts";
import { DatabaseSync } from "node:sqlite";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serveApp, type ServedApp } from "./serve_app.ts";

(granted("net") ? describe : describe.skip)("examples/recipes/idempotency.ts", () => {
  let served: ServedApp;
  /** The payments that have begun, and what each of them waits for. */
  let paid: { amount: number; key: string }[] = [];
  let gate: Promise<void> = Promise.resolve();
  let db: DatabaseSync;
  const { error } = console;
  before(() => void (console.error = () => {}));
  after(() => void (console.error = error));
  beforeEach(() => {
    paid = [];
    gate = Promise.resolve();
    db = new DatabaseSync(":memory:");
    const pay = async (amount: number, key: string) => {
      paid.push({ amount, key });
      const id = `payment ${paid.length}`;
      await gate;
      return id;
    };
    served = serveApp(createApp({ pay, ledger: openLedger(db) }));
  });
  afterEach(async () => {
    await served[Symbol.asyncDispose]();
    db.close();
  });
  const written = () => db.prepare("SELECT id FROM payments ORDER BY id").all().map(({ id }) => id);

  async function post(key: string | undefined, body: unknown = { amount: 5 }, user = "ada") {
    const headers = { authorization: `Bearer ${user}`, ...key !== undefined && { "idempotency-key": key } };
    const response = await fetch(`${served.origin}/payments`, { method: "POST", headers, body: JSON.stringify(body) });
    const { id } = await response.json();
    return [response.status, id, response.headers.get("retry-after")];
  }

  it("the recipe idempotency does the work of a key of a client once, and responds to each repeat with its result", async () => {
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("a"), [201, "payment 1", null]);
    assertEquals(await post("a", { amount: 6 }), [422, undefined, null]);
    assertEquals(await post("a", { amount: 5 }, "bob"), [201, "payment 2", null]);
    assertEquals(await post("a", { amount: 5 }, "eve"), [401, undefined, null]);
    assertEquals(await post("a", { amount: "5" }), [400, undefined, null]);
    assertEquals(paid, [{ amount: 5, key: "ada/a" }, { amount: 5, key: "bob/a" }]);
  });

  it("the recipe idempotency keeps the key of a client that left", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const client = new AbortController();
    const headers = { authorization: "Bearer ada", "idempotency-key": "b" };
    const init = { method: "POST", headers, body: '{"amount":5}', signal: client.signal };
    const left = fetch(`${served.origin}/payments`, init).catch(() => "left");
    await until(() => paid.length === 1);
    client.abort();
    assertEquals(await left, "left");
    resolve();
    await until(async () => (await post("b"))[0] === 201);
    assertEquals(paid.length, 1);
  });

  it("the recipe idempotency pays nothing without a key, without a place, or without its store", async () => {
    for (const key of [undefined, "", "a b"]) assertEquals(await post(key), [400, undefined, null]);
    for (let key = 0; key < 200; key++) await post(`key-${key}`);
    assertEquals(await post("d"), [503, undefined, "60"]);
    assertEquals((await post("d", { amount: 5 }, "bob"))[0], 201);
    db.exec("ALTER TABLE fw_idempotency RENAME TO away");
    assertEquals(await post("a"), [503, undefined, "5"]);
    assertEquals(paid.length, 201);
  });

  it("the recipe idempotency writes a payment and the response to it together, or neither", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const first = post("a");
    await until(() => paid.length === 1);
    // The process was paused: another instance has the key now.
    db.exec("UPDATE fw_idempotency SET owner = 'another instance', ends_at = 0");
    const second = post("a");
    await until(() => paid.length === 2);
    resolve();
    const [refused, [again]] = await Promise.all([first, second]);
    assertEquals([refused, again, written()], [[409, undefined, "1"], 201, ["payment 2"]]);
    assertEquals(await post("a"), [201, "payment 2", null]);
    assertEquals(paid.map(({ key }) => key), ["ada/a", "ada/a"]);

    db.exec(
      "CREATE TRIGGER full BEFORE UPDATE OF response ON fw_idempotency BEGIN SELECT raise(ROLLBACK, 'full'); END",
    );
    assertEquals(await post("b"), [500, undefined, null]);
    db.exec("DROP TRIGGER full");
    assertEquals([await post("b"), written()], [[201, "payment 4", null], ["payment 2", "payment 4"]]);
  });
});
