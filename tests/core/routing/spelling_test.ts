/**
 * One path in several spellings: a guard is not walked around by escapes that a path need not have. The matcher itself is
 * compared with a naive one in segments_test.ts.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, deny, type HookContext, reply, route, setup } from "../../../mod.ts";
import { assertLinear, countWork } from "../../support/count_work.ts";

/** An app with these routes, which respond with their path and their parameters. */
function appOf(patterns: readonly string[], trustUrl = false): App {
  return setup({
    trustUrl,
    handlers: patterns.map((path) => route.get(path, { resolve: (c) => Response.json([path, c.raw.params]) })),
  });
}

/** A request whose url no parser has read, as `Deno.serve` passes it. */
function received(path: string, method = "GET"): Request {
  return { method, url: `http://localhost${path}`, headers: new Headers() } as Request;
}

async function found(app: App, path: string): Promise<unknown> {
  const response = await app.fetch(received(path));
  return response.status === 200 ? await response.json() : response.status;
}

/** Spellings of `/r2/private/x` that reach an open `/r2/*` in a router that compares bytes. */
const SPELLINGS = [
  "/r2/pri%76ate/x",
  "/r2/%70%72%69%76%61%74%65/x",
  "/r2/private%2Fx",
  "/r2/private%2fx",
  "/r2/pri%76ate%2f%78",
  "/r2/%70rivate%2Fx?y=%2F",
];

describe("a guarded path beside an open one", () => {
  const openBuckets = ["/r2/*", "/r2/:name+", "/:bucket/*", "/*"];

  it("is not reached by another spelling", async () => {
    for (const open of openBuckets) {
      let opened = 0;
      const app = setup({
        handlers: [
          route.all(open, { resolve: () => new Response(`${++opened}`) }),
          route.all("/r2/private/*", { guards: [() => deny(reply(401))], resolve: () => new Response() }),
        ],
      });
      for (const method of ["GET", "POST", "HEAD"]) {
        assertEquals((await app.fetch(received("/r2/private/x", method))).status, 401);
        for (const path of SPELLINGS) {
          assertEquals((await app.fetch(received(path, method))).status, 404, `${method} ${path} beside ${open}`);
        }
      }
      assertEquals(opened, 0);
    }
  });

  it("is reached by each spelling if the url is trusted, through its guard", async () => {
    for (const open of openBuckets) {
      const app = setup({
        trustUrl: true,
        handlers: [
          route.get(open, { resolve: () => new Response() }),
          route.get("/r2/private/*", { guards: [() => deny(reply(401))], resolve: () => new Response() }),
        ],
      });
      const statuses = await Promise.all(SPELLINGS.map(async (path) => (await app.fetch(received(path))).status));
      // An escaped slash is one only where a wildcard matches it, and `/r2/:name+` is none.
      const expected = SPELLINGS.map((path) => open === "/r2/:name+" && /%2f/i.test(path) ? 404 : 401);
      assertEquals(statuses, expected, open);
    }
  });

  it("is not reached through a parameter either", async () => {
    const patterns = ["/:name", "/admin", "/:a/:b", "/:a/@team", "/files/:name", "/files/a,b"];
    for (const path of ["/%61dmin", "/adm%69n", "/x/%40team", "/files/a%2Cb", "/files/a%2cb", "/f%69les/a,b"]) {
      assertEquals(await found(appOf(patterns), path), 404, path);
    }
    const trusted = appOf(patterns, true);
    assertEquals(await found(trusted, "/adm%69n?x=%61"), ["/admin", {}]);
    assertEquals(await found(trusted, "/%78/%40team"), ["/:a/@team", { a: "x" }]);
    assertEquals(await found(trusted, "/f%69les/a%2cb"), ["/files/a,b", {}]);
  });

  it("keeps an escaped slash in a parameter: only what a wildcard matches is divided by it", async () => {
    const patterns = ["/:bucket/*", "/private/*"];
    for (const trustUrl of [false, true]) {
      assertEquals(await found(appOf(patterns, trustUrl), "/private%2Fx/y"), [
        "/:bucket/*",
        { bucket: "private/x", "*": "y" },
      ]);
    }
  });

  it("is found through several wildcards if the url is trusted: the rule is asked until nothing changes", async () => {
    const patterns = ["/*", "/v1/*", "/v1/admin/*", "/v1/admin/:a/b"];
    assertEquals(await found(appOf(patterns), "/%76%31%2fadmin%2fx%2fb"), 404);
    assertEquals(await found(appOf(patterns, true), "/%76%31%2fadmin%2fx%2fb"), ["/v1/admin/:a/b", { a: "x" }]);
    // Here each route has a wildcard only after the one before it has been found.
    const staged = ["/:a", "/b/*", "/b/c/*"];
    assertEquals(await found(appOf(staged, true), "/%62/c%2Fd"), ["/b/c/*", { "*": "d" }]);
  });

  it("has values that cannot be decoded as they were sent, whatever other routes there are", async () => {
    for (const others of [[], ["/%3C"]]) {
      const app = appOf(["/files/*", ...others], true);
      assertEquals(await found(app, "/%66iles/%c3/x"), ["/files/*", { "*": "%c3/x" }]);
    }
  });

  it("is no dot segment that was escaped, also if the url is trusted", async () => {
    const patterns = ["/v1/*", "/v1/:a/:b/c", "/v1/:a/:b"];
    for (const path of ["/v1/x%2f..%2fc", "/v1/..%2fb%2fc", "/v1/%2e%2e%2fb", "/v1/.%2fb"]) {
      assertEquals(await found(appOf(patterns), path), 404, path);
      assertEquals(await found(appOf(patterns, true), path), 404, path);
    }
    assertEquals(await found(appOf(["/v1/*"], true), "/v1/..%2fb%2fc"), ["/v1/*", { "*": "../b/c" }]);
  });
});

