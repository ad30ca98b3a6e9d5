/** The page of an API in Chromium, by mouse and by keyboard, in light and dark, and as wide as a phone. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import type { Browser, Locator, Page } from "playwright-core";
import { endpoint, route, setup } from "../../../mod.ts";
import { docsPage, openapi } from "../../../src/openapi/mod.ts";
import { browses, launch } from "./chromium.ts";
import { app, turns } from "./docs_page_app.ts";
import { faintText } from "./faint_text.ts";

(browses ? describe : describe.skip)("docsPage() in Chromium", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  before(async () => {
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => app.fetch(request));
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
  });

  /** Uses the page, and fails if it has reported an error or has asked another server. */
  async function withPage(use: (page: Page, asked: readonly string[]) => Promise<void>, hash = ""): Promise<void> {
    const page = await browser.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        faults.push(message.text());
      }
    });
    const origin = `http://127.0.0.1:${server.addr.port}`;
    await page.goto(`${origin}/docs${hash}`);
    await page.waitForSelector("[data-ready]");
    await use(page, asked);
    assertEquals(asked.filter((url) => !/^(?:data|blob):/.test(url) && new URL(url).origin !== origin), []);
    assertEquals(faults, []);
    assertEquals(await page.title(), "Everything");
    await page.close();
  }

  async function open(page: Page, operationId: string): Promise<Locator> {
    const operation = page.locator(`#operation-${operationId}`);
    await operation.locator("> summary").click();
    return operation;
  }

  /** Presses "Send", and waits for the end of the response. */
  async function send(operation: Locator): Promise<{ readonly status: string; readonly body: string }> {
    await operation.getByRole("button", { name: "Send" }).click();
    const status = operation.getByRole("status");
    await status.filter({ hasText: / characters| bytes|no body|empty body|Stopped|Error/ }).waitFor();
    return {
      status: await status.innerText(),
      body: await operation.getByLabel("Body of the response").textContent() ?? "",
    };
  }

  it("sends query, headers and cookies, leaves out what is empty, and takes a cookie away again", async () => {
    await withPage(async (page) => {
      const operation = await open(page, "listBooks");
      await operation.getByLabel("q", { exact: true }).fill("a&b");
      await operation.getByLabel("tag").fill("x\ny z");
      await operation.getByLabel("sort").selectOption("year");
      await operation.getByLabel("x-trace").fill("t1");
      await operation.getByLabel("theme").fill("dark");
      const { status, body } = await send(operation);
      assertMatch(
        status,
        /^GET http.*\/books\?q=a%26b&tag=x&tag=y\+z&sort=year\n200 OK, after \d+ ms, \d+ characters$/,
      );
      assertEquals(JSON.parse(body).seen, ["?q=a%26b&tag=x&tag=y+z&sort=year", "t1", "dark", "theme=dark"]);
      assertEquals(await page.evaluate("document.cookie"), "");
      await operation.getByLabel("tag").fill("");
      await operation.getByLabel("q", { exact: true }).fill("");
      await operation.getByLabel("sort").selectOption("");
      await operation.getByLabel("theme").fill("");
      assertEquals(JSON.parse((await send(operation)).body).seen.slice(0, 3), ["", "t1", "undefined"]);
    });
  });

  it("sends the example of a body, and a token to the operation that needs it", async () => {
    await withPage(async (page) => {
      const operation = await open(page, "addBook");
      await operation.getByRole("button", { name: "Send" }).click();
      assertEquals(await operation.getByRole("status").count(), 0); // the path has an empty parameter
      await operation.getByLabel("shelf").fill("a/b ?");
      assertMatch((await send(operation)).status, /\n401 Unauthorized, after \d+ ms, (?:no|empty) body$/);
      await page.getByLabel("token").fill("ada");
      const { status, body } = await send(operation);
      assertMatch(status, /\/books\/a%2Fb%20%3F\n201 Created/);
      assertEquals(JSON.parse(body).seen, ["a/b ?", '{"title":"text","pages":1}']);
    });
  });

  it("sends a cookie that is a credential", async () => {
    await withPage(async (page) => {
      await page.getByLabel("session").fill("abc=");
      const operation = await open(page, "who");
      assertEquals(JSON.parse((await send(operation)).body).seen, ["sid=abc="]);
    });
  });

  it("sends forms of both media types, with files", async () => {
    await withPage(async (page) => {
      const signUp = await open(page, "signUp");
      await signUp.getByLabel("name").and(signUp.locator(":visible")).fill("Ada & co");
      assertEquals(JSON.parse((await send(signUp)).body).seen, ['{"name":"Ada & co"}']);
      await signUp.getByLabel("Media type").selectOption("multipart/form-data");
      await signUp.getByLabel("name").and(signUp.locator(":visible")).fill("Ada");
      await signUp.getByLabel("newsletter").and(signUp.locator(":visible")).selectOption("weekly");
      assertEquals(JSON.parse((await send(signUp)).body).seen, ['{"name":"Ada","newsletter":"weekly"}']);

      const photo = await open(page, "addPhoto");
      await photo.getByLabel("title").fill("Emma");
      const file = { name: "emma.png", mimeType: "image/png", buffer: Buffer.alloc(1000) };
      await photo.locator("input[type=file]").setInputFiles(file);
      assertEquals(JSON.parse((await send(photo)).body).seen, ["Emma", "emma.png image/png 1000"]);
    });
  });

  it("shows the messages of a stream as they arrive, until it is stopped", async () => {
    await withPage(async (page) => {
      const operation = await open(page, "watch");
      await operation.getByRole("button", { name: "Send" }).click();
      const body = operation.getByLabel("Body of the response");
      await body.filter({ hasText: "data: 1\n" }).waitFor();
      assertEquals(await body.filter({ hasText: "data: 2" }).count(), 0);
      turns.next();
      await body.filter({ hasText: "data: 2\n" }).waitFor();
      assertMatch(await operation.getByRole("status").innerText(), /200 OK, after \d+ ms, arriving …$/);
      await operation.getByRole("button", { name: "Stop" }).click();
      await operation.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
      assertEquals(await operation.getByRole("button", { name: "Stop" }).count(), 0);
    });
  });

  it("indents JSON and keeps every digit of its numbers", async () => {
    await withPage(async (page) => {
      const { body } = await send(await open(page, "exact"));
      assertEquals(
        body,
        `{
  "id": 9007199254740993,
  "html": "<b>",
  "none": [],
  "list": [
    1,
    {
      "a": "\\"x"
    }
  ]
}`,
      );
    });
  });

  it("offers bytes as a file to save, from a path with slashes", async () => {
    await withPage(async (page) => {
      const operation = await open(page, "readFile");
      await operation.getByLabel("rest").fill("a b/c.bin");
      const { status } = await send(operation);
      assertMatch(status, /\/files\/a%20b\/c\.bin\n200 OK, after \d+ ms, 10 bytes$/);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        operation.getByRole("link", { name: "Save the body" }).click(),
      ]);
      assertEquals(await Deno.readTextFile(await download.path()), "a b/c.bin\0");
    });
  });

  it("says that there is no response, and what the reason may be", async () => {
    await withPage(async (page) => {
      await page.route("**/who", (route) => route.abort());
      const { status } = await send(await open(page, "who"));
      assertMatch(status, /\nTypeError: .*The browser does not say why/);
    });
  });

  it("opens the operation that the address names, and filters operations by words", async () => {
    await withPage(async (page) => {
      assertEquals(await page.locator("#operation-signUp").getAttribute("open"), "");
      await page.getByRole("link", { name: "Who I am" }).click();
      await page.locator("#operation-who[open]").waitFor();
      await page.getByLabel("Filter").fill("get books");
      assertEquals(await page.locator("details.operation:visible").count(), 1);
      assertEquals(await page.locator("nav a[data-operation]:visible").count(), 1);
      assertEquals(await page.locator("#found").innerText(), "1 operation");
      await page.getByLabel("Filter").fill("books");
      assertMatch(await page.locator("#found").innerText(), /^[2-9] operations$/);
      await page.getByLabel("Filter").fill("");
      assertEquals(await page.locator("details.operation:visible").count(), 9);
    }, "#operation-signUp");
  });

  it("can be used by the keyboard alone", async () => {
    await withPage(async (page) => {
      await page.keyboard.press("Tab");
      assertEquals(await page.evaluate("document.activeElement.textContent"), "Skip to the operations");
      await page.keyboard.press("Enter");
      const isOnEvents = () =>
        page.evaluate(
          `document.activeElement.matches("summary") && document.activeElement.textContent.includes("/events")`,
        );
      for (let count = 0; count < 20 && !await isOnEvents(); count++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator("#operation-watch[open]").waitFor();
      await page.keyboard.press("Tab");
      assertEquals(await page.evaluate("document.activeElement.textContent"), "Send");
      await page.keyboard.press("Enter");
      await page.locator("#operation-watch").getByLabel("Body of the response").filter({ hasText: "data: 1" })
        .waitFor();
      // The focus is visible.
      assertMatch(String(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")), /solid/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await page.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
    });
  });

  it("has a form that is filled in and sent by the keyboard alone", async () => {
    await withPage(async (page) => {
      const isOn = (selector: string) => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
      const tabTo = async (selector: string) => {
        for (let count = 0; count < 60 && !await isOn(selector); count++) await page.keyboard.press("Tab");
        assert(await isOn(selector), selector);
      };
      await tabTo("#operation-listBooks > summary");
      await page.keyboard.press("Enter");
      await tabTo("#operation-listBooks [data-name=q]");
      await page.keyboard.type("emma");
      await tabTo("#operation-listBooks select[data-name=sort]");
      await page.keyboard.press("y");
      await tabTo("#operation-listBooks button");
      await page.keyboard.press("Space");
      const body = page.locator("#operation-listBooks").getByLabel("Body of the response");
      await body.filter({ hasText: "?q=emma&sort=year" }).waitFor();
      // What does not fit on the screen is scrolled by the keyboard, too.
      await tabTo("#operation-listBooks pre");
    });
  });

  it("has a name for every control in the tree of accessibility", async () => {
    await withPage(async (page) => {
      await page.evaluate(OPEN_ALL);
      const roles = ["button", "textbox", "combobox", "spinbutton", "checkbox", "link", "form", "region"] as const;
      let all = 0;
      for (const role of roles) {
        const count = await page.getByRole(role).count();
        assertEquals(await page.getByRole(role, { name: /\S/ }).count(), count, role);
        all += count;
      }
      assert(all > 40, `Only ${all} found`);
    });
  });

  it("names every control, every part and every change for a screen reader", async () => {
    await withPage(async (page) => {
      await page.evaluate(OPEN_ALL);
      const unnamed = await page.evaluate(`[...document.querySelectorAll("input, select, textarea")]
        .filter((control) => control.labels.length === 0 || control.labels[0].textContent.trim() === "").length`);
      assertEquals(unnamed, 0);
      const dangling = await page.evaluate(`[...document.querySelectorAll("[aria-describedby], [aria-labelledby]")]
        .filter((element) => document.getElementById(element.getAttribute("aria-describedby") ?? element.getAttribute("aria-labelledby")) === null).length`);
      assertEquals(dangling, 0);
      const repeated = await page.evaluate(`(() => {
        const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
        return ids.length - new Set(ids).size;
      })()`);
      assertEquals(repeated, 0);
      assertEquals(await page.getByRole("main").count() + await page.getByRole("navigation").count(), 2);
      assertEquals(await page.getByRole("region", { name: "books", exact: true }).count(), 1);
      assertEquals(await page.getByRole("form", { name: "Request of addBook" }).count(), 1);
      assertEquals(await page.evaluate("document.documentElement.lang"), "en");
    });
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no text that is hard to read in ${colorScheme}`, async () => {
      const page = await browser.newPage({ colorScheme });
      await page.goto(`http://127.0.0.1:${server.addr.port}/docs#operation-addBook`);
      await page.waitForSelector("[data-ready]");
      await page.evaluate(OPEN_ALL);
      assertEquals(await faintText(page), []);
      await page.locator("nav a").first().evaluate((link) => link.style.color = "gray");
      assert((await faintText(page)).length > 0);
      await page.close();
    });
  }

  it("fits on a phone, with its contents closed and open", async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    await page.goto(`http://127.0.0.1:${server.addr.port}/docs`);
    await page.waitForSelector("[data-ready]");
    assertEquals(await page.locator("nav > details[open]").count(), 0);
    await page.evaluate(OPEN_ALL);
    await page.locator("nav summary").click();
    assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 320);
    assertEquals(await page.evaluate("document.querySelector('nav').scrollWidth"), 320);
    await page.close();
  });

  it("has a page of 300 operations, of which one is found and sent", async () => {
    const endpoints = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [
      `operation${index}`,
      endpoint.get(`/things${index}/:id`, { docs: { tags: [`tag ${index % 20}`] }, responses: { 404: {} } }),
    ]));
    const document = openapi({ info: { title: "Many", version: "1" }, endpoints });
    const many = setup({ handlers: [route.get("/docs", { resolve: docsPage(document) })] });
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => many.fetch(request),
    );
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.addr.port}/docs`);
    await page.waitForSelector("[data-ready]");
    assertEquals(await page.locator("details.operation").count(), 300);
    await page.getByLabel("Filter").fill("operation271");
    assertEquals(await page.locator("details.operation:visible").count(), 1);
    const operation = await open(page, "operation271");
    await operation.getByLabel("id").fill("7");
    assertMatch((await send(operation)).status, /\/things271\/7\n404 Not Found/);
    await page.close();
  });
});

/** Opens all parts of the page but its contents. */
const OPEN_ALL = `for (const part of document.querySelectorAll("main details")) part.open = true`;
