import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type HookContext, reply, route, setup } from "../../../mod.ts";
import {
  accessLog,
  type AccessLogEntry,
  compose,
  type Concern,
  cors,
  requestId,
  securityHeaders,
  serverTiming,
  unmatched,
  withHead,
} from "../../../src/hooks/mod.ts";
import { request } from "../../support/request.ts";

const fails = (): never => {
  throw new Error("broken");
};

/** What a client receives from an app with these concerns. */
async function answerOf(concerns: readonly Concern[], path = "/", response = new Response("own")): Promise<Response> {
  const app = setup({
    handlers: [route.get("/", { resolve: () => response }), route.get("/broken", { resolve: fails })],
    ...compose(...concerns),
    onError: () => new Response(null, { status: 500 }),
  });
  return await app.fetch(request(path));
}

describe("compose()", () => {
  it("replaces first, then sets headers on one copy, then observes what is sent, whatever the order", async () => {
    const seen: Response[] = [];
    const copies = new Set<Headers>();
    const response = await answerOf([
      { observe: (sent) => seen.push(sent) },
      { headers: (headers) => (copies.add(headers), headers.set("x-a", "1")) },
      { replace: () => new Response("replaced", { status: 202 }) },
      { headers: (headers) => (copies.add(headers), headers.set("x-a", `${headers.get("x-a")}, 2`)) },
    ]);
    assertEquals([response.status, response.headers.get("x-a"), copies.size], [202, "1, 2", 1]);
    assertStrictEquals(seen[0], response);
    assertEquals([seen.length, await response.text()], [1, "replaced"]);
  });

  it("gives each replace what the one before it in the list has left, synchronous or not", async () => {
    const adding = (text: string): Concern => ({
      replace: async (response) => new Response(`${await response.text()} ${text}`),
    });
    const response = await answerOf([adding("a"), { replace: () => undefined }, adding("b")]);
    assertEquals(await response.text(), "own a b");
  });

  it("does not lose its hooks silently: setup() throws if another hook or another result replaces them", () => {
    const handlers = [route.get("/", { resolve: () => new Response("own") })];
    const hooks = compose(securityHeaders({ "x-frame-options": "DENY" }));
    const throwsFor = (options: object, message: string) =>
      assertThrows(() => setup({ handlers, ...options }), TypeError, message);

    throwsFor(
      { ...hooks, onRequest: () => ({}) },
      "onRequest replaces that of compose: pass it to compose, as { onReq",
    );
    throwsFor({ ...hooks, onResponse: undefined }, "onResponse replaces that of compose: pass it to compose, as { rep");
    throwsFor({ ...hooks, ...compose(requestId()) }, "have two results of compose, and one replaces the other");
    setup({ handlers, ...hooks, ...hooks, [Symbol("other")]: 1 });
    setup({ handlers, onResponse: hooks.onResponse });
  });

  it("sets headers on the 404, on errors and on redirects, and leaves the handler's response unchanged", async () => {
    const marked: Concern = { headers: (headers) => headers.set("x-a", "1") };
    const redirect = Response.redirect("http://localhost/there");
    for (const path of ["/", "/nowhere", "/broken"]) {
      const response = await answerOf([marked], path, redirect);
      assertEquals([path, response.headers.get("x-a")], [path, "1"]);
    }
    assertEquals(redirect.headers.has("x-a"), false);
  });

  it("returns the response itself if no concern sets headers, synchronously if no concern returns a promise", () => {
    const response = new Response();
    const { onRequest, onResponse } = compose({ replace: () => {}, observe: () => {} }, {
      onRequest: () => ({ a: 1 }),
    });
    const context: HookContext<{ a: number }> = { request: request("/"), locals: {}, stage: "resolve" };
    assertStrictEquals(onResponse({ context, response, locals: {} }), response);
    assertEquals(onRequest({ request: request("/") }), { a: 1 });
  });

  it("awaits headers and observers, in the order of the list, before the response is sent", async () => {
    const seen: (string | null)[] = [];
    const settled = () => Promise.resolve();
    const response = await answerOf([
      { observe: (sent) => settled().then(() => seen.push(sent.headers.get("x-a"))) },
      { headers: (headers) => settled().then(() => headers.set("x-a", "1")) },
      { headers: (headers) => headers.set("x-a", `${headers.get("x-a")}, 2`) },
      { observe: () => seen.push("last") },
    ]);
    assertEquals([response.status, response.headers.get("x-a"), seen], [200, "1, 2", ["1, 2", "last"]]);
  });

  it("gives an error of a promise to onError, also that of an asynchronous log", async () => {
    const rejects = () => Promise.reject(new Error("broken"));
    for (const concern of [{ headers: rejects }, { observe: rejects }, accessLog({ log: rejects })]) {
      assertEquals((await answerOf([concern])).status, 500);
    }
  });

  it("sets no headers on a response with the status 101, and observes it", () => {
    const upgrade = { status: 101 } as Response;
    const seen: unknown[] = [];
    const { onResponse } = compose({ headers: fails, observe: (response) => seen.push(response) });
    const context: HookContext = { request: request("/"), locals: {}, stage: "resolve" };
    assertStrictEquals(onResponse({ context, response: upgrade, locals: {} }), upgrade);
    assertEquals(seen, [upgrade]);
  });

  it("merges the locals of all concerns by own keys, also those of promises", async () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true}}');
    const { onRequest } = compose(
      { onRequest: () => ({ a: 1, b: 1 }) },
      { onRequest: async () => await Promise.resolve({ b: 2 }) },
      { onRequest: () => {} },
      { onRequest: () => hostile },
    );
    const locals: object = await onRequest({ request: request("/") });
    assertEquals([Object.keys(locals).sort(), "admin" in locals], [["__proto__", "a", "b"], false]);
    assertStrictEquals(Object.getPrototypeOf(locals), Object.prototype);
  });

  it("gives each function of a concern what follows the request in app.fetch", async () => {
    const seen: unknown[] = [];
    const note = (name: string) => (_first: unknown, ...rest: readonly unknown[]) => {
      seen.push([name, ...rest.slice(name === "onRequest" ? 0 : 1)]);
    };
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response("own") })],
      ...compose(
        { onRequest: note("onRequest"), replace: note("replace"), headers: note("headers"), observe: note("observe") },
        { headers: (headers, _context, env: { readonly version: string }) => headers.set("x-version", env.version) },
      ),
    });
    const env = { version: "7" };
    const response = await app.fetch(request("/"), env);
    assertEquals(response.headers.get("x-version"), "7");
    assertEquals(seen, ["onRequest", "replace", "headers", "observe"].map((name) => [name, env]));
  });

  it("types the locals of all concerns", async () => {
    const app = setup({
      handlers: [
        route.with<{ requestId: string; startedAt: number; user: string }>().get("/", {
          resolve: (c) => Response.json([typeof c.locals.requestId, typeof c.locals.startedAt, c.locals.user]),
        }),
      ],
      ...compose(requestId(), serverTiming({ name: "app" }), { onRequest: () => Promise.resolve({ user: "ada" }) }),
    });
    assertEquals(await (await app.fetch(request("/"))).json(), ["string", "number", "ada"]);
    // @ts-expect-error at `setup({`: onRequest must return the local "user", which route.with<{ user: … }>() promises
    //   to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
    setup({
      handlers: [route.with<{ user: string }>().get("/", { resolve: () => new Response() })],
      ...compose(requestId()),
    });
  });

  it("rejects an unknown key and a value that is not a function, and names the concern", () => {
    const typo = { observ: () => {} };
    // @ts-expect-error at `typo`: Type '{ observ: () => void; }' has no properties in common with type
    //   'Concern<readonly unknown[]>'.
    assertThrows(() => compose({}, typo), TypeError, 'Option "observ" of concern 2 of compose is unknown');
    for (const key of ["onRequest", "replace", "headers", "observe", "preflights"]) {
      const kinds = key === "headers" ? "a function, or an object of headers" : "a function";
      const expected = `Option ${key} of concern 1 of compose must be ${kinds}: received a string`;
      assertThrows(() => compose({ [key]: "x" } as Concern), TypeError, expected);
      compose({ [key]: undefined } as Concern);
    }
    assertThrows(() => compose(fails as never), TypeError, "Options of concern 1 of compose must be an object");
  });

  it("sets the headers of an object", async () => {
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response(null, { headers: { "x-a": "own" } }) })],
      ...compose({ headers: { "X-A": "1", "x-b": "2" } }, { headers: (headers) => headers.append("x-b", "3") }),
    });
    const { headers } = await app.fetch(request("/"));
    assertEquals([headers.get("x-a"), headers.get("x-b")], ["1", "2, 3"]);
    assertEquals((await app.fetch(request("/none"))).headers.get("x-a"), "1");
    // @ts-expect-error at `"x-a"`: Type 'number' is not assignable to type 'string'.
    assertThrows(() => compose({ headers: { "x-a": 1 } }), TypeError, 'Header "x-a" of compose must be a string');
    assertThrows(() => compose({ headers: { "x a": "1" } }), TypeError);
    assertThrows(
      () => compose({ headers: [["x-a", "1"]] as never }),
      TypeError,
      "must be a function, or an object of headers: received an array",
    );
  });

  it("adds to Vary and Set-Cookie by an object, so that nothing of cors and of the handler is lost", async () => {
    const headers = { vary: "Cookie", "set-cookie": "b=2" };
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response(null, { headers }) })],
      ...compose(cors({ origins: ["https://a.example"] }), { headers: { Vary: "Accept", "Set-Cookie": "c=3" } }),
    });
    const sent = (await app.fetch(request("/"))).headers;
    assertEquals([sent.get("vary"), sent.getSetCookie()], ["Cookie, Origin, Accept", ["b=2", "c=3"]]);
  });

  it("takes no function that returns headers: they would not be sent", () => {
    // @ts-expect-error at `() => ({ "x-version": "1" })`: Type '{ "x-version": string; }' is not assignable to type
    //   'Ignored | Promise<Ignored>'.
    compose({ headers: () => ({ "x-version": "1" }) });
    // @ts-expect-error at `headers`: Type '{ "x-version": string; }' is not assignable to type 'Ignored'.
    compose({ headers: () => Promise.resolve({ "x-version": "1" }) });
    // @ts-expect-error at `headers`: Type 'Headers' is not assignable to type 'Ignored | Promise<Ignored>'.
    compose({ headers: () => new Headers() });
    // @ts-expect-error at `headers`: Type 'string[][]' is not assignable to type 'Ignored | Promise<Ignored>'.
    const typed: Concern = { headers: () => [["x-version", "1"]] };
    compose(
      typed,
      { headers: (headers) => headers.has("vary") || headers.set("vary", "origin") },
      { headers: async (headers) => headers.set("x-a", await Promise.resolve("1")) },
      { headers: (headers, { locals }: HookContext<{ user: string }>) => headers.set("x-user", locals.user ?? "") },
      { headers: () => {} },
    );
  });

  it("fails if a concern returns something else", async () => {
    const context: HookContext = { request: request("/"), locals: {}, stage: "resolve" };
    const replacing = compose({ replace: () => "x" as never });
    const args = { context, response: new Response(), locals: {} };
    assertThrows(
      () => replacing.onResponse(args),
      TypeError,
      "Result of replace of a concern must be a Response, or nothing",
    );
    const starting = compose({ onRequest: () => Promise.resolve("x" as never) });
    await assertRejects(
      () => Promise.resolve(starting.onRequest({ request: request("/") })),
      TypeError,
      "Result of onRequest of a concern must be an object of locals, or nothing: received a string",
    );
    const classy = compose({ onRequest: () => new Map([["user", 1]]) });
    assertThrows(
      () => classy.onRequest({ request: request("/") }),
      TypeError,
      "Result of onRequest of a concern must be an object of locals, or nothing: received an instance of a class: put it under a key",
    );
  });
});

