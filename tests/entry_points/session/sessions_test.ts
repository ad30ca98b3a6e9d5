import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { allow, type App, reply, route, setup } from "../../../mod.ts";
import { z } from "zod";
import {
  type BeginSession,
  createSessions,
  ownPages,
  type SessionsOptions,
  type SessionStore,
  type StoredSession,
} from "../../../src/session/mod.ts";
import { sessionStore } from "../../../src/memory/mod.ts";
import { request } from "../../support/request.ts";

const refuse = () => reply(401, { error: "Sign in" });
const ownPage = ownPages({ origins: [], refuse: () => reply(403, { error: "Cross-site request" }) });
const OWN = { "sec-fetch-site": "same-origin" };

/** Options without a store. */
const GOOD = { idle: 360, absolute: 3600, perUser: 3, refuse };

const clock = { time: 0 };
const { now } = Date;

/** An app with sessions of a tenth of an hour, and of an hour at most. */
function serve(options: Partial<SessionsOptions<ReturnType<typeof refuse>>> = {}) {
  const store = options.store ?? sessionStore({ most: 100 });
  const sessions = createSessions({
    idle: 360,
    absolute: 3600,
    perUser: 3,
    refuse,
    ...options,
    store,
  });
  const app = setup({
    handlers: [
      route.post("/sign-in/:user", {
        guards: [ownPage],
        resolve: async (c) =>
          reply(204, undefined, { headers: { ...await sessions.begin(c.request, c.raw.params.user) } }),
      }),
      route.post("/sign-out", {
        guards: [ownPage, sessions.writing],
        resolve: async (c) => reply(204, undefined, { headers: { ...await sessions.end(c.request) } }),
      }),
      route.post("/others", {
        guards: [ownPage, sessions.writing],
        resolve: async (c) => {
          await sessions.endOthers(c.request, c.locals.session.user);
          return reply(204);
        },
      }),
      route.all("/me", { guards: [sessions.reading], resolve: (c) => reply(200, c.locals.session) }),
      route.post("/write", { guards: [ownPage, sessions.writing], resolve: (c) => reply(200, c.locals.session.user) }),
    ],
  });
  return { app, sessions };
}

async function post(app: App, path: string, cookie = ""): Promise<Response> {
  return await app.fetch(request(path, { method: "POST", headers: { ...OWN, cookie } }));
}

/** The pair of the cookie that a response sets. */
function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function signIn(app: App, user = "ada", cookie?: string): Promise<string> {
  return cookieOf(await post(app, `/sign-in/${user}`, cookie));
}

async function me(app: App, cookie: string): Promise<Response> {
  return await app.fetch(request("/me", { headers: { cookie } }));
}

/** The user of a cookie, or the status of the denial. */
async function userOf(app: App, cookie: string): Promise<unknown> {
  const response = await me(app, cookie);
  return response.ok ? (await response.json()).user : response.status;
}

