/** What hooks and handlers may return. */
import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type HookContext, route, setup } from "../../mod.ts";
import { request } from "../support/request.ts";

const boom = new Error("boom");
const text = async (response: Response | Promise<Response>) => await (await response).text();

describe("onRequest", () => {
  it("may return locals or nothing, or a promise of them; the locals are copied", async () => {
    const shared = Object.freeze({ a: 1 });
    for (const returned of [shared, Promise.resolve(shared)]) {
      const seen: object[] = [];
      const app = setup({
        onRequest: () => returned,
        handlers: [route.get("/", {
          resolve(c) {
            seen.push(c.locals);
            Object.assign(c.locals, { mine: true });
            return new Response();
          },
        })],
      });
      await app.fetch(request("/"));
      await app.fetch(request("/"));
      assertEquals(seen, [{ a: 1, mine: true }, { a: 1, mine: true }]);
      assert(seen[0] !== seen[1]);
    }
    for (const returned of [undefined, Promise.resolve(undefined)]) {
      const app = setup({
        onRequest: () => returned,
        handlers: [route.get("/", { resolve: (c) => Response.json(c.locals) })],
      });
      assertEquals(await text(app.fetch(request("/"))), "{}");
    }
  });

  it("fails closed: a result that is neither an object nor undefined is a TypeError", async () => {
    for (const returned of [null, true, 1, "x", [], () => ({}), new Response()]) {
      for (const answer of [returned, Promise.resolve(returned)]) {
        const app = setup({
          onRequest: () => answer as object,
          handlers: [route.get("/", { resolve: () => new Response("a pass") })],
        });
        const error = await assertRejects(async () => await app.fetch(request("/")), TypeError);
        assertEquals(error.message.startsWith("onRequest must return an object of locals, or nothing: received"), true);
      }
    }
  });
});

describe("the handler", () => {
  it("must return a Response: anything else is a TypeError that names the route", async () => {
    const returned: [unknown, string][] = [
      [undefined, "undefined"],
      [null, "null"],
      ["text", "a string"],
      [{ status: 200 }, "an object"],
      [Response, "a function"],
    ];
    for (const [value, received] of returned) {
      for (const answer of [value, Promise.resolve(value)]) {
        const app = setup({ handlers: [route.get("/u/:id", { resolve: () => answer as Response })] });
        const error = await assertRejects(async () => await app.fetch(request("/u/secret")), TypeError);
        assertEquals(error.message, `Handler must return a Response (for route GET "/u/:id"): received ${received}`);
      }
    }
  });

  it("has its Response returned by identity", async () => {
    const response = new Response("x", { status: 201, headers: { "x-a": "1" } });
    const headers = [...response.headers];
    const app = setup({ handlers: [route.get("/", { resolve: () => response })] });
    assertStrictEquals(await app.fetch(request("/")), response);
    assertEquals([...response.headers], headers);
    assertEquals(response.bodyUsed, false);
  });

  it("is called without `this`", async () => {
    let receiver: unknown = "not called";
    const options = {
      resolve(this: unknown) {
        receiver = this;
        return new Response();
      },
    };
    await setup({ handlers: [route.get("/", options)] }).fetch(request("/"));
    assertStrictEquals(receiver, undefined);
  });
});

describe("onResponse", () => {
  it("may return a Response, or nothing to keep the given one, or a promise of either", async () => {
    const handler = new Response("handler");
    const replaced = new Response("replaced");
    for (const [returned, sent] of [[undefined, handler], [handler, handler], [replaced, replaced]] as const) {
      for (const answer of [returned, Promise.resolve(returned)]) {
        const app = setup({
          handlers: [route.get("/", { resolve: () => handler })],
          onResponse: () => answer,
        });
        assertStrictEquals(await app.fetch(request("/")), sent);
      }
    }
  });

  it("is not awaited if it returns nothing, even if the response has a `then`", () => {
    const handler = new Response("handler");
    const app = setup({
      handlers: [route.get("/", { resolve: () => handler })],
      onResponse: ({ response }) => {
        Object.assign(response, { then: () => {} });
      },
    });
    assertStrictEquals(app.fetch(request("/")), handler);
  });

  it("may change the headers of the given response", async () => {
    const app = setup({
      handlers: [],
      onResponse: ({ response }) => void response.headers.set("x-seen", "yes"), // Node.js 20.12.0 returns the headers.
    });
    assertEquals((await app.fetch(request("/"))).headers.get("x-seen"), "yes");
  });

  it("fails closed: any other result is a TypeError for onError, which names the route if there is one", async () => {
    for (const returned of [null, true, "x", {}, 200]) {
      for (const answer of [returned, Promise.resolve(returned)]) {
        const messages: string[] = [];
        const app = setup({
          handlers: [route.get("/x", { resolve: () => new Response("handler") })],
          onResponse: () => answer as Response,
          onError({ error }) {
            assertInstanceOf(error, TypeError);
            messages.push(error.message);
            return new Response(null, { status: 500 });
          },
        });
        assertEquals((await app.fetch(request("/x"))).status, 500);
        assertEquals((await app.fetch(request("/y"))).status, 500);
        const rule = "onResponse must return a Response, or nothing";
        assert(messages[0]?.startsWith(`${rule} (for route GET "/x"): received`));
        assert(messages[1]?.startsWith(`${rule}: received`));
      }
    }
  });
});

