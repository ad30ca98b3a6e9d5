import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { until } from "../../support/until.ts";
import { bundle } from "../runtimes/programs.ts";
import { createApp } from "../runtimes/streams/app.ts";
import { browses, launch, openPage, servePage } from "./chromium.ts";

(browses ? describe : describe.skip)("a stream in Chromium", () => {
  let directory = "";
  let server: Deno.HttpServer<Deno.NetAddr>;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = await Deno.makeTempDir();
    const code = await Deno.readTextFile(
      await bundle("tests/slow/browser/streams_in_browser.ts", directory, "--platform=browser"),
    );
    server = servePage({ path: "/streams.mjs", code }, createApp().fetch);
    browser = await launch();
    page = await openPage(browser, server);
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
    await Deno.remove(directory, { recursive: true });
  });

  const evaluate = (statements: string) =>
    page.evaluate(`(async () => {
      const { api, createClient, resume } = await import("/streams.mjs");
      const client = createClient(api, { baseUrl: location.origin });
      ${statements}
    })()`);
  const stateOf = async (id: string) => await (await fetch(`http://127.0.0.1:${server.addr.port}/state/${id}`)).json();

  it("is read by a typed client, by fetch, which ends it by break and by its signal", async () => {
    const read = await evaluate(`
      const numbers = [];
      for await (const { event, data } of (await client.yields({ params: { id: "fetch" } })).body) {
        if (numbers.push([event, data.n]) === 3) break;
      }
      const aborter = new AbortController();
      const { body } = await client.wait({ params: { id: "abort" }, signal: aborter.signal });
      try {
        for await (const _ of body) aborter.abort("Enough");
      } catch (reason) {
        numbers.push(reason);
      }
      return numbers;
    `);
    assertEquals(read, [["tick", 1], ["tick", 2], ["tick", 3], "Enough"]);
    for (const id of ["fetch", "abort"]) await until(async () => (await stateOf(id)).ended === 1);
  });

  it("is read by EventSource, which connects again after the last event", async () => {
    const read = await evaluate(`
      const source = new EventSource("/counts/source");
      const events = [];
      await new Promise((resolve) => source.addEventListener("tick", ({ data, lastEventId }) => {
        if (events.push([JSON.parse(data).n, lastEventId]) === 5) resolve();
      }));
      source.close();
      return events;
    `);
    assertEquals(read, [[1, "1"], [2, "2"], [3, "3"], [4, "4"], [5, "5"]]);
  });

  it("is read on by resume(), and lines are read one by one", async () => {
    const read = await evaluate(`
      const numbers = [];
      const call = (init) => client.counts({ method: "GET", params: { id: "resume" }, ...init });
      for await (const { data } of resume(call, { retries: 3 })) if (numbers.push(data.n) === 5) break;
      let lines = 0;
      for await (const { id } of (await client.rows({ params: { id: "rows" } })).body) lines += Math.sign(id);
      return [numbers, lines];
    `);
    assertEquals(read, [[1, 2, 3, 4, 5], 1000]);
  });
});
