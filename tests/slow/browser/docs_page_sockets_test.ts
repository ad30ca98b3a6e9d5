/** Sockets on the page of an API, in Chromium. */
import { assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser, Locator, Page } from "playwright-core";
import { route, setup } from "../../../mod.ts";
import { docsPage, openapi } from "../../../src/openapi/mod.ts";
import { asyncapi, denoSockets } from "../../../src/sockets/mod.ts";
import { api, createApp, optionsFor } from "../../support/sockets/app.ts";
import { browses, launch } from "./chromium.ts";

(browses ? describe : describe.skip)("docsPage() with sockets in Chromium", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  before(async () => {
    const info = { title: "Sockets", version: "1" };
    const resolve = docsPage(openapi({ info, endpoints: api }), { sockets: asyncapi({ info, endpoints: api }) });
    const docs = setup({ handlers: [route.get("/docs", { resolve })] });
    const { app, onError } = createApp();
    const sockets = denoSockets(optionsFor(onError));
    server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => request.url.endsWith("/docs") ? docs.fetch(request) : app.fetch(request, sockets),
    );
    browser = await launch();
    page = await browser.newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.addr.port}/docs`);
    await page.waitForSelector("[data-ready]");
    await page.locator("#operation-room > summary").click();
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
  });

  const room = () => page.locator("#operation-room");
  const messages = () => room().getByLabel("Messages", { exact: true });
  const statusOf = async (text: string) => {
    // "Open" is also the beginning of "Opening …".
    const status: Locator = room().getByRole("status").filter({ hasText: new RegExp(`${text}\\b`) });
    await status.waitFor();
    return await status.innerText();
  };
  const click = (name: string) => room().getByRole("button", { name, exact: true }).click();

  it("opens a socket, and sends the message that it begins with, then others", async () => {
    await room().getByLabel("id", { exact: false }).first().fill("page");
    assertEquals(JSON.parse(await room().getByLabel("Text").inputValue()), { name: "say", data: { text: "text" } });
    await click("Send");
    assertMatch(await statusOf("Open"), /^ws:\/\/127\.0\.0\.1:\d+\/rooms\/page\nOpen$/);
    await messages().filter({ hasText: "Received" }).waitFor();
    assertEquals(
      await messages().textContent(),
      'Sent: { "name": "say", "data": { "text": "text" } }\nReceived: {"name":"said","data":{"text":"text"}}\n',
    );
    await room().getByLabel("Name").selectOption("fail");
    await click("Send");
    assertMatch(await statusOf("Closed"), /\nClosed with 1011$/);
    assertMatch(`${await messages().textContent()}`, /\nSent: \{ "name": "fail" \}\n$/);
  });

  it("closes the socket", async () => {
    await room().getByLabel("Name").selectOption("say");
    await click("Send");
    await statusOf("Open");
    await click("Stop");
    assertMatch(await statusOf("Closed"), /\nClosed with 1000$/);
  });

  it("shows what a handshake is denied with", async () => {
    await room().getByLabel("token").fill("none");
    await click("Send");
    assertMatch(await statusOf("401"), /^GET http.*\/rooms\/page\?token=none\n401 Unauthorized/);
    assertEquals(JSON.parse(`${await room().getByLabel("Body of the response").textContent()}`), { code: "sign_in" });
    assertEquals(faults, []);
  });
});
