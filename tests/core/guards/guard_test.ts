import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type Context, deny, type GuardResult, route, setup } from "../../../mod.ts";
import { request } from "../../support/request.ts";

/** A guard with a result that does not type-check. */
function returning(result: unknown): () => GuardResult {
  return () => result as GuardResult;
}

describe("a guard", () => {
  it("continues with { allow: true }, and ends the request with { deny }", async () => {
    const denial = new Response("denied", { status: 418 });
    const app = setup({
      handlers: [
        route.get("/open", { guards: [() => ({ allow: true })], resolve: () => new Response("open") }),
        route.get("/closed", { guards: [() => ({ deny: denial })], resolve: () => new Response("open") }),
      ],
    });
    assertEquals(await (await app.fetch(request("/open"))).text(), "open");
    assertStrictEquals(await app.fetch(request("/closed")), denial);
  });

  it("runs in declared order, and a denial ends the request: neither later guards nor the handler run", async () => {
    const ran: string[] = [];
    const guard = (name: string, result: () => GuardResult) => () => {
      ran.push(name);
      return result();
    };
    const app = setup({
      handlers: [route.get("/", {
        guards: [guard("1", allow), guard("2", allow), guard("3", () => deny(new Response())), guard("4", allow)],
        resolve() {
          ran.push("handler");
          return new Response();
        },
      })],
    });
    await app.fetch(request("/"));
    assertEquals(ran, ["1", "2", "3"]);
  });

  it("may be one of very many", async () => {
    let runs = 0;
    const guard = () => {
      runs++;
      return allow();
    };
    const app = setup({
      handlers: [route.get("/", { guards: Array(50_000).fill(guard), resolve: () => new Response() })],
    });
    assertEquals([(await app.fetch(request("/"))).status, runs], [200, 50_000]);
  });

  it("adds locals for later guards and the handler; later keys override earlier ones", async () => {
    const app = setup({
      onRequest: () => ({ a: "onRequest", b: "onRequest", c: "onRequest" }),
      handlers: [
        route.with<{ a: string; b: string; c: string }>().get("/", {
          guards: [
            () => allow({ b: "first", d: "first" }),
            async (c: Context<{ b: string }>) => {
              await Promise.resolve();
              return allow({ c: `second after ${c.locals.b}` });
            },
          ],
          resolve: (c) => Response.json(c.locals),
        }),
      ],
    });
    assertEquals(await (await app.fetch(request("/"))).json(), {
      a: "onRequest",
      b: "first",
      c: "second after first",
      d: "first",
    });
  });

  it("merges own keys into an object per request, and leaves the returned object unchanged", async () => {
    const shared = Object.freeze({ count: 1 });
    const app = setup({
      handlers: [route.get("/", {
        guards: [() => allow(shared), () => allow(Object.create({ inherited: true }, {}) as { inherited?: true })],
        resolve(c) {
          assertEquals({ ...c.locals } as object, { count: 1 });
          assertEquals("inherited" in c.locals, false);
          Object.assign(c.locals, { mine: true });
          return new Response();
        },
      })],
    });
    assertEquals((await app.fetch(request("/"))).status, 200);
    assertEquals((await app.fetch(request("/"))).status, 200);
  });

  it("adds no locals of a class: it would lose their getters and methods", async () => {
    class Reader {
      name = "ada";
      get isBanned(): boolean {
        return true;
      }
    }
    const errors: unknown[] = [];
    const handling = (guard: () => unknown, onRequest: () => object = () => ({})) =>
      setup({
        onRequest,
        onError: ({ error }) => {
          errors.push(error);
          return new Response(null, { status: 500 });
        },
        handlers: [route.get("/", {
          guards: [guard as () => GuardResult],
          resolve: ({ locals }) => Response.json(Object.keys(locals)),
        })],
      }).fetch(request("/"));

    const instances = [
      new Reader(),
      new Map([["isBanned", true]]),
      new URLSearchParams("isBanned=1"),
      Object.create(new Reader()),
    ];
    for (const locals of instances) {
      for (const result of [allow(locals), { allow: true, locals }, Promise.resolve(allow(locals))]) {
        assertEquals((await handling(() => result)).status, 500);
      }
      assertEquals((await handling(() => allow(), () => locals)).status, 500);
    }
    const guard = 'Guard 1 of route GET "/" must return { allow: true } or { deny: Response }: received `locals` as';
    const onRequest = "onRequest must return an object of locals, or nothing: received";
    assertEquals(
      errors.map((error) => `${error}`),
      instances.flatMap(() => [guard, guard, guard, onRequest]).map((rule) =>
        `TypeError: ${rule} an instance of a class: put it under a key, as in { user }`
      ),
    );

    // The ways out, an object without a prototype, and one of another realm, as tests of Jest have it.
    const foreignPrototype = Object.create(null, { isPrototypeOf: { value: () => false } });
    const foreign = Object.setPrototypeOf({ user: 1 }, foreignPrototype) as object;
    const accessor = {
      get user() {
        return 1;
      },
    };
    const bare = Object.assign(Object.create(null), { user: 1 }) as object;
    for (const locals of [{ user: new Reader() }, { ...{ user: new Reader() } }, bare, foreign, accessor]) {
      assertEquals(await (await handling(() => allow(locals))).json(), ["user"]);
      assertEquals(await (await handling(() => allow(), () => locals)).json(), ["user"]);
    }
    assertEquals(await (await handling(() => allow({ ...new Reader() }))).json(), ["name"]);
  });

  it("may add the key `__proto__` like any other key", async () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object;
    const app = setup({
      onRequest: () => JSON.parse('{"__proto__":{"root":true}}') as object,
      handlers: [route.get("/", {
        guards: [() => allow({ plain: 1 }), () => allow(hostile)],
        resolve(c) {
          const locals: object = c.locals;
          assertEquals(Object.keys(locals).sort(), ["__proto__", "constructor", "plain"]);
          assertEquals(Object.getOwnPropertyDescriptor(locals, "__proto__")?.value, { admin: true });
          assertStrictEquals(Object.getPrototypeOf(locals), Object.prototype);
          assertEquals(["admin" in locals, "root" in locals], [false, false]);
          return new Response();
        },
      })],
    });
    assertEquals((await app.fetch(request("/"))).status, 200);
    assertEquals("admin" in {}, false);
  });

  it("does not let a denial pass as locals: allow() throws, and so does the request", async () => {
    const message = "Locals must not be { deny: Response }: let a guard return the denial itself";
    const untyped = allow as (...args: readonly unknown[]) => unknown;
    const response = new Response(null, { status: 401 });
    const bare = Object.assign(Object.create(null), { deny: response });
    const denials = [
      deny(response),
      bare,
      Object.freeze({ user: "ada", ...deny(response) }),
      new Proxy(deny(response), {}),
      { deny: { [Symbol.toStringTag]: "Response", status: 401 } },
    ];
    const fetch = async (guard: () => unknown, onRequest = (): unknown => ({})) => {
      const app = setup({
        onRequest: onRequest as () => object,
        handlers: [route.get("/", { guards: [guard as () => GuardResult], resolve: () => new Response("a pass") })],
      });
      return await app.fetch(request("/"));
    };
    for (const denial of denials) {
      assertThrows(() => untyped(denial), TypeError, message);
      assertThrows(() => untyped(denial, { headers: { a: "b" } }), TypeError, message);
      await assertRejects(() => fetch(() => untyped(denial)), TypeError, message);
      for (const result of [{ allow: true, locals: denial }, Promise.resolve({ allow: true, locals: denial })]) {
        await assertRejects(() => fetch(() => result), TypeError, message);
      }
      for (const result of [denial, Promise.resolve(denial)]) {
        await assertRejects(() => fetch(() => allow(), () => result), TypeError, message);
      }
    }
    // Not a result that may be one later, or a list of results, either.
    for (const denial of [Promise.resolve(deny(response)), [deny(response)], response, () => deny(response)]) {
      await assertRejects(() => fetch(() => untyped(denial)), TypeError, "received `locals` as ");
    }
    // What a client sends is no response.
    for (const locals of [{ deny: true }, { deny: { status: 401 } }, { deny: "[object Response]" }, { deny: null }]) {
      assertEquals((await fetch(() => untyped(locals))).status, 200);
    }
  });

  it("may add the key `then`, though it is a function: a plain object is no promise", async () => {
    const locals = { then: () => "never called" };
    const app = setup({
      handlers: [
        route.get("/", {
          guards: [() => ({ allow: true, locals })],
          resolve: (c) => new Response(typeof c.locals.then),
        }),
      ],
    });
    assertEquals(await (await app.fetch(request("/"))).text(), "function");
  });

  it("fails closed: any other result is a TypeError that names the guard and its route", async () => {
    const response = () => new Response();
    const misshapen: [unknown, string][] = [
      [undefined, "undefined"],
      [null, "null"],
      [true, "true"],
      [false, "false"],
      [1, "a number"],
      ["allow", "a string"],
      [[], "an array"],
      [{}, "`allow` as undefined"],
      [() => allow(), "a function"],
      [response(), "a Response"],
      [{ allow: false }, "`allow` as false"],
      [{ allow: "true" }, "`allow` as a string"],
      [{ allow: 1 }, "`allow` as a number"],
      [{ allow: {} }, "`allow` as an object"],
      [{ locals: {} }, "`allow` as undefined"],
      [{ deny: true }, "`deny` as true"],
      [{ deny: null, allow: true }, "`deny` as null"],
      [{ deny: { status: 401 } }, "`deny` as an object"],
      [{ deny: Promise.resolve(response()) }, "`deny` as a promise"],
      [{ allow: true, locals: null }, "`locals` as null"],
      [{ allow: true, locals: "x" }, "`locals` as a string"],
      [{ allow: true, locals: ["x"] }, "`locals` as an array"],
      [{ allow: true, locals: response() }, "`locals` as a Response"],
      [{ allow: true, locals: Promise.resolve({}) }, "`locals` as a promise"],
    ];
    for (const [result, received] of misshapen) {
      for (const answer of [result, Promise.resolve(result)]) {
        const app = setup({
          handlers: [route.get("/u/:id", {
            guards: [allow, returning(answer)],
            resolve: () => new Response("a pass"),
          })],
        });
        const error = await assertRejects(async () => await app.fetch(request("/u/secret")), TypeError);
        assertEquals(
          error.message,
          'Guard 2 of route GET "/u/:id" must return { allow: true } or { deny: Response }: received ' +
            received,
        );
      }
    }
  });

  it("denies if the result has both allow and deny", async () => {
    const both = { allow: true, locals: { a: 1 }, deny: new Response(null, { status: 403 }) };
    const app = setup({
      handlers: [route.get("/", { guards: [returning(both)], resolve: () => new Response("a pass") })],
    });
    assertEquals((await app.fetch(request("/"))).status, 403);
  });

  it("fails closed if `deny` is inherited, such as a getter of a class, also with an own `allow: true`", async () => {
    class Decision {
      readonly allow = true;
      readonly #denial: unknown;
      constructor(denial: unknown) {
        this.#denial = denial;
      }
      get deny(): unknown {
        return this.#denial;
      }
    }
    const fetch = async (result: object) => {
      const app = setup({
        handlers: [route.get("/", { guards: [returning(result)], resolve: () => new Response("a pass") })],
      });
      return await app.fetch(request("/"));
    };
    for (const denial of [new Response(null, { status: 403 }), false, null]) {
      for (const result of [new Decision(denial), Object.create({ allow: true, deny: denial })]) {
        await assertRejects(() => fetch(result), TypeError, "received an inherited `deny` as ");
      }
    }
    assertEquals(await (await fetch(new Decision(undefined))).text(), "a pass");
  });

  it("throws in allow() for a misspelt option, so that no header is lost", () => {
    const given = allow as (...args: readonly unknown[]) => unknown;
    for (const init of [{ header: { a: "b" } }, { headers: {}, headrs: {} }]) {
      assertThrows(() => given({}, init), TypeError, "of allow is unknown: did you mean headers?");
    }
    assertThrows(() => given({}, "x"), TypeError, "Options of allow must be an object: received a string");
    assertEquals(given({ a: 1 }, Object.create({ polluted: 1 })), { allow: true, locals: { a: 1 } });
    assertEquals(given(undefined, { headers: {} }), { allow: true, headers: {} });
  });

  it("ignores `deny: undefined`", async () => {
    const statusFor = async (result: object) => {
      const app = setup({
        handlers: [route.get("/", {
          guards: [returning({ deny: undefined, locals: undefined, ...result })],
          resolve: () => new Response("a pass"),
        })],
        onError: () => new Response(null, { status: 500 }),
      });
      return (await app.fetch(request("/"))).status;
    };
    assertEquals(await statusFor({ allow: true }), 200);
    assertEquals(await statusFor({}), 500);
  });

  it("accepts a Response from another realm", async () => {
    class ForeignResponse {
      readonly [Symbol.toStringTag] = "Response";
      readonly status = 401;
    }
    const foreign = new ForeignResponse();
    const app = setup({
      handlers: [route.get("/", { guards: [returning({ deny: foreign })], resolve: () => new Response("a pass") })],
    });
    assertStrictEquals(await app.fetch(request("/")) as unknown, foreign);
  });

  it("runs even if validation has failed, and sees the outcome", async () => {
    const app = setup({
      validator: { validate: (_schema, _input, part) => ({ ok: false, issues: [{ part, path: [], message: "no" }] }) },
      handlers: [route.get("/:id", {
        request: { params: {} },
        guards: [(c) => c.input.ok ? allow() : deny(Response.json(c.input.issues, { status: 400 }))],
        resolve: () => new Response("a pass"),
      })],
    });
    const response = await app.fetch(request("/1"));
    assertEquals([response.status, await response.json()], [400, [{ part: "params", path: [], message: "no" }]]);
  });

  it("is called without `this`", async () => {
    let receiver: unknown = "not called";
    const app = setup({
      handlers: [route.get("/", {
        guards: [function (this: unknown) {
          receiver = this;
          return allow();
        }],
        resolve: () => new Response(),
      })],
    });
    await app.fetch(request("/"));
    assertStrictEquals(receiver, undefined);
  });
});

describe("allow() and deny()", () => {
  it("return guard results", () => {
    const response = new Response();
    assertEquals(allow(), { allow: true });
    assertEquals(allow({ user: 1 }), { allow: true, locals: { user: 1 } });
    assertStrictEquals(deny(response).deny, response);
    assert(Object.keys(deny(response)).length === 1);
  });
});
