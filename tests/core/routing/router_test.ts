import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, type HookContext, route, setup } from "../../../mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

/** Routes that respond with their own name, `METHOD pattern`. */
function routesOf(...names: string[]) {
  return names.map((name) => {
    const [method = "", path = ""] = name.split(" ");
    const resolve = () => new Response(name);
    return method === "ALL" ? route.all(path, { resolve }) : route.on(method, path, { resolve });
  });
}

function appOf(...names: string[]): App {
  return setup({ handlers: routesOf(...names) });
}

/** The name of the matched route, or `404`. */
async function answering(app: App, method: string, path: string): Promise<string> {
  const response = await app.fetch(request(path, { method }));
  return response.status === 404 ? "404" : await response.text();
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

describe("routing", () => {
  it("prefers literal to parameter to wildcard, in any order of declaration", async () => {
    for (const names of permutations(["GET /a/b", "GET /a/:x", "GET /a/*", "GET /*"])) {
      const app = appOf(...names);
      assertEquals(await answering(app, "GET", "/a/b"), "GET /a/b");
      assertEquals(await answering(app, "GET", "/a/c"), "GET /a/:x");
      assertEquals(await answering(app, "GET", "/a/"), "GET /a/*");
      assertEquals(await answering(app, "GET", "/a/b/c"), "GET /a/*");
      assertEquals(await answering(app, "GET", "/a"), "GET /*");
    }
  });

  it("decides segment by segment from the left", async () => {
    for (const names of permutations(["GET /a/:x/c", "GET /:x/b/c", "GET /a/*"])) {
      const app = appOf(...names);
      assertEquals(await answering(app, "GET", "/a/b/c"), "GET /a/:x/c");
      assertEquals(await answering(app, "GET", "/z/b/c"), "GET /:x/b/c");
      assertEquals(await answering(app, "GET", "/a/b/d"), "GET /a/*");
    }
  });

  it("CVE-2026-33131: matches nothing if the Host header is not a host: it could have moved the path", async () => {
    const app = appOf("GET /a", "GET /b/:x", "GET /c/*", "GET /:x");
    /** A request as Deno, Bun before 1.4 and adapters make it: with the header in front of the target. */
    const from = (host: string, path: string) =>
      app.fetch({ method: "GET", url: `http://${host}${path}`, headers: new Headers({ host }) } as Request);
    for (
      const host of [
        "h/a?",
        "h/a#",
        "h/b",
        "h/c",
        "h/c/1?x=",
        "h/a?x=",
        "h#",
        "h?",
        "u@h",
        "h\\x",
        "a b",
        "h/",
        "localhost:3000/x?",
      ]
    ) {
      for (const path of ["/a", "/b/1", "/c/1/2", "/1", "/a", "*"]) {
        if (path !== "*") assertEquals((await from("h", path)).status, 200, path);
        assertEquals((await from(host, path)).status, 404, `${host} ${path}`);
      }
    }
  });

  it("reads neither the Host header nor its trace in the url if the url is trusted", async () => {
    const app = setup({ trustUrl: true, handlers: routesOf("GET /a", "GET /b/:x") });
    const from = async (url: string, host = "h/a?") => {
      const headers = {
        get() {
          throw new Error("A header is read");
        },
      };
      const response = await app.fetch({ method: "GET", url, host, headers } as unknown as Request);
      return response.status === 404 ? "404" : await response.text();
    };
    for (let turn = 0; turn < 3; turn++) {
      assertEquals(await from("http://h/a?/b/1"), "GET /a");
      assertEquals(await from("http://h/a#/b/1"), "GET /a");
      assertEquals(await from("http://h/b/1"), "GET /b/:x");
      assertEquals(await from("http://h/b/..%2fa"), "GET /b/:x");
      // What is ambiguous to any two parsers matches nothing.
      for (const path of ["/b/../a", "/b/%2e", "/b\\1", "/b/1\\"]) {
        assertEquals(await from(`http://h${path}`), "404", path);
      }
    }
  });

  it("matches under any number of hosts", async () => {
    const app = appOf("GET /a", "GET /:x");
    for (let index = 0; index < 1_200; index++) {
      const url = `http://h${index}/a`;
      // The first request makes the origin known; the others use it.
      for (let turn = 0; turn < 3; turn++) {
        const response = await app.fetch(new Request(url));
        assertEquals(await response.text(), "GET /a", url);
      }
    }
    assertEquals(await answering(app, "GET", "/a"), "GET /a");
    assertEquals(await answering(app, "POST", "/a"), "404");
  });

  it("gives the same result however often a path without parameters is asked for, and whatever comes between", async () => {
    // Paths whose urls have the same slot of the cache.
    const paths = Array.from({ length: 12 }, (_, index) => `/p${index + 10}`);
    const app = appOf("ALL /p10", "POST /p11", "GET /:x", ...paths.map((path) => `GET ${path}`));
    for (let turn = 0; turn < 3; turn++) {
      for (const origin of ["http://h", "http://h", "https://h", "http://longer:8080"]) {
        const ask = async (method: string, path: string) => {
          const response = await app.fetch(new Request(origin + path, { method }));
          return response.status === 404 ? "404" : await response.text();
        };
        for (const path of paths) assertEquals(await ask("GET", path), `GET ${path}`);
        for (const path of paths) assertEquals(await ask("GET", `${path}?x=1`), `GET ${path}`);
        assertEquals(await ask("GET", "/p99"), "GET /:x");
        assertEquals(await ask("POST", "/p11"), "POST /p11");
        assertEquals(await ask("POST", "/p10"), "ALL /p10");
        assertEquals(await ask("POST", "/p12"), "404");
      }
    }
  });

  it("checks the Host header of every request for a path of two segments, however often the path was asked for", async () => {
    const app = appOf("GET /a/b");
    const ask = async (host: string) => {
      const url = "http://h/a/b";
      return (await app.fetch({ method: "GET", url, headers: new Headers({ host }) } as Request)).status;
    };
    for (let turn = 0; turn < 3; turn++) {
      assertEquals(await ask("h"), 200);
      assertEquals(await ask("h/a"), 404);
    }
  });

  it("finds the path of a url whose origin begins as the one before did", async () => {
    const app = appOf("GET /", "GET /a", "GET /:x/b");
    const ask = async (url: string) => {
      const response = await app.fetch({ method: "GET", url, headers: new Headers() } as Request);
      return await response.text();
    };
    for (const origin of ["http://h0", "http://h:80", "http://h.", "http://h-", "http://h~", "http://g", "http://hh"]) {
      for (const [path, name] of [["/a", "GET /a"], ["", "GET /"], ["/", "GET /"], ["/a/b", "GET /:x/b"]] as const) {
        // A url that is not cached makes its origin the known one.
        assertEquals(await ask("http://h/?x"), "GET /");
        assertEquals(await ask(origin + path), name, origin + path);
      }
    }
  });

  it("matches a url that is only a path, as Bun has it without a Host, by that path", async () => {
    const app = appOf("GET /a", "GET /é");
    // The first url is as long as the path that it is parsed to.
    for (const origin of ["x://h", "http://h", "HTTP://h", "http://u@h"]) {
      for (const path of ["/é", "/%C3%A9", "/a"]) {
        for (const [url, status] of [[origin + path, 200], [path, 200], ["/%C3%A9", 200], ["/b", 404]] as const) {
          const response = await app.fetch({ method: "GET", url, headers: new Headers() } as Request);
          assertEquals(response.status, status, url);
        }
      }
    }
    // The second url is what the parser turns the path of the first into, and as long as the whole first url.
    const { fetch } = appOf(`GET /""""abcdefgh`);
    for (const [url, status] of [[`http://h/""""abcdefgh`, 200], ["/%22%22%22%22abcdefgh", 200]] as const) {
      assertEquals((await fetch({ method: "GET", url, headers: new Headers() } as Request)).status, status, url);
    }
  });

  it("prefers a parameter on the left to a literal on the right, also in an encoded path", async () => {
    const app = appOf("GET /a/:x", "GET /:y/é", "GET /:y/.b");
    for (const last of ["%C3%A9", ".b", "%2eb", "..b"]) {
      // The first request makes the origin known.
      for (let turn = 0; turn < 3; turn++) assertEquals(await answering(app, "GET", `/a/${last}`), "GET /a/:x");
    }
    assertEquals(await answering(app, "GET", "/z/%C3%A9"), "GET /:y/é");
    assertEquals(await answering(app, "GET", "/z/.b"), "GET /:y/.b");
    assertEquals(await answering(app, "GET", "/z/%2eb"), "404");
  });

  it("backtracks to a less specific branch if the more specific one does not match", async () => {
    for (const names of permutations(["GET /a/b/c", "GET /a/:x/d", "GET /:y/b/e", "GET /:y/*"])) {
      const app = appOf(...names);
      assertEquals(await answering(app, "GET", "/a/b/d"), "GET /a/:x/d");
      assertEquals(await answering(app, "GET", "/a/b/e"), "GET /:y/b/e");
      assertEquals(await answering(app, "GET", "/a/b/f"), "GET /:y/*");
      assertEquals(await answering(app, "GET", "/a"), "404");
    }
  });

  it("backtracks if the more specific pattern has no route for the method", async () => {
    for (const names of permutations(["POST /a/b", "GET /a/:x", "DELETE /*"])) {
      const app = appOf(...names);
      assertEquals(await answering(app, "POST", "/a/b"), "POST /a/b");
      assertEquals(await answering(app, "GET", "/a/b"), "GET /a/:x");
      assertEquals(await answering(app, "DELETE", "/a/b"), "DELETE /*");
      assertEquals(await answering(app, "PUT", "/a/b"), "404");
    }
  });

  it("prefers a named method to all() on one pattern, and a more specific pattern to a named method", async () => {
    for (const names of permutations(["ALL /a/b", "GET /a/b", "POST /a/:x"])) {
      const app = appOf(...names);
      assertEquals(await answering(app, "GET", "/a/b"), "GET /a/b");
      assertEquals(await answering(app, "PUT", "/a/b"), "ALL /a/b");
      assertEquals(await answering(app, "POST", "/a/b"), "ALL /a/b");
      assertEquals(await answering(app, "POST", "/a/c"), "POST /a/:x");
    }
  });

  it("gives each route its own parameter names, even if routes share a shape", async () => {
    const app = setup({
      handlers: [
        route.get("/:first/x", { resolve: (c) => Response.json(c.raw.params) }),
        route.post("/:second/x", { resolve: (c) => Response.json(c.raw.params) }),
      ],
    });
    assertEquals(await (await app.fetch(request("/1/x"))).json(), { first: "1" });
    assertEquals(await (await app.fetch(request("/1/x", { method: "POST" }))).json(), { second: "1" });
  });

  it("matches literals that are names of object properties", async () => {
    const app = appOf("GET /constructor", "GET /__proto__/x", "GET /:any/hasOwnProperty");
    assertEquals(await answering(app, "GET", "/constructor"), "GET /constructor");
    assertEquals(await answering(app, "GET", "/__proto__/x"), "GET /__proto__/x");
    assertEquals(await answering(app, "GET", "/__proto__/hasOwnProperty"), "GET /:any/hasOwnProperty");
    assertEquals(await answering(app, "GET", "/toString"), "404");
    const named = { url: "http://localhost/constructor", method: "constructor", headers: new Headers() } as Request;
    assertEquals((await app.fetch(named)).status, 404);
  });

  it("finds every one of a thousand routes", async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `GET /r${index % 10}/:id/s${index}`);
    const app = appOf(...names, "GET /r1/*");
    for (const [index, name] of names.entries()) {
      assertEquals(await answering(app, "GET", `/r${index % 10}/x/s${index}`), name);
    }
    assertEquals(await answering(app, "GET", "/r2/x/s1"), "404");
    assertEquals(await answering(app, "GET", "/r1/x/s2"), "GET /r1/*");
  });

  it("finds a literal of twenty thousand characters, and what branches off at its end", async () => {
    const literal = `/${"a".repeat(20_000)}`;
    const names = [`GET ${literal}`, `GET ${literal}/b`, `GET ${literal}/:x`];
    const app = appOf(...names);
    assertEquals(await answering(app, "GET", literal), names[0]);
    assertEquals(await answering(app, "GET", `${literal}/b`), names[1]);
    assertEquals(await answering(app, "GET", `${literal}/c`), names[2]);
    assertEquals(await answering(app, "GET", `${literal}a`), "404");
  });

  it("does not read an index in its tree as a character of a path", async () => {
    // The index of the node after the parameter grows with the length, so it takes the code of every letter in turn.
    for (let length = 1; length < 130; length++) {
      const tail = "-".repeat(length);
      const app = appOf(`GET /:a/b${tail}`, "GET /:a/c", "GET /z");
      for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        assertEquals(await answering(app, "GET", `/${letter}${tail}`), "404");
      }
      assertEquals(await answering(app, "GET", "/a/c"), "GET /:a/c");
    }
  });

  it("matches a path of two million characters with work that is linear in its length", async () => {
    const app = appOf("GET /:a/:b/:c/x", "GET /:a/:b/*", "GET /a/a/:c/:d/y");
    assertEquals(await answering(app, "GET", "/a".repeat(1_000_000)), "GET /:a/:b/*");
    assertLinear((length) => app.fetch(request("/a".repeat(length / 2))), 10_000);
  });
});

