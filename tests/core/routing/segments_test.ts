/** What `:name+` means: one or more segments, anywhere in a pattern. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type App, type HookContext, route, setup } from "../../../mod.ts";
import { countWork } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";
import { compareMatchers } from "./compare_matchers.ts";

/** An app whose routes for GET respond with their pattern and their parameters. */
function appOf(...patterns: string[]): App {
  return setup({
    handlers: patterns.map((path) =>
      route.get(path, { resolve: ({ raw }) => Response.json([path, { ...raw.params }]) })
    ),
  });
}

/** The pattern and the parameters of the matched route, or `404`. */
async function found(app: App, path: string): Promise<unknown> {
  const response = await app.fetch(request(path));
  return response.status === 404 ? 404 : await response.json();
}

function refusal(...patterns: string[]): string {
  return assertThrows(() => appOf(...patterns), TypeError).message;
}

describe("a pattern with :name+", () => {
  it("matches one or more segments, at its beginning, in its middle and at its end", async () => {
    for (
      const [pattern, path, params] of [
        ["/:a+", "/x", { a: "x" }],
        ["/:a+", "/x/y/z", { a: "x/y/z" }],
        ["/:a+/end", "/x/end", { a: "x" }],
        ["/:a+/end", "/x/y/end/end", { a: "x/y/end" }],
        ["/:a/:b+/:c", "/1/2/3/4/5", { a: "1", b: "2/3/4", c: "5" }],
        ["/start/:a+", "/start/start", { a: "start" }],
        ["/:a+/", "/x/y/", { a: "x/y" }],
        ["/a/:b+/c/:d/e", "/a/c/1/e/c/2/e", { b: "c/1/e", d: "2" }],
      ] as const
    ) {
      assertEquals(await found(appOf(pattern), path), [pattern, params], path);
    }
    for (
      const [pattern, path] of [
        ["/:a+", "/"],
        ["/:a+/end", "/end"],
        ["/a/:b+", "/a"],
        ["/a/:b+", "/a/"],
        ["/:a+/", "/x"],
        ["/:a/:b+/:c", "/1/2"],
        ["/a/:b+/c", "/a/x/C"],
        ["/a/:b+/c", "/a/x/c?/c/x"],
      ] as const
    ) {
      assertEquals(await found(appOf(pattern), path), path.includes("?") ? [pattern, { b: "x" }] : 404, path);
    }
  });

  it("matches no empty segment and none with an encoded slash", async () => {
    const app = appOf("/v/:a+/end");
    for (const value of ["/x", "x/", "x//y", "/", "x%2Fy", "x/%2fy/z", "%2F"]) {
      assertEquals(await found(app, `/v/${value}/end`), 404, value);
      // Where a wildcard matches `%2F`, it is a slash: `/v/x/y/end` has another route.
      const isRespelled = value === "x%2Fy";
      assertEquals(
        await found(appOf("/v/:a+/end", "/*"), `/v/${value}/end`),
        isRespelled ? 404 : ["/*", { "*": `v/${value.replace(/%2f/i, "/")}/end` }],
      );
    }
    // Beside the value, both are as ever.
    assertEquals(await found(appOf("/v/:a+/:b"), "/v/x/y%2Fz"), ["/v/:a+/:b", { a: "x", b: "y/z" }]);
    assertEquals(await found(appOf("/:b/:a+"), "/y%2Fz/x"), ["/:b/:a+", { a: "x", b: "y/z" }]);
    // `%252F` is the text `%2F`, not a slash.
    assertEquals(await found(app, "/v/x%252Fy/end"), ["/v/:a+/end", { a: "x%2Fy" }]);
  });

  it("has a value that is decoded, unless an escape in it is malformed", async () => {
    const app = appOf("/v/:a+/end");
    for (
      const [value, decoded] of [
        ["caf%C3%A9/b%20c", "café/b c"],
        ["%zz/b%20c", "%zz/b%20c"],
        ["b%20c/%C3%28/%41", "b%20c/%C3%28/%41"],
        ["%2541", "%41"],
        ["é/ü", "é/ü"],
      ] as const
    ) {
      assertEquals(await found(app, `/v/${value}/end`), ["/v/:a+/end", { a: decoded }]);
    }
  });

  it("matches no value that has a dot segment once it is decoded, unless the url is trusted", async () => {
    const path = "/v/x/a%5C../end";
    assertEquals(await found(appOf("/v/:a+/end"), path), 404);
    const app = setup({
      trustUrl: true,
      handlers: [route.get("/v/:a+/end", { resolve: ({ raw }) => new Response(raw.params.a) })],
    });
    assertEquals(await (await app.fetch(request(path))).text(), "x/a\\..");
    for (const path of ["/v/x/../end", "/v/x/%2e%2e/end", "/v/./x/end"]) {
      const url = `http://localhost${path}`;
      assertEquals((await app.fetch({ method: "GET", url, headers: new Headers() } as Request)).status, 404);
    }
  });

  it("ranks between a parameter and a wildcard, whatever the order of declaration", async () => {
    const patterns = ["/a/b/c", "/a/:x/c", "/a/:x+/c", "/a/:x+", "/a/*", "/:x+"];
    for (const declared of [patterns, patterns.toReversed()]) {
      const app = appOf(...declared);
      assertEquals(await found(app, "/a/b/c"), ["/a/b/c", {}]);
      assertEquals(await found(app, "/a/d/c"), ["/a/:x/c", { x: "d" }]);
      assertEquals(await found(app, "/a/d/e/c"), ["/a/:x+/c", { x: "d/e" }]);
      assertEquals(await found(app, "/a/d/e"), ["/a/:x+", { x: "d/e" }]);
      assertEquals(await found(app, "/a/d/"), ["/a/*", { "*": "d/" }]);
      assertEquals(await found(app, "/b/d"), ["/:x+", { x: "b/d" }]);
    }
  });

  it("gives way to the pattern with more segments after it, then to literals from the right", async () => {
    const patterns = ["/:n+", "/:n+/:x", "/:n+/b", "/:n+/:x/:y", "/:n+/a/:y", "/:n+/:x/b", "/:n+/a/b"];
    for (const declared of [patterns, patterns.toReversed()]) {
      const app = appOf(...declared);
      assertEquals(await found(app, "/1"), ["/:n+", { n: "1" }]);
      assertEquals(await found(app, "/1/2"), ["/:n+/:x", { n: "1", x: "2" }]);
      assertEquals(await found(app, "/1/b"), ["/:n+/b", { n: "1" }]);
      assertEquals(await found(app, "/1/2/3"), ["/:n+/:x/:y", { n: "1", x: "2", y: "3" }]);
      assertEquals(await found(app, "/1/a/3"), ["/:n+/a/:y", { n: "1", y: "3" }]);
      assertEquals(await found(app, "/1/a/b"), ["/:n+/a/b", { n: "1" }]);
      assertEquals(await found(app, "/1/2/b"), ["/:n+/:x/b", { n: "1", x: "2" }]);
    }
    const two = appOf("/:n+/a/:y", "/:n+/:x/b");
    assertEquals(await found(two, "/1/a/b"), ["/:n+/:x/b", { n: "1", x: "a" }]);
  });

  it("is matched from a prefix that fails further right", async () => {
    const app = appOf("/a/b/:n+/x", "/a/:n+/y", "/:n+/z", "/a/b/c/d");
    assertEquals(await found(app, "/a/b/c/x"), ["/a/b/:n+/x", { n: "c" }]);
    assertEquals(await found(app, "/a/b/c/y"), ["/a/:n+/y", { n: "b/c" }]);
    assertEquals(await found(app, "/a/b/c/z"), ["/:n+/z", { n: "a/b/c" }]);
    assertEquals(await found(app, "/a/b/c/d"), ["/a/b/c/d", {}]);
    assertEquals(await found(app, "/a/b/c/e"), 404);
  });

  it("is a literal if the plus stands elsewhere", async () => {
    assertEquals(await found(appOf("/c++", "/:n+"), "/c++"), ["/c++", {}]);
    assertEquals(await found(appOf("/+/:n+"), "/+/+"), ["/+/:n+", { n: "+" }]);
  });

  it("has it once, and no wildcard beside it", () => {
    const scope = route.with({ prefix: "/:a+" });
    assertEquals(refusal("/:a+/:b+"), 'Path of route GET "/:a+/:b+" must have ":a+" or ":b+", not both');
    assertEquals(refusal("/:a+/x/*"), 'Path of route GET "/:a+/x/*" must have ":a+" or "*", not both');
    assertThrows(
      () => setup({ handlers: [scope.get("/:b+", { resolve: () => new Response() })] }),
      TypeError,
      'Path of route GET "/:a+/:b+" must have',
    );
    assertEquals(
      refusal("/:a/:a+"),
      'Path of route GET "/:a/:a+" must not repeat the parameter ":a": give each parameter a name of its own',
    );
    assertEquals(refusal("/:__proto__+"), 'Path of route GET "/:__proto__+" must not name a parameter __proto__');
    for (const path of ["/:+", "/:a++", "/:a+b", "/:1+", "/x:a+", "/*+"]) refusal(path);
  });

  it("is rejected by setup beside a pattern that matches the same paths", () => {
    assertEquals(
      refusal("/v/:a+/:b", "/v/:c+/:d"),
      'Routes GET "/v/:a+/:b" and GET "/v/:c+/:d" match the same requests: remove one',
    );
  });

  it("has its methods in allowedMethods", async () => {
    const resolve = () => new Response();
    const contexts: HookContext[] = [];
    const { fetch } = setup({
      handlers: [
        route.get("/v/:n+/blobs/:id", { resolve }),
        route.put("/v/:n+", { resolve }),
        route.delete("/v/:n+/tags", { resolve }),
      ],
      onResponse: ({ context }) => void contexts.push(context),
    });
    for (const path of ["/v/a/b/blobs/1", "/v/a/b/tags", "/v/a%2Fb", "/v/"]) {
      await fetch(request(path, { method: "POST" }));
    }
    assertEquals(contexts.map(({ allowedMethods }) => allowedMethods), [["GET", "PUT"], ["DELETE", "PUT"], [], []]);
  });

  it("finds the same route as a naive matcher, for random patterns and paths", () => {
    // One in some ten thousand sets may tell: MATCHER_SETS=200000 takes minutes.
    const { matched, escaped, rejected } = compareMatchers(Number(setsInEnvironment() ?? 1000));
    const counts = `${matched} requests matched, ${escaped} with an escape, ${rejected} sets were rejected`;
    assert(matched > 500 && escaped > 500 && rejected > 0, counts);
  });
});

