import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createClient } from "@fw/core/client";
import { holdToEndpoints } from "@fw/core/testing";
import { api } from "../../../examples/recipes/testing/loans.ts";

describe("the client of examples/recipes/testing.ts", () => {
  const loan = { id: "1", book: "Emma", dueAt: "2026-01-15T00:00:00.000Z", overdue: false };
  const ask = (body: unknown, status = 200) => {
    const { fetch } = holdToEndpoints(api, { fetch: () => Response.json(body, { status }) });
    return createClient(api, { fetch }).showLoan({ params: { id: 1 } });
  };

  it("the client of the recipe testing accepts the responses that the app declares", async () => {
    assertEquals((await ask(loan)).body, loan);
    assertEquals((await ask({ error: "Not found" }, 404)).body, { error: "Not found" });
  });

  it("the client of the recipe testing rejects every other response", async () => {
    for (
      const [body, status] of [
        [{ ...loan, reader: "ada" }],
        [{ ...loan, dueAt: 0 }],
        [{ id: "1" }],
        [loan, 404],
        [loan, 202],
        [{ error: "Not found" }, 500],
      ] as const
    ) {
      await assertRejects(() => ask(body, status), Error, "of GET /loans/:id must");
    }
  });
});
