/** What hooks, guards, handlers and validators receive. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type App, type Context, type HookContext, type OnErrorArgs, route, setup } from "../../mod.ts";
import { accepting } from "../support/accepting.ts";
import { post, request } from "../support/request.ts";

const boom = new Error("boom");

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

  it("passes the further arguments of fetch to hooks, guards and handler, in order", async () => {
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
    const names = ["onRequest", "guard", "handler", "onResponse"];
    assertEquals(calls, names.map((name) => [name, env, ctx]));
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

describe("a validator", () => {
  it("may write into empty params and query, and the next request does not see it", async () => {
    const seen: unknown[] = [];
    const app = setup({
      validator: {
        validate(_schema, value) {
          seen.push({ ...value as object });
          return { ok: true, value: Object.assign(value as object, { page: 1 }) };
        },
      },
      handlers: [
        route.get("/", { request: { params: {}, query: {} }, resolve: (c) => Response.json(c.input) }),
      ],
    });
    for (const _ of [1, 2]) {
      const response = await app.fetch(request("/"));
      assertEquals(await response.json(), { ok: true, params: { page: 1 }, query: { page: 1 } });
    }
    assertEquals(seen, [{}, {}, {}, {}]);
  });
});
