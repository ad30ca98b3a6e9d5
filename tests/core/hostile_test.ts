/**
 * Classes of vulnerabilities that other frameworks have had, one suite per class. The tests of the modules test the rules; these
 * tests try to get around them. They must also pass with `__proto__` enabled: `deno task slow proto`, Bun and Node.js.
 */
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { allow, deny, type GuardResult, route, setup } from "../../mod.ts";
import { accepting } from "../support/accepting.ts";
import { assertLinear, countWork } from "../support/count_work.ts";
import { post, request } from "../support/request.ts";

/** Names of properties of every object or of a promise. */
const LOADED_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "toJSON",
];

describe("prototype pollution (CWE-1321): a name from a client is a key like any other", () => {
  const untouched = Object.getOwnPropertyNames(Object.prototype).toSorted();
  afterEach(() => {
    assertEquals(Object.getOwnPropertyNames(Object.prototype).toSorted(), untouched);
    assertStrictEquals(({} as Record<string, unknown>).polluted, undefined);
  });

  it("in the query", async () => {
    for (const name of LOADED_NAMES) {
      const app = setup({
        handlers: [route.get("/", {
          resolve: ({ raw }) => {
            assertStrictEquals(Object.getPrototypeOf(raw.query), null);
            return Response.json(Object.entries(raw.query));
          },
        })],
      });
      const answer = await app.fetch(request(`/?${name}=1&${name}=2&${name}[polluted]=3`));
      assertEquals(await answer.json(), [[name, ["1", "2"]], [`${name}[polluted]`, "3"]]);
    }
  });

  it("in the parameters, whose names are those of the pattern: `__proto__` is not allowed there", async () => {
    for (const name of LOADED_NAMES) {
      const declare = () =>
        setup({
          handlers: [route.get(`/:${name}/*`, {
            resolve: ({ raw }) => {
              assertStrictEquals(Object.getPrototypeOf(raw.params), Object.prototype);
              return Response.json(Object.entries(raw.params));
            },
          })],
        });
      if (name === "__proto__") {
        assertThrows(declare, TypeError, "must not name a parameter __proto__");
        continue;
      }
      const answer = await declare().fetch(request("/polluted/__proto__"));
      assertEquals(await answer.json(), [[name, "polluted"], ["*", "__proto__"]]);
    }
  });

  it("in a JSON body, which equals the result of JSON.parse", async () => {
    const app = setup({
      validator: accepting,
      handlers: [route.post("/", {
        request: { body: {} },
        resolve: ({ raw, input }) => {
          assert(input.ok && input.body === raw.body);
          assertStrictEquals(Object.getPrototypeOf(raw.body), Object.prototype);
          return Response.json(Object.keys(raw.body as object));
        },
      })],
    });
    for (const name of LOADED_NAMES) {
      const answer = await app.fetch(post("/", `{${JSON.stringify(name)}:{"polluted":true}}`));
      assertEquals(await answer.json(), [name]);
    }
  });

  it("in locals taken from a body", async () => {
    const seen: object[] = [];
    const app = setup({
      validator: accepting,
      onRequest: () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      handlers: [route.post("/", {
        request: { body: {} },
        guards: [(c) => allow(c.raw.body as object)],
        resolve: (c) => {
          seen.push(c.locals);
          return new Response();
        },
      })],
    });
    await app.fetch(post("/", '{"__proto__":{"polluted":2},"user":"x"}'));
    const [locals = {}] = seen;
    assertStrictEquals(Object.getPrototypeOf(locals), Object.prototype);
    assertEquals(Object.keys(locals), ["__proto__", "constructor", "user"]);
    assertEquals(Object.getOwnPropertyDescriptor(locals, "__proto__")?.value, { polluted: 2 });
    assertStrictEquals("polluted" in locals, false);
  });

  it("in header names and methods", async () => {
    const app = setup({
      handlers: [route.get("/", { resolve: (c) => new Response(c.request.headers.get("__proto__")) })],
    });
    const answer = await app.fetch(request("/", { headers: [["__proto__", "y"], ["constructor", "z"]] }));
    assertEquals([answer.status, await answer.text()], [200, "y"]);
    for (const method of ["constructor", "toString", "hasOwnProperty", "valueOf"]) {
      // Not every runtime lets a Request have any token as its method. A server may.
      const sent = Object.defineProperty(request("/"), "method", { value: method });
      assertEquals((await app.fetch(sent)).status, 404);
    }
  });

  it("in paths that equal property names of the router's tables", async () => {
    const app = setup({ handlers: [route.get("/a", { resolve: () => new Response() })] });
    assertEquals((await app.fetch(request("/a"))).status, 200);
    for (const name of LOADED_NAMES) {
      for (const path of [`/${name}`, `/a/${name}`, `/${name}/a`]) {
        assertEquals((await app.fetch(request(path))).status, 404);
      }
    }
  });
});

