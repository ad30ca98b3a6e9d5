// npx -y deno@2.9.6 test --import-map=tests/import_map.json examples/recipes/testing.ts
//
// Tests an app without a server: by `app.fetch`, with a clock and a store of their own, and each response held to
// `responses` of its route.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { after, beforeEach, describe, it } from "@std/testing/bdd";
import { holdToDocs } from "./testing/contract.ts";
import { createApp, type Loan } from "./testing/loans.ts";

describe("the loans", () => {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const loans = new Map<string, Loan>();
  let broken = false;
  const app = createApp({
    now: () => time,
    store: {
      find: (id) => Promise.resolve(loans.get(id)),
      add: (loan) =>
        broken ? Promise.reject(new Error("The disk is full")) : Promise.resolve(void loans.set(loan.id, loan)),
    },
  });
  const contract = holdToDocs(app);
  beforeEach(() => {
    loans.clear();
    broken = false;
  });

  const lend = (body: unknown) =>
    contract.fetch(new Request("http://localhost/loans", { method: "POST", body: JSON.stringify(body) }));
  const show = (id: string) => contract.fetch(new Request(`http://localhost/loans/${id}`));

  it("are due after as many days as they are for", async () => {
    const response = await lend({ book: "Emma", reader: "ada", days: 14 });
    const { id, ...loan } = await response.json();
    assertEquals([response.status, loan], [201, { book: "Emma", dueAt: "2026-01-15T00:00:00.000Z", overdue: false }]);
    assertEquals(loans.get(id)?.reader, "ada");
  });

  it("are overdue when their time has passed, and not before", async () => {
    const { id } = await (await lend({ book: "Emma", reader: "ada", days: 1 })).json();
    time += 24 * 60 * 60 * 1000;
    assertEquals((await (await show(id)).json()).overdue, false);
    time += 1;
    assertEquals((await (await show(id)).json()).overdue, true);
  });

  it("are for 1 to 60 days", async () => {
    for (const days of [0, 61, 1.5, "14", undefined]) {
      assertEquals((await lend({ book: "Emma", reader: "ada", days })).status, 400);
    }
  });

  it("are not found by an id that does not exist", async () => {
    assertEquals((await show("none")).status, 404);
  });

  it("are not lent when they cannot be kept", async () => {
    broken = true;
    await assertRejects(() => lend({ book: "Emma", reader: "ada", days: 14 }), Error, "The disk is full");
  });

  after(() => assert(contract.unseen().length === 0, `No test has seen ${contract.unseen()}`));
});
