import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  allow,
  type AnyInput,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  type GuardResult,
  type HookContext,
  type RawInput,
  route,
  setup,
} from "../../../mod.ts";
import { accepting } from "../../support/accepting.ts";
import { post, request } from "../../support/request.ts";

const pass = () => allow();
const early = beforeBody(pass);

describe("a guard marked by beforeBody", () => {
  it("runs after matching, before the body is read and anything is validated", async () => {
    const events: string[] = [];
    const guard = (name: string) => (c: Context) => {
      events.push(`${name} ${c.input.ok} ${c.request.bodyUsed}`);
      return allow({ [name]: true });
    };
    const app = setup({
      validator: {
        validate(_schema, value, part) {
          events.push(`validate ${part}`);
          return { ok: true, value };
        },
      },
      handlers: [
        route.with({ guards: [beforeBody(guard("scope"))] }).post("/:id", {
          request: { params: {}, body: {} },
          guards: [beforeBody(guard("own")), guard("late")],
          resolve(c) {
            events.push(`resolve ${c.input.ok} ${Object.keys(c.locals)}`);
            return Response.json(c.raw.body);
          },
        }),
      ],
      onRequest() {
        events.push("onRequest");
      },
    });
    assertEquals(await (await app.fetch(post("/7", "[1]"))).json(), [1]);
    assertEquals(events, [
      "onRequest",
      "scope false false",
      "own false false",
      "validate params",
      "validate body",
      "late true true",
      "resolve true scope,own,late",
    ]);
    events.length = 0;
    assertEquals((await app.fetch(post("/7/8", "[1]"))).status, 404);
    assertEquals(events, ["onRequest"]);
  });

  it("sees no valid input, and the raw inputs without the body", async () => {
    const seen: { input: AnyInput; raw: RawInput }[] = [];
    const look = beforeBody(({ input, raw }: Context) => {
      seen.push({ input, raw: { ...raw } });
      return allow();
    });
    const app = setup({
      validator: accepting,
      handlers: [
        route.get("/plain/:id", { guards: [look], resolve: (c) => Response.json(c.input) }),
        route.post("/:id", {
          request: { headers: {}, cookies: {}, body: {} },
          guards: [look],
          resolve: (c) => Response.json(c.input.ok),
        }),
      ],
    });
    assertEquals(await (await app.fetch(request("/plain/7"))).json(), { ok: true });
    const incoming = request("/7?a=1", { method: "POST", headers: { cookie: "b=2" }, body: "[1]" });
    assertEquals(await (await app.fetch(incoming)).json(), true);
    const nothing: AnyInput = { ok: false, failed: [], issues: [], received: {} };
    assertEquals(seen.map(({ input }) => input), [nothing, nothing]);
    const raw = seen[1]?.raw;
    assertEquals({ ...raw?.params }, { id: "7" });
    assertEquals({ ...raw?.query }, { a: "1" });
    assertEquals({ ...raw?.cookies }, { b: "2" });
    assertEquals(raw?.headers?.cookie, "b=2");
    assertEquals(raw?.body, undefined);
  });

  it("that denies leaves the body unread, and neither the validator nor a later guard is called", async () => {
    const denial = new Response(null, { status: 401 });
    const unreachable = (): never => {
      throw new Error("unreachable");
    };
    const denying = deny(denial);
    const guards: readonly (() => GuardResult | Promise<GuardResult>)[] = [
      () => denying,
      () => Promise.resolve(denying),
    ];
    for (const guard of guards) {
      let pulled = 0;
      const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
      const stages: string[] = [];
      const app = setup({
        validator: { validate: unreachable },
        handlers: [route.post("/", {
          request: { query: {}, body: {} },
          guards: [early, beforeBody(guard), beforeBody(unreachable), unreachable],
          resolve: unreachable,
        })],
        onResponse({ context }) {
          stages.push(context.stage);
        },
      });
      const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
      const incoming = request("/", init);
      assertStrictEquals(await app.fetch(incoming), denial);
      assertEquals([incoming.bodyUsed, pulled, stages], [false, 0, ["beforeBody"]]);
    }
  });

  it("may be asynchronous", async () => {
    const slow = beforeBody(async (c: Context) => {
      await Promise.resolve();
      return c.request.headers.has("x") ? allow({ user: "ada" }) : deny(new Response(null, { status: 401 }));
    });
    const app = setup({
      validator: accepting,
      handlers: [route.post("/", {
        request: { body: {} },
        guards: [slow, slow, (c: Context<{ user: string }>) => allow({ name: c.locals.user })],
        resolve: (c) => Response.json([c.locals.name, c.input.ok && c.input.body]),
      })],
    });
    const incoming = request("/", { method: "POST", body: "[1]", headers: { x: "1" } });
    assertEquals(await (await app.fetch(incoming)).json(), ["ada", [1]]);
    const stranger = post("/", "[1]");
    assertEquals((await app.fetch(stranger)).status, 401);
    assertEquals(stranger.bodyUsed, false);
  });

  it("receives the extra arguments of app.fetch", async () => {
    const bound = beforeBody((_c: Context, env: { key: string }, more: number) => allow({ sum: env.key + more }));
    const app = setup({ handlers: [route.get("/", { guards: [bound], resolve: (c) => new Response(c.locals.sum) })] });
    assertEquals(await (await app.fetch(request("/"), { key: "k" }, 1)).text(), "k1");
  });

  it("fails closed: an error, valid input, and anything but a guard result", async () => {
    const wrong: readonly unknown[] = [undefined, true, {}, { allow: "yes" }, { allow: true, valid: true }, []];
    for (const result of wrong) {
      const errors: unknown[] = [];
      const stages: unknown[] = [];
      const guards: readonly (() => GuardResult | Promise<GuardResult>)[] = [
        () => result as GuardResult,
        () => Promise.resolve(result as GuardResult),
      ];
      for (const guard of guards) {
        const app = setup({
          validator: accepting,
          handlers: [route.post("/", {
            request: { body: {} },
            guards: [early, beforeBody(guard)],
            resolve: () => new Response("let in"),
          })],
          onError({ error, context }) {
            errors.push(error);
            stages.push(context.stage);
            return new Response(null, { status: 500 });
          },
        });
        const incoming = post("/", "1");
        assertEquals((await app.fetch(incoming)).status, 500);
        assertEquals(incoming.bodyUsed, false);
      }
      assertEquals(stages, ["beforeBody", "beforeBody"]);
      for (const error of errors) assertMatch(String(error), /^TypeError: Guard 2 of route POST "\/" must return/);
    }
    const error = new Error("broken");
    const broken = beforeBody((): GuardResult => {
      throw error;
    });
    const app = setup({ handlers: [route.get("/", { guards: [broken], resolve: () => new Response("let in") })] });
    assertStrictEquals(await assertRejects(async () => await app.fetch(request("/"))), error);
  });

  it("does not make a guard that needs valid input pass", async () => {
    const strict = (c: Context) => c.input.ok ? allow() : deny(new Response(null, { status: 400 }));
    const app = setup({ handlers: [route.get("/", { guards: [beforeBody(strict)], resolve: () => new Response() })] });
    assertEquals((await app.fetch(request("/"))).status, 400);
  });

  it("is counted among all guards in messages", async () => {
    const app = setup({
      handlers: [route.get("/", { guards: [early, early, () => ({}) as GuardResult], resolve: () => new Response() })],
    });
    const error = await assertRejects(async () => await app.fetch(request("/")), TypeError);
    assertMatch(error.message, /^Guard 3 of route GET "\/" must return/);
  });

  it("leaves the stage `body` to the body: a body that cannot be read is an error of that stage, without input", async () => {
    const contexts: HookContext[] = [];
    const app = setup({
      validator: accepting,
      handlers: [route.post("/", { request: { body: {} }, guards: [early], resolve: () => new Response() })],
      onError({ context }) {
        contexts.push(context);
        return new Response();
      },
    });
    const incoming = post("/", "1");
    await incoming.text();
    await app.fetch(incoming);
    assertEquals(contexts.map(({ stage, input }) => [stage, input]), [["body", undefined]]);
  });
});