describe("another spelling of a path", () => {
  it("has the same route if that is its own in both", async () => {
    for (const trustUrl of [false, true]) {
      const app = appOf(["/users/:name", "/:package", "/:package/:version", "/static/*", "/café", "/a%2Fb"], trustUrl);
      assertEquals(await found(app, "/users/%7Ebob"), ["/users/:name", { name: "~bob" }]);
      for (const path of ["/@scope%2Fname", "/@scope%2fname", "/%40scope%2fname"]) {
        assertEquals(await found(app, path), ["/:package", { package: "@scope/name" }], path);
      }
      assertEquals(await found(app, "/@s%2fn/1%2E0.0"), ["/:package/:version", { package: "@s/n", version: "1.0.0" }]);
      assertEquals(await found(app, "/static/a%2Fb%2Fc%20d%zz"), ["/static/*", { "*": "a%2Fb%2Fc%20d%zz" }]);
      assertEquals(await found(app, "/static/%61%2Fb"), ["/static/*", { "*": "a/b" }]);
      // Hexadecimal digits have no case: the bytes are the same.
      for (const path of ["/caf%C3%A9", "/caf%c3%a9", "/caf%C3%a9"]) {
        assertEquals(await found(app, path), ["/café", {}]);
      }
      assertEquals(await found(app, "/a%2fb"), ["/a%2Fb", {}]);
    }
  });

  it("is no spelling if what follows the `%` is not two hexadecimal digits", async () => {
    for (const trustUrl of [false, true]) {
      const app = appOf(["/admin", "/a", "/:x"], trustUrl);
      for (const path of ["/adm%6", "/adm%", "/%g1dmin", "/%", "/%6", "/adm%x69n", "/%%361"]) {
        assertEquals(await found(app, path), ["/:x", { x: path.slice(1) }], path);
      }
      assertEquals(await found(appOf(["/admin", "/:x"], trustUrl), "/%2561dmin"), ["/:x", { x: "%61dmin" }]);
    }
  });

  it("does not count in the query", async () => {
    assertEquals(await found(appOf(["/admin", "/*"]), "/admin?x=%61&y=%2F"), ["/admin", {}]);
    assertEquals(await found(appOf(["/a/*", "/a/b"]), "/a/c%20d?x=%62"), ["/a/*", { "*": "c d" }]);
  });

  it("has no allowedMethods if it hides a route from one of them", async () => {
    const contexts: HookContext[] = [];
    const { fetch } = setup({
      handlers: [
        route.post("/v1/*", { resolve: () => new Response() }),
        route.get("/v1/*", { resolve: () => new Response() }),
        route.get("/v1/admin", { resolve: () => new Response() }),
        route.put("/v1/:x", { resolve: () => new Response() }),
      ],
      onResponse: ({ context }) => void contexts.push(context),
    });
    for (const path of ["/v1/%61dmin", "/v1/admin", "/v1/%61", "/v1/a%2Fb"]) await fetch(received(path, "DELETE"));
    assertEquals(contexts.map(({ allowedMethods }) => allowedMethods), [
      [],
      ["GET", "POST", "PUT"],
      ["GET", "POST", "PUT"],
      ["GET", "POST", "PUT"],
    ]);
    await fetch(received("/v1/%61dmin"));
    assertEquals(contexts.at(-1)?.allowedMethods, []);
  });
});

