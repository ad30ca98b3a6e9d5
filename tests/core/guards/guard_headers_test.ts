import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, beforeBody, deny, type GuardResult, route, setup } from "../../../mod.ts";
import { post, request } from "../../support/request.ts";

/** A guard with a result that does not type-check. */
function returning(result: unknown): () => GuardResult {
  return () => result as GuardResult;
}

/** What a client receives from a route with these guards, whose handler returns `response`. */
async function answerOf(guards: (() => GuardResult)[], response = new Response()): Promise<Response> {
  const app = setup({ handlers: [route.get("/", { guards, resolve: () => response })] });
  return await app.fetch(request("/"));
}

describe("the headers of a guard's result", () => {
  it("are on the handler's response, which keeps its status, its body and its own headers", async () => {
    const response = await answerOf(
      [() => allow({ user: "ada" }, { headers: { "ratelimit-remaining": "3" } })],
      new Response("made", { status: 201, statusText: "Made", headers: { etag: '"1"' } }),
    );
    assertEquals([response.status, response.statusText, await response.text()], [201, "Made", "made"]);
    assertEquals(response.headers.get("ratelimit-remaining"), "3");
    assertEquals(response.headers.get("etag"), '"1"');
  });

  it("come without locals, too", async () => {
    const response = await answerOf([() => allow(undefined, { headers: [["x-a", "1"], ["x-a", "2"]] })]);
    assertEquals(response.headers.get("x-a"), "1, 2");
  });

  it("may be a record, pairs or Headers, and are read when the guard returns", async () => {
    const headers = new Headers({ "x-c": "3" });
    const response = await answerOf([
      () => allow({}, { headers: { "X-A": "1" } }),
      () => allow({}, { headers: [["x-b", "2"]] }),
      () => allow({}, { headers }),
      () => {
        headers.set("x-c", "later");
        return allow();
      },
    ]);
    assertEquals(["x-a", "x-b", "x-c"].map((name) => response.headers.get(name)), ["1", "2", "3"]);
  });

  it("give way to the response's own value, and an earlier guard's give way to a later guard's", async () => {
    const headers = (value: string) => ({ "x-own": value, "x-guard": value, "x-vary": value, "vary-by": value });
    const response = await answerOf(
      [() => allow({}, { headers: { ...headers("1"), "x-first": "1" } }), () => allow({}, { headers: headers("2") })],
      new Response(null, { headers: { "X-Own": "handler" } }),
    );
    const names = ["x-own", "x-guard", "x-vary", "vary-by", "x-first"];
    assertEquals(names.map((name) => response.headers.get(name)), ["handler", "2", "2", "2", "1"]);
  });

  it("add up if they are Set-Cookie or Vary, the response's own after them", async () => {
    const response = await answerOf(
      [
        () => allow({}, { headers: [["Set-Cookie", "a=1; Path=/"], ["set-cookie", "b=2"], ["Vary", "Origin"]] }),
        () => allow({}, { headers: { "set-cookie": "c=3", vary: "Cookie" } }),
      ],
      new Response(null, { headers: { "set-cookie": "own=0", vary: "Accept" } }),
    );
    assertEquals(response.headers.getSetCookie(), ["a=1; Path=/", "b=2", "c=3", "own=0"]);
    assertEquals(response.headers.get("vary"), "Origin, Cookie, Accept");
  });

  it("are on the handler's response if guards and handler are asynchronous", async () => {
    const app = setup({
      handlers: [route.get("/", {
        guards: [
          async () => allow({}, { headers: { "x-a": await Promise.resolve("1") } }),
          () => Promise.resolve(allow()),
        ],
        resolve: async () => new Response(await Promise.resolve("body")),
      })],
    });
    const response = await app.fetch(request("/"));
    assertEquals([response.headers.get("x-a"), await response.text()], ["1", "body"]);
  });

  it("are added once, whether the handler returns a Response, a promise of it, or a Response of another realm", async () => {
    class AdapterResponse {
      readonly status = 200;
      readonly statusText = "";
      readonly body = null;
      readonly headers = new Headers({ "set-cookie": "own=0" });
      get [Symbol.toStringTag]() {
        return "Response";
      }
    }
    const own = () => new Response(null, { headers: { "set-cookie": "own=0" } });
    const guard = () => allow({}, { headers: { "set-cookie": "a=1" } });
    for (
      const resolve of [own, async () => await Promise.resolve(own()), (): Response => Object(new AdapterResponse())]
    ) {
      for (const each of [guard, beforeBody(guard)]) {
        const app = setup({ handlers: [route.get("/", { guards: [each], resolve })] });
        const response = await app.fetch(request("/"));
        assertEquals(response.headers.getSetCookie(), ["a=1", "own=0"]);
      }
    }
  });

  it("are on a later denial, synchronous or not, and on that of the guard itself", async () => {
    const adding = () => allow({}, { headers: { "x-a": "1" } });
    const denial = () => deny(new Response(null, { status: 403 }));
    const app = setup({
      handlers: [
        route.get("/sync", { guards: [adding, denial], resolve: () => new Response() }),
        route.get("/async", { guards: [adding, () => Promise.resolve(denial())], resolve: () => new Response() }),
        route.get("/itself", {
          guards: [returning({ ...denial(), headers: { "x-a": "1" } })],
          resolve: () => new Response(),
        }),
      ],
    });
    for (const path of ["/sync", "/async", "/itself"]) {
      const response = await app.fetch(request(path));
      assertEquals([path, response.status, response.headers.get("x-a")], [path, 403, "1"]);
    }
  });

  it("are not on the denial of an earlier guard", async () => {
    const denial = new Response(null, { status: 403 });
    const response = await answerOf([() => deny(denial), () => allow({}, { headers: { "x-a": "1" } })]);
    assertStrictEquals(response, denial);
    assertEquals(response.headers.has("x-a"), false);
  });

  it("are on what onError returns, wherever the error occurs after the guard", async () => {
    const fails = (): never => {
      throw new Error("broken");
    };
    const adding = beforeBody(() => allow({}, { headers: { "x-a": "1" } }));
    const bodyReader = { contentTypes: ["text/plain"], read: () => Promise.reject(new Error("broken")) };
    const app = setup({
      validator: { validate: (_schema, value) => ({ ok: true, value }) },
      handlers: [
        route.get("/handler", { guards: [adding], resolve: fails }),
        route.get("/async", { guards: [adding], resolve: () => Promise.resolve().then(fails) }),
        route.get("/guard", { guards: [adding, fails], resolve: () => new Response() }),
        route.post("/body", { request: { body: {}, bodyReader }, guards: [adding], resolve: () => new Response() }),
        route.get("/hook", { guards: [adding], resolve: () => new Response() }),
        route.get("/async-hook", { guards: [adding], resolve: () => new Response() }),
      ],
      onResponse: ({ context, response }) => {
        if (context.route?.path === "/hook") return fails();
        return context.route?.path === "/async-hook" ? Promise.resolve().then(fails) : response;
      },
      onError: () => new Response(null, { status: 500, headers: { "x-own": "onError" } }),
    });
    for (const path of ["/handler", "/async", "/guard", "/body", "/hook", "/async-hook"]) {
      const response = await app.fetch(path === "/body" ? post(path, "x") : request(path));
      const { headers } = response;
      assertEquals([path, response.status, headers.get("x-a"), headers.get("x-own")], [path, 500, "1", "onError"]);
    }
  });

  it("are seen by onResponse, and are gone if it replaces the response", async () => {
    const seen: (string | null)[] = [];
    const app = setup({
      handlers: [route.get("/", {
        guards: [() => allow({}, { headers: { "x-a": "1" } })],
        resolve: () => new Response(),
      })],
      onResponse: ({ response }) => {
        seen.push(response.headers.get("x-a"));
        return new Response("replaced");
      },
    });
    const response = await app.fetch(request("/"));
    assertEquals([seen, response.headers.has("x-a"), await response.text()], [["1"], false, "replaced"]);
  });

  it("leave a response alone that has the status 101, which cannot be copied", async () => {
    class Upgrade {
      readonly [Symbol.toStringTag] = "Response";
      readonly status = 101;
      readonly headers = new Headers();
    }
    const upgrade = new Upgrade() as unknown as Response;
    const response = await answerOf([() => allow({}, { headers: { "x-a": "1" } })], upgrade);
    assertStrictEquals(response, upgrade);
    assertEquals(response.headers.has("x-a"), false);
  });

  it("are added to a copy: the handler's own response stays unchanged, and a redirect may have them", async () => {
    const redirect = Response.redirect("http://localhost/there");
    const response = await answerOf([() => allow({}, { headers: { "x-a": "1" } })], redirect);
    assertEquals([response.status, response.headers.get("location")], [302, "http://localhost/there"]);
    assertEquals([response.headers.get("x-a"), redirect.headers.has("x-a")], ["1", false]);
  });

  it("copy nothing if there are none", async () => {
    const response = new Response("unchanged");
    assertStrictEquals(await answerOf([() => allow({ a: 1 }), () => allow({}, {})], response), response);
    assertStrictEquals(await answerOf([returning({ allow: true, headers: undefined })], response), response);
  });

  it("do not reach the next request", async () => {
    let runs = 0;
    const app = setup({
      handlers: [route.get("/", {
        guards: [() => runs++ === 0 ? allow({}, { headers: { "x-a": "1" } }) : allow()],
        resolve: () => new Response(),
      })],
    });
    assertEquals((await app.fetch(request("/"))).headers.has("x-a"), true);
    assertEquals((await app.fetch(request("/"))).headers.has("x-a"), false);
  });

  it("are not in the context of guards and handler", async () => {
    const app = setup({
      handlers: [route.get("/", {
        guards: [() => allow({}, { headers: { "x-a": "1" } })],
        resolve: (c) => Response.json(Object.keys(c).sort()),
      })],
    });
    const keys = await (await app.fetch(request("/"))).json();
    assertEquals(keys, ["input", "locals", "raw", "request", "route"]);
  });

  it("count only as an own key, and their own keys only, `__proto__` like any other", async () => {
    const inherited = Object.assign(Object.create({ headers: { "x-a": "1" } }), { allow: true });
    const response = new Response();
    assertStrictEquals(await answerOf([returning(inherited)], response), response);
    const headers = Object.assign(Object.create({ "x-inherited": "1" }), JSON.parse('{"x-own":"1"}'));
    const own = await answerOf([returning({ allow: true, headers })]);
    assertEquals([own.headers.has("x-inherited"), own.headers.get("x-own")], [false, "1"]);
    const hostile = await answerOf([returning({ allow: true, headers: JSON.parse('{"__proto__":"x","x-b":"1"}') })]);
    assertEquals([hostile.headers.get("__proto__"), hostile.headers.get("x-b")], ["x", "1"]);
  });

  it("fail closed if they are invalid: the error names the guard and quotes nothing", async () => {
    const invalid: [unknown, string][] = [
      [{ "x-a": "secret\r\nset-cookie: a=1" }, "an object"],
      [{ "x-a": "secret\0" }, "an object"],
      [{ "secret name": "1" }, "an object"],
      [[["x-a", "secret", "1"]], "an array"],
      ["secret", "a string"],
      [null, "null"],
      [1, "a number"],
      [Promise.resolve({ "x-a": "1" }), "a promise"],
      [new Response(null, { headers: { "x-a": "1" } }), "a Response"],
      [() => ({ "x-a": "1" }), "a function"],
    ];
    for (const [headers, received] of invalid) {
      let ran = false;
      const app = setup({
        handlers: [route.get("/u/:id", {
          guards: [allow, returning({ allow: true, headers })],
          resolve() {
            ran = true;
            return new Response();
          },
        })],
      });
      const error = await assertRejects(async () => await app.fetch(request("/u/secret")), TypeError);
      const rule = 'Guard 2 of route GET "/u/:id" must return { allow: true } or { deny: Response }';
      const message = `${rule}: received invalid \`headers\` as ${received}`;
      assertEquals([error.message, error.cause, ran], [message, undefined, false]);
    }
  });

  it("reject what an onError returns that cannot be copied, rather than throw", async () => {
    const used = new Response("used");
    await used.text();
    const app = setup({
      handlers: [route.get("/", {
        guards: [() => allow({}, { headers: { "x-a": "1" } })],
        resolve: () => {
          throw new Error("broken");
        },
      })],
      onError: () => used,
    });
    await assertRejects(() => Promise.resolve(app.fetch(request("/"))), TypeError);
  });
});

describe("allow() with headers", () => {
  it("returns a guard result", () => {
    const headers = { "x-a": "1" };
    assertEquals(allow({ user: 1 }, { headers }), { allow: true, locals: { user: 1 }, headers });
    assertEquals(allow(undefined, { headers }), { allow: true, headers });
  });
});