describe("fail-open guards (CWE-636): no request passes, see also guard_test.ts", () => {
  it("if a guard throws or rejects with any value", async () => {
    for (const thrown of [undefined, null, false, { allow: true }, allow(), new Response()]) {
      for (const how of ["throws", "rejects"]) {
        let handled = false;
        const app = setup({
          handlers: [route.get("/", {
            guards: [() => {
              if (how === "throws") throw thrown;
              return Promise.reject(thrown);
            }],
            resolve() {
              handled = true;
              return new Response();
            },
          })],
        });
        const [settled] = await Promise.allSettled([app.fetch(request("/"))]);
        assert(settled.status === "rejected" && settled.reason === thrown);
        assertEquals(handled, false);
      }
    }
  });

  it("if a prototype is polluted: `allow`, `valid` and `locals` count only as own keys, and any `deny` closes", async () => {
    const prototype: { allow?: unknown; deny?: unknown; valid?: unknown; locals?: unknown } = Object.prototype;
    const fetch = async (result: object) => {
      const app = setup({
        handlers: [route.get("/", { guards: [() => result as GuardResult], resolve: (c) => Response.json(c.locals) })],
      });
      return await app.fetch(request("/"));
    };
    try {
      prototype.allow = true;
      await assertRejects(() => fetch({}), TypeError, "Guard 1 of route");
      // Keys inherited from a class or another object do not count either.
      await assertRejects(() => fetch(Object.create({ allow: true })), TypeError, "Guard 1 of route");
      await assertRejects(() => fetch(Object.create({ deny: new Response() })), TypeError, "Guard 1 of route");
      prototype.valid = "not the guard's";
      prototype.locals = { admin: true };
      assertEquals(await (await fetch({ allow: true })).json(), {});
      prototype.deny = new Response("not the guard's");
      await assertRejects(() => fetch({ allow: true }), TypeError, "an inherited `deny` as a Response");
    } finally {
      for (const key of ["allow", "deny", "valid", "locals"] as const) delete prototype[key];
    }
    assertEquals(
      await (await fetch(Object.create({ locals: { admin: true } }, { allow: { value: true } }))).json(),
      {},
    );
  });

  it("if routes are similar: each has only its own guards", async () => {
    const denied = () => deny(new Response(null, { status: 403 }));
    const open = () => new Response("open");
    const app = setup({
      handlers: [
        route.get("/a/:id", { guards: [denied], resolve: open }),
        route.post("/a/:id", { resolve: open }),
        route.get("/a/b", { resolve: open }),
        route.with({ prefix: "/a", guards: [denied] }).get("/b/c", { resolve: open }),
        route.get("/a/:id/c", { resolve: open }),
        route.get("/a/*", { guards: [denied], resolve: open }),
      ],
    });
    const statuses = [["GET /a/x", 403], ["POST /a/x", 200], ["GET /a/b", 200], ["GET /a/b/c", 403], [
      "GET /a/x/c",
      200,
    ], ["GET /a/x/d", 403]] as const;
    for (const [name, status] of statuses) {
      const [method = "", path = ""] = name.split(" ");
      assertEquals((await app.fetch(request(path, { method }))).status, status, name);
    }
  });
});

