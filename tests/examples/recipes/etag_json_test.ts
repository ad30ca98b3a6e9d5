import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp, openNotes } from "../../../examples/recipes/etag_json.ts";
import { request } from "../../support/request.ts";
import { describeServed } from "../describe_served.ts";

const MILK = { id: 1, text: "Buy milk", version: 1 };
const ADA = { id: 2, text: "Call Ada", version: 1 };

describeServed("examples/recipes/etag_json.ts", (served) => {
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await served.request(path, { method, headers });
    return { status: response.status, etag: response.headers.get("etag"), text: await response.text(), response };
  };
  const patch = (text: string, headers: Record<string, string>, path = "/notes/1") =>
    served.request(path, { method: "PATCH", headers, body: JSON.stringify({ text }) });

  for (const path of ["/notes", "/notes/2"]) {
    it(`the recipe etag_json responds with 304 without a body where the client has the current ${path}`, async () => {
      const first = await get(path);
      const etag = first.etag ?? "";
      assertEquals([first.status, JSON.parse(first.text)], [
        200,
        path === "/notes" ? [MILK, ADA] : ADA,
      ]);
      assertEquals(first.response.headers.get("content-type"), "application/json");
      const again = await get(path, { "if-none-match": etag });
      assertEquals([again.status, again.text, again.etag], [304, "", etag]);
      assertEquals(again.response.headers.get("cache-control"), "no-cache, no-transform");
      assertEquals((await get(path, { "if-none-match": '"other"' })).text, first.text);
      assertEquals((await get(path, { "if-match": '"other"' })).status, 412);
      const head = await get(path, {}, "HEAD");
      assertEquals([head.status, head.text, head.etag], [200, "", etag]);
      assertEquals((await get(path, { "if-none-match": etag }, "HEAD")).status, 304);
    });
  }

  it("the recipe etag_json changes a note only for a client that has seen its current version", async () => {
    const { etag } = await get("/notes/1");
    const list = await get("/notes");
    assertEquals((await patch("Buy bread", {})).status, 428);
    assertEquals((await patch("Buy bread", { "if-match": '"0"' })).status, 412);
    assertEquals((await get("/notes/1")).etag, etag);

    const changed = await patch("Buy bread", { "if-match": `"7", ${etag}` });
    assertEquals([changed.status, await changed.json()], [200, { id: 1, text: "Buy bread", version: 2 }]);
    const now = await get("/notes/1", { "if-none-match": etag ?? "" });
    assertEquals([now.status, now.etag], [200, changed.headers.get("etag")]);
    assertEquals((await get("/notes", { "if-none-match": list.etag ?? "" })).status, 200);

    assertEquals((await patch("Buy cheese", { "if-match": etag ?? "" })).status, 412);
    assertEquals((await patch("Buy cheese", { "if-match": "*" })).status, 200);
  });
});

describe("the app of examples/recipes/etag_json.ts", () => {
  it("the recipe etag_json lets one of several clients win that have read the same version at the same time", async () => {
    const COUNT = 5;
    const query = openNotes();
    // None of the guards goes on before all have read.
    let waiting: (() => void)[] = [];
    const app = createApp(async (sql, ...values) => {
      const rows = await query(sql, ...values);
      if (sql.startsWith("SELECT")) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < COUNT) return;
          for (const proceed of waiting) proceed();
          waiting = [];
        });
      }
      return rows;
    });
    const responses = await Promise.all(Array.from({ length: COUNT }, async (_, index) => {
      const init = { method: "PATCH", headers: { "if-match": '"1"' }, body: JSON.stringify({ text: `By ${index}` }) };
      return await app.fetch(request("/notes/1", init));
    }));
    assertEquals(responses.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412]);
    const winner = await responses.find(({ ok }) => ok)?.json();
    assertEquals(await query("SELECT * FROM notes WHERE id = 1"), [winner]);
  });
});
