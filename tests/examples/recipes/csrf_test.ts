import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "../describe_served.ts";
import { discard } from "../discard.ts";

const TRANSFER = '{"to":"grace","amount":5}';
const OWN = { origin: "http://localhost:8000" };
const FOREIGN = { origin: "https://evil.example" };

describeServed("examples/recipes/csrf.ts", ({ request }) => {
  it("the recipe csrf takes what its own pages send, and tells a forged request nothing about its body", async () => {
    for (
      const [headers, body, status] of [
        [OWN, TRANSFER, 201],
        [OWN, "{", 400],
        [FOREIGN, TRANSFER, 403],
        [FOREIGN, "{", 403],
        [{}, TRANSFER, 403],
      ] as const
    ) {
      const response = await request("/transfers", { method: "POST", headers, body }).then(discard);
      assertEquals([headers, body, response.status], [headers, body, status]);
    }
  });
});
