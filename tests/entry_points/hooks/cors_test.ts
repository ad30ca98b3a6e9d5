import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { deny, route, setup } from "../../../mod.ts";
import { compose, cors, type CorsOptions, unmatched } from "../../../src/hooks/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { request } from "../../support/request.ts";

const ORIGIN = "https://app.example.com";
const POLICY: CorsOptions = {
  origins: [ORIGIN, "http://localhost:5173", "capacitor://localhost", "app2://localhost", "http://[::1]:8000"],
  credentials: true,
  allowHeaders: ["content-type", "authorization"],
  exposeHeaders: ["x-total-count", "etag"],
  maxAge: 600,
};

/** An app with a policy. `ran` has the handlers and guards that have run. */
function appWith(options: CorsOptions) {
  const ran: string[] = [];
  const running = (name: string, response = () => new Response(name)) => () => {
    ran.push(name);
    return response();
  };
  const policy = cors(options);
  const app = setup({
    handlers: policy.preflights([
      route.get("/books/:id", { resolve: running("get") }),
      route.delete("/books/:name", { resolve: running("delete") }),
      route.post("/books", { guards: [() => deny(running("denial")())], resolve: running("post") }),
      route.all("/all", { resolve: running("all") }),
      route.options("/options", { resolve: running("options") }),
      route.put("/options", { resolve: running("put") }),
      route.patch("/files/*", { resolve: running("patch") }),
      route.get("/files/:name", { resolve: running("get") }),
      route.put("/files/:name/notes", { resolve: running("put") }),
      route.post("/books/", { resolve: running("post") }),
      route.get("/items/:id", { resolve: running("get") }),
      route.delete("/items/latest", { resolve: running("delete") }),
      route.get("/café", { resolve: running("get") }),
      route.put("/caf%C3%A9", { resolve: running("put") }),
      route.get("/proxied", {
        resolve: () =>
          new Response(null, {
            headers: {
              "access-control-allow-origin": "*",
              "access-control-allow-credentials": "true",
              "access-control-expose-headers": "*",
              vary: "Accept",
            },
          }),
      }),
      route.get("/broken", {
        resolve: () => {
          throw new Error("broken");
        },
      }),
    ]),
    ...compose(policy),
    onError: () => new Response(null, { status: 500 }),
  });
  const fetch = async (method: string, path: string, headers: Record<string, string> = { origin: ORIGIN }) =>
    await app.fetch(request(path, { method, headers }));
  const preflight = (path: string, method: string, headers: Record<string, string> = {}) =>
    fetch("OPTIONS", path, { origin: ORIGIN, "access-control-request-method": method, ...headers });
  return { fetch, preflight, ran };
}

/** The headers of a response that CORS is about, without their prefix. */
function policyOf({ headers }: Response): Record<string, string> {
  const entries = [...headers].filter(([name]) => name.startsWith("access-control-"));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice("access-control-".length), value]));
}

const ALLOWED = { "allow-origin": ORIGIN, "allow-credentials": "true", "expose-headers": "x-total-count, etag" };

