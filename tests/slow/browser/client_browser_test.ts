import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import app from "../../../examples/recipes/client/app.ts";
import * as api from "../../../examples/recipes/client/api.ts";
import { writeModule } from "../../../examples/recipes/client/publish.ts";
import { TOLD_OF_BOOKS } from "../../examples/call_books.ts";
import { serve, type Served } from "../../examples/serve.ts";
import { bundle } from "../runtimes/programs.ts";
import { ROOT } from "../../support/server_process.ts";
import { browses, granted, launch, openPage, servePage } from "./chromium.ts";

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
    const code = await Deno.readTextFile(
      await bundle("tests/slow/browser/client_in_browser.ts", directory, "--platform=browser"),
    );
    server = servePage({ path: "/client.mjs", code }, (request) => {
      const isMoved = new URL(request.url).pathname === "/moved";
      return isMoved ? Response.redirect(new URL("/books/emma", request.url), 303) : app.fetch(request);
    });
    browser = await launch();
    page = await openPage(browser, server);
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

  it("is told what the endpoints of examples/books.ts declare", async () => {
    const code = await Deno.readTextFile(
      await bundle("tests/examples/call_books.ts", directory, "--platform=browser"),
    );
    await using served = await serve("examples/books.ts");
    await using proxy = servePage({ path: "/call_books.mjs", code }, (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(served.origin + pathname + search, request));
    });
    const page = await openPage(browser, proxy);
    const told = await page.evaluate(
      `import("/call_books.mjs").then(({ callBooks }) => callBooks({ baseUrl: location.origin }))`,
    );
    await page.close();
    assertEquals(told, TOLD_OF_BOOKS);
  });
});

