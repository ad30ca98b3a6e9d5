import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Context, denyInvalid, type GuardResult, type InvalidInput, route, setup } from "../../../mod.ts";
import { post, request } from "../../support/request.ts";

/** Accepts the body `true` and rejects every other. */
const validator = {
  validate: (_schema: unknown, value: unknown, part: "params" | "query" | "body") =>
    value === true
      ? { ok: true as const, value }
      : { ok: false as const, issues: [{ part, path: [], message: "not true" }] },
};

describe("denyInvalid()", () => {
  it("denies invalid input with the response of respond", async () => {
    const denial = new Response("invalid", { status: 422 });
    const seen: [InvalidInput, Context][] = [];
    const app = setup({
      validator,
      handlers: [route.post("/", {
        request: { body: {} },
        guards: [denyInvalid((input, c) => {
          seen.push([input, c]);
          return denial;
        })],
        resolve: () => new Response("handled"),
      })],
    });
    const sent = post("/", "false");
    assertStrictEquals(await app.fetch(sent), denial);
    assertEquals(seen.map(([input]) => input.issues), [[{ part: "body", path: [], message: "not true" }]]);
    assertStrictEquals(seen[0]?.[1].request, sent);
    assertStrictEquals(seen[0]?.[1].input, seen[0]?.[0]);
  });

  it("rejects what is not a function at once, not at the first invalid input", () => {
    for (const respond of [undefined, null, {}, "x"]) {
      assertThrows(
        () => denyInvalid(respond as never),
        TypeError,
        "Argument of denyInvalid must be a function: received",
      );
    }
  });

  it("accepts a promise of the response", async () => {
    const app = setup({
      validator,
      handlers: [route.post("/", {
        request: { body: {} },
        guards: [denyInvalid(({ failed }) => Promise.resolve(Response.json(failed, { status: 400 })))],
        resolve: () => new Response("handled"),
      })],
    });
    const response = await app.fetch(post("/", "{"));
    assertEquals([response.status, await response.json()], [400, ["body"]]);
  });

  it("lets valid input and input without schemas pass, and does not call respond", async () => {
    const respond = () => {
      throw new Error("called");
    };
    const app = setup({
      validator,
      handlers: [
        route.post("/body", {
          request: { body: {} },
          guards: [denyInvalid(respond)],
          resolve: (c) => Response.json(c.input.body),
        }),
        route.get("/none", { guards: [denyInvalid(respond)], resolve: (c) => Response.json(c.input) }),
      ],
    });
    assertEquals(await (await app.fetch(post("/body", "true"))).json(), true);
    await assertRejects(async () => await app.fetch(post("/body", "false")), Error, "called");
    assertEquals(await (await app.fetch(request("/none"))).json(), { ok: true });
  });

  it("guards every route of a scope", async () => {
    const scope = route.with({ guards: [denyInvalid(() => new Response(null, { status: 400 }))] });
    const app = setup({
      validator,
      handlers: [
        scope.post("/a", { request: { body: {} }, resolve: () => new Response("a") }),
        scope.with({ prefix: "/in" }).post("/b", { request: { body: {} }, resolve: () => new Response("b") }),
      ],
    });
    for (const path of ["/a", "/in/b"]) {
      assertEquals((await app.fetch(post(path, "1"))).status, 400);
      assertEquals((await app.fetch(post(path, "true"))).status, 200);
    }
  });
});

describe("a guard that promises valid input", () => {
  const answer = async (result: GuardResult | Promise<GuardResult>, body: string) => {
    const app = setup({
      validator,
      handlers: [route.post("/u/:id", {
        request: { body: {} },
        guards: [() => result],
        resolve: (c) => Response.json(c.locals),
      })],
    });
    return await app.fetch(post("/u/secret", body));
  };

  it("passes with valid input, and its locals are merged", async () => {
    const locals = { a: 1 };
    for (const result of [{ allow: true, valid: true, locals }, { allow: true, valid: undefined, locals }]) {
      for (const given of [result, Promise.resolve(result)]) {
        assertEquals(await (await answer(given as GuardResult, "true")).json(), locals);
      }
    }
  });

  it("causes a TypeError on invalid input, and the handler does not run", async () => {
    for (const given of [{ allow: true, valid: true }, Promise.resolve({ allow: true, valid: true })]) {
      await assertRejects(
        async () => await answer(given as GuardResult, "false"),
        TypeError,
        'Guard 1 of route POST "/u/:id" must return { allow: true } or { deny: Response }: ' +
          "received `valid` for invalid input as true",
      );
    }
  });

  it("must promise with exactly `true`: any other value is a TypeError", async () => {
    for (const [valid, received] of [[false, "false"], [1, "a number"], [null, "null"], ["true", "a string"]]) {
      await assertRejects(
        async () => await answer({ allow: true, valid } as unknown as GuardResult, "true"),
        TypeError,
        `received \`valid\` as ${received}`,
      );
    }
  });

  it("may deny", async () => {
    const both = { deny: new Response(null, { status: 403 }), allow: true, valid: true };
    assertEquals((await answer(both as GuardResult, "false")).status, 403);
  });
});
