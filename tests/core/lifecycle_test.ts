import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  allow,
  type App,
  type Context,
  deny,
  type GuardResult,
  type HookContext,
  type OnErrorArgs,
  route,
  setup,
} from "../../mod.ts";
import { accepting } from "../support/accepting.ts";
import { post, request } from "../support/request.ts";

const boom = new Error("boom");

/** Throws synchronously or rejects. Each source of errors is tested both ways. */
const failures = [
  ["at once", () => {
    throw boom;
  }],
  ["by promise", async () => {
    await Promise.resolve();
    throw boom;
  }],
] as const satisfies [string, () => unknown][];

/** An app that records which stages run. `overrides` replaces stages. */
function tracedApp(
  overrides: Partial<Record<Stage, (...args: never[]) => unknown>> = {},
): { app: App; trace: string[] } {
  const trace: string[] = [];
  const stage = <Result>(name: Stage, usual: (...args: unknown[]) => Result) => (...args: unknown[]): Result => {
    trace.push(name);
    const run = overrides[name] as typeof usual | undefined;
    return (run ?? usual)(...args);
  };
  const app = setup({
    handlers: [route.post("/x", {
      request: { body: {} },
      guards: [stage("guard 1", (): GuardResult => allow()), stage("guard 2", (): GuardResult => allow())],
      resolve: stage("handler", () => new Response("handler")),
    })],
    validator: { validate: stage("validator", (_schema, value) => ({ ok: true as const, value })) },
    onRequest: stage("onRequest", () => undefined),
    onResponse: stage("onResponse", () => undefined),
    ...("onError" in overrides ? { onError: stage("onError", () => new Response("onError", { status: 500 })) } : {}),
  });
  return { app, trace };
}
type Stage = "onRequest" | "validator" | "guard 1" | "guard 2" | "handler" | "onResponse" | "onError";

const answering = () => new Response("onError", { status: 500 });
const text = async (response: Response | Promise<Response>) => await (await response).text();

describe("which stages run, and how often", () => {
  it("on success: every stage once, in order", async () => {
    const { app, trace } = tracedApp({ onError: answering });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "handler");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"]);
  });

  it("on a denial: no later guard, no handler, but onResponse", async () => {
    const { app, trace } = tracedApp({ "guard 1": () => deny(new Response("denied")) });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "denied");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "onResponse"]);
  });

  it("on a 404: onRequest and onResponse, nothing in between", async () => {
    const { app, trace } = tracedApp();
    const response = await app.fetch(post("/y", "{}"));
    assertEquals([response.status, response.body, [...response.headers]], [404, null, []]);
    assertEquals(trace, ["onRequest", "onResponse"]);
  });

  it("on a validation failure: everything, as on success", async () => {
    const { app, trace } = tracedApp({
      validator: () => ({ ok: false, issues: [] }),
      handler: (c: Context) => new Response(`ok: ${c.input.ok}`),
    });
    assertEquals(await text(app.fetch(post("/x", "{}"))), "ok: false");
    assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"]);
  });

  const upTo: [Stage, Stage[]][] = [
    ["onRequest", ["onRequest"]],
    ["validator", ["onRequest", "validator"]],
    ["guard 1", ["onRequest", "validator", "guard 1"]],
    ["guard 2", ["onRequest", "validator", "guard 1", "guard 2"]],
    ["handler", ["onRequest", "validator", "guard 1", "guard 2", "handler"]],
  ];
  for (const [stage, before] of upTo) {
    for (const [how, fail] of failures) {
      it(`on an error in ${stage}, ${how}: onError, then onResponse, once each`, async () => {
        const { app, trace } = tracedApp({ [stage]: fail, onError: answering });
        assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
        assertEquals(trace, [...before, "onError", "onResponse"]);
      });

      it(`on an error in ${stage}, ${how}, without onError: the promise is rejected and nothing else runs`, async () => {
        const { app, trace } = tracedApp({ [stage]: fail });
        assertStrictEquals(await assertRejects(async () => await app.fetch(post("/x", "{}"))), boom);
        assertEquals(trace, before);
      });
    }
  }

  for (const [how, fail] of failures) {
    const all: Stage[] = ["onRequest", "validator", "guard 1", "guard 2", "handler", "onResponse"];

    it(`on an error in onResponse, ${how}: onError, whose response is final`, async () => {
      const { app, trace } = tracedApp({ onResponse: fail, onError: answering });
      assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
      assertEquals(trace, [...all, "onError"]);
    });

    it(`on errors in handler and onResponse, ${how}: onError for each, onResponse once`, async () => {
      const { app, trace } = tracedApp({ handler: fail, onResponse: fail, onError: answering });
      assertEquals(await text(app.fetch(post("/x", "{}"))), "onError");
      assertEquals(trace, [
        "onRequest",
        "validator",
        "guard 1",
        "guard 2",
        "handler",
        "onError",
        "onResponse",
        "onError",
      ]);
    });

    it(`on an error in onError itself, ${how}: the promise is rejected with that error, without a loop`, async () => {
      const { app, trace } = tracedApp({ handler: () => undefined, onError: fail });
      assertStrictEquals(await assertRejects(async () => await app.fetch(post("/x", "{}"))), boom);
      assertEquals(trace, ["onRequest", "validator", "guard 1", "guard 2", "handler", "onError"]);
      const last = tracedApp({ onResponse: () => 1, onError: fail });
      assertStrictEquals(await assertRejects(async () => await last.app.fetch(post("/x", "{}"))), boom);
      assertEquals(last.trace, [...all, "onError"]);
    });
  }

  it("on a body that cannot be read: onError, then onResponse; no validator, no guard, no handler", async () => {
    const { app, trace } = tracedApp({ onError: answering });
    const used = post("/x", "{}");
    await used.text();
    assertEquals(await text(app.fetch(used)), "onError");
    assertEquals(trace, ["onRequest", "onError", "onResponse"]);
  });
});