describe("lost and doubled errors (CWE-391, CWE-755): each error arrives once and unchanged", () => {
  // On runtimes without this event, an unhandled rejection ends the process.
  const unhandled = new Set<Promise<unknown>>();
  const remember = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.add(event.promise);
  };
  const forget = (event: PromiseRejectionEvent) => void unhandled.delete(event.promise);
  beforeEach(() => {
    globalThis.addEventListener?.("unhandledrejection", remember);
    globalThis.addEventListener?.("rejectionhandled", forget);
  });
  afterEach(async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    globalThis.removeEventListener?.("unhandledrejection", remember);
    globalThis.removeEventListener?.("rejectionhandled", forget);
    assertEquals(unhandled.size, 0);
  });

  /** Created once and thrown by many requests: no state may be kept about them. */
  const SHARED = new Error("shared");
  const THROWN: readonly unknown[] = [
    undefined,
    null,
    NaN,
    "",
    Object.freeze(new Error("frozen")),
    SHARED,
    new Response(),
    Promise.resolve(),
  ];
  const WAYS: readonly ((thrown: unknown) => never | Promise<never>)[] = [
    (thrown) => {
      throw thrown;
    },
    (thrown) => Promise.reject(thrown),
    async (thrown) => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      throw thrown;
    },
  ];
  const STAGES = ["onRequest", "validator", "guard", "handler", "onResponse", "onError"] as const;

  /** An app in which this stage fails. For onError, the handler fails first. */
  function appThatFails(
    failing: typeof STAGES[number],
    fail: () => never | Promise<never>,
    onError?: (error: unknown) => Response,
  ) {
    const at = <Result>(stage: typeof STAGES[number], well: Result) => () => stage === failing ? fail() : well;
    const handle = onError && (({ error }: { error: unknown }) => onError(error));
    return setup({
      validator: { validate: at("validator", { ok: true, value: 1 }) },
      handlers: [route.get("/", {
        request: { query: {} },
        guards: [at("guard", allow())],
        resolve: failing === "onError" ? () => Promise.reject(SHARED) : at("handler", new Response()),
      })],
      onRequest: at("onRequest", {}),
      onResponse: at("onResponse", undefined),
      ...(failing === "onError" ? { onError: fail } : handle && { onError: handle }),
    });
  }

  it("at onError, from every stage, thrown or rejected, with any type", async () => {
    for (const stage of STAGES.filter((stage) => stage !== "onError")) {
      for (const thrown of THROWN) {
        for (const fail of WAYS) {
          const errors: unknown[] = [];
          const app = appThatFails(stage, () => fail(thrown), (error) => {
            errors.push(error);
            return new Response("handled", { status: 500 });
          });
          assertEquals(await (await app.fetch(request("/"))).text(), "handled");
          assertEquals(errors.length, 1);
          assert(Object.is(errors[0], thrown));
        }
      }
    }
    assertEquals(Object.keys(SHARED), []);
  });

  it("at the caller, if there is no onError or onError fails", async () => {
    for (const stage of STAGES) {
      for (const thrown of THROWN) {
        for (const fail of WAYS) {
          const [settled] = await Promise.allSettled([appThatFails(stage, () => fail(thrown)).fetch(request("/"))]);
          assert(settled.status === "rejected" && Object.is(settled.reason, thrown), `${stage} ${String(thrown)}`);
        }
      }
    }
  });

  it("and failing hooks do not loop", async () => {
    const runs = { onError: 0, onResponse: 0 };
    const app = setup({
      handlers: [],
      onResponse() {
        runs.onResponse++;
        throw SHARED;
      },
      onError() {
        runs.onError++;
        throw new Error("onError fails as well");
      },
    });
    await assertRejects(async () => await app.fetch(request("/")), Error, "onError fails as well");
    assertEquals(runs, { onError: 1, onResponse: 1 });
  });
});

