import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";
import { createApp } from "../../../examples/recipes/webhook.ts";
import { post } from "../../support/request.ts";
import { until } from "../../support/until.ts";

/** The app, and a receiver that answers with the next status, or else 204. */
function setUp(statuses: readonly number[] = [], db = new DatabaseSync(":memory:")) {
  const ending = new AbortController();
  const lines: string[] = [];
  const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const answers = [...statuses];
  const app = createApp({
    db,
    log: (line) => lines.push(line),
    signal: ending.signal,
    async send(request) {
      received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Response(null, { status: answers.shift() ?? 204 });
    },
  });
  const call = async (path: string, body: unknown) => {
    const response = await app.fetch(post(path, JSON.stringify(body)));
    return { status: response.status, ...await response.json() };
  };
  return { db, ending, lines, received, call };
}

const books = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body).data.book);

describe("examples/recipes/webhook.ts", () => {
  it("sends each order to each receiver, in order, with a signature that the official library verifies", async () => {
    const { ending, received, call } = setUp();
    const { status, secret } = await call("/receivers", { url: "https://ada.example/hooks" });
    assertEquals(status, 201);
    for (const book of ["Emma", "Persuasion"]) assertEquals((await call("/orders", { book })).status, 201);
    await until(() => received.length === 2);
    ending.abort();
    assertEquals(books(received), ["Emma", "Persuasion"]);
    for (const { headers, body } of received) {
      assertEquals(new Webhook(secret).verify(body, headers), JSON.parse(body));
    }
  });

  it("gives a receiver up that responds with 410", async () => {
    const { db, lines, received, call } = setUp([410]);
    await call("/receivers", { url: "https://ada.example/hooks" });
    await call("/orders", { book: "Emma" });
    await until(() => db.prepare("SELECT given_up FROM receivers").get()?.given_up === 1);
    assertEquals(lines, ["order.created to https://ada.example/hooks: 410, attempt 1"]);
    // After a restart, nothing is sent to it.
    const again = setUp([], db);
    await again.call("/orders", { book: "Persuasion" });
    assertEquals([received.length, again.received], [1, []]);
  });

  it("sends what was committed before a restart", async () => {
    const { db, ending, received, call } = setUp([503]);
    await call("/receivers", { url: "https://ada.example/hooks" });
    await call("/orders", { book: "Emma" });
    await until(() => received.length === 1);
    ending.abort();
    await until(() => db.prepare("SELECT ends_at FROM fw_deliveries").get()?.ends_at === 0);
    const again = setUp([], db);
    await until(() => again.received.length === 1);
    again.ending.abort();
    assertEquals(books(again.received), ["Emma"]);
  });

  it("sends a new receiver the orders that come after it, also after a restart", async () => {
    const { db, ending, received, call } = setUp();
    await call("/orders", { book: "Emma" });
    await call("/receivers", { url: "https://ada.example/hooks" });
    ending.abort();
    await until(() => db.prepare("SELECT ends_at FROM fw_deliveries").get()?.ends_at === 0);
    const again = setUp([], db);
    await again.call("/orders", { book: "Persuasion" });
    await until(() => again.received.length > 0);
    again.ending.abort();
    assertEquals([received, books(again.received)], [[], ["Persuasion"]]);
  });

  it("does not give a receiver up at its first failure, however old the order is", async () => {
    const { db, ending, lines, call } = setUp();
    await call("/receivers", { url: "https://ada.example/hooks" });
    ending.abort();
    await until(() => db.prepare("SELECT ends_at FROM fw_deliveries").get()?.ends_at === 0);
    await call("/orders", { book: "Emma" });
    db.exec("UPDATE fw_events SET message = json_set(message, '$.timestamp', '2020-01-01T00:00:00.000Z')");
    const again = setUp([503], db);
    await until(() => again.lines.length === 1);
    again.ending.abort();
    assertEquals([lines, db.prepare("SELECT given_up FROM receivers").get()?.given_up], [[], 0]);
  });

  it("sends nothing of an order that was rolled back", async () => {
    const { db, ending, received, call } = setUp();
    await call("/receivers", { url: "https://ada.example/hooks" });
    db.exec("CREATE TRIGGER full AFTER INSERT ON fw_events BEGIN SELECT RAISE(ABORT, 'full'); END");
    let failed = false;
    await call("/orders", { book: "Emma" }).catch(() => failed = true);
    db.exec("DROP TRIGGER full");
    await call("/orders", { book: "Persuasion" });
    await until(() => received.length === 1);
    ending.abort();
    assert(failed);
    assertEquals(books(received), ["Persuasion"]);
    assertEquals(db.prepare("SELECT book FROM orders").all().map(({ book }) => book), ["Persuasion"]);
  });

  it("rejects input that is invalid, and more than 100 receivers", async () => {
    const { ending, call } = setUp();
    for (const url of ["http://example.com", "file:///etc/passwd", "example.com", 1, `https://a/${"x".repeat(2000)}`]) {
      assertEquals((await call("/receivers", { url })).status, 400);
    }
    assertEquals((await call("/orders", { book: "" })).status, 400);
    for (let count = 0; count < 100; count++) {
      assertEquals((await call("/receivers", { url: "https://ada.example/" })).status, 201);
    }
    assertEquals((await call("/receivers", { url: "https://ada.example/" })).status, 409);
    ending.abort();
  });
});
