import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createApp } from "../../../examples/recipes/rate_limit.ts";
import { createBuckets, type Taken } from "../../../examples/recipes/rate_limit/bucket.ts";
import { createClientAddress } from "../../../examples/recipes/rate_limit/client_address.ts";
import { clientOf } from "../../../examples/recipes/rate_limit/client_of.ts";
import { granted, serve, serveWhile } from "../serve.ts";
import { serveApp } from "./serve_app.ts";

const EXAMPLE = "examples/recipes/rate_limit.ts";

/** Reads what a response says of the limit. */
async function read(response: Response) {
  await response.body?.cancel();
  const { headers, status } = response;
  return [status, headers.get("ratelimit"), headers.get("retry-after")];
}

(granted("net", "read", "run") ? describe : describe.skip)(EXAMPLE, () => {
  it("the recipe rate_limit is served by its first line, and limits each client to ten requests", async () => {
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

  it("the recipe rate_limit counts a client behind a proxy once, whatever the port that the proxy appends", async () => {
    await serveWhile(EXAMPLE, { env: { PROXIES: "1" } }, async ({ origin }) => {
      const ask = async (forwarded: string) => {
        const response = await fetch(`${origin}/search`, { headers: { "x-forwarded-for": forwarded } });
        return (await read(response))[0];
      };
      for (let port = 1; port <= 10; port++) assertEquals(await ask(`9.9.9.${port}, 1.2.3.4:${port}`), 200);
      assertEquals([await ask("1.2.3.4:99"), await ask("1.2.3.4"), await ask("1.2.3.5:1")], [429, 429, 200]);
      for (let port = 1; port <= 10; port++) assertEquals(await ask(`[2001:db8::${port}]:${port}`), 200);
      assertEquals([await ask("[2001:db8::99]:99"), await ask("[2001:db9::1]:1")], [429, 200]);
      for (let turn = 1; turn <= 10; turn++) assertEquals(await ask(`_${crypto.randomUUID()}`), 200);
      assertEquals(await ask(`_${crypto.randomUUID()}`), 429);
    });
  });

  it("the recipe rate_limit does not start with a PROXIES that is no whole number", async () => {
    for (const PROXIES of ["", "-1", "1.5", "0x1", "one"]) {
      const message = await serve(EXAMPLE, { env: { PROXIES } }).then(
        (started) => started.stop().then(() => "It has started"),
        (error: unknown) => String(error),
      );
      assertMatch(message, /PROXIES must be a whole number/);
    }
  });

  it("the recipe rate_limit tells after how many seconds there is one more request", async () => {
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

describe("clientOf() of examples/recipes/rate_limit/", () => {
  const ip = (address: string) => ({ requestIP: () => ({ address, port: 5 }) });
  const request = new Request("http://localhost/search");

  it("clientOf() reads what each server passes, and what a test has made up", () => {
    const client = { address: "192.0.2.1", connection: "192.0.2.1 5" };
    assertEquals(clientOf(request, { remoteAddr: { hostname: "192.0.2.1", port: 5 } }), client);
    assertEquals(clientOf(request, ip("192.0.2.1")), client);
    const socket = { remoteAddress: "::ffff:192.0.2.1", remotePort: 5 };
    assertEquals(clientOf(request, { incoming: { socket } }), { ...client, connection: "::ffff:192.0.2.1 5" });
    assertEquals(clientOf(request, ip("2001:db8::1")).address, clientOf(request, ip("2001:db8::2")).address);
  });

  it("clientOf() takes all clients for one whose connection is unknown", () => {
    const unknown = [undefined, {}, { remoteAddr: { path: "/run/app.sock" } }, { requestIP: () => null }];
    for (const connection of [...unknown, { incoming: { socket: { remoteAddress: undefined } } }]) {
      assertEquals(clientOf(request, connection), { address: "" });
    }
  });

  it("limitRequests() takes a made-up connection, or none", async () => {
    const limit = { quota: 1, window: 60 };
    const app = createApp(limit, createBuckets(limit));
    const statuses: number[] = [];
    for (const connection of [ip("192.0.2.1"), ip("192.0.2.2"), ip("192.0.2.1"), undefined, undefined]) {
      statuses.push((await app.fetch(request, connection)).status);
    }
    assertEquals(statuses, [200, 200, 429, 200, 429]);
  });
});

describe("a token bucket in memory", () => {
  const allowed = (taken: Taken | Promise<Taken>) => "allowed" in taken && taken.allowed;

  it("a token bucket in memory gives the whole quota at once, and no more, whatever fractions it has to add", () => {
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

  it("a token bucket in memory never gives more than the quota and what has come back since", () => {
    let time = 0;
    const limit = { quota: 10, window: 60 };
    const take = createBuckets(limit, () => time);
    let count = 0;
    for (; time < 600_000; time += 100) if (allowed(take("key"))) count++;
    assertEquals(count, 10 + 600 / 6 - 1);
  });

  it("a token bucket in memory lets nobody wait longer than the window if the clock goes back", () => {
    let time = 1e12;
    const limit = { quota: 3, window: 60 };
    const take = createBuckets(limit, () => time);
    const ask = () => take("key") as Taken;
    for (let turn = 0; turn < 5; turn++) ask();
    time -= 3_600_000;
    assertEquals(ask(), { allowed: false, remaining: 0, next: 20 });
    time += 20_000;
    assertEquals(ask(), { allowed: true, remaining: 0, next: 20 });
    assertEquals(ask().allowed, false);
    time += 60_000;
    assertEquals([ask(), ask(), ask(), ask()].map(allowed), [true, true, true, false]);
  });

  it("a token bucket in memory gives no token back when somebody sets the clock", () => {
    const { now } = Date;
    let shift = 0;
    Date.now = () => now() + shift;
    try {
      const take = createBuckets({ quota: 1, window: 3600 });
      assertEquals(allowed(take("key")), true);
      for (shift of [7_200_000, -7_200_000]) assertEquals(allowed(take("key")), false);
    } finally {
      Date.now = now;
    }
  });

  it("a token bucket in memory keeps the keys apart, and forgets the one that asked least recently", () => {
    const take = createBuckets({ quota: 1, window: 60 }, () => 0, 2);
    const ask = (...keys: string[]) => keys.map((key) => allowed(take(key)));
    assertEquals(ask("a", "b", "a", "b"), [true, true, false, false]);
    assertEquals(ask("a", "c", "a", "b"), [false, true, false, true]);
  });
});

describe("the address of a client", () => {
  const find = (forwarded: string | undefined, proxies: number | string = 0) =>
    createClientAddress(proxies)(
      new Request("http://localhost", { headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }),
      "10.0.0.1",
    );

  it("the address of a client is that of the connection, whatever the client says, unless there are proxies", () => {
    for (const forwarded of [undefined, "", "1.2.3.4", "1.2.3.4, 5.6.7.8"]) assertEquals(find(forwarded), "10.0.0.1");
  });

  it("the address of a client is what the first of our proxies has appended, whatever the client has sent before", () => {
    assertEquals(find("1.2.3.4", 1), "1.2.3.4");
    assertEquals(find("9.9.9.9, 1.2.3.4", 1), "1.2.3.4");
    assertEquals(find("9.9.9.9,1.2.3.4 ,10.0.0.2", "2"), "1.2.3.4");
    // Who goes around the proxies has the address of the connection.
    assertEquals([find(undefined, 1), find("1.2.3.4", 2)], ["10.0.0.1", "10.0.0.1"]);
  });

  it("the address of a client has no port, and no brackets", () => {
    const spellings = ["1.2.3.4:1", "1.2.3.4:65535", "::ffff:1.2.3.4", "[::ffff:1.2.3.4]:80", "[::ffff:102:304]"];
    for (const spelling of spellings) assertEquals(find(`9.9.9.9, ${spelling}`, 1), "1.2.3.4", spelling);
    const network = find("2001:db8:1:2:3:4:5:6", 1);
    for (
      const spelling of [
        "[2001:db8:1:2:3:4:5:6]",
        "[2001:db8:1:2:3:4:5:6]:443",
        "[2001:DB8:1:2::]:1",
        "2001:0db8:1:2::9",
        "2001:db8:1:2:3:4:5:6:443",
        "2001:db8:1:2:3:4:5:6%eth0",
        "[2001:db8:1:2:3:4:1.2.3.4]:1",
      ]
    ) {
      assertEquals(find(spelling, 1), network, spelling);
    }
  });

  it("the address of a client is that of the connection where the proxy writes no address", () => {
    const others = [
      "unknown",
      "_hidden",
      "_7f3a:80",
      '"1.2.3.4"',
      "1.2.3",
      "1.2.3.4.5",
      "01.2.3.4",
      "0x1.2.3.4",
      "1.2.3.4:x",
    ];
    for (
      const other of [
        ...others,
        "",
        "[]",
        "[1",
        "::1]",
        "1.2.3.4 5.6.7.8",
        "for=1.2.3.4",
        "x".repeat(5000),
        "::g",
        "[::1]x",
      ]
    ) {
      assertEquals(find(`9.9.9.9, ${other}`, 1), "10.0.0.1", other);
    }
  });

  it("the address of a client is the network of 64 bits in IPv6, however it is written", () => {
    for (
      const [one, other, same] of [
        ["2001:db8::1", "2001:0DB8:0:0:ffff:ffff:ffff:ffff", true],
        ["2001:db8:0:1::1", "2001:db8::1", false],
        ["::1", "0:0::2", true],
        ["::ffff:1.2.3.4", "1.2.3.4", true],
        ["0:0:0:0:0:ffff:0102:0304", "1.2.3.4", true],
        ["::ffff:1.2.3.4", "::ffff:1.2.3.5", false],
        ["::fffe:1.2.3.4", "::2", true],
      ] as const
    ) {
      assertEquals(find(one, 1) === find(other, 1), same, `${one} ${other}`);
    }
  });

  it("the address of a client needs a whole number of proxies", () => {
    for (
      const proxies of [NaN, -1, 1.5, Infinity, 1e21, "", " ", "x", "-1", "+1", "1.5", "0x1", "1e1", " 1", "1\n", "١"]
    ) {
      assertThrows(() => createClientAddress(proxies), TypeError, "PROXIES must be a whole number", String(proxies));
      assertThrows(
        () => createApp({ quota: 1, window: 1 }, createBuckets({ quota: 1, window: 1 }), proxies),
        TypeError,
      );
    }
  });
});