/** How many sets of patterns the environment asks for, where it may be read. */
function setsInEnvironment(): string | undefined {
  try {
    return globalThis.process?.env?.MATCHER_SETS;
  } catch {
    return undefined; // Deno without permission
  }
}

describe("the work of a pattern with :name+", () => {
  const LENGTH = 64 * 1024;
  const OCI = ["/:n+/blobs/:digest", "/:n+/blobs/uploads/:id", "/:n+/manifests/:reference", "/:n+/tags/list"];

  /** The characters that are read for a path with a value of 64 KB. */
  function workOn(patterns: readonly string[], filler: string, end: string): { work: number; status: number } {
    const response = new Response();
    const resolve = () => response;
    const { fetch } = setup({ handlers: patterns.map((path) => route.get(`/v2${path}`, { resolve })) });
    const url = `http://h/v2/a${filler.repeat(LENGTH / filler.length)}${end}`;
    // Not the headers of a runtime, which may read texts themselves.
    const incoming = { method: "GET", url, headers: { get: () => "h" } } as unknown as Request;
    // The first request makes the origin known.
    fetch({ ...incoming, url: "http://h/" });
    let status = 0;
    const work = countWork(() => {
      status = (fetch(incoming) as Response).status;
    });
    return { work, status };
  }

  it("is that of a wildcard, for a path of 64 KB, however many patterns there are and whatever is in the path", () => {
    for (const filler of ["a", "/a", "/blobs", "/tags/list", "/blobs/uploads", "a/"]) {
      for (const end of ["/blobs/1", "/blobs/uploads/1", "/tags/list", "/x", "/b%20lobs/1"]) {
        const rest = workOn(["/*"], filler, end);
        const many = workOn(OCI, filler, end);
        assert(many.work <= 1.01 * rest.work + 200, `${filler} ${end}: ${many.work}, with a wildcard ${rest.work}`);
      }
    }
  });

  it("is at most one and a half times that of a wildcard if each segment has an escape", () => {
    for (const filler of ["/%20", "/a%41", "/%zz", "/%2F", "/%"]) {
      const rest = workOn(["/*"], filler, "/tags/list");
      const many = workOn(OCI, filler, "/tags/list");
      assert(many.work <= 1.5 * rest.work, `${filler}: ${many.work}, with a wildcard ${rest.work}`);
    }
  });

  it("catches at most a hundred exceptions of malformed escapes", () => {
    const original = globalThis.decodeURIComponent;
    let thrown = 0;
    globalThis.decodeURIComponent = (text) => {
      try {
        return original(text);
      } catch (error) {
        thrown++;
        throw error;
      }
    };
    try {
      for (const filler of ["/%zz", "/%"]) {
        thrown = 0;
        assertEquals(workOn(OCI, filler, "/tags/list").status, 200);
        assert(thrown <= 101, `${thrown} exceptions`);
      }
    } finally {
      globalThis.decodeURIComponent = original;
    }
  });
});

