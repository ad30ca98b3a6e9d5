import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser } from "playwright-core";
import type { OpenApiDocument } from "../../../src/openapi/mod.ts";
import { operationsIn } from "./operations_in.ts";
import { serve, type Served } from "../../examples/serve.ts";
import { browses, launch } from "./chromium.ts";

(browses ? describe : describe.skip)("/docs in Chromium", () => {
  let served: Served;
  let browser: Browser;
  before(async () => {
    served = await serve("examples/books_docs.ts");
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    await served.stop();
  });

  it("/docs in Chromium shows every route and the response of GET /books, and sends no request to another server", async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    await page.goto(`${served.origin}/docs`);

    const document: OpenApiDocument = await (await fetch(`${served.origin}/openapi.json`)).json();
    for (const [method, path, { operationId, summary }] of operationsIn(document)) {
      const shown = await page.locator(`#operation-${operationId} > summary`).innerText();
      assertEquals(shown.replaceAll(/\s+/g, " "), `${method.toUpperCase()} ${path} ${summary}`);
    }
    assertEquals(await page.locator(".operation").count(), operationsIn(document).length);
    assertEquals(await page.locator(".operation del").count(), 2);
    assertEquals(await page.locator("#operations h2").allInnerTexts(), ["books", "version 1", "version 2"]);

    const books = page.locator("#operation-listBooks");
    await books.locator("> summary").click();
    await books.getByLabel("limit").fill("2");
    await books.getByRole("button", { name: "Send" }).click();
    await books.getByRole("status").filter({ hasText: " characters" }).waitFor();
    const shown = await books.getByLabel("Body of the response").innerText();
    const { data }: { data: readonly { title: string }[] } = await (await fetch(`${served.origin}/books?limit=2`))
      .json();
    assertEquals(data.length, 2);
    for (const { title } of data) assertStringIncludes(shown, title);
    assertStringIncludes(await books.getByRole("status").innerText(), "\n200 OK");

    assert(asked.includes(`${served.origin}/books?limit=2`));
    assertEquals(asked.filter((url) => new URL(url).origin !== served.origin && !url.startsWith("data:")), []);
    assertEquals(faults, []);
  });
});