describe("the arguments of hooks, guards and handlers", () => {
  it("gives onRequest the request and nothing else", async () => {
    const calls: unknown[][] = [];
    const app = setup({
      handlers: [],
      onRequest(...args) {
        calls.push(args);
      },
    });
    const incoming = request("/");
    await app.fetch(incoming);
    assertEquals(calls.length, 1);
    assertEquals(calls[0]?.length, 1);
    assertEquals(Object.keys(calls[0]?.[0] as object), ["request"]);
    assertStrictEquals((calls[0]?.[0] as { request: Request }).request, incoming);
  });

  it("gives guards and handler the same context, with the same request object", async () => {
    const seen: Context<object>[] = [];
    const incoming = request("/u/1?q=2", { method: "POST", body: "[3]" });
    const app = setup({
      validator: accepting,
      onRequest: () => ({ from: "onRequest" }),
      handlers: [route.post("/u/:id", {
        request: { params: {}, body: {} },
        guards: [(c) => {
          seen.push(c);
          return allow();
        }],
        resolve(c) {
          seen.push(c);
          const { request, raw: { params, query, body }, input, locals, route } = c;
          assertStrictEquals(request, incoming);
          assertEquals({ params: { ...params }, query: { ...query }, body }, {
            params: { id: "1" },
            query: { q: "2" },
            body: [3],
          });
          assertEquals(input as unknown, { ok: true, params: { id: "1" }, body: [3] });
          assertEquals(locals as object, { from: "onRequest" });
          assertEquals({ ...route }, { method: "POST", path: "/u/:id" });
          return new Response();
        },
      })],
    });
    assertEquals((await app.fetch(incoming)).status, 200);
    assertStrictEquals(seen[0], seen[1]);
  });

  it("shares only frozen inputs between requests: a handler cannot leave anything in them", async () => {
    let seen: object[] = [];
    const resolve = ({ input, raw }: Context) => {
      seen = [input, raw.params, raw.query];
      return new Response();
    };
    const validated = route.get("/validated", { request: { query: {} }, resolve });
    const app = setup({
      validator: accepting,
      handlers: [validated, ...["/", "/:id"].map((path) => route.get(path, { resolve }))],
    });
    const frozenAt = async (path: string) => {
      await app.fetch(request(path));
      return seen.map((inputs) => Object.isFrozen(inputs) ? inputs : undefined);
    };
    await frozenAt("/");
    const [input, params, query] = seen;
    for (
      const [path, shared] of [
        ["/", [input, params, query]],
        ["/", [input, params, query]],
        ["/1", [input, undefined, query]],
        ["/validated", [undefined, undefined, undefined]],
        ["/validated", [undefined, undefined, undefined]],
        ["/?x=1", [input, params, undefined]],
      ] as const
    ) {
      for (const [index, inputs] of (await frozenAt(path)).entries()) assertStrictEquals(inputs, shared[index], path);
    }
  });

  it("passes the further arguments of fetch to guards and handler only, in order", async () => {
    const calls: [string, ...unknown[]][] = [];
    const env = { name: "env" };
    const ctx = { name: "ctx" };
    const app = setup({
      handlers: [route.get("/", {
        guards: [(_c, ...extra: [typeof env, typeof ctx]) => {
          calls.push(["guard", ...extra]);
          return allow();
        }],
        resolve(_c, first: typeof env, second: typeof ctx) {
          calls.push(["handler", first, second]);
          return new Response();
        },
      })],
      onRequest: (...args) => void calls.push(["onRequest", ...args.slice(1)]),
      onResponse: (...args) => void calls.push(["onResponse", ...args.slice(1)]),
    });
    await app.fetch(request("/"), env, ctx);
    assertEquals(calls, [["onRequest"], ["guard", env, ctx], ["handler", env, ctx], ["onResponse"]]);
    assertStrictEquals(calls[2]?.[1], env);
    assertEquals((await (app as unknown as App).fetch(request("/"))).status, 200);
    assertEquals(calls[5], ["guard"]);
  });

  it("passes as many further arguments as fetch has received", async () => {
    const seen: unknown[][] = [];
    const app = setup({
      handlers: [route.get("/", {
        guards: [(_c, ...extra: unknown[]) => {
          seen.push(extra);
          return allow();
        }],
        resolve(_c, ...extra: unknown[]) {
          seen.push(extra);
          return new Response();
        },
      })],
    });
    const lists = [[], ["a"], [undefined], ["a", "b"], ["a", undefined, "c", null]];
    const fetch: (request: Request, ...extra: unknown[]) => unknown = app.fetch;
    for (const list of lists) await fetch(request("/"), ...list);
    assertEquals(seen, lists.flatMap((list) => [list, list]));
  });

  it("gives onResponse the response, all locals and the matched route", async () => {
    const response = new Response("ok");
    let departure: { context: HookContext; response: Response; locals: object } | undefined;
    const incoming = request("/u/1");
    const app = setup({
      onRequest: () => ({ a: 1 }),
      handlers: [route.get("/u/:id", { guards: [() => allow({ b: 2 })], resolve: () => response })],
      onResponse(given) {
        departure = given;
      },
    });
    assertStrictEquals(await app.fetch(incoming), response);
    assert(departure !== undefined);
    assertStrictEquals(departure.response, response);
    assertStrictEquals(departure.context.request, incoming);
    assertEquals(departure.locals, { a: 1, b: 2 });
    assertStrictEquals(departure.context.locals, departure.locals);
    assertEquals({ ...departure.context.route }, { method: "GET", path: "/u/:id" });
    assertStrictEquals(departure.context.allowedMethods, undefined);
  });

  it("gives the hooks of an unmatched request the request and the locals, but no route", async () => {
    const contexts: HookContext[] = [];
    const app = setup({
      onRequest: () => ({ a: 1 }),
      handlers: [route.get("/", { resolve: () => new Response() })],
      onResponse({ context }) {
        contexts.push(context);
        throw boom;
      },
      onError({ context }) {
        contexts.push(context);
        return new Response(null, { status: 500 });
      },
    });
    const incoming = request("/nowhere");
    await app.fetch(incoming);
    assertEquals(contexts.length, 2);
    for (const context of contexts) {
      assertStrictEquals(context.request, incoming);
      assertEquals(context.locals, { a: 1 });
      assertStrictEquals(context.route, undefined);
      assertEquals(context.allowedMethods, []);
    }
  });

  it("gives onError the unchanged error, of any type, and the context so far", async () => {
    const errors = [undefined, null, 0, "text", Symbol("s"), Object.freeze(new Error("frozen")), { plain: true }, boom];
    for (const error of errors) {
      const failed: OnErrorArgs[] = [];
      const app = setup({
        onRequest: () => ({ a: 1 }),
        handlers: [route.get("/u/:id", {
          guards: [() => allow({ b: 2 })],
          resolve() {
            throw error;
          },
        })],
        onError(failure) {
          failed.push(failure);
          return new Response(null, { status: 500 });
        },
      });
      const incoming = request("/u/1");
      await app.fetch(incoming);
      const [failure] = failed;
      assert(failure !== undefined);
      assertStrictEquals(failure.error, error);
      assertStrictEquals(failure.context.request, incoming);
      assertEquals(failure.context.locals, { a: 1, b: 2 } as object);
      assertEquals({ ...failure.context.route }, { method: "GET", path: "/u/:id" });
    }
  });

  it("gives onError the input so far, and no input if the body cannot be read", async () => {
    const seen: unknown[] = [];
    const app = setup({
      validator: accepting,
      handlers: [route.post("/:id", {
        request: { body: {} },
        resolve() {
          throw boom;
        },
      })],
      onError({ context: { raw, input } }) {
        seen.push([{ ...raw?.params }, raw?.body, input]);
        return new Response();
      },
    });
    const used = post("/1", "{}");
    await used.text();
    await app.fetch(used);
    await app.fetch(post("/2", "[2]"));
    assertEquals(seen, [[{ id: "1" }, undefined, undefined], [{ id: "2" }, [2], { ok: true, body: [2] }]]);
  });

  it("gives onError and onResponse empty locals and no route if onRequest failed", async () => {
    const contexts: HookContext[] = [];
    const app = setup({
      handlers: [route.get("/", { resolve: () => new Response() })],
      onRequest() {
        throw boom;
      },
      onError({ context }) {
        contexts.push(context);
        return new Response();
      },
      onResponse: ({ context }) => void contexts.push(context),
    });
    await app.fetch(request("/"));
    assertEquals(contexts.map(({ locals, route }) => ({ locals, route })), [
      { locals: {}, route: undefined },
      { locals: {}, route: undefined },
    ]);
  });
});

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
      onResponse: ({ response }) => void response.headers.set("x-seen", "yes"), // Node.js 20.9 returns the headers.
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
});