describe("cors()", () => {
  it("has its headers on every response: handlers', denials, the 404 and errors", async () => {
    const { fetch } = appWith(POLICY);
    for (const [method, path] of [["GET", "/books/1"], ["POST", "/books"], ["GET", "/nowhere"], ["GET", "/broken"]]) {
      const response = await fetch(method ?? "", path ?? "");
      assertEquals([path, policyOf(response), response.headers.get("vary")], [path, ALLOWED, "Origin"]);
    }
  });

  it("gives an origin that is not listed no header but Vary", async () => {
    const { fetch, preflight } = appWith(POLICY);
    for (
      const origin of [
        "https://other.example.com",
        "null",
        "",
        "*",
        `${ORIGIN}:443`,
        `${ORIGIN}/`,
        "HTTPS://app.example.com",
      ]
    ) {
      for (
        const response of [await fetch("GET", "/books/1", { origin }), await preflight("/books/1", "GET", { origin })]
      ) {
        assertEquals([origin, policyOf(response), response.headers.get("vary")], [origin, {}, "Origin"]);
      }
    }
    assertEquals(policyOf(await fetch("GET", "/books/1", {})), {});
  });

  it("allows each listed origin", async () => {
    for (const origin of POLICY.origins) {
      assertEquals(policyOf(await appWith(POLICY).fetch("GET", "/books/1", { origin }))["allow-origin"], origin);
    }
  });

  it("allows any origin as `*`, without credentials, and does not vary: caches keep one response", async () => {
    const { fetch, preflight } = appWith({ origins: "*", allowHeaders: ["*", "authorization"] });
    for (const headers of [{ origin: "https://any.example" }, {}]) {
      const response = await fetch("GET", "/books/1", headers);
      assertEquals([policyOf(response), response.headers.get("vary")], [{ "allow-origin": "*" }, null]);
    }
    assertEquals(policyOf(await preflight("/books/1", "GET")), {
      "allow-origin": "*",
      "allow-methods": "DELETE, GET",
      "allow-headers": "*, authorization",
    });
  });

  it("says once that a response varies by origin", async () => {
    for (
      const [given, sent] of [["Origin", "Origin"], ["accept , ORIGIN", "accept , ORIGIN"], ["*", "*"], [
        "X-Origin",
        "X-Origin, Origin",
      ]]
    ) {
      const app = setup({
        handlers: [route.get("/", { resolve: () => new Response(null, { headers: { vary: given ?? "" } }) })],
        ...compose(cors({ origins: [ORIGIN] })),
      });
      assertEquals((await app.fetch(request("/", { headers: { origin: ORIGIN } }))).headers.get("vary"), sent);
    }
  });

  it("asks a function about an origin, with the extra arguments of app.fetch", async () => {
    interface Env {
      readonly tenants: readonly string[];
    }
    const asked: unknown[] = [];
    const policy = cors({
      origins: (origin, env: Env) => {
        asked.push(origin);
        return env.tenants.includes(origin);
      },
      credentials: true,
    });
    const app = setup({
      handlers: policy.preflights([route.put("/", { resolve: () => new Response() })]),
      ...compose(policy),
    });
    const env = { tenants: [ORIGIN, "null"] };
    const ask = async (origin: string | undefined, method = "PUT") =>
      await app.fetch(
        request("/", {
          method,
          headers: {
            ...(origin && { origin }),
            ...(method === "OPTIONS" && { "access-control-request-method": "PUT" }),
          },
        }),
        env,
      );
    assertEquals(policyOf(await ask(ORIGIN)), { "allow-origin": ORIGIN, "allow-credentials": "true" });
    assertEquals(policyOf(await ask(ORIGIN, "OPTIONS")), {
      "allow-origin": ORIGIN,
      "allow-credentials": "true",
      "allow-methods": "PUT",
    });
    for (const origin of ["https://other.example", "null", "", `${ORIGIN}/`, undefined]) {
      const response = await ask(origin);
      assertEquals([policyOf(response), response.headers.get("vary")], [{}, "Origin"]);
      assertEquals(policyOf(await ask(origin, "OPTIONS")), {});
    }
    assertEquals([...new Set(asked)], [ORIGIN, "https://other.example"]);
    // @ts-expect-error at `undefined`: Argument of type 'undefined' is not assignable to parameter of type 'Env'.
    setup({ handlers: [], ...compose(policy) }).fetch(request("/"), undefined);
  });

  it("takes nothing but true from a function: a promise is no answer", async () => {
    for (const returned of [Promise.resolve(true), 1, "yes", undefined]) {
      const app = setup({ handlers: [], ...compose(cors({ origins: (() => returned) as never })) });
      assertEquals(policyOf(await app.fetch(request("/", { headers: { origin: ORIGIN } }))), {});
    }
  });

  it("responds to a preflight of a path without a route as the app says", async () => {
    const answers = unmatched({
      notFound: () => new Response("none", { status: 404 }),
      methodNotAllowed: () => new Response("wrong", { status: 405 }),
    });
    for (const methods of [undefined, ["GET", "DELETE"]]) {
      const policy = cors({ origins: [ORIGIN], unmatchedMethods: methods });
      for (const concerns of [[policy, answers], [answers, policy]] as const) {
        const app = setup({
          handlers: policy.preflights([route.put("/known", { resolve: () => new Response() })]),
          ...compose(...concerns),
        });
        const ask = async (path: string, origin: string, more: Record<string, string> = {}) =>
          await app.fetch(request(path, { method: "OPTIONS", headers: { origin, ...more } }));
        const preflight = { "access-control-request-method": "GET" };
        const nowhere = await ask("/nowhere", ORIGIN, preflight);
        assertEquals(nowhere.status, methods ? 204 : 404);
        assertEquals(policyOf(nowhere)["allow-methods"], methods?.join(", "));
        assertEquals(policyOf(nowhere)["allow-origin"], ORIGIN);
        assertEquals((await ask("/nowhere", ORIGIN)).status, 404);
        assertEquals(policyOf(await ask("/nowhere", "https://other.example", preflight)), {});
        assertEquals(policyOf(await ask("/known", ORIGIN, preflight))["allow-methods"], "PUT");
      }
    }
  });

  it("replaces the headers of another server's policy, and adds to Vary", async () => {
    const { fetch } = appWith({ origins: [ORIGIN] });
    const allowed = await fetch("GET", "/proxied");
    assertEquals([policyOf(allowed), allowed.headers.get("vary")], [{ "allow-origin": ORIGIN }, "Accept, Origin"]);
    const other = await fetch("GET", "/proxied", { origin: "https://other.example.com" });
    assertEquals(policyOf(other), {});
  });

  it("decides by the list as it was when the policy was made", async () => {
    const origins = [ORIGIN];
    const { fetch } = appWith({ origins });
    origins[0] = "https://other.example.com";
    assertEquals(policyOf(await fetch("GET", "/books/1")), { "allow-origin": ORIGIN });
  });

  it("rejects what is no whole origin", () => {
    const expected = "Option origins of cors must be an array of whole origins";
    const wrong: unknown[] = [
      "null",
      "*",
      "",
      "app.example.com",
      "https://",
      "https://app.example.com/",
      "https://app.example.com:443",
      "http://app.example.com:80",
      "https://App.example.com",
      "https://*.example.com",
      "https://a.example.com https://b.example.com",
      "https://user@app.example.com",
      "https://app.example.com?a",
      "https://app.example.com#a",
      "https://app.example.com:99999",
      " https://app.example.com",
      " capacitor://localhost",
      "capacitor://localhost/",
      "https://app.example.com\n",
      "9https://app.example.com",
      /example/,
      1,
      undefined,
    ];
    for (const origin of wrong) {
      assertThrows(() => cors({ origins: [ORIGIN, origin] as never }), TypeError, expected);
    }
    assertThrows(
      () => cors({ origins: [ORIGIN, "https://*.example.com"] }),
      TypeError,
      `${expected} such as https://app.example.com, a function, or "*": received an array with "https://*.example.com"`,
    );
    for (const origins of [ORIGIN, undefined, null, {}, new Set([ORIGIN])]) {
      assertThrows(() => cors({ origins: origins as never }), TypeError, expected);
    }
  });

  it("rejects other mistakes in its options", () => {
    const origins = [ORIGIN];
    const wrong: [object, string][] = [
      [{ origins, origin: "x" }, 'Option "origin" of cors is unknown: did you mean origins?'],
      [{ origins, credentials: "true" }, "Option credentials of cors must be a boolean"],
      [{ origins, allowHeaders: "content-type" }, "Option allowHeaders of cors must be an array"],
      [{ origins, allowHeaders: ["**"] }, "Option allowHeaders of cors must be an array"],
      [
        { origins, allowHeaders: ["content-type", "*"], credentials: true },
        'Option allowHeaders of cors must be names other than "*" if credentials is true',
      ],
      [{ origins, exposeHeaders: ["*"] }, "Option exposeHeaders of cors must be an array"],
      [{ origins, unmatchedMethods: ["get"] }, "Option unmatchedMethods of cors must be an array of methods"],
      [{ origins, unmatchedMethods: "GET" }, "Option unmatchedMethods of cors must be an array of methods"],
      [{ origins, exposeHeaders: ["a\r\nb"] }, "Option exposeHeaders of cors must be an array"],
      [{ origins, maxAge: -1 }, "Option maxAge of cors must be a whole number"],
      [{ origins, maxAge: 1e21 }, "Option maxAge of cors must be a whole number"],
      [{ origins, maxAge: 0.5 }, "Option maxAge of cors must be a whole number"],
      [{ origins, maxAge: "600" }, "Option maxAge of cors must be a whole number"],
    ];
    for (const [options, expected] of wrong) assertThrows(() => cors(options as never), TypeError, expected);
    cors({ origins, maxAge: 0, credentials: false });
  });
});