describe("createSessions()", () => {
  beforeEach(() => {
    clock.time = 1_000_000;
    Date.now = () => clock.time;
  });
  afterEach(() => {
    Date.now = now;
  });

  it("begins a session, which the guards add to the locals", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    clock.time += 1000;
    assertEquals(await (await me(app, cookie)).json(), { user: "ada", begunAt: 1_000_000 });
    assertEquals(await (await post(app, "/write", cookie)).json(), "ada");
  });

  it("sends a cookie for this host alone, which no script reads, as long as the session lasts", async () => {
    const { app } = serve();
    const response = await post(app, "/sign-in/ada");
    assertMatch(
      response.headers.get("set-cookie") ?? "",
      /^__Host-session=[\da-f]{64}; Max-Age=360; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
  });

  it("names the cookie as the application says", async () => {
    const { app } = serve({ cookie: "my-id_2" });
    const cookie = await signIn(app);
    assertMatch(cookie, /^__Host-my-id_2=[\da-f]{64}$/);
    assertEquals([await userOf(app, cookie), await userOf(app, cookie.replace("my-id_2", "session"))], ["ada", 401]);
  });

  it("denies a request without a session in the application's format, and changes no cookie", async () => {
    const { app } = serve();
    const id = "a".repeat(64);
    for (const cookie of ["", `__Host-session=${id}`, `session=${id}`, `__Secure-session=${id}`, "__Host-session="]) {
      const response = await me(app, cookie);
      assertEquals([response.status, await response.json()], [401, { error: "Sign in" }]);
      assertEquals(response.headers.get("set-cookie"), null);
      assertEquals((await post(app, "/write", cookie)).status, 401);
    }
  });

  it("gives a new id at each sign-in, and ends the session that the browser had", async () => {
    const { app } = serve();
    const chosen = `__Host-session=${"a".repeat(64)}`;
    const first = await signIn(app, "ada", chosen);
    assert(first !== chosen);
    assertEquals(await userOf(app, chosen), 401);
    const second = await signIn(app, "bob", first);
    assert(second !== first);
    assertEquals([await userOf(app, first), await userOf(app, second)], [401, "bob"]);
  });

  it("CVE-2024-31999: a session that was ended cannot be used, and its cookie is forgotten", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    const response = await post(app, "/sign-out", cookie);
    assertEquals(
      response.headers.get("set-cookie"),
      "__Host-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax",
    );
    assertEquals([await userOf(app, cookie), (await post(app, "/write", cookie)).status], [401, 401]);
    assertEquals((await post(app, "/sign-out", cookie)).status, 401);
  });

  it("ends nothing for a request without a session", async () => {
    const { app, sessions } = serve();
    const cookie = await signIn(app);
    await sessions.end(request("/"));
    await sessions.end(request("/", { headers: { cookie: `${cookie}; ${cookie}` } }));
    assertEquals(await userOf(app, cookie), "ada");
  });

  it("CVE-2024-35220: ends a session on the server after idle seconds, though the client sends its cookie", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    clock.time += 360_000 - 1;
    assertEquals(await userOf(app, cookie), "ada"); // and renews it
    clock.time += 360_000 - 1;
    assertEquals(await userOf(app, cookie), "ada");
    clock.time += 360_000;
    assertEquals(await userOf(app, cookie), 401);
    clock.time -= 360_000;
    assertEquals(await userOf(app, cookie), "ada");
  });

  it("CVE-2024-35220: ends a session after absolute seconds, however often it is used", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    for (let minutes = 0; minutes < 59; minutes++) {
      clock.time += 60_000;
      assertEquals(await userOf(app, cookie), "ada");
    }
    clock.time += 60_000 - 1;
    assertEquals(await userOf(app, cookie), "ada");
    clock.time += 1;
    assertEquals(await userOf(app, cookie), 401);
  });

  it("ends a session after absolute seconds whatever the store says", async () => {
    const memory = sessionStore({ most: 10 });
    const records = { begunAt: 1_000_000, endsAt: 1e15 };
    for (
      const [change, user] of [
        [{}, "ada"],
        [{ begunAt: 1_000_000 - 3600_000 + 1 }, "ada"],
        [{ begunAt: 1_000_000 - 3600_000 }, 401],
        [{ endsAt: 1_000_001 }, "ada"],
        [{ endsAt: 1_000_000 }, 401],
        [{ endsAt: NaN }, 401],
        [{ begunAt: NaN }, 401],
        [{ endsAt: undefined }, 401],
        [{ begunAt: undefined }, 401],
        [{ user: undefined }, 401],
        [{ user: 5 }, 401],
      ] as const
    ) {
      const store: SessionStore = {
        ...memory,
        find: (digest) => ({ digest, user: "ada", ...records, ...change } as never),
        renew: () => true,
      };
      assertEquals([change, await userOf(serve({ store }).app, `__Host-session=${"a".repeat(64)}`)], [change, user]);
    }
  });

  it("renews a session and its cookie once a tenth of idle has passed, and not before", async () => {
    const renewals: number[] = [];
    const memory = sessionStore({ most: 10 });
    const store: SessionStore = {
      ...memory,
      renew(digest, endsAt) {
        renewals.push(endsAt);
        return memory.renew(digest, endsAt);
      },
    };
    const { app } = serve({ store });
    const cookie = await signIn(app);
    clock.time += 36_000 - 1;
    const early = await me(app, cookie);
    assertEquals([early.headers.get("set-cookie"), early.headers.get("cache-control")], [null, null]);
    assertEquals(renewals, []);
    clock.time += 1;
    const late = await me(app, cookie);
    assertEquals(
      late.headers.get("set-cookie"),
      `${cookie}; Max-Age=360; Path=/; Secure; HttpOnly; SameSite=Lax`,
    );
    assertEquals(late.headers.get("cache-control"), "no-store");
    assertEquals(renewals, [clock.time + 360_000]);
    assertEquals((await me(app, cookie)).headers.get("set-cookie"), null);
  });

  it("renews a session for the last time until its absolute end", async () => {
    const { app } = serve({ absolute: 400 });
    const cookie = await signIn(app);
    clock.time += 30_000;
    assertEquals((await me(app, cookie)).headers.get("set-cookie"), null);
    clock.time += 10_001;
    const response = await me(app, cookie);
    assertMatch(response.headers.get("set-cookie") ?? "", /Max-Age=360;/); // 359.999, rounded up
    assertEquals((await me(app, cookie)).headers.get("set-cookie"), null);
    clock.time += 359_998;
    assertEquals(await userOf(app, cookie), "ada");
    clock.time += 1;
    assertEquals(await userOf(app, cookie), 401);
  });

  it("renews a session until its absolute end, though less than a tenth of idle is gained", async () => {
    const { app } = serve({ absolute: 380 });
    const cookie = await signIn(app);
    clock.time += 20_000;
    assertEquals((await me(app, cookie)).headers.get("set-cookie"), null);
    clock.time += 5000;
    assertMatch((await me(app, cookie)).headers.get("set-cookie") ?? "", /Max-Age=355;/);
  });

  it("renews nothing if the clock goes back", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    clock.time -= 1_000_000;
    const response = await me(app, cookie);
    assertEquals([response.status, response.headers.get("set-cookie")], [200, null]);
  });

  it("denies a request whose session is ended before it is renewed, and does not send its cookie again", async () => {
    const memory = sessionStore({ most: 10 });
    const store: SessionStore = {
      ...memory,
      async renew(digest, endsAt) {
        await memory.end(digest); // by a sign-out at the same time
        return memory.renew(digest, endsAt);
      },
    };
    const { app } = serve({ store });
    const cookie = await signIn(app);
    clock.time += 100_000;
    const response = await me(app, cookie);
    assertEquals([response.status, response.headers.get("set-cookie")], [401, null]);
    assertEquals(await userOf(app, cookie), 401);
  });

  it("ends a session in the browser, too, if the request has renewed it", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    clock.time += 100_000;
    const response = await post(app, "/sign-out", cookie);
    // The browser keeps the last one.
    assertMatch(response.headers.getSetCookie().at(-1) ?? "", /^__Host-session=; Max-Age=0;/);
  });

  it("renews a session once for many requests at the same time, and all of them pass", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    clock.time += 100_000;
    const users = await Promise.all(Array.from({ length: 50 }, () => userOf(app, cookie)));
    assertEquals([...new Set(users)], ["ada"]);
  });

  it("accepts no session of another cookie's name, though both are in one store", async () => {
    const store = sessionStore({ most: 100 });
    const customers = serve({ store });
    const staff = serve({ store, cookie: "staff" });
    const cookie = await signIn(customers.app, "7");
    const stolen = cookie.replace("__Host-session", "__Host-staff");
    assertEquals([await userOf(customers.app, cookie), await userOf(staff.app, stolen)], ["7", 401]);
    assertEquals((await post(staff.app, "/write", stolen)).status, 401);
    // Nor does it end one: by a sign-out, by a sign-in, or as the one that goes on.
    await staff.sessions.end(request("/", { headers: { cookie: stolen } }));
    await signIn(staff.app, "eve", stolen);
    assertEquals(await userOf(customers.app, cookie), "7");
    await staff.sessions.endOthers(request("/", { headers: { cookie: stolen } }), "7");
    assertEquals(await userOf(customers.app, cookie), 401);
  });

  it("keeps only a digest of the id", async () => {
    const memory = sessionStore({ most: 10 });
    const seen: unknown[] = [];
    const store: SessionStore = {
      add: (...args) => (seen.push(args), memory.add(...args)),
      find: (...args) => (seen.push(args), memory.find(...args)),
      renew: (...args) => (seen.push(args), memory.renew(...args)),
      end: (...args) => (seen.push(args), memory.end(...args)),
      endOthers: (...args) => (seen.push(args), memory.endOthers(...args)),
    };
    const { app } = serve({ store });
    const cookie = await signIn(app);
    clock.time += 100_000;
    await me(app, cookie);
    await post(app, "/others", cookie);
    await post(app, "/sign-out", cookie);
    const [, id = ""] = cookie.split("=");
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(cookie)));
    const digest = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const text = JSON.stringify(seen);
    assertEquals([text.includes(id), text.split(digest).length - 1], [false, 7]);
  });

  it("makes ids of 256 random bits", async () => {
    const { app } = serve({ perUser: 1000 });
    const ids = await Promise.all(Array.from({ length: 50 }, () => signIn(app)));
    assertEquals(new Set(ids).size, 50);
    for (let place = 0; place < 64; place++) {
      const digits = new Set(ids.map((cookie) => cookie.at(-1 - place)));
      assert(digits.size > 4, `${digits.size} digits at ${place}`); // 16, nearly always
    }
  });

  it("reads its cookie wherever it stands, and strips spaces and tabs around it", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    const [name, id] = cookie.split("=");
    for (const sent of [`a=1; ${cookie};b=2`, `a=1;\t ${name} = ${id}\t ;b`, `=; ${cookie}`, `x${cookie}; ${cookie}`]) {
      assertEquals([sent, await userOf(app, sent)], [sent, "ada"]);
    }
  });

  it("takes two cookies of its name for none, as another host may have planted one", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    const other = `__Host-session=${"a".repeat(64)}`;
    const several = [
      `${other}; ${cookie}`,
      `${cookie}; ${other}`,
      `${cookie}; ${cookie}`,
      `${cookie}; __Host-session=`,
    ];
    for (const sent of [...several, `${cookie};__Host-session`.concat("=x"), `__Host-session=; ${cookie}`]) {
      assertEquals([sent, await userOf(app, sent)], [sent, 401]);
    }
  });

  it("CVE-2026-39410: takes no other white space before the name for the name", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    for (const space of ["\xA0", "\x85", "\x0B", "\x0C", "\xC2\xA0", "\xEF\xBB\xBF"]) {
      for (const sent of [`${space}${cookie}`, `a=1; ${space}${cookie}`, cookie.replace("=", `${space}=`)]) {
        assertEquals([sent, await userOf(app, sent)], [sent, 401]);
        assertEquals([sent, await userOf(app, `${sent}x; ${cookie}`)], [sent, "ada"]); // the own one counts
      }
    }
  });

  it("WS-2022-0330: adds the prefix itself, so that no name is mistaken for it", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    assertMatch(cookie, /^__Host-session=/);
    for (const prefix of ["Host__", "__host-", "__HOST-", "Host-", "_Host-", "", "__Host"]) {
      assertEquals([prefix, await userOf(app, cookie.replace("__Host-", prefix))], [prefix, 401]);
    }
    for (const name of ["__Host-id", "__Secure-id", "__id", "__host-x", "_x"]) {
      assertThrows(() => serve({ cookie: name }), TypeError, "without __Host-: received a string");
    }
  });

  it("CVE-2026-47675, CVE-2026-56762: throws for a name that could add to the header", () => {
    const names = [
      "",
      "a b",
      "a;b",
      "a=b",
      "a\r\nset-cookie: b",
      "a\n",
      "a\0",
      "é",
      "a,b",
      '"a"',
      "a\t",
      "a; Domain=b",
    ];
    for (const name of names) {
      assertThrows(() => serve({ cookie: name }), TypeError, "Option cookie of createSessions must be a name such as");
    }
  });

  it("CVE-2026-31865: keeps users and cookies named __proto__ like any other", async () => {
    const { app } = serve({ cookie: "x" });
    const [first, second] = [await signIn(app, "__proto__"), await signIn(app, "constructor")];
    assertEquals([await userOf(app, first), await userOf(app, second)], ["__proto__", "constructor"]);
    const planted = ["__proto__=x", "__proto__=x; __proto__=y", "__proto__[x]=1", "constructor=x"];
    for (const sent of planted) {
      assertEquals([sent, await userOf(app, sent)], [sent, 401]);
      assertEquals([sent, await userOf(app, `${sent}; ${first}`)], [sent, "__proto__"]);
    }
    assertEquals(Object.hasOwn(Object.prototype, "x"), false);
  });

  it("looks nothing up for a cookie that is no id, however long it is", async () => {
    const memory = sessionStore({ most: 10 });
    let lookups = 0;
    const store: SessionStore = { ...memory, find: (digest) => (lookups++, memory.find(digest)) };
    const { app } = serve({ store });
    const long = ["a".repeat(63), "a".repeat(65), "A".repeat(64), "g".repeat(64), "a".repeat(1e6)];
    for (const id of ["a", ...long, `"${"a".repeat(64)}"`]) {
      assertEquals(await userOf(app, `__Host-session=${id}`), 401);
    }
    assertEquals(lookups, 0);
    assertEquals([await userOf(app, `__Host-session=${"a".repeat(64)}`), lookups], [401, 1]);
  });

  it("ends nothing in the store for a request without a session", async () => {
    const memory = sessionStore({ most: 10 });
    const seen: unknown[] = [];
    const store: SessionStore = {
      ...memory,
      end: (...args) => void seen.push(args),
      endOthers: (...args) => void seen.push(args),
    };
    const { sessions } = serve({ store });
    await sessions.end(request("/"));
    await sessions.endOthers(request("/"), "ada");
    assertEquals(seen, [["ada", undefined]]);
  });

  it("ends the other sessions of a user, and nobody else's", async () => {
    const { app, sessions } = serve();
    const [own, other, bob] = [await signIn(app), await signIn(app), await signIn(app, "bob")];
    assertEquals((await post(app, "/others", own)).status, 204);
    assertEquals([await userOf(app, own), await userOf(app, other), await userOf(app, bob)], ["ada", 401, "bob"]);
    await sessions.endOthers(request("/", { headers: { cookie: bob } }), "ada");
    assertEquals([await userOf(app, own), await userOf(app, bob)], [401, "bob"]);
    await sessions.endOthers(request("/"), "bob");
    assertEquals(await userOf(app, bob), 401);
  });

  it("ends a user's own sessions beyond the bound, and nobody else's", async () => {
    const { app } = serve();
    const bob = await signIn(app, "bob");
    const cookies: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      cookies.push(await signIn(app));
      clock.time += 10;
    }
    const users = await Promise.all(cookies.map((cookie) => userOf(app, cookie)));
    assertEquals([...users, await userOf(app, bob)], [401, 401, "ada", "ada", "ada", "bob"]);
  });

  it("fails for a request that does not read, though its guard is reading", async () => {
    const { app } = serve();
    const cookie = await signIn(app);
    for (const method of ["HEAD", "QUERY"]) {
      assertEquals((await app.fetch(request("/me", { method, headers: { cookie } }))).status, 200);
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      await assertRejects(
        async () => await app.fetch(request("/me", { method, headers: { cookie, ...OWN } })),
        TypeError,
        'Guard reading of route ALL "/me" must be for GET, HEAD and QUERY: for other methods, list a guard of ownPages, then writing',
      );
    }
  });

  it("fails for a write without ownPages before it, also if a prototype has the local", async () => {
    const { app, sessions } = serve();
    const cookie = await signIn(app);
    const headers = { cookie, ...OWN };
    const own = { ownPage: true } as const;
    for (const ownPage of [undefined, false, 1, "true"]) {
      const wrong = setup({
        // deno-lint-ignore no-explicit-any
        onRequest: (): any => ownPage === undefined ? {} : ({ ownPage }),
        handlers: [
          route.with<{ ownPage: true }>().post("/", { guards: [sessions.writing], resolve: () => reply(204) }),
        ] as never[],
      });
      await assertRejects(
        async () => await wrong.fetch(request("/", { method: "POST", headers })),
        TypeError,
        'Guard writing of route POST "/" must be behind ownPages: list a guard of ownPages before it',
      );
    }
    const c = {
      request: request("/", { headers }),
      raw: { params: {}, query: {}, body: undefined },
      input: { ok: true },
    } as const;
    const context = { ...c, route: { method: "POST", path: "/" } };
    await assertRejects(() => sessions.writing({ ...context, locals: Object.create(own) }), TypeError, "ownPages");
    assertEquals(
      await sessions.writing({ ...context, locals: own }),
      allow({ session: { user: "ada", begunAt: 1_000_000 } }),
    );
  });

  it("lets nobody in if the store fails", async () => {
    const memory = sessionStore({ most: 10 });
    const down = () => Promise.reject(new Error("down"));
    const { app } = serve({ store: { ...memory, renew: down } });
    const cookie = await signIn(app);
    assertEquals(await userOf(app, cookie), "ada");
    clock.time += 100_000;
    await assertRejects(async () => await me(app, cookie), Error, "down");
    const other = serve({ store: { ...memory, find: down, add: down, end: down } });
    await assertRejects(async () => await me(other.app, cookie), Error, "down");
    await assertRejects(async () => await post(other.app, "/sign-in/ada"), Error, "down");
    await assertRejects(async () => await other.sessions.end(request("/", { headers: { cookie } })), Error, "down");
  });

  it("takes null for no session, as some databases return it", async () => {
    const store: SessionStore = { ...sessionStore({ most: 10 }), find: () => null as never };
    assertEquals(await userOf(serve({ store }).app, `__Host-session=${"a".repeat(64)}`), 401);
  });

  it("awaits the application's refusal, so that it does not reject unhandled", async () => {
    const later = serve({ refuse: (async () => await Promise.resolve(refuse())) as never });
    assertEquals((await me(later.app, "")).status, 401);
    const broken = serve({ refuse: (() => Promise.reject(new Error("broken"))) as never });
    await assertRejects(() => me(broken.app, ""), Error, "broken");
  });

  it("begins no session for a user that is not a name", async () => {
    const { sessions } = serve();
    // Databases change or cut off the last ones: one user could become another.
    for (const user of ["", undefined, null, 5, {}, "ada\0", "\0ada", "ada\ud800", "\udc00ada"]) {
      await assertRejects(
        () => sessions.begin(request("/"), user as string),
        TypeError,
        "User of begin must be a well-formed string without NUL: received",
      );
    }
    await sessions.begin(request("/"), "ada \u{1d49c}\n");
  });

  it("keeps data of a session, as its schema reads it from JSON", async () => {
    const schema = z.object({ tenant: z.string(), since: z.coerce.date(), role: z.enum(["admin"]).default("admin") });
    const sessions = createSessions({ ...GOOD, store: sessionStore({ most: 9 }), data: schema });
    const since = new Date(5000);
    const { "set-cookie": cookie } = await sessions.begin(request("/"), "ada", { tenant: "north", since });
    const seen: unknown[] = [];
    const app = setup({
      handlers: [
        route.get("/", {
          guards: [sessions.reading],
          resolve: (c) => {
            seen.push(c.locals.session);
            c.locals.session.data.since.setTime(0); // what one request does to its data, no other one sees
            return reply(204);
          },
        }),
      ],
    });
    for (let turn = 0; turn < 2; turn++) {
      const response = await app.fetch(request("/", { headers: { cookie: cookie.split(";")[0] ?? "" } }));
      assertEquals(response.status, 204);
      assertEquals(seen[turn], {
        user: "ada",
        begunAt: clock.time,
        data: { tenant: "north", since: new Date(0), role: "admin" },
      });
    }
  });

  it("lets nobody in by a session whose data is missing, is not JSON, or does not fit", async () => {
    const schema = z.object({ role: z.string() });
    const texts = [undefined, "", "{", "null", '{"role":5}', 5 as unknown as string];
    for (const data of texts) {
      const store = sessionStore({ most: 9 });
      const changed: SessionStore = {
        ...store,
        find: async (digest) => {
          const { data: _, ...found } = await store.find(digest) as StoredSession;
          return data === undefined ? found : { ...found, data };
        },
      };
      const sessions = createSessions({ ...GOOD, store: changed, data: schema });
      const { "set-cookie": cookie } = await sessions.begin(request("/"), "ada", { role: "admin" });
      const app = setup({
        handlers: [route.get("/", { guards: [sessions.reading], resolve: () => reply(204) })],
      });
      assertEquals((await app.fetch(request("/", { headers: { cookie: cookie.split(";")[0] ?? "" } }))).status, 401);
    }
  });

  it("lets nobody in by what a schema returns neither for data that fits nor for other data", async () => {
    for (const result of [{}, { issues: [] }, { issues: [{ message: "no" }], value: 5 }]) {
      let isBegun = false;
      const data = {
        "~standard": { version: 1, vendor: "mine", validate: (value: unknown) => isBegun ? result : { value } },
      } as const;
      const sessions = createSessions({ ...GOOD, store: sessionStore({ most: 9 }), data });
      const { "set-cookie": cookie } = await sessions.begin(request("/"), "ada", 5);
      isBegun = true;
      const app = setup({ handlers: [route.get("/", { guards: [sessions.reading], resolve: () => reply(204) })] });
      assertEquals((await app.fetch(request("/", { headers: { cookie: cookie.split(";")[0] ?? "" } }))).status, 401);
    }
  });

  it("needs no data where its schema needs none", async () => {
    const store = sessionStore({ most: 9 });
    const sessions = createSessions({ ...GOOD, store, data: z.object({ tenant: z.string() }).optional() });
    const { "set-cookie": cookie } = await sessions.begin(request("/"), "ada");
    const app = setup({
      handlers: [route.get("/", {
        guards: [sessions.reading],
        resolve: (c) => reply(200, { tenant: c.locals.session.data?.tenant ?? null }),
      })],
    });
    const response = await app.fetch(request("/", { headers: { cookie: cookie.split(";")[0] ?? "" } }));
    assertEquals(await response.json(), { tenant: null });
  });

  it("begins no session whose data does not fit its schema, also as JSON, or is too long", async () => {
    const store = sessionStore({ most: 9 });
    const begin = (schema: z.ZodType, data: unknown) =>
      createSessions({ ...GOOD, store, data: schema }).begin(request("/"), "ada", data);
    const rule =
      "Data of begin must be what option data of createSessions accepts once it was written as JSON: received";
    const wrong = [
      [z.object({ role: z.string() }), { role: 5 }, "an object"],
      [z.object({ role: z.string() }), undefined, "undefined"],
      [z.object({ role: z.string() }), () => {}, "a function"],
      [z.date(), new Date(0), "an object"], // a string, once it was JSON
      [z.string(), 5, "a number"],
    ] as const;
    for (const [schema, data, kind] of wrong) {
      await assertRejects(() => begin(schema, data), TypeError, `${rule} ${kind}`);
    }
    await begin(z.string(), "x".repeat(4094));
    await begin(z.string(), "é".repeat(2047));
    const most = "Data of begin must have at most 4096 bytes as JSON: received";
    await assertRejects(() => begin(z.string(), "x".repeat(4095)), TypeError, `${most} 4097. Keep the rest elsewhere`);
    await assertRejects(() => begin(z.string(), "é".repeat(2048)), TypeError, `${most} 4098`);
    const sessions = createSessions({ ...GOOD, store });
    await assertRejects(
      () => (sessions.begin as BeginSession<unknown>)(request("/"), "ada", { role: "admin" }),
      TypeError,
      "Data of begin must be undefined without option data of createSessions: received an object",
    );
  });

  it("keeps data only in a store that says that it keeps data", () => {
    const { keepsData: _, ...store } = sessionStore({ most: 9 });
    createSessions({ ...GOOD, store });
    assertThrows(
      () => createSessions({ ...GOOD, store, data: z.string() }),
      TypeError,
      "keepsData of a store of sessions must be true, since option data of createSessions needs a store that keeps data: " +
        "received undefined",
    );
    for (const data of [null, {}, z.string, { "~standard": {} }, "role"]) {
      assertThrows(
        () => createSessions({ ...GOOD, store: sessionStore({ most: 9 }), data: data as unknown as z.ZodString }),
        TypeError,
        "Option data of createSessions must be a Standard Schema: received",
      );
    }
  });

  it("throws for options that are missing, unknown or out of their bounds", () => {
    const good = { store: sessionStore({ most: 1 }), idle: 60, absolute: 60, perUser: 1, refuse };
    const make = (options: unknown) => () => createSessions(options as SessionsOptions<Response>);
    const changed = (change: object) => make({ ...good, ...change });
    createSessions(good);
    createSessions({ ...good, idle: 34_560_000, absolute: 34_560_000, perUser: 1000 });
    assertThrows(make(undefined), TypeError, "Options of createSessions must be an object: received undefined");
    assertThrows(changed({ idl: 5 }), TypeError, 'Option "idl" of createSessions is unknown: did you mean idle?');
    const bounds = [
      ["idle", 60, [0, -1, 61, 1.5, NaN, Infinity, "30", null]],
      ["absolute", 34_560_000, [0, -1, 34_560_001, 1.5, "60"]],
      ["perUser", 1000, [0, 1001, 1.5, "1"]],
    ] as const;
    for (const [key, most, values] of bounds) {
      for (const value of values) {
        const message = `Option ${key} of createSessions must be a whole number from 1 to ${most}: received ${value}`;
        assertThrows(changed({ [key]: value }), TypeError, message);
      }
      assertThrows(changed({ [key]: undefined }), TypeError, `Option "${key}" of createSessions is undefined`);
    }
    for (const key of ["idle", "absolute"]) {
      // Half an hour, eight hours and a week and a second, the former in milliseconds.
      for (const value of [1_800_000, 28_800_000, 604_801]) {
        assertThrows(
          changed({ absolute: 34_560_000, [key]: value }),
          TypeError,
          `Option ${key} of createSessions must be seconds, and beyond a week whole days (a multiple of 86400): received ` +
            `${value}${value % 1000 === 0 ? `. If these are milliseconds, write ${value / 1000}` : ""}`,
        );
      }
      for (const value of [604_799, 604_800, 30 * 86_400]) {
        createSessions({ ...good, absolute: 34_560_000, [key]: value });
      }
    }
    const { idle: _, ...withoutIdle } = good;
    assertThrows(make(withoutIdle), TypeError, "from 1 to 60: received undefined");
    for (const store of [null, {}, 5]) {
      assertThrows(changed({ store }), TypeError, "Option store of createSessions must be a store of sessions");
    }
    assertThrows(changed({ refuse: {} }), TypeError, "Option refuse of createSessions must be a function");
    assertThrows(changed({ cookie: 5 }), TypeError, "must be a name such as session");
    assertThrows(changed({ cookie: { name: "id" } }), TypeError, "must be a name such as session");
  });
});