(browses ? describe : describe.skip)("a typed client of examples/service in Chromium", () => {
  let directory = "";
  let served: Served;
  let browser: Browser;
  let page: Page;
  before(async () => {
    directory = await Deno.makeTempDir();
    const flags = ["--platform=browser"];
    const script = await Deno.readTextFile(
      await bundle("tests/slow/browser/pictures_in_browser.ts", directory, ...flags),
    );
    served = await serve("examples/service/main.ts", {
      permissions: [`--allow-read=${directory}`, `--allow-write=${directory}`],
      env: { DATA: `${directory}/data`, DATABASE_URL: "" },
    });
    browser = await launch();
    // The policy of the page allows no scripts: a front end of your own has another.
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.route("**/client.mjs", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
    await page.goto(served.origin);
  });
  after(async () => {
    await browser.close();
    await served.stop();
    await Deno.remove(directory, { recursive: true });
  });

  const evaluate = (statements: string) =>
    page.evaluate(`(async () => {
      const { addPicture, createPicturesClient, listTitles, UnexpectedResponse } = await import("/client.mjs");
      const client = createPicturesClient(location.origin);
      ${statements}
    })()`);

  /** Fills in a form of the page, and sends it. */
  async function send(action: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const form = page.locator(`form[action="${action}"]`);
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name=${name}]`).fill(value);
    await Promise.all([page.waitForEvent("load"), form.locator("button").click()]);
  }
  const showMe = () =>
    evaluate("const { status, body } = await client.showMe(); return [status, body.name ?? body.error];");

  const account = { email: "ada@example.com", password: "correct horse" };

  it("is signed in by the cookie that the form for signing up has set", async () => {
    assertEquals(await showMe(), [401, "Sign in first"]);
    await send("/sign-up", { name: "Ada", ...account });
    assertEquals(await showMe(), [200, "Ada"]);
  });

  it("uploads pictures, lists them and deletes them", async () => {
    const told = await evaluate(`
      const canvas = document.createElement("canvas");
      const blob = await new Promise((resolve) => canvas.toBlob(resolve));
      const id = await addPicture(client, "Dot", blob);
      await addPicture(client, "Dash", blob);
      const titles = [];
      for await (const title of listTitles(client)) titles.push(title);
      const shown = await client.showFile({ method: "GET", params: { id } });
      const { size } = await shown.response.blob();
      const deleted = await client.deletePicture({ params: { id } });
      const { body } = await client.listPictures({ query: { limit: 5 } });
      return [titles, size === blob.size, deleted.status, body.data.map(({ title }) => title)];
    `);
    assertEquals(told, [["Dash", "Dot"], true, 204, ["Dash"]]);
  });

  it("signs out, and is told that a password is wrong", async () => {
    const told = await evaluate(`
      // The answer is a redirect, which browsers hide.
      const error = await client.signOut().catch((error) => error);
      const body = new URLSearchParams(${JSON.stringify({ ...account, password: "wrong horse" })});
      const wrong = await client.signIn({ body });
      return [error instanceof UnexpectedResponse && error.status, wrong.status, wrong.body.error];
    `);
    assertEquals(told, [0, 403, "Wrong e-mail address or password"]);
    assertEquals(await showMe(), [401, "Sign in first"]);
  });

  it("is signed in again by the form for signing in", async () => {
    await send("/sign-in", account);
    assertEquals(await showMe(), [200, "Ada"]);
  });
});

/** The same two endpoints, by the library of their schemas. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  Zod: `
import { z } from "zod";
const book = z.object({ id: z.string(), title: z.string() });
const missing = z.object({ code: z.literal("missing") });
const added = z.object({ title: z.string().min(1).max(200) });`,
  "Zod Mini": `
import * as z from "zod/mini";
const book = z.object({ id: z.string(), title: z.string() });
const missing = z.object({ code: z.literal("missing") });
const added = z.object({ title: z.string().check(z.minLength(1), z.maxLength(200)) });`,
  Valibot: `
import * as v from "valibot";
const book = v.object({ id: v.string(), title: v.string() });
const missing = v.object({ code: v.literal("missing") });
const added = v.object({ title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) });`,
};

(granted ? describe : describe.skip)("the bundle of a client and its endpoints", () => {
  let directory = "";
  before(async () => {
    directory = await Deno.makeTempDir();
  });
  after(() => Deno.remove(directory, { recursive: true }));

  /** The size of a bundle of a module and the client, minified and gzipped. */
  async function weigh(name: string, module: string): Promise<number> {
    const entry = `${directory}/${name.replace(" ", "_")}.ts`;
    await Deno.writeTextFile(entry, `export * from "${ROOT}src/client/mod.ts";\n${module}`);
    const { byteLength } = gzipSync(
      await Deno.readFile(await bundle(entry, directory, "--platform=browser", "--minify")),
    );
    console.log(`The client with endpoints, ${name}: ${(byteLength / 1000).toFixed(1)} KB, minified and gzipped`);
    return byteLength;
  }

  it("weighs what examples/README.md says: the less, the smaller the schema library", async () => {
    const [zod = 0, ...small] = await Promise.all(
      Object.entries(ENDPOINTS).map(([library, schemas]) =>
        weigh(
          library,
          `import { endpoint } from "${ROOT}mod.ts";${schemas}
export const showBook = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: missing } } });
export const addBook = endpoint.post("/books", { request: { body: added }, responses: { 201: { schema: book } } });`,
        )
      ),
    );
    const published = await weigh("published without schemas", writeModule(api));
    for (const size of small) assert(size < zod / 3, `${size} bytes`);

    const readme = (await Deno.readTextFile(new URL("examples/README.md", ROOT))).replaceAll("\n", " ");
    const stated = /up to (\d+) KB with Zod, (\d+) KB with Zod Mini and (\d+) KB with Valibot.*? schemas, (\d+) KB/;
    const [, ...most] = stated.exec(readme) ?? [];
    for (const [index, size] of [zod, ...small, published].entries()) {
      const kilobytes = Number(most[index]);
      assert(
        size <= kilobytes * 1000 && size > kilobytes * 800,
        `${size} bytes: examples/README.md says ${kilobytes} KB`,
      );
    }
  });
});
