import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, beforeBody, type Context, deny, denyInvalid, every, reply, route, setup } from "../../../mod.ts";
import { accepting } from "../../support/accepting.ts";
import { post, request } from "../../support/request.ts";

const signedIn = ({ request }: Context) =>
  request.headers.has("authorization") ? allow({ user: "ada" }) : deny(reply(401));
const loaded = async ({ locals }: Context<{ user: string }>) => {
  await Promise.resolve();
  return allow({ role: `${locals.user}'s` });
};

/** Hides the types of guards, as JavaScript does. */
const everyOf = every as unknown as (...guards: readonly unknown[]) => (c: Context) => never;

describe("every()", () => {
  it("runs guards in order, each with the locals of those before it, and adds what all of them add", async () => {
    const seen: unknown[] = [];
    const look = (c: Context<{ start: number }>) => {
      seen.push(c.locals);
      return allow({ last: true });
    };
    const app = setup({
      onRequest: () => ({ start: 1 }),
      handlers: [
        route.with<{ start: number }>().get("/", {
          guards: [every(signedIn, loaded, look)],
          resolve: (c) => Response.json(c.locals),
        }),
      ],
    });
    const response = await app.fetch(request("/", { headers: { authorization: "x" } }));
    assertEquals(await response.json(), { start: 1, user: "ada", role: "ada's", last: true });
    assertEquals(seen, [{ start: 1, user: "ada", role: "ada's" }]);
  });

  it("ends the request with the first denial, and is synchronous if its guards are", () => {
    let calls = 0;
    const counted = () => {
      calls++;
      return allow();
    };
    const handlers = [route.get("/", { guards: [every(counted, signedIn, counted)], resolve: () => new Response() })];
    const response = setup({ handlers }).fetch(request("/")) as Response;
    assertEquals([response.status, calls], [401, 1]);
  });

  it("passes the extra arguments on", async () => {
    const keyed = (_c: Context, env: { readonly KEY: string }) => allow({ key: env.KEY });
    const handlers = [
      route.get("/", { guards: [every(() => allow(), keyed)], resolve: (c) => new Response(c.locals.key) }),
    ];
    const response = await setup({ handlers }).fetch(request("/"), { KEY: "k" });
    assertEquals(await response.text(), "k");
  });

  it("promises valid input if one of its guards does", async () => {
    const valid = every(denyInvalid(() => reply(400)), (c) => allow({ ok: c.input.ok }));
    const handlers = [route.post("/", {
      request: { body: (value: unknown): value is string => typeof value === "string" },
      guards: [valid],
      resolve: (c) => Response.json([c.input.body, c.locals.ok]),
    })];
    const app = setup({ handlers, validator: accepting });
    assertEquals(await (await app.fetch(post("/", '"x"'))).json(), ["x", true]);
    assertEquals((await app.fetch(post("/", "{"))).status, 400);
  });

  it("says in its result that the input is valid if one of its guards says so, and else nothing", () => {
    const c = { input: { ok: true }, locals: {} } as unknown as Context;
    const valid = denyInvalid(() => reply(400));
    assertEquals<unknown>(everyOf(valid, () => allow({ user: "ada" }))(c), {
      allow: true,
      locals: { user: "ada" },
      valid: true,
    });
    assertEquals<unknown>(everyOf(() => allow({ user: "ada" }))(c), { allow: true, locals: { user: "ada" } });
  });

  it("is one guard before the body if beforeBody marks the whole", async () => {
    const early = beforeBody(every(signedIn, (c) => allow({ seen: c.input.ok })));
    const handlers = [route.post("/", {
      request: { body: {} },
      guards: [early],
      resolve: (c) => Response.json(c.locals.seen),
    })];
    const app = setup({ handlers, validator: accepting });
    const stranger = post("/", "x");
    assertEquals((await app.fetch(stranger)).status, 401);
    assertEquals(stranger.bodyUsed, false);
    assertThrows(
      () => everyOf(signedIn, beforeBody(signedIn)),
      TypeError,
      "Guard 2 of every has beforeBody: mark the whole, as in beforeBody(every(…))",
    );
  });

  it("fails closed: a wrong result of one guard is an error that names it", async () => {
    for (
      const wrong of [undefined, {}, { allow: 1 }, Promise.resolve({ allow: "yes" }), { allow: true, valid: true }]
    ) {
      const guard = everyOf(() => allow(), () => wrong);
      const app = setup({
        handlers: [route.post("/x", { guards: [guard], request: { body: {} }, resolve: () => new Response() })],
        validator: accepting,
      });
      await assertRejects(
        async () => await app.fetch(post("/x", "{")),
        TypeError,
        'Guard 2 of every() of route POST "/x" must return { allow: true } or { deny: Response }: received',
      );
    }
    assertThrows(() => everyOf(), TypeError, "every must be given guards: without any, it would let everybody in");
    assertThrows(() => everyOf(signedIn, 3), TypeError, "Guard 2 of every must be a function: received a number");
  });

  it("adds the headers of its guards to each response after them, also to that of onError", async () => {
    const vary = () => allow({}, { headers: { vary: "cookie", "x-a": "1" } });
    const renewed = () => allow({}, { headers: [["set-cookie", "a=1"], ["x-a", "2"], ["vary", "origin"]] });
    const guards = {
      allowed: every(vary, renewed),
      denied: every(vary, renewed, () => deny(new Response(null, { status: 403, headers: { "set-cookie": "b=2" } }))),
      thrown: every(vary, renewed, () => {
        throw new Error("broken");
      }),
      rejected: every(vary, renewed, () => Promise.reject<ReturnType<typeof allow>>(new Error("broken"))),
      plain: every(() => allow(), () => {
        throw new Error("broken");
      }),
    };
    const first = () => allow({}, { headers: { "set-cookie": "c=3" } });
    const app = setup({
      handlers: Object.entries(guards).map(([name, guard]) =>
        route.get(`/${name}`, { guards: [first, guard], resolve: () => new Response() })
      ),
      onError: () => new Response(null, { status: 500 }),
    });
    const seen: unknown[] = [];
    for (const name of Object.keys(guards)) {
      const { status, headers } = await app.fetch(request(`/${name}`));
      seen.push([name, status, headers.get("x-a"), headers.get("vary"), headers.getSetCookie()]);
    }
    assertEquals(seen, [
      ["allowed", 200, "2", "cookie, origin", ["c=3", "a=1"]],
      ["denied", 403, "2", "cookie, origin", ["c=3", "a=1", "b=2"]],
      ["thrown", 500, "2", "cookie, origin", ["c=3", "a=1"]],
      ["rejected", 500, "2", "cookie, origin", ["c=3", "a=1"]],
      ["plain", 500, null, null, ["c=3"]],
    ]);
  });

  it("can stand in another one, and be called by a guard of one's own", async () => {
    const outer = every(every(signedIn, loaded), (c: Context<{ role: string }>) => allow({ by: c.locals.role }));
    const called = async (c: Context) => {
      const result = await outer(c);
      return "deny" in result ? result : allow({ by: result.locals.by, before: Object.keys(c.locals).length });
    };
    const handlers = [route.get("/", { guards: [called], resolve: (c) => Response.json(c.locals) })];
    const response = await setup({ handlers }).fetch(request("/", { headers: { authorization: "x" } }));
    assertEquals(await response.json(), { by: "ada's", before: 0 });
    const denial = new Response(null, { status: 401 });
    const denied = setup({
      handlers: [route.get("/", { guards: [every(() => deny(denial))], resolve: () => new Response() })],
    });
    assertStrictEquals(await denied.fetch(request("/")), denial);
  });
});