describe("requestId()", () => {
  it("gives each request a new id, in the locals and in the header, whatever the client sends", async () => {
    const app = setup({
      handlers: [route.with<{ requestId: string }>().get("/", { resolve: (c) => new Response(c.locals.requestId) })],
      ...compose(requestId()),
    });
    const fetch = () => app.fetch(request("/", { headers: { "x-request-id": "mine" } }));
    const [first, second] = [await fetch(), await fetch()];
    const id = first.headers.get("x-request-id");
    assertMatch(id ?? "", /^[\da-f-]{36}$/);
    assertEquals(await first.text(), id);
    assert(id !== second.headers.get("x-request-id"));
  });

  it("uses another header, and none if onRequest has failed", async () => {
    assertEquals((await answerOf([requestId({ header: "x-id" })])).headers.get("x-id")?.length, 36);
    const failed = await answerOf([requestId(), { onRequest: fails }]);
    assertEquals([failed.status, failed.headers.has("x-request-id")], [500, false]);
  });

  it("takes the id of a gateway from a header or by a function, and makes one where there is none", async () => {
    let count = 0;
    const create = () => `own-${++count}`;
    const idOf = async (concern: ReturnType<typeof requestId>, headers: Record<string, string>) => {
      const app = setup({
        handlers: [route.with<{ requestId: string }>().get("/", { resolve: (c) => new Response(c.locals.requestId) })],
        ...compose(concern),
      });
      const response = await app.fetch(request("/", { headers }));
      assertEquals(await response.text(), response.headers.get("x-request-id"));
      return response.headers.get("x-request-id");
    };
    const named = requestId({ from: "cf-ray", create });
    assertEquals(await idOf(named, { "cf-ray": "230b-SJC" }), "230b-SJC");
    assertEquals(await idOf(named, {}), "own-1");
    assertEquals(await idOf(named, { "x-request-id": "forged" }), "own-2");
    for (const id of ["a b", "é", "x".repeat(201), ""]) assertMatch(await idOf(named, { "cf-ray": id }) ?? "", /^own-/);
    assertEquals(await idOf(named, { "cf-ray": "x".repeat(200) }), "x".repeat(200));
    const parsed = requestId({ from: ({ headers }) => headers.get("traceparent")?.split("-")[1] });
    assertEquals(await idOf(parsed, { traceparent: "00-4bf9-00f0-01" }), "4bf9");
    assertEquals((await idOf(parsed, {}))?.length, 36);
    await assertRejects(() => idOf(requestId({ create: () => "two words" }), {}), TypeError, "create of requestId");
    assertThrows(() => requestId({ from: "a b" }), TypeError, "Option from of requestId");
    assertThrows(() => requestId({ create: "x" as never }), TypeError, "Option create of requestId");
  });

  it("rejects a name that no header has", () => {
    for (const header of ["", "x id", "x\r\nid", "*", 1 as never]) {
      assertThrows(() => requestId({ header }), TypeError, "Option header of requestId must be a name");
    }
    assertThrows(() => requestId({ name: "x" } as never), TypeError, 'Option "name" of requestId is unknown');
  });
});