describe("allowedMethods", () => {
  /** What the hook context has for a request. */
  async function allowed(method: string, path: string, ...names: string[]): Promise<readonly string[] | undefined> {
    return await allowedFor(request(path, { method }), ...names);
  }

  async function allowedFor(incoming: Request, ...names: string[]): Promise<readonly string[] | undefined> {
    let methods: readonly string[] | undefined;
    const app = setup({
      handlers: routesOf(...names),
      onResponse({ context }) {
        methods = context.allowedMethods;
      },
    });
    await app.fetch(incoming);
    return methods;
  }

  it("lists the methods that have a route at the path, from all matching patterns", async () => {
    const names = ["GET /a/b", "PUT /a/:x", "DELETE /*", "POST /c"];
    assertEquals(await allowed("PATCH", "/a/b", ...names), ["DELETE", "GET", "PUT"]);
    assertEquals(await allowed("PATCH", "/a/z", ...names), ["DELETE", "PUT"]);
    assertEquals(await allowed("GET", "/c", ...names), ["DELETE", "POST"]);
  });

  it("is empty if the path has no route, and absent if a route matched", async () => {
    assertEquals(await allowed("GET", "/nowhere", "GET /a"), []);
    assertEquals(await allowed("GET", "/a", "GET /a"), undefined);
  });

  it("is empty if the Host header is not a host: the path cannot be trusted", async () => {
    for (const [host, methods] of [["h", ["POST"]], ["h/x", []]] as const) {
      assertEquals(await allowedFor(request("/a", { headers: { host } }), "POST /a"), methods);
    }
  });

  it("is empty if the url cannot be parsed or its path is ambiguous", async () => {
    const allowedAt = async (url: string) =>
      await allowedFor({ url, method: "GET", headers: new Headers() } as Request, "POST /a", "POST /*");
    assertEquals(await allowedAt("http://h/a"), ["POST"]);
    for (const url of ["http://h:99999/a", "http:///a", "http://h/\\a", "http://h/a#", "http://h/..%2fa"]) {
      assertEquals(await allowedAt(url), [], url);
    }
  });

  it("can be read later, after the runtime has hidden the request", async () => {
    let isOpen = true;
    const whileOpen = <T>(value: T): T => {
      if (isOpen) return value;
      throw new TypeError("Request closed");
    };
    const incoming = {
      get url() {
        return whileOpen("http://localhost/a");
      },
      get method() {
        return whileOpen("GET");
      },
      get headers() {
        return whileOpen(new Headers());
      },
    } as Request;
    const contexts: HookContext[] = [];
    const app = setup({
      handlers: routesOf("POST /a"),
      onResponse: ({ context }) => {
        contexts.push(context);
      },
    });
    await app.fetch(incoming);
    isOpen = false;
    assertEquals(contexts.map(({ allowedMethods }) => allowedMethods), [["POST"]]);
  });

  it("is an ordinary property of the context, computed on access", async () => {
    const copies: unknown[] = [];
    const app = setup({
      handlers: routesOf("POST /a"),
      onResponse({ context }) {
        const { allowedMethods } = context;
        copies.push(allowedMethods, { ...context }.allowedMethods);
      },
    });
    await app.fetch(request("/a"));
    assertEquals(copies, [["POST"], ["POST"]]);
  });

  it("lets an app respond with 405 and Allow, which the framework does not do by itself", async () => {
    const app = setup({
      handlers: [route.get("/a", { resolve: () => new Response("a") })],
      onResponse({ context }) {
        const methods = context.allowedMethods;
        if (methods === undefined || methods.length === 0) return;
        return new Response(null, { status: 405, headers: { allow: methods.join(", ") } });
      },
    });
    const response = await app.fetch(request("/a", { method: "POST" }));
    assertEquals([response.status, response.headers.get("allow")], [405, "GET"]);
    assertEquals((await app.fetch(request("/b"))).status, 404);
  });
});
