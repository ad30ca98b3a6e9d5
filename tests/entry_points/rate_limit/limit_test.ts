import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { type App, beforeBody, type Context, reply, route, setup } from "../../../mod.ts";
import { limit, type LimitOptions, type RateLimitStore, type Taken } from "../../../src/rate_limit/mod.ts";
import { rateLimitStore } from "../../../src/memory/mod.ts";
import { request } from "../../support/request.ts";

type Options = LimitOptions<{ readonly user: string }, [], Response, Response>;
type User = Context<{ readonly user: string }>;

const clock = { time: 0 };
const now = performance.now;

function makeLimit(options: Partial<Options> = {}) {
  return limit({
    name: "user",
    quota: 3,
    window: 60,
    key: (c: User) => c.locals.user,
    store: rateLimitStore({ most: 100 }),
    refuse: () => reply(429, { error: "Too many requests" }),
    whenStoreFails: (error) => {
      throw error;
    },
    ...options,
  });
}

/** An app whose only route has these guards. The user is that of the header `user`. */
function serve(...limits: readonly ReturnType<typeof makeLimit>[]): App {
  return setup({
    onRequest: ({ request }) => ({ user: request.headers.get("user") ?? "ada" }),
    handlers: [
      route.with<{ user: string }>().post("/", {
        guards: limits.map((limit) => beforeBody(limit)),
        resolve: () => reply(204),
      }),
    ],
  });
}

async function ask(app: App, user = "ada"): Promise<Response> {
  return await app.fetch(request("/", { method: "POST", body: "{}", headers: { user: encodeURI(user) } }));
}

async function headersOf(app: App, user?: string): Promise<readonly unknown[]> {
  const { status, headers } = await ask(app, user);
  return [status, ...["ratelimit-policy", "ratelimit", "retry-after"].map((name) => headers.get(name))];
}

const POLICY = '"user";q=3;w=60';