describe("onError", () => {
  /** What onError receives for a request. */
  async function contextFor(onRequest: () => object | Promise<object>, incoming: Request): Promise<HookContext> {
    let seen: HookContext | undefined;
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response() })],
      onRequest,
      onError({ context }) {
        seen = context;
        return new Response();
      },
    });
    await app.fetch(incoming);
    if (seen === undefined) throw new Error("onError was not called");
    return seen;
  }

  it("may return a response or a promise of one", async () => {
    for (const answer of [new Response("sorry"), Promise.resolve(new Response("sorry"))]) {
      const app = setup({
        handlers: [route.get("/", {
          resolve() {
            throw boom;
          },
        })],
        onError: () => answer,
      });
      assertEquals(await text(app.fetch(request("/"))), "sorry");
    }
  });

  it("fails closed: any other result is a TypeError that names the route and has the error as its cause", async () => {
    for (const returned of [undefined, null, {}, "x"]) {
      for (const answer of [returned, Promise.resolve(returned)]) {
        const app = setup({
          handlers: [route.get("/x", {
            resolve() {
              throw boom;
            },
          })],
          onError: () => answer as unknown as Response,
        });
        const error = await assertRejects(async () => await app.fetch(request("/x")), TypeError);
        assert(error.message.startsWith('onError must return a Response (for route GET "/x"): received'));
        assertStrictEquals(error.cause, boom);
      }
    }
  });

  it("receives the error unchanged and unlogged, even a frozen one", async () => {
    const frozen = Object.freeze(new Error("frozen"));
    const app = setup({
      handlers: [route.get("/", {
        resolve() {
          throw frozen;
        },
      })],
    });
    assertStrictEquals(await assertRejects(async () => await app.fetch(request("/"))), frozen);
    assertEquals(Object.keys(frozen), []);
  });

  it("receives the request and empty locals if onRequest rejects", async () => {
    const incoming = request("/");
    const context = await contextFor(() => Promise.reject(new Error("no locals")), incoming);
    assertStrictEquals(context.request, incoming);
    assertEquals({ ...context.locals }, {});
  });

  it("receives the request and the locals if the url of the request cannot be read", async () => {
    const incoming = new Proxy(request("/"), {
      get(target, key) {
        if (key === "url") throw new Error("no url");
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const context = await contextFor(() => ({ id: 1 }), incoming);
    assertStrictEquals(context.request, incoming);
    assertEquals({ ...context.locals }, { id: 1 });
  });

  it("that returns no Response causes an error whose cause is the first error", async () => {
    const first = new Error("the first");
    const app = setup({
      handlers: [route.get("/", { resolve: () => Promise.reject(first) })],
      onError: () => null as unknown as Response,
    });
    const error = await assertRejects(async () => await app.fetch(request("/")), TypeError);
    assertMatch(error.message, /^onError must return a Response.*: received null$/);
    assertStrictEquals(error.cause, first);
  });
});

describe("hooks", () => {
  it("receive what follows the request in app.fetch, for every response and every error", async () => {
    const seen: unknown[][] = [];
    const app = setup({
      handlers: [
        route.get("/", { resolve: () => new Response() }),
        route.get("/later", { resolve: () => Promise.resolve(new Response()) }),
        route.get("/fails", {
          resolve: () => {
            throw boom;
          },
        }),
        route.get("/fails-later", { resolve: () => Promise.reject(boom) }),
      ],
      onRequest: (_args, ...extra: readonly unknown[]) => {
        seen.push(["onRequest", ...extra]);
      },
      onResponse: (_args, ...extra: readonly unknown[]) => {
        seen.push(["onResponse", ...extra]);
      },
      onError: (_args, ...extra: readonly unknown[]) => {
        seen.push(["onError", ...extra]);
        return new Response();
      },
    });
    const fetch = app.fetch as (request: Request, ...extra: unknown[]) => Promise<Response>;
    for (const path of ["/", "/later", "/fails", "/fails-later", "/nowhere"]) {
      for (const extra of [[], ["env"], ["env", "ctx"], [undefined, null, "ctx"]]) {
        seen.length = 0;
        await fetch(request(path), ...extra);
        const called = path.startsWith("/fails") ? ["onRequest", "onError", "onResponse"] : ["onRequest", "onResponse"];
        assertEquals(seen, called.map((hook) => [hook, ...extra]), path);
      }
    }
  });

  it("receive it also where another hook fails", async () => {
    const seen: unknown[] = [];
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response() })],
      onRequest: ({ request }, env: string) => {
        if (request.url.endsWith("?first")) throw boom;
        return { env };
      },
      onResponse: ({ context }, env: string) =>
        context.stage === "onRequest" ? undefined : Promise.reject(new Error(env)),
      onError: ({ error }, env: string, ctx: string) => {
        seen.push([(error as Error).message, env, ctx]);
        return new Response();
      },
    });
    for (const path of ["/?first", "/"]) await app.fetch(request(path), "env", "ctx");
    assertEquals(seen, [["boom", "env", "ctx"], ["env", "env", "ctx"]]);
  });
});