describe("app.fetch", () => {
  it("returns a Response synchronously if nothing is asynchronous", () => {
    const handler = new Response("handler");
    const app = setup({
      validator: accepting,
      handlers: [
        route.get("/:id", {
          request: { params: {}, query: {} },
          guards: [() => allow({ a: 1 }), () => allow()],
          resolve: () => handler,
        }),
        route.get("/denied/x", { guards: [() => deny(handler)], resolve: () => new Response() }),
      ],
      onRequest: () => ({ b: 2 }),
      onResponse: ({ response }) => response,
      onError: () => new Response(),
    });
    assertStrictEquals(app.fetch(request("/1?q=2")), handler);
    assertStrictEquals(app.fetch(request("/denied/x")), handler);
    assertInstanceOf(app.fetch(request("/no/where")), Response);
  });

  it("turns a thrown error into a response synchronously", () => {
    const sorry = new Response("sorry");
    const app = setup({
      handlers: [route.get("/", {
        resolve() {
          throw boom;
        },
      })],
      onError: () => sorry,
    });
    assertStrictEquals(app.fetch(request("/")), sorry);
  });

  it("returns a promise if anything is asynchronous", async () => {
    const later = async <T>(value: T) => {
      await Promise.resolve();
      return value;
    };
    const stages = {
      onRequest: () => later({}),
      onResponse: () => later(undefined),
      guard: () => later(allow()),
      resolve: () => later(new Response()),
    };
    for (const key of ["onRequest", "onResponse", "guard", "resolve"] as const) {
      const app = setup({
        handlers: [route.get("/", {
          guards: [key === "guard" ? stages.guard : () => allow()],
          resolve: key === "resolve" ? stages.resolve : () => new Response(),
        })],
        ...(key === "onRequest" || key === "onResponse" ? { [key]: stages[key] } : {}),
      });
      const answer = app.fetch(request("/"));
      assertInstanceOf(answer, Promise, key);
      assertEquals((await answer).status, 200);
    }
  });

  it("waits once for the handler's promise where there are no hooks", async () => {
    const { then } = Promise.prototype;
    let waits = 0;
    const response = new Response();
    const app = setup({ handlers: [route.get("/", { resolve: () => Promise.resolve(response) })] });
    const incoming = request("/");
    Promise.prototype.then = function (this: Promise<unknown>, ...callbacks: unknown[]) {
      waits++;
      return Reflect.apply(then, this, callbacks);
    } as typeof then;
    let answer: unknown;
    try {
      answer = app.fetch(incoming);
    } finally {
      Promise.prototype.then = then;
    }
    assertStrictEquals(await answer, response);
    assertEquals(waits, 1);
  });

  it("does not read the headers for a 404 that no hook sees", async () => {
    let reads = 0;
    const incoming = {
      url: "http://localhost/nowhere",
      method: "GET",
      get headers() {
        reads++;
        return new Headers();
      },
    } as Request;
    const handlers = [route.get("/", { resolve: () => new Response() })];
    assertEquals((await setup({ handlers }).fetch(incoming)).status, 404);
    assertEquals(reads, 0);
  });

  it("never throws: an error is a rejection, even if the argument is not a request", async () => {
    const app = setup({
      handlers: [route.get("/", {
        resolve() {
          throw boom;
        },
      })],
    });
    const answer = app.fetch(request("/"));
    assertInstanceOf(answer, Promise);
    assertStrictEquals(await assertRejects(() => answer), boom);
    await assertRejects(async () => await app.fetch(undefined as unknown as Request), TypeError);
  });

  it("awaits any object with a `then` method", async () => {
    const thenable = {
      then(resolve: (response: Response) => void) {
        resolve(new Response("from a thenable"));
      },
    };
    const app = setup({ handlers: [route.get("/", { resolve: () => thenable as unknown as Promise<Response> })] });
    const answer = app.fetch(request("/"));
    assertInstanceOf(answer, Promise);
    assertEquals(await text(answer), "from a thenable");
  });

  it("keeps a thousand interleaved requests apart", async () => {
    const app = setup({
      validator: { validate: async (_schema, value) => (await pause(), { ok: true, value }) },
      onRequest: async ({ request }) => (await pause(), { url: request.url }),
      handlers: [
        route.with<{ url: string }>().post("/:id", {
          request: { params: {}, body: {} },
          guards: [
            async (c) => (await pause(), allow({ first: c.raw.params.id })),
            async (c: Context<{ first: string }>) => (await pause(), allow({ second: `${c.locals.first}!` })),
          ],
          resolve: async (
            c,
          ) => (await pause(), Response.json([c.locals, c.raw.params, c.raw.query, c.raw.body, c.input])),
        }),
      ],
      onResponse: async ({ response, locals }) => {
        await pause();
        response.headers.set("x-url", locals.url ?? "");
      },
    });
    await Promise.all(Array.from({ length: 1000 }, async (_, n) => {
      const id = String(n);
      const response = await app.fetch(post(`/${id}?q=${id}`, id));
      const url = `http://localhost/${id}?q=${id}`;
      assertEquals(response.headers.get("x-url"), url);
      assertEquals(await response.json(), [
        { url, first: id, second: `${id}!` },
        { id },
        { q: id },
        n,
        { ok: true, params: { id }, body: n },
      ]);
    }));
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
}