describe("the work on another spelling", () => {
  /** The characters that are read for a path. */
  function workOn(patterns: readonly string[], path: string, trustUrl = false): number {
    const response = new Response();
    const { fetch } = setup({
      trustUrl,
      handlers: patterns.map((path) => route.get(path, { resolve: () => response })),
    });
    // Not the headers of a runtime, which may read texts themselves.
    const incoming = { method: "GET", url: "http://h/", headers: { get: () => "h" } } as unknown as Request;
    // The first request makes the origin known.
    fetch(incoming);
    return countWork(() => void fetch({ ...incoming, url: `http://h${path}` }));
  }

  it("grows with the length of the path, whatever is in it", () => {
    const tables = [["/files/*"], ["/files/*", "/files/a/:b/*", "/:a/*", "/café/*"], ["/:a", "/:a/:b+/c", "/*"]];
    for (const patterns of tables) {
      for (const filler of ["%2f", "%2F", "a%2f", "%61", "%c3%a9", "%zz", "%", "/%61", "%%36", "%2e%2e%2f"]) {
        for (const trustUrl of [false, true]) {
          const pathOf = (length: number) => `/files/${filler.repeat(length / filler.length)}`;
          assertLinear((length) => fetchOnce(patterns, pathOf(length), trustUrl), 4 * 1024);
        }
      }
    }
  });

  function fetchOnce(patterns: readonly string[], path: string, trustUrl: boolean): void {
    const { fetch } = setup({
      trustUrl,
      handlers: patterns.map((path) => route.get(path, { resolve: () => NOTHING })),
    });
    fetch({ method: "GET", url: `http://h${path}`, headers: { get: () => "h" } } as unknown as Request);
  }

  const NOTHING = new Response();

  it("is at most a search for its escapes if none is needless, as in a package of npm", () => {
    const patterns = ["/:package", "/:package/:version"];
    const [plain, escaped] = ["/@scope-1name", "/@scope%2fname"].map((path) => workOn(patterns, path));
    // A value with an escape was read twice already: for dot segments, and to decode it.
    assert(escaped !== undefined && plain !== undefined && escaped <= plain + 4 * "/@scope%2fname".length);
  });

  it("is none for a path without an escape, whatever the literals of the routes", () => {
    const [plain, others] = [["/files/*", "/cafe"], ["/files/*", "/caf%C3%A9"]].map((patterns) =>
      workOn(patterns, "/files/a/b")
    );
    assertEquals(plain, others);
  });
});