describe("denial of service by input that is cheap to send (CWE-400, CWE-1333)", () => {
  it("takes work that is linear in the length of the path", async () => {
    const app = setup({
      handlers: [
        route.get("/:a/:b/:c/x", { resolve: () => new Response() }),
        route.get("/:a/:b/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
        route.get("/a/a/a/a/x", { resolve: () => new Response() }),
      ],
    });
    assertEquals(await (await app.fetch(request("/a/a/%2F;/%zz"))).text(), "%2F;/%zz");
    for (const piece of ["/a", "/", "%2F", "/%zz", "/.%2ea", "/a;", "/%"]) {
      assertLinear((length) => app.fetch(request(`/a/a/${piece.repeat(length / piece.length)}`)), 12_000);
    }
  });

  it("takes work that is linear in the length of a query, even if all keys are equal", async () => {
    const app = setup({
      handlers: [route.get("/", { resolve: (c) => new Response(String(Object.keys(c.raw.query).length)) })],
    });
    const keys = (length: number) => Array.from({ length: length / 6 }, (_, index) => `k${10_000 + index}`).join("&");
    assertEquals(await (await app.fetch(request(`/?${keys(12_000)}`))).text(), "2000");
    assertLinear((length) => app.fetch(request(`/?${keys(length)}`)), 12_000);
    assertLinear((length) => app.fetch(request(`/?${"a=1&".repeat(length / 4)}`)), 12_000);
  });
});

describe("denial of service by malformed escapes in a query (CWE-400): an exception per escape would block the server", () => {
  const { decodeURIComponent: decode, URLSearchParams: Params } = globalThis;
  afterEach(() => {
    globalThis.decodeURIComponent = decode;
    globalThis.URLSearchParams = Params;
  });

  const app = setup({
    handlers: [route.get("/", { resolve: (c) => new Response(String(Object.keys(c.raw.query).length)) })],
  });
  /** A malformed piece of a query, and a well-formed one of the same length. */
  const PIECES = [
    ["%&", "a&"],
    ["%=%&", "a=b&"],
    ["+%&", "+a&"],
    ["%ff&", "%41&"],
    ["%ff%ff&", "%41%41&"],
    ["%41%&", "%41a&"],
    ["%", "a"],
    ["%f", "%41"],
  ] as const;

  it("causes at most one failed decode and no use of URLSearchParams, for any length of the query", async () => {
    for (const [piece] of PIECES) {
      for (const length of [12, 1_200, 12_000]) {
        const sent = request(`/?limit=1&a=%20&${piece.repeat(length / piece.length)}`);
        let failures = 0;
        let parsers = 0;
        globalThis.decodeURIComponent = (text) => {
          try {
            return decode(text);
          } catch (error) {
            failures++;
            throw error;
          }
        };
        // On Node.js, URLSearchParams throws internally for each key that is not UTF-8.
        globalThis.URLSearchParams = class extends Params {
          constructor(init?: ConstructorParameters<typeof Params>[0]) {
            super(init);
            parsers++;
          }
        };
        await app.fetch(sent);
        // A key or a value that is `%` is not decoded at all.
        const isAlone = piece === "%&" || piece === "%=%&";
        assertEquals([failures, parsers], [isAlone ? 0 : 1, 0], `${piece}, ${length} characters`);
      }
    }
  });

  it("takes at most five times the work of a well-formed query of the same length, and is linear in the length", () => {
    for (const [malformed, wellFormed] of PIECES) {
      const workOn = (piece: string, length: number) => {
        const sent = request(`/?%41=1&${piece.repeat(length / piece.length)}`);
        return countWork(() => app.fetch(sent));
      };
      const [once, twice, control] = [workOn(malformed, 6_000), workOn(malformed, 12_000), workOn(wellFormed, 6_000)];
      assert(once <= 5 * control, `${malformed}: ${once} characters were read, and ${control} of a well-formed query`);
      assert(twice <= 2.2 * once, `${malformed}: ${once} characters were read, and ${twice} for twice the length`);
    }
  });
});

describe("interpretation conflicts with proxies (CWE-436): nginx and Caddy merge slashes before they resolve dots", () => {
  const app = setup({
    handlers: [
      route.get("/admin/secret", { resolve: () => new Response("secret") }),
      route.get("/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
    ],
  });
  /** A request as `Deno.serve` passes it: with the path that the client sent. */
  const fetch = async (path: string) =>
    await app.fetch({ method: "GET", url: `http://h${path}`, headers: new Headers() } as Request);

  it("a path that a proxy reads differently reaches no route", async () => {
    for (
      const path of [
        "/admin//../secret",
        "/admin//%2e%2E/secret",
        "/admin/x/.%2e/secret",
        "/./admin/secret",
        "/admin/secret/.",
        "/public\\..\\admin/secret",
      ]
    ) {
      assertEquals((await fetch(path)).status, 404, path);
    }
    assertEquals(await (await fetch("/admin/secret")).text(), "secret");
    assertEquals(await (await fetch("/admin//secret")).text(), "admin//secret");
  });
});

describe("insecure defaults by mistake (CWE-636, CWE-1188): see also option_test.ts", () => {
  it("no misspelt or missing option serves a route without its guards or its schema", () => {
    const declare = route.post as (path: string, options: object) => unknown;
    const resolve = () => new Response("open");
    const guards = [() => deny(new Response(null, { status: 401 }))];
    for (
      const options of [
        { guard: guards, resolve },
        { guards: undefined, resolve },
        { request: { bdoy: {} }, guards, resolve },
        { request: { body: undefined }, guards, resolve },
      ]
    ) {
      assertThrows(() => declare("/a", options), TypeError, 'route POST "/a"');
    }
  });
});
