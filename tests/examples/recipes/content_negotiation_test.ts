import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/content_negotiation.ts";
import { request } from "../../support/request.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

async function ask(accept: string | undefined, title = "Emma", method = "GET") {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const response = await createApp([{ title, year: 1815 }]).fetch(request("/books", { headers, method }));
  assertEquals(response.headers.get("vary"), "accept");
  const type = response.headers.get("content-type")?.split(";")[0];
  return { status: response.status, type, headers: response.headers, text: await response.text() };
}

describe("examples/recipes/content_negotiation.ts", () => {
  it("a page is HTML for a browser, JSON for a program, and a 406 for a client that accepts neither", async () => {
    const page = await ask(BROWSER);
    assertEquals([page.status, page.type], [200, "text/html"]);
    assert(page.text.includes("<li>Emma (1815)</li>"));
    const json = [200, "application/json", '{"data":[{"title":"Emma","year":1815}]}'];
    const neither = [406, "application/json", '{"error":"Accept application/json or text/html"}'];
    for (
      const [expected, ...accepted] of [
        [json, undefined, "*/*", "application/json", "text/html;q=0.5, application/json"],
        [neither, "image/png", "application/json;q=0, text/html;q=0", ";;,q=x"],
      ] as const
    ) {
      for (const accept of accepted) {
        const { status, type, text } = await ask(accept);
        assertEquals([accept, status, type, text], [accept, ...expected]);
      }
    }
  });

  it("a page reads only the first 1,000 characters of Accept", async () => {
    assertEquals((await ask(`text/html,${"image/png,".repeat(6000)}`)).type, "text/html");
    // The last range that is not whole would be HTML.
    assertEquals((await ask(`${"image/png,".repeat(98)}image/apng,text/html;q=0`)).status, 406);
    assertEquals((await ask(`${"image/png,".repeat(6000)}text/html`)).status, 406);
  });

  it("a page shows text of users as text, and lets no script run", async () => {
    const title = `</li><script>alert("1")</script><img src=x onerror='alert(1)'>&amp;`;
    const { text, headers } = await ask(BROWSER, title);
    assert(!/<script|<img|"1"|'alert/.test(text), text);
    assert(text.includes("&lt;script&gt;") && text.includes("&amp;amp;"));
    assertEquals(
      headers.get("content-security-policy"),
      "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'none'",
    );
    assertEquals(headers.get("x-content-type-options"), "nosniff");
  });
});