describe("accessLog()", () => {
  async function entriesOf(method: string, path: string, ...concerns: Concern[]): Promise<readonly AccessLogEntry[]> {
    const entries: AccessLogEntry[] = [];
    const app = setup({
      handlers: [
        route.all("/users/:id", { resolve: () => reply(201, {}) }),
        route.get("/broken", { resolve: fails }),
      ],
      ...compose(accessLog({ log: (entry) => entries.push(entry) }), ...concerns),
      onError: () => new Response(null, { status: 500 }),
    });
    await app.fetch(request(path, { method }));
    return entries;
  }

  it("logs one entry for each response, with the pattern of the route and never the path", async () => {
    for (const [path, expected, status] of [["/users/secret", "/users/:id", 201], ["/secret", null, 404]] as const) {
      const [entry, ...others] = await entriesOf("GET", path);
      assertEquals([entry?.method, entry?.route, entry?.status, others.length], ["GET", expected, status, 0]);
      assert(Number(entry?.durationMs) >= 0 && !JSON.stringify(entry).includes("secret"));
      assertEquals(Object.keys(entry ?? {}), ["method", "route", "status", "durationMs"]);
    }
    assertEquals((await entriesOf("GET", "/broken"))[0]?.status, 500);
  });

  it("passes nothing but the entry to log: console.log must not write cookies and bodies", async () => {
    const calls: unknown[][] = [];
    const log = (...given: unknown[]) => calls.push(given);
    const app = setup({ handlers: [route.get("/", { resolve: () => reply(204) })], ...compose(accessLog({ log })) });
    await app.fetch(request("/", { headers: { cookie: "session=secret" } }));
    assertEquals(calls.map((given) => given.length), [1]);
  });

  it("logs a method that a client has invented as other", async () => {
    assertEquals((await entriesOf("PROPFIND", "/users/1"))[0]?.method, "other");
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
      assertEquals((await entriesOf(method, "/users/1"))[0]?.method, method);
    }
  });

  it("logs what is sent, the id of the request, and no duration if onRequest has failed", async () => {
    const [entry] = await entriesOf("GET", "/users/1", requestId(), { replace: () => reply(202, {}) });
    assertEquals([entry?.status, entry?.requestId?.length], [202, 36]);
    const [failed] = await entriesOf("GET", "/users/1", { onRequest: fails });
    assertEquals([failed?.status, failed?.durationMs], [500, null]);
  });

  it("needs a function", () => {
    assertThrows(() => accessLog({} as never), TypeError, "Option log of accessLog must be a function");
  });
});