describe("preflights()", () => {
  it("responds to a preflight with the policy, and with the methods of all routes that may match the path", async () => {
    const { preflight, ran } = appWith(POLICY);
    const methods = {
      "/books/1": "DELETE, GET",
      "/books": "POST",
      "/books/": "POST", // a parameter matches no empty segment
      "/all": "DELETE, GET, HEAD, PATCH, POST, PUT, QUERY",
      "/options": "PUT",
      "/files/a": "GET, PATCH",
      "/files/a/b": "GET, PATCH, PUT",
      "/files/a/notes": "PATCH, PUT",
      "/items/1": "DELETE, GET",
      "/items/latest": "DELETE, GET",
      "/caf%C3%A9": "GET, PUT",
    };
    for (const [path, expected] of Object.entries(methods)) {
      const response = await preflight(path, "PUT");
      const allowed = { "allow-methods": expected, "allow-headers": "content-type, authorization", "max-age": "600" };
      assertEquals([path, response.status, policyOf(response)], [path, 204, { ...ALLOWED, ...allowed }]);
      assertEquals([response.headers.get("vary"), response.body, response.headers.has("allow")], [
        "Origin",
        null,
        false,
      ]);
    }
    assertEquals(ran, []);
  });

  it("says how long it may be remembered, and which headers are allowed, only if the policy does", async () => {
    const { preflight } = appWith({ origins: [ORIGIN], maxAge: 0 });
    const expected = { "allow-origin": ORIGIN, "allow-methods": "POST", "max-age": "0" };
    assertEquals(policyOf(await preflight("/books", "POST")), expected);
  });

  it("never runs a guard or a handler, also before guards that run before the body", async () => {
    const ran: string[] = [];
    const policy = cors({ origins: [ORIGIN] });
    const app = setup({
      handlers: policy.preflights([
        route.all("/", {
          guards: [() => deny(new Response(`${ran.push("guard")}`))],
          resolve: () => new Response(`${ran.push("handler")}`),
        }),
      ]),
      ...compose(policy),
    });
    const headers = { origin: ORIGIN, "access-control-request-method": "GET" };
    for (const sent of [headers, { ...headers, origin: "https://other.example.com" }]) {
      assertEquals((await app.fetch(request("/", { method: "OPTIONS", headers: sent }))).status, 204);
    }
    assertEquals(ran, []);
    await app.fetch(request("/", { method: "GET", headers }));
    assertEquals(ran, ["guard"]);
  });

  it("lets other requests with OPTIONS reach a declared route, and responds with 204 and Allow elsewhere", async () => {
    const { fetch, ran } = appWith(POLICY);
    assertEquals(await (await fetch("OPTIONS", "/options")).text(), "options");
    assertEquals(await (await fetch("OPTIONS", "/all")).text(), "all");
    const response = await fetch("OPTIONS", "/books/1");
    assertEquals([response.status, response.headers.get("allow")], [204, "DELETE, GET, OPTIONS"]);
    assertEquals(ran, ["options", "all"]);
    assertEquals((await fetch("OPTIONS", "/nowhere")).status, 404);
  });

  it("finds the methods of all routes with :name+ that may match the path", async () => {
    const resolve = () => new Response();
    const policy = cors({ origins: [ORIGIN] });
    const app = setup({
      handlers: policy.preflights([
        route.get("/v2/:name+/blobs/:digest", { resolve }),
        route.patch("/v2/:name+/blobs/uploads/:id", { resolve }),
        route.put("/v2/:other+/blobs/:id", { resolve }),
        route.delete("/v2/:org/:name/blobs/latest", { resolve }),
        route.post("/v2/:x+/", { resolve }),
      ]),
      ...compose(policy),
    });
    const methodsFor = async (path: string) => {
      const headers = { origin: ORIGIN, "access-control-request-method": "GET" };
      const response = await app.fetch(request(path, { method: "OPTIONS", headers }));
      return response.headers.get("access-control-allow-methods");
    };
    for (const path of ["/v2/a/blobs/1", "/v2/a/b/blobs/latest"]) {
      assertEquals(await methodsFor(path), "DELETE, GET, PUT");
    }
    assertEquals(await methodsFor("/v2/a/blobs/uploads/1"), "PATCH");
    assertEquals(await methodsFor("/v2/a/b/"), "POST");
    assertEquals(await methodsFor("/v2/a"), null);
  });

  it("lists QUERY, and says in Accept-Query which bodies it takes", async () => {
    const policy = cors({ origins: [ORIGIN], allowHeaders: ["content-type"] });
    const resolve = () => new Response();
    const bodyReader = { contentTypes: ["text/csv"], read: () => Promise.resolve({ value: "" }) };
    const app = setup({
      validator: { validate: (_, value) => ({ ok: true, value: value as never }) },
      handlers: policy.preflights([
        route.query("/books", { request: { body: {} }, resolve }),
        route.query("/:list", { request: { body: {}, bodyReader }, resolve }),
        route.get("/books", { resolve }),
        route.query("/plain/:id", { resolve }),
      ]),
      ...compose(policy),
    });
    const headers = { origin: ORIGIN, "access-control-request-method": "QUERY" };
    const preflight = await app.fetch(request("/books", { method: "OPTIONS", headers }));
    assertEquals(preflight.headers.get("access-control-allow-methods"), "GET, QUERY");
    const acceptedAt = async (path: string) => {
      const response = await app.fetch(request(path, { method: "OPTIONS" }));
      return [response.headers.get("allow"), response.headers.get("accept-query")];
    };
    assertEquals(await acceptedAt("/books"), ["GET, QUERY, OPTIONS", "application/json, text/csv"]);
    assertEquals(await acceptedAt("/films"), ["GET, QUERY, OPTIONS", "application/json, text/csv"]);
    assertEquals(await acceptedAt("/plain/1"), ["QUERY, OPTIONS", null]);
  });

  it("allows nothing if the policy is not among the concerns", async () => {
    const { preflights } = cors({ origins: [ORIGIN] });
    const app = setup({ handlers: preflights([route.get("/", { resolve: () => new Response() })]) });
    const headers = { origin: ORIGIN, "access-control-request-method": "GET" };
    const response = await app.fetch(request("/", { method: "OPTIONS", headers }));
    assertEquals(response.headers.has("access-control-allow-origin"), false);
  });

  it("adds routes that no document describes, and leaves those that were declared", () => {
    const { preflights } = cors({ origins: [ORIGIN] });
    const resolve = () => new Response();
    const routes = preflights([
      route.get("/a", { resolve }),
      route.options("/b", { resolve }),
      route.get("/c", { resolve }),
    ]);
    const { paths } = openapi({ info: { title: "API", version: "1" }, routes: setup({ handlers: routes }).routes });
    const described = Object.entries(paths).map(([path, item]) => [path, ...Object.keys(item)]);
    assertEquals(described, [["/a", "get"], ["/b", "options"], ["/c", "get"]]);
    assertEquals(routes.length, 5);
  });

  it("works with unmatched, which lists OPTIONS", async () => {
    const policy = cors({ origins: [ORIGIN] });
    const app = setup({
      handlers: policy.preflights([route.get("/", { resolve: () => new Response() })]),
      ...compose(
        policy,
        unmatched({ notFound: () => new Response(), methodNotAllowed: () => new Response(null, { status: 405 }) }),
      ),
    });
    const response = await app.fetch(request("/", { method: "PUT", headers: { origin: ORIGIN } }));
    assertEquals([response.status, response.headers.get("allow")], [405, "GET, OPTIONS"]);
    assertEquals(response.headers.get("access-control-allow-origin"), ORIGIN);
  });
});

