import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createClient, UnexpectedResponse } from "@fw/core/client";
import { standardSchema } from "@fw/core/standard-schema";
import { api } from "../../../examples/recipes/testing/loans.ts";
import { granted } from "../serve.ts";
import { run } from "../../runtimes/programs.ts";

describe("the client of examples/recipes/testing.ts", () => {
  const loan = { id: "1", book: "Emma", dueAt: "2026-01-15T00:00:00.000Z", overdue: false };
  const ask = (body: unknown, status = 200) => {
    const fetch = () => Response.json(body, { status });
    return createClient(api, { fetch, validator: standardSchema }).showLoan({ params: { id: 1 } });
  };

  it("accepts the answers that the app declares", async () => {
    assertEquals((await ask(loan)).body, loan);
    assertEquals((await ask({ error: "Not found" }, 404)).body, { error: "Not found" });
  });

  it("rejects every other one", async () => {
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
      await assertRejects(() => ask(body, status), UnexpectedResponse);
    }
  });
});

describe("examples/recipes/testing.ts", () => {
  (granted("read", "run") ? it : it.skip)("passes by the command on its first line", async () => {
    const [first = ""] = (await Deno.readTextFile("examples/recipes/testing.ts")).split("\n", 1);
    const [, args = ""] = /^\/\/ npx -y deno@2\.9\.6 (test .*)$/.exec(first) ?? [];
    await run(Deno.execPath(), [...args.split(" "), "--no-check", "--lock=tests/deno.lock", "--frozen"]);
  });
});