describe("serverTiming()", () => {
  it("adds the duration to those that the response has", async () => {
    const own = new Response(null, { headers: { "server-timing": "db;dur=1" } });
    const response = await answerOf([serverTiming({ name: "app" })], "/", own);
    assertMatch(response.headers.get("server-timing") ?? "", /^db;dur=1, app;dur=\d+(\.\d)?$/);
    const failed = await answerOf([serverTiming({ name: "app" }), { onRequest: fails }]);
    assertEquals(failed.headers.has("server-timing"), false);
    assertThrows(() => serverTiming({ name: "a b" }), TypeError, "Option name of serverTiming must be a name");
    assertThrows(() => serverTiming({} as never), TypeError, "Option name of serverTiming must be a name");
  });
});

describe("the durations", () => {
  it("are the milliseconds since the request began, to a tenth", async () => {
    const entries: AccessLogEntry[] = [];
    const startedAt = performance.now() - 5000.25;
    const early: Concern = { onRequest: () => ({ startedAt }) };
    const logged = accessLog({ log: (entry) => entries.push(entry) });
    const before = performance.now() - startedAt;
    const { headers } = await answerOf([serverTiming({ name: "app" }), logged, early]);
    const after = performance.now() - startedAt;
    const shown = Number(headers.get("server-timing")?.replace("app;dur=", ""));
    for (const duration of [shown, entries[0]?.durationMs ?? 0]) {
      assert(duration >= before - 0.06 && duration <= after + 0.06, `${before} <= ${duration} <= ${after}`);
      assertEquals(duration, Number(duration.toFixed(1)));
    }
  });
});