describe("limit()", () => {
  beforeEach(() => {
    clock.time = 1_000_000;
    performance.now = () => clock.time;
  });
  afterEach(() => {
    performance.now = now;
  });

  it("lets in the quota, then denies, and says on each response what is left", async () => {
    const app = serve(makeLimit());
    assertEquals(await headersOf(app), [204, POLICY, '"user";r=2;t=20', null]);
    assertEquals(await headersOf(app), [204, POLICY, '"user";r=1;t=20', null]);
    clock.time += 5000;
    assertEquals(await headersOf(app), [204, POLICY, '"user";r=0;t=15', null]);
    assertEquals(await headersOf(app), [429, POLICY, '"user";r=0;t=15', "15"]);
    clock.time += 14_999;
    assertEquals(await headersOf(app), [429, POLICY, '"user";r=0;t=1', "1"]);
    clock.time += 1;
    assertEquals(await headersOf(app), [204, POLICY, '"user";r=0;t=20', null]);
    clock.time += 60_000;
    assertEquals(await headersOf(app), [204, POLICY, '"user";r=2;t=20', null]);
  });

  it("denies in the application's format, before the body is read", async () => {
    const app = serve(makeLimit({
      quota: 1,
      refuse: (c, { name, quota, window, remaining, next }) =>
        Response.json({ type: "about:blank", user: c.locals.user, name, quota, window, remaining, next }, {
          status: 503,
          headers: { "content-type": "application/problem+json", "retry-after": "99" },
        }),
    }));
    await ask(app);
    const refused = request("/", { method: "POST", body: "{}" });
    const response = await app.fetch(refused);
    assertEquals(response.status, 503);
    assertEquals(response.headers.get("content-type"), "application/problem+json");
    assertEquals(response.headers.get("retry-after"), "99"); // the response's own value
    assertEquals(response.headers.get("ratelimit"), '"user";r=0;t=60');
    const expected = { user: "ada", name: "user", quota: 1, window: 60, remaining: 0, next: 60 };
    assertEquals(await response.json(), { type: "about:blank", ...expected });
    assertEquals(refused.bodyUsed, false);
  });

  it("adds its headers to a denial whose own headers cannot be changed", async () => {
    const app = serve(makeLimit({ quota: 1, refuse: () => Response.redirect("http://localhost/slow", 303) }));
    await ask(app);
    assertEquals(await headersOf(app), [303, '"user";q=1;w=60', '"user";r=0;t=60', "60"]);
  });

  it("counts each key for itself, in a store that several limits share", async () => {
    const store = rateLimitStore({ most: 100 });
    const [first, second] = [serve(makeLimit({ store })), serve(makeLimit({ store, name: "other" }))];
    await ask(first);
    assertEquals((await headersOf(first, "bob"))[2], '"user";r=2;t=20');
    assertEquals((await headersOf(first))[2], '"user";r=1;t=20');
    assertEquals((await headersOf(second))[2], '"other";r=2;t=20');
    assertEquals((await headersOf(serve(makeLimit({ store }))))[2], '"user";r=0;t=20'); // the same limit
    assertEquals((await headersOf(serve(makeLimit({ store, quota: 4 }))))[2], '"user";r=3;t=15');
    assertEquals((await headersOf(serve(makeLimit({ store, window: 61 }))))[2], '"user";r=2;t=21');
  });

  it("names each policy of several limits on one route, and only those that the request has come to", async () => {
    const app = serve(makeLimit({ name: "burst", quota: 600 }), makeLimit({ name: "hour", quota: 2, window: 3600 }));
    const policy = '"burst";q=600;w=60, "hour";q=2;w=3600';
    assertEquals(await headersOf(app), [204, policy, '"burst";r=599;t=1, "hour";r=1;t=1800', null]);
    assertEquals(await headersOf(app), [204, policy, '"burst";r=598;t=1, "hour";r=0;t=1800', null]);
    assertEquals(await headersOf(app), [429, policy, '"burst";r=597;t=1, "hour";r=0;t=1800', "1800"]);
    const first = serve(makeLimit({ name: "hour", quota: 1, window: 3600 }), makeLimit({ name: "burst", quota: 600 }));
    await ask(first);
    assertEquals(await headersOf(first), [429, '"hour";q=1;w=3600', '"hour";r=0;t=3600', "3600"]);
  });

  it("has headers on a later denial, and on the response to an error", async () => {
    const app = setup({
      handlers: [
        route.get("/denied", { guards: [limitAll(), () => ({ deny: reply(403) })], resolve: () => reply(204) }),
        route.get("/broken", {
          guards: [limitAll()],
          resolve: () => {
            throw new Error("broken");
          },
        }),
      ],
      onError: () => reply(500),
    });
    for (const [path, status] of [["/denied", 403], ["/broken", 500]] as const) {
      const response = await app.fetch(request(path));
      assertEquals([response.status, response.headers.get("ratelimit")], [status, '"all";r=2;t=20']);
    }
  });

  function limitAll() {
    return limit({
      name: "all",
      quota: 3,
      window: 60,
      key: () => "all",
      store: rateLimitStore({ most: 1 }),
      refuse: () => reply(429),
      whenStoreFails: () => undefined,
    });
  }

  it("has no more left than the quota, however short the window is for each request", async () => {
    for (const [quota, window] of [[5000, 1], [1e9, 1], [1e9, 31_536_000], [1, 1], [7, 3], [3, 31_536_000]] as const) {
      const app = serve(makeLimit({ quota, window }));
      for (let turn = 1; turn <= Math.min(quota, 3); turn++) {
        const [, , left = ""] = await headersOf(app);
        const next = Math.max(Math.ceil(window / quota), 1);
        assertEquals(left, `"user";r=${quota - turn};t=${next}`);
      }
    }
  });

  it("gives each request of a quota back, though fractions are not exact", async () => {
    for (const [quota, window] of [[3, 10], [7, 60], [10, 1], [49, 60], [600, 7]] as const) {
      const app = serve(makeLimit({ quota, window }));
      const statuses = async (count: number) =>
        (await Promise.all(Array.from({ length: count }, () => ask(app)))).map(({ status }) => status);
      assertEquals((await statuses(quota + 1)).filter((status) => status === 204).length, quota);
      for (let turn = 0; turn < 5; turn++) {
        clock.time += Math.ceil(window * 1000 / quota);
        assertEquals((await statuses(2))[0], 204, `${quota} in ${window}`);
      }
      clock.time += window * 1000;
      assertEquals((await statuses(quota + 1)).filter((status) => status === 204).length, quota);
    }
  });

  it("adds what is left to the locals", async () => {
    const app = setup({
      handlers: [route.get("/", { guards: [limitAll(), limitAll()], resolve: (c) => reply(200, c.locals.rateLimits) })],
    });
    const left = { name: "all", quota: 3, window: 60, remaining: 2, next: 20 };
    assertEquals(await (await app.fetch(request("/"))).json(), [left, left]);
  });

  it("stores no key that a client has made long, or of characters that a database does not take", async () => {
    const keys: string[] = [];
    const store = rateLimitStore({ most: 100 });
    const recording: RateLimitStore = { take: (key, quota) => (keys.push(key), store.take(key, quota)) };
    const users = ["ada", "x".repeat(100), "x".repeat(101), "x".repeat(10_000), "\0", "a b", "é", "e\u0301", ""];
    for (const user of [...users, "\n", "__proto__"]) {
      const app = serve(makeLimit({ store: recording, key: () => user }));
      assertEquals([user, (await headersOf(app))[2]], [user, '"user";r=2;t=20']);
      assertEquals([user, (await headersOf(app))[2]], [user, '"user";r=1;t=20']);
    }
    assertEquals(new Set(keys).size, users.length + 2);
    for (const key of keys) assert(/^[ -~]{1,250}$/.test(key), key);
    assertEquals(keys[0], '"user";q=3;w=60 ada');
  });

  it("lets the application choose what happens if the store fails", async () => {
    const error = new Error("down");
    const stores: RateLimitStore[] = [
      { take: () => Promise.reject(error) },
      {
        take() {
          throw error;
        },
      },
    ];
    for (const store of stores) {
      const seen: unknown[] = [];
      const open = serve(makeLimit({
        store,
        whenStoreFails(failure, c) {
          seen.push(failure, c.locals.user);
        },
      }));
      assertEquals(await headersOf(open, "bob"), [204, null, null, null]);
      assertEquals(seen, [error, "bob"]);
      const bare = setup({
        handlers: [route.get("/", { guards: [withoutStore(store)], resolve: (c) => reply(200, c.locals.rateLimits) })],
      });
      assertEquals(await (await bare.fetch(request("/"))).json(), []);
      const closed = serve(makeLimit({ store, whenStoreFails: () => reply(503, { error: "Try again" }) }));
      assertEquals(await headersOf(closed), [503, null, null, null]);
      await assertRejects(async () => await ask(serve(makeLimit({ store }))), Error, "down");
    }
  });

  it("awaits the application's answers, so that none of them rejects unhandled", async () => {
    const store: RateLimitStore = { take: () => Promise.reject(new Error("down")) };
    const later = (status: number) => (async () => await Promise.resolve(reply(status))) as never;
    assertEquals((await ask(serve(makeLimit({ store, whenStoreFails: later(503) })))).status, 503);
    assertEquals((await ask(serve(makeLimit({ store, whenStoreFails: (async () => {}) as never })))).status, 204);
    const denying = serve(makeLimit({ quota: 1, refuse: later(429) }));
    assertEquals([(await ask(denying)).status, (await ask(denying)).status], [204, 429]);
    const rejects = (() => Promise.reject(new Error("broken"))) as never;
    await assertRejects(() => ask(serve(makeLimit({ store, whenStoreFails: rejects }))), Error, "broken");
    const broken = serve(makeLimit({ quota: 1, refuse: rejects }));
    await ask(broken);
    await assertRejects(() => ask(broken), Error, "broken");
  });

  function withoutStore(store: RateLimitStore) {
    const refuse = () => reply(429);
    return limit({ name: "all", quota: 3, window: 60, key: () => "", store, refuse, whenStoreFails: () => undefined });
  }

  it("takes what a store says at its bounds", async () => {
    const saying = (taken: Taken) => headersOf(serve(makeLimit({ store: { take: () => taken } })));
    assertEquals((await saying({ allowed: true, missing: 0 }))[2], '"user";r=3;t=20');
    assertEquals((await saying({ allowed: true, missing: 3 }))[2], '"user";r=0;t=20');
    assertEquals((await saying({ allowed: false, missing: 3 }))[2], '"user";r=0;t=20');
    assertEquals((await saying({ allowed: false, missing: 2.05 }))[2], '"user";r=0;t=1');
    assertEquals((await saying({ allowed: false, missing: 0 }))[2], '"user";r=0;t=1');
  });

  it("keeps the headers of other limits if the store of one fails", async () => {
    const store: RateLimitStore = { take: () => Promise.reject(new Error("down")) };
    const failing = makeLimit({ name: "failing", store, whenStoreFails: () => undefined });
    const app = serve(makeLimit({ name: "first" }), failing, makeLimit({ name: "last" }));
    const policy = '"first";q=3;w=60, "last";q=3;w=60';
    assertEquals(await headersOf(app), [204, policy, '"first";r=2;t=20, "last";r=2;t=20', null]);
  });

  it("fails for a store or a key of another type, and asks nobody what to do then", async () => {
    const wrong: unknown[] = [
      undefined,
      null,
      [],
      {},
      { allowed: true },
      { allowed: 1, missing: 1 },
      { allowed: true, missing: "1" },
      { allowed: true, missing: NaN },
      { allowed: true, missing: -1 },
      { allowed: false, missing: 3.5 },
    ];
    for (const taken of wrong) {
      const store: RateLimitStore = { take: () => taken as Taken };
      await assertRejects(
        async () => await ask(serve(makeLimit({ store, whenStoreFails: () => undefined }))),
        TypeError,
        'Result of the store of limit "user" must be { allowed, missing }',
      );
    }
    for (const key of [undefined, null, 5, {}, Promise.resolve("ada")]) {
      await assertRejects(
        async () => await ask(serve(makeLimit({ key: () => key as string, whenStoreFails: () => undefined }))),
        TypeError,
        'Key of limit "user" must be a string: received',
      );
    }
  });

  it("takes no limits of a prototype for those of the request", async () => {
    const guard = makeLimit();
    const locals = Object.create({ rateLimits: [{ name: "evil", quota: 1, window: 1, remaining: 1, next: 1 }] });
    const raw = { params: {}, query: {}, body: undefined };
    const c = { request: request("/"), raw, input: { ok: true }, route: { method: "GET", path: "/" } } as const;
    const result = await guard({ ...c, locals: Object.assign(locals, { user: "ada" }) });
    assertEquals("headers" in result && result.headers, { "ratelimit-policy": POLICY, ratelimit: '"user";r=2;t=20' });
  });

  it("takes no other value of the local for limits", async () => {
    const guard = makeLimit();
    const app = setup({
      onRequest: () => ({ user: "ada", rateLimits: undefined }),
      handlers: [route.with<{ user: string }>().get("/", { guards: [guard], resolve: () => reply(204) })],
    });
    assertEquals((await app.fetch(request("/"))).headers.get("ratelimit"), '"user";r=2;t=20');
  });

  it("throws for options that are missing, unknown or out of their bounds", () => {
    const changed = (change: object) => () => makeLimit(change);
    assertThrows(() => limit(undefined as unknown as Options), TypeError, "Options of limit must be an object");
    assertThrows(changed({ qouta: 5 }), TypeError, 'Option "qouta" of limit is unknown');
    for (const name of ["", "a b", 'a"', "a,b", "a;b", "é", "a\n", "x".repeat(51), 5, null]) {
      assertThrows(changed({ name }), TypeError, "Option name of limit must be 1 to 50 letters, digits, dots");
    }
    for (const name of ["a", "A-z_0.9", "x".repeat(50)]) makeLimit({ name });
    const bounds = [["quota", 1e9], ["window", 31_536_000]] as const;
    for (const [key, most] of bounds) {
      for (const value of [0, -1, most + 1, 1.5, NaN, "5", null]) {
        const message = `Option ${key} of limit must be a whole number from 1 to ${most}: received ${value}`;
        assertThrows(changed({ [key]: value }), TypeError, message);
      }
      makeLimit({ [key]: most });
    }
    assertThrows(
      changed({ window: 900_000 }),
      TypeError,
      "Option window of limit must be seconds, and beyond a week whole days (a multiple of 86400): received 900000. If these are milliseconds, write 900",
    );
    for (const key of ["key", "refuse", "whenStoreFails"]) {
      assertThrows(changed({ [key]: {} }), TypeError, `Option ${key} of limit must be a function: received an object`);
      assertThrows(changed({ [key]: undefined }), TypeError, `Option "${key}" of limit is undefined`);
    }
    for (const store of [null, {}, 5]) {
      assertThrows(changed({ store }), TypeError, "Option store of limit must be a store of rate limits");
    }
    const { name: _, ...withoutName } = { name: "", quota: 1, window: 1 };
    assertThrows(() => limit(withoutName as unknown as Options), TypeError, "Option name of limit must be");
  });
});
