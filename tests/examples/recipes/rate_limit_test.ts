import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import { createBuckets, type Taken } from "../../../examples/recipes/rate_limit/bucket.ts";
import { clientAddress } from "../../../examples/recipes/rate_limit/client_address.ts";
import { granted, serveWhile } from "../serve.ts";
import { serveApp } from "./serve_app.ts";

const EXAMPLE = "examples/recipes/rate_limit.ts";

/** Reads what a response says of the limit. */
async function read(response: Response) {
  await response.body?.cancel();
  const { headers, status } = response;
  return [status, headers.get("ratelimit"), headers.get("retry-after")];
}

(granted("net", "read", "run") ? describe : describe.skip)(EXAMPLE, () => {
  it("is served by its first line, and limits each client to ten requests", async () => {
    await serveWhile(EXAMPLE, {}, async ({ origin }) => {
      for (let left = 9; left >= 0; left--) {
        const response = await fetch(`${origin}/search`);
        assertEquals(response.headers.get("ratelimit-policy"), '"address";q=10;w=60');
        const [status, limit, retry] = await read(response);
        assert(String(limit).startsWith(`"address";r=${left};t=`), String(limit));
        assertEquals([status, retry], [200, null]);
      }
      assertEquals((await read(await fetch(`${origin}/search`)))[0], 429);
      // A header that any client can send makes nobody another client.
      const forwarded = await fetch(`${origin}/search`, { headers: { "x-forwarded-for": "1.2.3.4" } });
      assertEquals((await read(forwarded))[0], 429);
      assertEquals(await read(await fetch(`${origin}/health`)), [200, null, null]);
    });
  });

  it("tells after how many seconds there is one more request", async () => {
    let time = Date.parse("2026-01-01T00:00:00.123Z");
    const limit = { quota: 3, window: 60 };
    await using served = serveApp(createApp(limit, createBuckets(limit, () => time)));
    const ask = async () => await read(await fetch(`${served.origin}/search`));

    assertEquals(await ask(), [200, '"address";r=2;t=20', null]);
    time += 5_000;
    assertEquals(await ask(), [200, '"address";r=1;t=15', null]);
    assertEquals(await ask(), [200, '"address";r=0;t=15', null]);
    const refused = await fetch(`${served.origin}/search`);
    assertEquals(refused.headers.get("ratelimit-policy"), '"address";q=3;w=60');
    assertEquals(await read(refused), [429, '"address";r=0;t=15', "15"]);
    time += 14_990;
    assertEquals(await ask(), [429, '"address";r=0;t=1', "1"]);
    time += 10;
    assertEquals(await ask(), [200, '"address";r=0;t=20', null]);
    time += 1e9;
    assertEquals(await ask(), [200, '"address";r=2;t=20', null]);
  });
});

describe("a token bucket in memory", () => {
  const allowed = (taken: Taken | Promise<Taken>) => "allowed" in taken && taken.allowed;

  it("gives the whole quota at once, and no more, whatever fractions it has to add", () => {
    for (
      const limit of [{ quota: 1, window: 1 }, { quota: 6, window: 1 }, { quota: 7, window: 10 }, {
        quota: 7,
        window: 60,
      }, {
        quota: 999,
        window: 3600,
      }]
    ) {
      const take = createBuckets(limit, () => 1_767_225_600_123);
      const taken = Array.from({ length: limit.quota + 5 }, () => take("key"));
      assertEquals(taken.filter(allowed).length, limit.quota);
      assert(taken.slice(0, limit.quota).every(allowed));
    }
  });

  it("never gives more than the quota and what has come back since", () => {
    let time = 0;
    const limit = { quota: 10, window: 60 };
    const take = createBuckets(limit, () => time);
    let count = 0;
    for (; time < 600_000; time += 100) if (allowed(take("key"))) count++;
    assertEquals(count, 10 + 600 / 6 - 1);
  });

  it("keeps the keys apart, and forgets the one that asked least recently", () => {
    const take = createBuckets({ quota: 1, window: 60 }, () => 0, 2);
    const ask = (...keys: string[]) => keys.map((key) => allowed(take(key)));
    assertEquals(ask("a", "b", "a", "b"), [true, true, false, false]);
    assertEquals(ask("a", "c", "a", "b"), [false, true, false, true]);
  });
});

describe("the address of a client", () => {
  const find = (forwarded: string | undefined, proxies?: number) =>
    clientAddress(
      new Request("http://localhost", { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }),
      "10.0.0.1",
      proxies,
    );

  it("is that of the connection, whatever the client says, unless there are proxies", () => {
    for (const forwarded of [undefined, "", "1.2.3.4", "1.2.3.4, 5.6.7.8"]) assertEquals(find(forwarded), "10.0.0.1");
  });

  it("is what the first of our proxies has appended, whatever the client has sent before", () => {
    assertEquals(find("1.2.3.4", 1), "1.2.3.4");
    assertEquals(find("9.9.9.9, 1.2.3.4", 1), "1.2.3.4");
    assertEquals(find("9.9.9.9,1.2.3.4 ,10.0.0.2", 2), "1.2.3.4");
    // Who goes around the proxies has the address of the connection.
    assertEquals([find(undefined, 1), find("1.2.3.4", 2)], ["10.0.0.1", "10.0.0.1"]);
    assertEquals(find("x".repeat(5000), 1).length, 45);
  });

  it("is the network of 64 bits in IPv6, however it is written", () => {
    for (
      const [one, other, same] of [
        ["2001:db8::1", "2001:0DB8:0:0:ffff:ffff:ffff:ffff", true],
        ["2001:db8:0:1::1", "2001:db8::1", false],
        ["::1", "0:0::2", true],
        ["::ffff:1.2.3.4", "1.2.3.4", true],
        ["::ffff:1.2.3.4", "::ffff:1.2.3.5", false],
      ] as const
    ) {
      assertEquals(find(one, 1) === find(other, 1), same, `${one} ${other}`);
    }
  });
});