describe("securityHeaders()", () => {
  it("sets the given headers on every response, where the response has no value of its own", async () => {
    const concern = securityHeaders({
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'",
    });
    const own = new Response(null, { headers: { "content-security-policy": "default-src 'self'" } });
    const response = await answerOf([concern], "/", own);
    assertEquals(response.headers.get("content-security-policy"), "default-src 'self'");
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    assertEquals((await answerOf([concern], "/nowhere")).headers.get("referrer-policy"), "no-referrer");
    assertEquals((await answerOf([concern], "/broken")).headers.get("referrer-policy"), "no-referrer");
  });

  it("leaves out a header that is undefined, as one for production only may be", async () => {
    const response = await answerOf([securityHeaders({ "strict-transport-security": undefined })]);
    assertEquals(response.headers.has("strict-transport-security"), false);
  });

  it("rejects an unknown name, and a value that is not one line", () => {
    const near = "did you mean x-content-type-options?";
    assertThrows(() => securityHeaders({ "x-content-type-option": "nosniff" } as never), TypeError, near);
    for (const value of ["", "a\r\nset-cookie: b=1", "é", 1 as never]) {
      const expected = "Option x-frame-options of securityHeaders must be one line of ASCII characters";
      assertThrows(() => securityHeaders({ "x-frame-options": value }), TypeError, expected);
    }
    for (
      const name of [
        "content-security-policy",
        "content-security-policy-report-only",
        "cross-origin-embedder-policy",
        "cross-origin-opener-policy",
        "cross-origin-resource-policy",
        "origin-agent-cluster",
        "permissions-policy",
        "referrer-policy",
        "strict-transport-security",
        "x-content-type-options",
        "x-frame-options",
      ]
    ) securityHeaders({ [name]: "a" });
  });
});

