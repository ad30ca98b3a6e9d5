/** The service with `DATABASE_URL`: three instances that share a PostgreSQL database and a directory. */
import { assertEquals, assertRejects } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/service/app.ts";
import { addPicture, createPicturesClient, listTitles } from "../../../examples/service/client.ts";
import { openPostgresStore } from "../../../examples/service/postgres_store.ts";
import type { Store } from "../../../examples/service/store.ts";
import type { App } from "../../../mod.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { freePort } from "../../support/free_port.ts";

const ORIGIN = "https://pictures.example.com";
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="),
  (character) => character.charCodeAt(0),
);

(DATABASE_URL === undefined ? describe.skip : describe)("three instances of examples/service on PostgreSQL", () => {
  let schema: Schema;
  let directory = "";
  let stores: readonly Store[] = [];
  let apps: readonly App[] = [];
  const logged: object[] = [];
  before(async () => {
    schema = await createSchema();
    directory = await Deno.makeTempDir();
    // All at once: each creates the tables if need be.
    stores = await Promise.all(Array.from({ length: 3 }, () => openPostgresStore(schema.urlForPg)));
    const stopping = new AbortController().signal;
    apps = stores.map((store) => {
      const log = (line: object) => logged.push(line);
      const app = createApp({ store, directory, origins: [ORIGIN], proxies: 0, stopping, log });
      return { fetch: (request) => app.fetch(request, { remoteAddr: { hostname: "192.0.2.1" } }), routes: [] };
    });
  });
  after(async () => {
    await schema.drop();
    await Deno.remove(directory, { recursive: true });
  });

  /** A browser whose requests go to each instance in turn. */
  function openBrowser() {
    let cookie = "";
    let turn = 0;
    const send = async (request: Request) => {
      const headers = new Headers(request.headers);
      headers.set("origin", ORIGIN);
      headers.set("cookie", cookie);
      const response = await apps[turn++ % 3]?.fetch(new Request(request, { headers })) ?? Response.error();
      cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
      return response;
    };
    const post = async (path: string, fields: Record<string, string> = {}) => {
      const response = await send(new Request(ORIGIN + path, { method: "POST", body: new URLSearchParams(fields) }));
      await response.body?.cancel();
      return response.status;
    };
    return { post, client: createPicturesClient(ORIGIN, send) };
  }

  it("add a picture once that is uploaded to each of them at once, with one key", async () => {
    const { post, client } = openBrowser();
    assertEquals(await post("/sign-up", { email: "may@example.com", password: "correct horse", name: "May" }), 303);
    const upload = () => addPicture(client, "Dot", new Blob([PNG]), "one").catch(({ message }) => message);
    const answers = await Promise.all([upload(), upload(), upload()]);
    const id = await upload();
    assertEquals(answers.map((answer) => answer === id || answer === "Still running"), [true, true, true]);
    assertEquals(await Array.fromAsync(listTitles(client)), ["Dot"]);
  });

  it("sign in, upload, list, show and sign out at any of them", async () => {
    const { post, client } = openBrowser();
    const ada = { email: "ada@example.com", password: "correct horse" };
    assertEquals(await post("/sign-up", { ...ada, name: "Ada" }), 303);
    assertEquals(await post("/sign-up", { ...ada, name: "Ada" }), 409);
    assertEquals((await client.showMe()).status, 200);
    const titles = ["one", "two", "three"];
    const ids: string[] = [];
    for (const title of titles) ids.push(await addPicture(client, title, new Blob([PNG])));
    assertEquals(await Array.fromAsync(listTitles(client)), titles.toReversed());
    const page = await client.listPictures({ query: { limit: "2" } });
    assertEquals(page.status === 200 && page.body.data.map(({ title }) => title), ["three", "two"]);
    const next = page.status === 200 ? String(page.body.next) : "";
    const rest = await client.listPictures({ query: { limit: "2", before: next } });
    assertEquals(rest.status === 200 && [rest.body.data.length, rest.body.next], [1, null]);
    assertEquals((await client.deletePicture({ params: { id: ids[0] ?? "" } })).status, 204);
    assertEquals((await client.deletePicture({ params: { id: ids[0] ?? "" } })).status, 404);
    assertEquals(await post("/sign-in", { ...ada, password: "wrong horse" }), 403);
    assertEquals(await post("/sign-out"), 303);
    for (const _ of apps) assertEquals((await client.showMe()).status, 401);
    assertEquals(await post("/sign-in", ada), 303);
    assertEquals((await client.showMe()).status, 200);
  });

  it("allow one quota together", async () => {
    const { post } = openBrowser();
    const statuses: number[] = [];
    // Sign-ups and uploads of the test before count, too.
    while (statuses.at(-1) !== 429 && statuses.length < 30) statuses.push(await post("/sign-up"));
    assertEquals([statuses.length <= 21, statuses.at(-1)], [true, 429]);
  });

  it("keep an account once, and its pictures within their bound", async () => {
    const account = { email: "bob@example.com", name: "Bob", passwordHash: "1" };
    const added = await Promise.all(stores.map((store) => store.addAccount(account)));
    assertEquals(added.filter(Boolean).length, 1);
    const [store] = stores;
    await store?.replaceHash(account.email, "2", "3");
    await store?.replaceHash(account.email, "1", "4");
    assertEquals((await store?.findAccount(account.email))?.passwordHash, "4");
    for (let turn = 0; turn < 101; turn++) {
      const id = crypto.randomUUID();
      const picture = await stores[turn % 3]?.addPicture(account.email, { id, title: "?", type: "image/png" });
      assertEquals([picture?.id, await store?.hasPicture(id)], turn < 100 ? [id, true] : [undefined, false]);
    }
  });

  it("are ready while the database responds, and do not start without it", async () => {
    assertEquals((await apps[0]?.fetch(new Request(`${ORIGIN}/ready`)))?.status, 200);
    await assertRejects(() => openPostgresStore(`postgres://ada@127.0.0.1:${freePort()}/ada`));
    assertEquals(logged.filter((line) => "error" in line), []);
  });
});
