/** Sockets with the `WebSocket` of Chromium: what a page sends, and which pages may connect. */
import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { denoSockets } from "../../../src/sockets/mod.ts";
import { createApp, optionsFor } from "../../support/sockets/app.ts";
import { until } from "../../support/until.ts";
import { bundle } from "../runtimes/programs.ts";
import { browses, launch, openPage, servePage } from "./chromium.ts";

/** A program of the page. It returns JSON. */
const program = (statements: string) => `
(async () => {
  /** Opens a socket, sends what is given, and collects its texts to the end. */
  const talk = (url, sent = [], use = () => {}) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url);
      const texts = [];
      socket.onopen = () => sent.forEach((item) => socket.send(item));
      socket.onmessage = ({ data }) => {
        texts.push(data);
        use(socket, texts);
      };
      socket.onclose = ({ code, reason, wasClean }) =>
        resolve({ code, reason, wasClean, texts: texts.filter((text) => text !== "{}") });
    });
  ${statements}
})()`;

(browses ? describe : describe.skip)("a socket in Chromium", () => {
  let directory = "";
  let server: Deno.HttpServer<Deno.NetAddr>;
  let foreign: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = await Deno.makeTempDir();
    const code = await Deno.readTextFile(
      await bundle("tests/slow/browser/sockets_in_browser.ts", directory, "--platform=browser"),
    );
    const { app, onError } = createApp();
    const sockets = denoSockets(optionsFor(onError));
    server = servePage({ path: "/sockets.mjs", code }, (request) => app.fetch(request, sockets));
    foreign = servePage({ path: "/sockets.mjs", code }, () => new Response(null, { status: 404 }));
    browser = await launch();
    page = await openPage(browser, server);
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
    await foreign.shutdown();
    await Deno.remove(directory, { recursive: true });
  });

  const closedOf = async (id: string) =>
    (await (await fetch(`http://127.0.0.1:${server.addr.port}/state/${id}`)).json()).closed;

  it("sends texts, and closes with a code and a reason", async () => {
    const met = await page.evaluate(program(`
      return await talk("/rooms/texts", ['{"name":"say","data":{"text":" Größe "}}'], (socket) => socket.close(4001, "bye"));
    `));
    assertEquals(met, {
      code: 4001,
      reason: "bye",
      wasClean: true,
      texts: ['{"name":"said","data":{"text":"Größe"}}'],
    });
    assertEquals(await closedOf("texts"), [{ code: 4001, reason: "bye" }]);
  });

  it("is told the code and the reason of the server", async () => {
    const met = await page.evaluate(program(`
      const met = [];
      for (const sent of [
        new Blob(["bytes"]),
        '{"name":"say","data":{"text":"' + "x".repeat(5000) + '"}}',
        '{"name":"quit","data":{"code":4002,"reason":"Enough"}}',
        '{"name":"fail"}',
      ]) {
        const { code, reason } = await talk("/rooms/closed", [sent]);
        met.push(code + " " + reason);
      }
      return met;
    `));
    assertEquals(met, ["1003 Only text", "1009 Too long", "4002 Enough", "1011 "]);
  });

  it("answers pings, and gets heartbeats: it stays open for longer than the patience of the server", async () => {
    const met = await page.evaluate(program(`
      return await talk("/rooms/quiet", [], (socket, texts) => texts.length === 5 && socket.close(4000));
    `));
    assertEquals(met, { code: 4000, reason: "", wasClean: true, texts: [] });
  });

  it("learns nothing of a denial, and opens no socket for a page of another origin, whatever its cookies", async () => {
    const other = await openPage(browser, foreign);
    // Another port is another origin, but the same site: the cookie is sent.
    await other.evaluate(`document.cookie = "session=ada"`);
    const url = `ws://127.0.0.1:${server.addr.port}/rooms/foreign`;
    const talk = `const { code, reason, wasClean } = await talk("${url}"); return { code, reason, wasClean };`;
    assertEquals(await other.evaluate(program(talk)), { code: 1006, reason: "", wasClean: false });
    await other.close();
    // A page in a sandbox has the origin "null".
    const sandboxed = await browser.newPage();
    await sandboxed.goto("data:text/html,<title>sandbox</title>");
    assertEquals(await sandboxed.evaluate(program(talk)), { code: 1006, reason: "", wasClean: false });
    await sandboxed.close();
    assertEquals(await closedOf("foreign"), []);
  });

  it("is read by connect(), which learns what the guards deny with", async () => {
    const met = await page.evaluate(program(`
      const { api, connect, SocketClosed } = await import("/sockets.mjs");
      const options = { baseUrl: location.origin, pause: { first: 0.05, most: 0.1 } };
      const numbers = [];
      for await (const { data } of connect(api.flow, { ...options, params: { id: "page", count: 100 } })) numbers.push(data.n);
      const denied = connect(api.room, { ...options, params: { id: "page" }, query: { token: "none" } });
      try {
        for await (const _ of denied);
      } catch (error) {
        return [numbers.length, error instanceof SocketClosed, error.response.status, await error.response.json()];
      }
    `));
    assertEquals(met, [100, true, 401, { code: "sign_in" }]);
  });

  it("ends when its page is left", async () => {
    const leaving = await openPage(browser, server);
    await leaving.evaluate(program(`await new Promise((resolve) => {
      globalThis.socket = new WebSocket("/rooms/left");
      socket.onopen = resolve;
    });`));
    await leaving.close();
    await until(async () => (await closedOf("left")).length === 1);
    assertEquals((await closedOf("left"))[0].code, 1001);
  });
});
