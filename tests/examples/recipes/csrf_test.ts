import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { z } from "zod";
import { granted } from "../../support/granted.ts";
import { serve, type Served } from "../serve.ts";
import { serveApp } from "./serve_app.ts";

const TRANSFER = '{"to":"grace","amount":5}';
const JSON_TYPE = { "content-type": "application/json" };
const OWN = "http://localhost:8000";

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/csrf.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/recipes/csrf.ts");
  });
  after(() => served.stop());

  async function post(headers: Record<string, string>, body = TRANSFER): Promise<number> {
    // As bytes: fetch adds a content type to text.
    const response = await fetch(`${served.origin}/transfers`, {
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
    for (const site of ["cross-site", "same-site", "none", "", "same-origin, cross-site"]) {
      assertEquals(await post({ ...JSON_TYPE, origin: "https://evil.example", "sec-fetch-site": site }), 403, site);
    }
    for (
      const origin of [
        "https://evil.example",
        "null",
        "",
        `${OWN}.evil.example`,
        `${OWN}/`,
        "http://localhost:80001",
        "*",
      ]
    ) {
      assertEquals(await post({ ...JSON_TYPE, origin }), 403, origin);
    }
  });

  it("the recipe csrf tells a forged request nothing about its body", async () => {
    assertEquals(await post({ origin: "https://evil.example", "content-type": "text/plain" }, "{"), 403);
    assertEquals(await post({ origin: OWN, ...JSON_TYPE }, "{"), 400);
  });
});

(granted("net") ? describe : describe.skip)("a route without these guards", () => {
  it("a route without these guards takes JSON from a form of another site", async () => {
    const unguarded = route.post("/transfers", {
      request: { body: z.looseObject({ to: z.string(), amount: z.number() }) },
      resolve: (c) => Response.json(c.input, { status: c.input.ok ? 201 : 400 }),
    });
    await using served = serveApp(setup({ validator: standardSchema, handlers: [unguarded] }));
    // What a browser makes of <form enctype="text/plain"> with one field, named `{"to":"eve","amount":5,"x":"` with value `"}`.
    const response = await fetch(`${served.origin}/transfers`, {
      method: "POST",
      body: '{"to":"eve","amount":5,"x":"="}\r\n',
      headers: { "content-type": "text/plain", origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    await response.body?.cancel();
    assertEquals(response.status, 201);
  });
});
