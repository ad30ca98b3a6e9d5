import { type Context, route, setup } from "@fw/core";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertType, type IsExact } from "@std/testing/types";
import { createApp } from "../../../examples/recipes/timeouts.ts";
import { within } from "../../../examples/recipes/timeouts.ts";
import { request } from "../../support/request.ts";
import { until } from "../../support/until.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";
import { fakeMinutes } from "./fake_minutes.ts";
import { serveApp } from "./serve_app.ts";

/** A page that comes at once at `/`, and never at `/never`, with the paths of the requests that came and were aborted. */
function serveUpstream() {
  const arrived: string[] = [];
  const aborted: string[] = [];
  const fetch = ({ url, signal }: Request) => {
    const { pathname } = new URL(url);
    arrived.push(pathname);
    if (pathname === "/") return new Response("12345");
    return new Promise<Response>((resolve) =>
      signal.addEventListener("abort", () => {
        aborted.push(pathname);
        resolve(new Response());
      })
    );
  };
  return { arrived, aborted, ...serveApp({ fetch }) };
}

/** Serves the recipe with a bound of a minute, and collects its log. */
function serveRecipe(upstream: string) {
  const log: string[] = [];
  const app = createApp({ upstream, bound: 60_000, log: (line) => log.push(line) });
  return { log, ...serveApp(app) };
}

(granted("net", "read", "run") ? describe : describe.skip)("examples/recipes/timeouts.ts", () => {
  it("the recipe timeouts gives the response of a handler that is in time", async () => {
    await using upstream = serveUpstream();
    await using served = serveRecipe(upstream.origin);
    const response = await fetch(`${served.origin}/size`);
    assertEquals([response.status, await response.json()], [200, { bytes: 5 }]);
    assertEquals(served.log, [`${response.headers.get("x-request-id")} GET /size 200`]);
  });

  it("the recipe timeouts responds with 503 beyond the bound, with the request id and the log line, and aborts what the handler awaits", async () => {
    using minutes = fakeMinutes();
    await using upstream = serveUpstream();
    await using served = serveRecipe(`${upstream.origin}/never`);
    const answer = fetch(`${served.origin}/size`);
    await until(() => upstream.arrived.length > 0);
    minutes.pass();
    const response = await answer;
    assertEquals([response.status, await response.text()], [503, "Took too long"]);
    assertEquals(response.headers.get("retry-after"), "1");
    assertEquals(served.log, [`${response.headers.get("x-request-id")} GET /size 503`]);
    await until(() => upstream.aborted.length > 0);
    assertEquals(upstream.aborted, ["/never"]);
  });

  it("the recipe timeouts aborts what the handler awaits if the client goes away, and writes the line", async () => {
    await using upstream = serveUpstream();
    await using served = serveRecipe(`${upstream.origin}/never`);
    const client = new AbortController();
    const response = fetch(`${served.origin}/size`, { signal: client.signal });
    await until(() => upstream.arrived.length > 0);
    client.abort();
    await assertRejects(() => response, DOMException);
    await until(() => upstream.aborted.length > 0 && served.log.length > 0);
    assertMatch(`${served.log}`, /^[0-9a-f-]{36} GET \/size 499$/);
  });

  it("the recipe timeouts responds with 500 and the request id and logs the reason if what the handler awaits fails", async () => {
    await using served = serveRecipe("http://127.0.0.1:1/");
    const response = await fetch(`${served.origin}/size`);
    assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
    const id = response.headers.get("x-request-id");
    assertMatch(served.log[0] ?? "", new RegExp(`^${id} TypeError: `));
    assertEquals(served.log.slice(1), [`${id} GET /size 500`]);
  });

  it("the recipe timeouts prints no warning about the signal of a request with the command of its first line", async () => {
    // A proxy that is not there: the page of the example is never asked.
    const served = await serve("examples/recipes/timeouts.ts", { env: { HTTPS_PROXY: "http://127.0.0.1:1" } });
    const response = await fetch(`${served.origin}/size`);
    await response.body?.cancel();
    await served.stop();
    assertMatch(served.printed(), /fetch failed/);
    assertEquals(served.printed().includes("legacy"), false, served.printed());
  });
});

describe("within() of examples/recipes/timeouts.ts", () => {
  it("within() discards what a handler returns or throws too late", async () => {
    let cancelled = 0;
    const late = within(20, async (_c, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 20)));
      return new Response(new ReadableStream({ cancel: () => void cancelled++ }));
    });
    const failing = within(20, async (_c, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 20)));
      throw new Error("Too late"); // not handled, it would end this process
    });
    const app = setup({ handlers: [route.get("/late", { resolve: late }), route.get("/fail", { resolve: failing })] });
    assertEquals((await app.fetch(request("/late"))).status, 503);
    assertEquals((await app.fetch(request("/fail"))).status, 503);
    await until(() => cancelled === 1);
  });

  it("within() passes an error on, thrown at once or later", async () => {
    for (const thrown of [() => fail(), () => Promise.resolve().then(fail)]) {
      const app = setup({ handlers: [route.get("/", { resolve: within(60_000, thrown) })] });
      await assertRejects(async () => await app.fetch(request("/")), Error, "The disk is full");
    }
  });

  it("within() ends at once if the client went away before the handler began", async () => {
    const app = setup({
      handlers: [route.get("/", { resolve: within(60_000, () => new Promise<Response>(() => {})) })],
    });
    assertEquals((await app.fetch(request("/", { signal: AbortSignal.abort() }))).status, 499);
  });

  it("within() keeps the types of the handler", async () => {
    const guard = (_c: Context) => ({ allow: true, locals: { user: "ada" } } as const);
    const app = setup({
      handlers: [
        route.get("/:id", {
          guards: [guard],
          resolve: within(60_000, (c, signal, env: { readonly name: string }) => {
            assertType<IsExact<typeof c.raw.params, { readonly id: string }>>(true);
            assertType<IsExact<typeof signal, AbortSignal>>(true);
            return new Response(`${c.raw.params.id} ${c.locals.user.toUpperCase()} ${env.name}`);
          }),
        }),
      ],
    });
    assertEquals(await (await app.fetch(request("/7"), { name: "test" })).text(), "7 ADA test");
  });
});

function fail(): never {
  throw new Error("The disk is full");
}
