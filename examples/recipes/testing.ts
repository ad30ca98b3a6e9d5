// npx -y deno@2.9.6 test --import-map=tests/import_map.json examples/recipes/testing.ts
//
// Tests an app without a server: a typed client calls the app, and the app gets a clock and a store of the test.
// `holdToEndpoints` rejects a response that its endpoint does not declare: another status or media type, a missing header, a
// body that does not fit or has a key too many. At the end, the tests must have seen every declared response.

import { assert, assertEquals, assertRejects } from "@std/assert"; // npm: npx jsr add @std/assert
import { after, beforeEach, describe, it } from "@std/testing/bdd"; // npm: "node:test"
import { createClient } from "@fw/core/client";
import { holdToEndpoints } from "@fw/core/testing";
import { api, createApp, type Loan } from "./testing/loans.ts";

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
  const held = holdToEndpoints(api, app);
  const client = createClient(api, { fetch: held.fetch });
  beforeEach(() => {
    loans.clear();
    broken = false;
  });

  async function lend(days: number) {
    const lent = await client.lend({ body: { book: "Emma", reader: "ada", days } });
    assert(lent.status === 201); // from here on, TypeScript knows the body
    return lent.body;
  }

  it("are due after as many days as they are for", async () => {
    const { id, ...loan } = await lend(14);
    assertEquals(loan, { book: "Emma", dueAt: "2026-01-15T00:00:00.000Z", overdue: false });
    assertEquals(loans.get(id)?.reader, "ada");
  });

  it("are overdue when their time has passed, and not before", async () => {
    const { id } = await lend(1);
    const isOverdue = async () => {
      const shown = await client.showLoan({ params: { id } });
      return shown.status === 200 && shown.body.overdue;
    };
    time += 24 * 60 * 60 * 1000;
    assertEquals(await isOverdue(), false);
    time += 1;
    assertEquals(await isOverdue(), true);
  });

  it("are for 1 to 60 days", async () => {
    for (const days of [0, 61, 1.5, "14" as never, undefined as never]) {
      assertEquals((await client.lend({ body: { book: "Emma", reader: "ada", days } })).status, 400);
    }
  });

  it("are not found by an id that does not exist", async () => {
    assertEquals((await client.showLoan({ params: { id: "none" } })).status, 404);
  });

  it("are not lent when they cannot be kept", async () => {
    broken = true;
    await assertRejects(() => lend(14), Error, "The disk is full");
  });

  after(() => assertEquals(held.unseen(), [], "No test has seen these responses"));
});
