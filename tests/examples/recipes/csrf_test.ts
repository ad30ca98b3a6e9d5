import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "../describe_served.ts";

const TRANSFER = '{"to":"grace","amount":5}';
const JSON_TYPE = { "content-type": "application/json" };
const OWN = "http://localhost:8000";

describeServed("examples/recipes/csrf.ts", (served) => {
  async function post(headers: Record<string, string>, body = TRANSFER): Promise<number> {
    // As bytes: fetch adds a content type to text.
    const response = await served.request("/transfers", {
      method: "POST",
      body: new TextEncoder().encode(body),
      headers,
    });
    await response.body?.cancel();
    return response.status;
  }

  it("the recipe csrf takes what its own pages send, with Fetch Metadata or without", async () => {
    assertEquals(await post({ ...JSON_TYPE, origin: OWN, "sec-fetch-site": "same-origin" }), 201);
    assertEquals(await post({ ...JSON_TYPE, origin: OWN }), 201);
    assertEquals(await post({ "content-type": "text/plain", origin: OWN }), 201);
  });

  it("the recipe csrf rejects what pages of other sites send", async () => {
    assertEquals(await post({ ...JSON_TYPE, origin: "https://evil.example", "sec-fetch-site": "cross-site" }), 403);
    assertEquals(await post({ ...JSON_TYPE, origin: `${OWN}.evil.example` }), 403);
    assertEquals(await post(JSON_TYPE), 403);
  });

  it("the recipe csrf tells a forged request nothing about its body", async () => {
    assertEquals(await post({ origin: "https://evil.example", "content-type": "text/plain" }, "{"), 403);
    assertEquals(await post({ origin: OWN, ...JSON_TYPE }, "{"), 400);
  });
});
