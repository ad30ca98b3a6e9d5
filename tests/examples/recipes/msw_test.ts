import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createClient } from "@fw/core/client";
import * as api from "../../../examples/recipes/client/api.ts";
import { granted } from "../../support/granted.ts";

// The library reads the environment on import.
(granted("env", "read", "net") ? describe : describe.skip)("examples/recipes/msw.ts", () => {
  const client = createClient(api, { baseUrl: "https://api.example.invalid" });
  const unhandled: string[] = [];
  let stop = () => {};
  before(async () => {
    const { server } = await import("../../../examples/recipes/msw.ts");
    server.listen({ onUnhandledRequest: ({ method, url }) => void unhandled.push(`${method} ${url}`) });
    stop = () => server.close();
  });
  after(() => stop());

  it("the recipe msw responds to calls of the global fetch as endpoints declare", async () => {
    const { status, body } = await client.showBook({ params: { id: "emma" } });
    assertEquals({ status, body }, { status: 200, body: { id: "emma", title: "Emma" } });
    const added = await client.addBook({ body: { title: " Persuasion " } });
    assertEquals(added.status === 201 && added.body.title, "Persuasion");
  });

  it("the recipe msw validates requests, and sends what a header asks for", async () => {
    assertEquals((await client.addBook({ body: { title: "" } })).status, 400);
    const asking = createClient(api, { baseUrl: "https://api.example.invalid", headers: { prefer: "status=404" } });
    const { status, body } = await asking.showBook({ params: { id: "emma" } });
    assertEquals({ status, body }, { status: 404, body: { code: "missing" } });
  });

  it("the recipe msw leaves other requests to MSW", async () => {
    for (const [path, method] of [["books/emma", "DELETE"], ["authors", "GET"]] as const) {
      await fetch(`https://api.example.invalid/${path}`, { method }).catch(() => {});
    }
    assertEquals(unhandled, [
      "DELETE https://api.example.invalid/books/emma",
      "GET https://api.example.invalid/authors",
    ]);
  });
});
