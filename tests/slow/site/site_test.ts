/** The site of `deno task site`, opened in Chromium. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { contentType } from "@std/media-types";
import { extname } from "@std/path";
import { ROOT } from "../../support/server_process.ts";
import { browses, launch } from "../browser/chromium.ts";
import { faintText } from "../browser/faint_text.ts";
import { run } from "../runtimes/programs.ts";

/** The most tokens of the manual in one file, at four characters each. */
const MOST_TOKENS = 60_000;

(browses ? describe : describe.skip)("the site", () => {
  let browser: Browser;
  let server: Deno.HttpServer<Deno.NetAddr>;
  let origin: string;
  /** The urls that pages asked for. */
  const asked: string[] = [];

  before(async () => {
    await run(Deno.execPath(), ["task", "site"]);
    server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      const { pathname } = new URL(request.url);
      const path = pathname.endsWith("/") ? `${pathname}index.html` : extname(pathname) ? pathname : `${pathname}.html`;
      const body = await Deno.readFile(new URL(`.site/dist${path}`, ROOT)).catch(() => undefined);
      const headers = { "content-type": contentType(extname(path)) ?? "application/octet-stream" };
      return body ? new Response(body, { headers }) : new Response(null, { status: 404 });
    });
    origin = `http://127.0.0.1:${server.addr.port}`;
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    await server.shutdown();
  });

  /** Opens a page of the site, in a window of this width. */
  async function open(path: string, width = 1280): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    page.on("request", (request) => asked.push(request.url()));
    const response = await page.goto(origin + path);
    assertEquals(response?.status(), 200, path);
    return page;
  }

  it("finds beforeBody by its search", async () => {
    const page = await open("/");
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill("beforeBody");
    await page.locator(".results .result").first().click();
    await page.waitForURL(/#/);
    await page.locator("main", { hasText: "beforeBody" }).waitFor();
    await page.close();
  });

  it("opens each entry of its navigation", async () => {
    const page = await open("/manual/");
    const links = await page.locator(".VPNavBarMenu a, .VPSidebar a").evaluateAll((all) =>
      all.map((each) => [each.textContent?.trim() ?? "", each.getAttribute("href") ?? ""])
    );
    await page.close();
    assert(links.length >= 12, `${links}`);
    for (const [name = "", href = ""] of links) {
      const opened = await open(href);
      assert((await opened.locator("h1, .summary, main").first().innerText()).length > 0, name);
      await opened.close();
    }
  });

  it("has no link that leads nowhere, nor to a heading that is not there", async () => {
    const seen = new Set(["/"]);
    const dead: string[] = [];
    /** The headings that links name, and the ids of each page. */
    const named = new Set<string>();
    const ids = new Map<string, ReadonlySet<string>>();
    for (const path of seen) {
      const response = await fetch(origin + path);
      const text = await response.text();
      if (!response.ok) dead.push(path);
      // The pages of `deno doc` and the files of source are followed to, not read.
      if (path.startsWith("/api/") || path.endsWith(".txt")) continue;
      ids.set(path, new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id)));
      for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        const url = new URL(href, origin + path);
        if (url.origin !== origin) continue;
        seen.add(url.pathname);
        if (url.hash) named.add(url.pathname + url.hash);
      }
    }
    assertEquals(dead, []);
    const isMissing = (name: string) => {
      const [path = "", id = ""] = name.split("#");
      return ids.get(path)?.has(decodeURIComponent(id)) === false;
    };
    assertEquals([...named].filter(isMissing), []);
    assert(named.size > 100, `Only ${named.size} links to headings found`);
    assert(seen.size > 50, `Only ${seen.size} pages found`);
  });

  it("shows the message of each mistake on its home page, and marks the line", async () => {
    const page = await open("/");
    for (const name of ["reply(410)", "reply(200, row)", "c.locals.user", "no route"]) {
      await page.locator(".vp-code-group label", { hasText: name }).click();
      const code = page.locator(".vp-code-group .active");
      await code.locator(".line.highlighted.error").waitFor();
      assert(/^ *\/\/ \S/m.test((await code.innerText()).replace("// app.ts", "")), name);
    }
    await page.close();
  });

  it("needs no sideways scrolling on the width of a phone: each page, and some of the many of the API", async () => {
    const files = (await run("find", [new URL(".site/dist", ROOT).pathname, "-name", "*.html"])).trim().split("\n");
    const paths = files.map((file) => file.replace(/^.*\/\.site\/dist/, "")).toSorted();
    const isApi = (path: string) => path.startsWith("/api/");
    const some = paths.filter(isApi).filter((path, index) => path.endsWith("/index.html") || index % 150 === 0);
    const page = await open("/", 390);
    const wide: string[] = [];
    for (const path of [...paths.filter((path) => !isApi(path)), ...some]) {
      await page.goto(origin + path);
      const whole = await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
      if (whole > 390) wide.push(`${path} is ${whole} wide`);
      // The last of three columns says what to write.
      const cut = await page.locator("table:has(th:nth-child(3):last-child)").evaluateAll((tables) =>
        tables.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).length
      );
      if (cut > 0) wide.push(`${path} has ${cut} tables with a column outside of the page`);
    }
    await page.close();
    assertEquals(wide, []);
    assert(some.length > 25, `Only ${some.length} pages of the API found`);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no text that is hard to read in ${colorScheme}`, async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
      const paths = [
        "/",
        "/manual/",
        "/manual/deployment",
        "/changelog",
        "/api/index",
        "/api/~/route",
        "/api/all_symbols",
      ];
      for (const path of paths) {
        await page.goto(`${origin}${path.replace(/\w$/, "$&.html")}`);
        assertEquals(await faintText(page), [], path);
      }
      await page.close();
    });
  }

  it("leads back from the API to the manual", async () => {
    const page = await open("/api/~/route.html");
    await page.getByRole("link", { name: "Manual" }).click();
    await page.waitForURL(`${origin}/manual/`);
    await page.close();
  });

  it("names in the API what users import", async () => {
    for (const [path, imported] of [["~/route", "@fw/core"], ["rate-limit/~/limit", "@fw/core/rate-limit"]]) {
      const page = await open(`/api/${path}.html`);
      assertEquals((await page.locator(".usageContent code").first().innerText()).match(/"(.*)"/)?.[1], imported);
      await page.close();
    }
  });

  it("has the manual in one file for language models", async () => {
    const all = await (await fetch(`${origin}/llms-full.txt`)).text();
    assert(all.length > 40_000 && all.length / 4 < MOST_TOKENS, `${all.length / 4} tokens`);
    const index = await (await fetch(`${origin}/llms.txt`)).text();
    const links = Array.from(`${index}${all}`.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, link = ""]) => link);
    const paths = new Set(links.filter((link) => !/^https?:/.test(link)));
    for (const path of paths) {
      assert(path.startsWith("/"), path);
      const response = await fetch(origin + path);
      await response.body?.cancel();
      assertEquals(response.status, 200, path);
    }
    assert(paths.size > 100, `Only ${paths.size} links found`);
  });

  it("sends no request to another host", () => {
    assertEquals(asked.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url)), []);
    assert(asked.length > 50);
  });
});
