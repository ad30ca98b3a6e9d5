import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import postgres from "postgres";
import type { RateLimitStore } from "../../../src/rate_limit/mod.ts";
import { rateLimitStore as memoryStore } from "../../../src/memory/mod.ts";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import { addressOf } from "../../../examples/recipes/rate_limit/address_of.ts";
import { rateLimitStore } from "../../../src/postgres/mod.ts";
import { freePort } from "../../support/free_port.ts";
import { contextOf } from "../../support/context_of.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../serve.ts";
import { serveApp } from "./serve_app.ts";

const EXAMPLE = "examples/recipes/rate_limit.ts";

/** Reads what a response says of the limits. */
async function read(response: Response): Promise<readonly unknown[]> {
  await response.body?.cancel();
  const { headers, status } = response;
  return [status, headers.get("ratelimit")?.replaceAll(/;t=\d+/g, "") ?? null, headers.has("retry-after")];
}

/** Serves the app behind a proxy: a request says which address the proxy has seen. */
function serveBehindProxy(store: RateLimitStore = memoryStore({ most: 1000 })) {
  const served = serveApp(createApp({ store, proxies: 1 }));
  const ask = async (forwarded: string, init: RequestInit = {}, path = "/search") => {
    const headers = { "x-forwarded-for": forwarded, ...init.headers };
    return await read(await fetch(served.origin + path, { ...init, headers }));
  };
  return Object.assign(served, {
    ask,
    status: async (forwarded: string) => (await ask(forwarded))[0],
    exportAs: (user: string, forwarded: string) =>
      ask(forwarded, { method: "POST", headers: { authorization: `Bearer ${user}` } }, "/exports"),
  });
}

(granted("env", "net", "read", "run") ? describe : describe.skip)(EXAMPLE, () => {
  it("the recipe rate_limit is served by its first line, and limits each address to ten requests", async () => {
    await using served = await serve(EXAMPLE);
    for (let left = 9; left >= 0; left--) {
      const response = await fetch(`${served.origin}/search`);
      assertEquals(response.headers.get("ratelimit-policy"), '"address";q=10;w=60');
      assertEquals(await read(response), [200, `"address";r=${left}`, false]);
    }
    assertEquals(await read(await fetch(`${served.origin}/search`)), [429, '"address";r=0', true]);
    // A header that any client can send makes nobody another client.
    const forwarded = await fetch(`${served.origin}/search`, { headers: { "x-forwarded-for": "1.2.3.4" } });
    assertEquals((await read(forwarded))[0], 429);
    assertEquals(await read(await fetch(`${served.origin}/health`)), [200, null, false]);
  });

  it("the recipe rate_limit limits a user at any address, and an address with many users", async () => {
    await using served = serveBehindProxy();
    const { exportAs, status } = served;
    assertEquals(await exportAs("ada", "192.0.2.1"), [202, '"address";r=9, "user";r=2', false]);
    assertEquals(await exportAs("ada", "192.0.2.2"), [202, '"address";r=9, "user";r=1', false]);
    assertEquals(await exportAs("ada", "192.0.2.3"), [202, '"address";r=9, "user";r=0', false]);
    assertEquals(await exportAs("ada", "192.0.2.4"), [429, '"address";r=9, "user";r=0', true]);
    assertEquals(await exportAs("bob", "192.0.2.4"), [202, '"address";r=8, "user";r=2', false]);
    for (let left = 7; left >= 0; left--) {
      assertEquals(await exportAs("eve", "192.0.2.4"), [401, `"address";r=${left}`, false]);
    }
    assertEquals(await exportAs("bob", "192.0.2.4"), [429, '"address";r=0', true]);
    assertEquals(await status("192.0.2.4"), 429);
  });

  it("the recipe rate_limit responds with 503 if its database does not", async () => {
    const { error } = console;
    const logged: unknown[] = [];
    const sql = postgres(`postgres://ada@127.0.0.1:${freePort()}/ada`, { max: 1 });
    console.error = (...args) => logged.push(args[0]);
    try {
      await using served = serveBehindProxy(rateLimitStore(sql));
      assertEquals(await served.ask("192.0.2.1"), [503, null, true]);
      assertEquals(await served.exportAs("ada", "192.0.2.1"), [503, null, true]);
      assertEquals(logged, Array(2).fill("The store of the rate limits failed:"));
    } finally {
      console.error = error;
      await sql.end({ timeout: 0 });
    }
  });
});

describe("addressOf()", () => {
  it("addressOf() reads what each server passes, and nothing of a connection without an address", async () => {
    const c = await contextOf("/", new Request("http://localhost/"));
    const server = {
      address: "192.0.2.1",
      requestIP() {
        return this;
      },
    };
    const known = [{ remoteAddr: { hostname: "192.0.2.1" } }, server, {
      incoming: { socket: { remoteAddress: "192.0.2.1" } },
    }];
    for (const connection of known) assertEquals(addressOf(c, connection), "192.0.2.1");
    const unknown = [undefined, {}, { remoteAddr: { transport: "unix" } }, { requestIP: () => null }];
    for (const connection of [...unknown, { incoming: { socket: { remoteAddress: undefined } } }]) {
      assertEquals(addressOf(c, connection), undefined);
    }
  });
});
