/** A response of `fetch()` that a handler returns, with headers that others add. */
import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { allow, type App, deny, reply, route, setup } from "../../mod.ts";
import { idempotent } from "../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../src/memory/mod.ts";
import { compose, unmatched } from "../../src/hooks/mod.ts";
import { granted } from "../support/granted.ts";

const TEXT = "hello ".repeat(200);

(granted("net") ? describe : describe.skip)("a response of fetch()", () => {
  let upstream: Deno.HttpServer<Deno.NetAddr>;
  before(async () => {
    const compressed = new Blob([TEXT]).stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = await new Response(compressed).arrayBuffer();
    upstream = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      ({ method }) =>
        new Response(method === "HEAD" ? null : bytes, {
          headers: { "content-encoding": "gzip", "content-type": "text/plain", etag: '"1"' },
        }),
    );
  });
  after(() => upstream.shutdown());

  const proxied = (init?: RequestInit) => fetch(`http://127.0.0.1:${upstream.addr.port}/`, init);

  /** What a client of a server with this app reads. */
  async function read(app: App, init?: RequestInit): Promise<readonly [number, string, string | null]> {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => app.fetch(request));
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/`, init);
    return [response.status, await response.text(), response.headers.get("etag")];
  }

  it("is readable for clients, whatever adds a header to it", async () => {
    const headers = { "x-version": "1" };
    const get = route.get("/", { resolve: () => proxied() });
    const answers = { notFound: () => proxied(), methodNotAllowed: () => proxied() };
    const apps: Record<string, App> = {
      "nothing": setup({ handlers: [get] }),
      "a concern": setup({ handlers: [get], ...compose({ headers }) }),
      "a guard": setup({
        handlers: [route.get("/", { guards: [() => allow({}, { headers })], resolve: () => proxied() })],
      }),
      "a guard, to a denial": setup({
        handlers: [
          route.get("/", {
            guards: [() => allow({}, { headers }), async () => deny(await proxied())],
            resolve: () => reply(200),
          }),
        ],
      }),
      "unmatched": setup({
        handlers: [route.post("/", { resolve: () => reply(200) })],
        ...compose(unmatched(answers)),
      }),
      "two concerns and a guard": setup({
        handlers: [route.get("/", { guards: [() => allow({}, { headers })], resolve: () => proxied() })],
        ...compose({ headers }, { replace: (response) => response }),
      }),
    };
    for (const [name, app] of Object.entries(apps)) assertEquals(await read(app), [200, TEXT, '"1"'], name);
  });

  it("is readable again where idempotent has kept it", async () => {
    const once = idempotent({
      client: () => "ada",
      lifetime: 60,
      perClient: 9,
      store: idempotencyStore({ most: 9 }),
      refuse: () => reply(409),
      whenStoreFails: () => reply(503),
    });
    const app = setup({ handlers: [route.post("/", { resolve: once(() => proxied()) })] });
    const init = { method: "POST", headers: { "idempotency-key": "k" } };
    for (const _ of [1, 2]) assertEquals(await read(app, init), [200, TEXT, '"1"']);
  });

  it("keeps what its headers say of a body that it does not have", async () => {
    const app = setup({
      handlers: [route.head("/", { resolve: () => proxied({ method: "HEAD" }) })],
      ...compose({ headers: { "x-version": "1" } }),
    });
    const response = await app.fetch(new Request("http://localhost/", { method: "HEAD" }));
    if (response.body === null) assertEquals(response.headers.get("content-encoding"), "gzip");
    assertEquals((await read(app, { method: "HEAD" }))[0], 200);
  });
});