describe("the routes of an OCI registry", () => {
  const name = (c: { readonly raw: { readonly params: { readonly name: string } } }) => c.raw.params.name;
  const app = setup({
    handlers: [
      route.get("/v2/", { resolve: () => new Response("version") }),
      route.on(["GET", "HEAD"], "/v2/:name+/blobs/:digest", {
        resolve: (c) => new Response(`blob ${c.raw.params.digest} of ${name(c)}`),
      }),
      route.post("/v2/:name+/blobs/uploads/", { resolve: (c) => new Response(`upload to ${name(c)}`) }),
      route.on(["GET", "PATCH", "PUT", "DELETE"], "/v2/:name+/blobs/uploads/:id", {
        resolve: (c) => new Response(`upload ${c.raw.params.id} of ${name(c)}`),
      }),
      route.on(["GET", "HEAD", "PUT", "DELETE"], "/v2/:name+/manifests/:reference", {
        resolve: (c) => new Response(`manifest ${c.raw.params.reference} of ${name(c)}`),
      }),
      route.get("/v2/:name+/tags/list", { resolve: (c) => new Response(`tags of ${name(c)}`) }),
    ],
  });
  const ask = async (method: string, path: string) => {
    const response = await app.fetch(request(path, { method }));
    return response.status === 404 ? "404" : await response.text();
  };

  it("live side by side, for names with any number of slashes", async () => {
    for (const name of ["alpine", "library/alpine", "a/b/c/d", "blobs", "blobs/uploads", "manifests/tags/list"]) {
      assertEquals(await ask("GET", `/v2/${name}/blobs/sha256:1`), `blob sha256:1 of ${name}`);
      assertEquals(await ask("POST", `/v2/${name}/blobs/uploads/`), `upload to ${name}`);
      assertEquals(await ask("PATCH", `/v2/${name}/blobs/uploads/7`), `upload 7 of ${name}`);
      assertEquals(await ask("PUT", `/v2/${name}/manifests/latest`), `manifest latest of ${name}`);
      assertEquals(await ask("GET", `/v2/${name}/tags/list`), `tags of ${name}`);
    }
    assertEquals(await ask("GET", "/v2/"), "version");
  });

  it("match no name that is empty, or has an encoded slash", async () => {
    for (const path of ["/v2/tags/list", "/v2//tags/list", "/v2/a%2Fb/tags/list", "/v2/a//b/tags/list", "/v2/a/tags"]) {
      assertEquals(await ask("GET", path), "404", path);
    }
  });
});
