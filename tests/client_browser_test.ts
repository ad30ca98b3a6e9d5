import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import app from "../examples/recipes/client/app.ts";
import { assertMaySkip } from "./assert_may_skip.ts";
import { bundle } from "./runtimes/programs.ts";

/** The path at which Debian installs Chromium. */
const CHROMIUM = "/usr/bin/chromium";

const granted = (["env", "net", "read", "run", "sys", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");
const browses = granted && await Deno.stat(CHROMIUM).then(() => true, () => false);
if (!browses) assertMaySkip("Chromium");

/** A program of the page. It returns JSON. */
const program = (statements: string) =>
  `(async () => {
  const { api, createClient, endpoint, UnexpectedResponse } = await import("/client.mjs");
  const client = createClient(api, { baseUrl: location.origin });
  ${statements}
})()`;

(browses ? describe : describe.skip)("createClient() in Chromium", () => {
  let directory = "";
  let server: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = await Deno.makeTempDir();
    const script = await Deno.readTextFile(await bundle("tests/client_in_browser.ts", directory, "--platform=browser"));
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/") return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
      if (pathname === "/client.mjs") return new Response(script, { headers: { "content-type": "text/javascript" } });
      if (pathname === "/moved") return Response.redirect(new URL("/books/emma", request.url), 303);
      return app.fetch(request);
    });
    const { chromium } = await import("playwright-core");
    const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking";
    browser = await chromium.launch({ executablePath: CHROMIUM, args: args.split(" ") });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
    await Deno.remove(directory, { recursive: true });
  });

  it("sends and receives what the endpoints declare", async () => {
    const answers = await page.evaluate(program(`
      const answers = [
        await client.showBook({ params: { id: "emma" }, credentials: "omit" }),
        await client.addBook({ body: { title: "Mansfield Park" } }),
        await client.addBook({ body: { title: "" } }),
        await client.showBook({ params: { id: "a/b ?" } }),
      ];
      return answers.map(({ status, body }) => [status, body.title ?? body.code]);
    `));
    assertEquals(answers, [[200, "Emma"], [201, "Mansfield Park"], [400, "invalid"], [404, "missing"]]);
  });

  it("takes a redirect, which browsers hide, for an unexpected response, unless it is followed", async () => {
    const statuses = await page.evaluate(program(`
      const moved = endpoint.get("/moved", { responses: { default: {} } });
      const { move } = createClient({ move: moved }, { baseUrl: location.origin });
      const error = await move().catch((error) => error);
      return [error instanceof UnexpectedResponse, error.status, (await move({ redirect: "follow" })).status];
    `));
    assertEquals(statuses, [true, 0, 200]);
  });

  it("ends a call whose signal aborts", async () => {
    const reason = await page.evaluate(program(`
      const controller = new AbortController();
      const call = client.showBook({ params: { id: "emma" }, signal: controller.signal });
      controller.abort("Enough");
      return call.catch((reason) => reason);
    `));
    assert(reason === "Enough");
  });
});