describe("beforeBody()", () => {
  it("does not change the guard, which stays unmarked", async () => {
    const guard = Object.freeze((c: Context) => allow({ ok: c.input.ok }));
    const marked = beforeBody(guard);
    assert(marked as unknown !== guard);
    const app = setup({
      handlers: [
        route.get("/early", { guards: [marked], resolve: (c) => Response.json(c.locals.ok) }),
        route.get("/late", { guards: [guard], resolve: (c) => Response.json(c.locals.ok) }),
      ],
    });
    assertEquals(await (await app.fetch(request("/early"))).json(), false);
    assertEquals(await (await app.fetch(request("/late"))).json(), true);
  });

  it("works with the mark of another copy of the module", async () => {
    const foreign = Object.assign((c: Context) => allow({ ok: c.input.ok }), { "~beforeBody": true });
    const app = setup({
      handlers: [route.get("/", { guards: [foreign], resolve: (c) => Response.json(c.locals.ok) })],
    });
    assertEquals(await (await app.fetch(request("/"))).json(), false);
  });

  it("rejects what is not a function", () => {
    for (const guard of [undefined, null, {}, "x"]) {
      assertThrows(() => beforeBody(guard as never), TypeError, "Guard of beforeBody must be a function: received");
    }
  });

  it("is rejected behind an unmarked guard, scopes included", () => {
    const denied = denyInvalid(() => new Response(null, { status: 400 }));
    const serve = (handlers: Parameters<typeof setup>[0]["handlers"]) => () => setup({ handlers } as never);
    const resolve = () => new Response();
    assertThrows(
      // @ts-expect-error at `early`: Put guards with beforeBody first: those without it run after the body is read
      serve([route.get("/a", { guards: [early, pass, early], resolve })]),
      TypeError,
      'Guard 3 of route GET "/a" has beforeBody: put it before guard 2, which has not',
    );
    assertThrows(
      serve([route.with({ prefix: "/v1", guards: [denied] }).get("/a", { guards: [early], resolve })]),
      TypeError,
      'Guard 2 of route GET "/v1/a" has beforeBody: put it before guard 1, which has not',
    );
    serve([route.with({ guards: [early] }).get("/a", { guards: [early, pass, denied], resolve })])();
  });

  it("is not fooled by a polluted prototype", async () => {
    Object.defineProperty(Object.prototype, "~beforeBody", { value: true, configurable: true });
    try {
      const app = setup({
        handlers: [
          route.get("/", { guards: [(c) => allow({ ok: c.input.ok })], resolve: (c) => Response.json(c.locals.ok) }),
        ],
      });
      assertEquals(await (await app.fetch(request("/"))).json(), true);
    } finally {
      delete (Object.prototype as { "~beforeBody"?: unknown })["~beforeBody"];
    }
  });
});