describe("the advisories of other CORS modules", () => {
  it("CVE-2026-54290: any origin with credentials does not compile, and throws", () => {
    const expected = 'Option credentials of cors must be absent if origins is "*": received true';
    // Each site could read what its visitors may see.
    // @ts-expect-error at `{ origins: "*", credentials: true }`: Type 'true' is not assignable to type 'false'.
    assertThrows(() => cors({ origins: "*", credentials: true }), TypeError, expected);
    cors({ origins: "*", credentials: false });
  });

  it("GHSA-q7jf-gf43-6x6p: nothing of the request gets into Vary, or into any other header but a listed origin", async () => {
    const { fetch, preflight } = appWith(POLICY);
    const hostile = {
      vary: "evil",
      "access-control-request-headers": "x-evil",
      "access-control-request-private-network": "evil",
    };
    const requested = { ...hostile, "access-control-request-method": "EVIL", origin: "https://evil.example" };
    const responses = [
      await fetch("GET", "/books/1", { ...hostile, origin: ORIGIN }),
      await fetch("GET", "/evil", { ...requested }),
      await preflight("/books/1", "EVIL", hostile),
      await preflight("/all", "EVIL", requested),
    ];
    for (const response of responses) {
      assertEquals(response.headers.get("vary"), "Origin");
      assertEquals([...response.headers].filter((pair) => /evil/i.test(pair.join())), []);
    }
  });

  it("GHSA-vhxv-fg4m-p2w8: an origin that ends or begins like a listed one is another one", async () => {
    const { fetch } = appWith({ origins: ["https://foo.com"], credentials: true });
    for (const origin of ["https://barfoo.com", "https://foo.com.evil.com", "https://bar.foo.com", "http://foo.com"]) {
      assertEquals([origin, policyOf(await fetch("GET", "/books/1", { origin }))], [origin, {}]);
    }
    assertEquals(
      policyOf(await fetch("GET", "/books/1", { origin: "https://foo.com" }))["allow-origin"],
      "https://foo.com",
    );
  });

  it("GHSA-vh9x-phq6-fx54: a preflight's list of headers is not read, however long it is", async () => {
    const { preflight } = appWith(POLICY);
    const long = { "access-control-request-headers": ",".repeat(100_000) };
    assertEquals([...(await preflight("/all", "PUT", long)).headers], [...(await preflight("/all", "PUT")).headers]);
  });
});