describe("unmatched()", () => {
  const concern = unmatched({
    notFound: ({ request }) => reply(404, { missing: request.method }),
    methodNotAllowed: async (allowed, { request }) =>
      await Promise.resolve(reply(405, { allowed, not: request.method })),
  });
  const app = setup({
    handlers: [
      route.get("/books", { resolve: () => new Response("own") }),
      route.post("/books", { resolve: () => new Response("own", { status: 404 }) }),
      route.options("/v1/*", { resolve: () => new Response() }),
      route.get("/broken", { resolve: fails }),
    ],
    ...compose(concern, { onRequest: ({ request }) => request.url.endsWith("?fail") ? fails() : undefined }),
    onError: () => new Response("error", { status: 404 }),
  });

  it("responds with 404 and 405 with Allow in the format of the app", async () => {
    const missing = await app.fetch(request("/nowhere"));
    assertEquals([missing.status, missing.headers.has("allow"), await missing.json()], [404, false, {
      missing: "GET",
    }]);
    const wrong = await app.fetch(request("/books", { method: "PUT" }));
    assertEquals([wrong.status, wrong.headers.get("allow")], [405, "GET, POST"]);
    assertEquals(await wrong.json(), { allowed: ["GET", "POST"], not: "PUT" });
  });

  it("responds with 404 where a path has nothing but OPTIONS", async () => {
    assertEquals((await app.fetch(request("/v1/nowhere"))).status, 404);
  });

  it("leaves the 404 of a handler and of onError alone", async () => {
    for (
      const [path, method, body] of [["/books", "POST", "own"], ["/broken", "GET", "error"], ["/?fail", "GET", "error"]]
    ) {
      const response = await app.fetch(request(path ?? "", { method: method ?? "" }));
      assertEquals([path, response.status, await response.text()], [path, 404, body]);
    }
  });

  it("needs both functions", () => {
    const both = { notFound: fails, methodNotAllowed: fails };
    for (const key of Object.keys(both)) {
      const options = { ...both, [key]: "x" } as never;
      assertThrows(() => unmatched(options), TypeError, `Option ${key} of unmatched must be a function`);
    }
  });
});

describe("withHead()", () => {
  it("lets GET routes respond to HEAD, except where another route of the shape does", async () => {
    const routes = withHead([
      route.get("/a/:id", { resolve: () => new Response("get") }),
      route.get("/b/:id", { resolve: () => new Response("get") }),
      route.head("/b/:name", { resolve: () => new Response(null, { status: 204 }) }),
      route.on(["POST", "GET"], "/c", { resolve: () => new Response("get") }),
      route.get("/café", { resolve: () => new Response("get") }),
      route.all("/caf%C3%A9", { resolve: () => new Response(null, { status: 202 }) }),
      route.post("/d", { resolve: () => new Response() }),
    ]);
    const app = setup({ handlers: routes });
    const statuses = ["/a/1", "/b/1", "/c", "/caf%C3%A9", "/d"].map(async (path) =>
      (await app.fetch(request(path, { method: "HEAD" }))).status
    );
    assertEquals(await Promise.all(statuses), [200, 204, 200, 202, 404]);
  });

  it("adds HEAD once, and takes a parameter for no empty segment", () => {
    const routes = [
      route.on(["GET", "POST"], "/a/", { resolve: () => new Response() }),
      route.head("/a/:id", { resolve: () => new Response() }),
      route.on(["GET", "HEAD"], "/b", { resolve: () => new Response() }),
    ];
    assertEquals(withHead(routes).map(({ method }) => method), [["GET", "POST", "HEAD"], "HEAD", ["GET", "HEAD"]]);
    assertEquals(withHead(withHead(routes)), withHead(routes));
  });

  it("keeps what the routes need of the locals", () => {
    const identified = route.with<{ user: string }>().get("/", { resolve: (c) => new Response(c.locals.user) });
    // @ts-expect-error at `setup({ handlers: withHead([identified])…`: onRequest must return the local "user", which
    //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
    //   instead
    setup({ handlers: withHead([identified]) });
    setup({ handlers: withHead([identified]), onRequest: () => ({ user: "ada" }) });
  });
});

describe("the concerns together", () => {
  it("have their headers on every response", async () => {
    const policy = cors({ origins: ["https://app.example.com"] });
    const concerns = [
      policy,
      requestId(),
      securityHeaders({ "x-frame-options": "DENY" }),
      serverTiming({ name: "app" }),
    ];
    for (const path of ["/", "/nowhere", "/broken"]) {
      const { headers } = await answerOf(concerns, path);
      for (const name of ["vary", "x-request-id", "x-frame-options", "server-timing"]) {
        assert(headers.has(name), `${path} has no ${name}`);
      }
    }
  });
});
