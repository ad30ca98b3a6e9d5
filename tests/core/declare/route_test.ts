import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type Context, deny, reply, route, setup } from "../../../mod.ts";
import { request } from "../../support/request.ts";

const text = (body: string) => () => new Response(body);

describe("route", () => {
  it("declares a route for one method each", async () => {
    const app = setup({
      handlers: [
        route.get("/", { resolve: text("get") }),
        route.post("/", { resolve: text("post") }),
        route.put("/", { resolve: text("put") }),
        route.patch("/", { resolve: text("patch") }),
        route.delete("/", { resolve: text("delete") }),
        route.options("/", { resolve: text("options") }),
        route.query("/", { resolve: text("query") }),
      ],
    });
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
      assertEquals(await (await app.fetch(request("/", { method }))).text(), method.toLowerCase());
    }
  });

  it("treats HEAD as a method of its own: a route for GET does not match it", async () => {
    const get = setup({ handlers: [route.get("/", { resolve: text("body") })] });
    assertEquals((await get.fetch(request("/", { method: "HEAD" }))).status, 404);
    const head = setup({
      handlers: [route.head("/", { resolve: () => new Response(null, { headers: { "x-head": "1" } }) })],
    });
    assertEquals((await head.fetch(request("/", { method: "HEAD" }))).headers.get("x-head"), "1");
    assertEquals((await head.fetch(request("/"))).status, 404);
  });

  it("declares a route for any method, or several, with on()", async () => {
    const app = setup({
      handlers: [
        route.on("PROPFIND", "/", { resolve: (c) => new Response(c.route.method) }),
        route.on(["GET", "HEAD"], "/", { resolve: (c) => new Response(c.route.method) }),
      ],
    });
    assertEquals(await (await app.fetch(request("/", { method: "PROPFIND" }))).text(), "PROPFIND");
    assertEquals(await (await app.fetch(request("/"))).text(), "GET");
    assertEquals((await app.fetch(request("/", { method: "HEAD" }))).status, 200);
    assertEquals((await app.fetch(request("/", { method: "POST" }))).status, 404);
  });

  it("declares a route for every method with all()", async () => {
    const app = setup({ handlers: [route.all("/", { resolve: (c) => new Response(c.route.method) })] });
    for (const method of ["GET", "DELETE", "PURGE"]) {
      assertEquals(await (await app.fetch(request("/", { method }))).text(), "ALL");
    }
  });

  it("returns plain data", () => {
    const resolve = text("x");
    const guard = () => allow();
    const schemas = { params: {} };
    const declared = route.get("/x", { request: schemas, guards: [guard], resolve });
    assertEquals({ ...declared }, { method: "GET", path: "/x", request: schemas, guards: [guard], resolve });
    assertEquals(Object.keys(route.get("/x", { resolve })), ["method", "path", "guards", "resolve"]);
    assertStrictEquals(route.all("/x", { resolve }).method, "ALL");
  });

  it("keeps the docs as they are, without an effect on requests", async () => {
    const docs = { summary: "Says ok", deprecated: true };
    const declared = route.get("/", { docs, resolve: text("ok") });
    assertEquals(declared.docs as object, docs);
    const response = await setup({ handlers: [declared] }).fetch(request("/"));
    assertEquals([await response.text(), response.headers.has("deprecation")], ["ok", false]);
  });

  it("matches methods in their exact spelling", async () => {
    const app = setup({ handlers: [route.patch("/", { resolve: text("patched") })] });
    // Bun's `Request` converts its method to capital letters.
    const small = { url: "http://localhost/", method: "patch", headers: new Headers() } as Request;
    assertEquals((await app.fetch(small)).status, 404);
    assertEquals((await app.fetch(request("/", { method: "PATCH" }))).status, 200);
  });
});

describe("route.with()", () => {
  const tag = (name: string) => (c: Context) =>
    allow({ trail: [...((c.locals as { trail?: string[] }).trail ?? []), name] });

  it("puts the prefix before each path and the guards before the route's own, nested", async () => {
    const outer = route.with({ prefix: "/orgs/:orgId", guards: [tag("outer")] });
    const inner = outer.with({ prefix: "/users", guards: [tag("inner")] });
    const app = setup({
      handlers: [
        inner.get("/:userId", {
          guards: [tag("own")],
          resolve: (c) => Response.json({ params: c.raw.params, trail: c.locals.trail, path: c.route.path }),
        }),
      ],
    });
    assertEquals(await (await app.fetch(request("/orgs/7/users/9"))).json(), {
      params: { orgId: "7", userId: "9" },
      trail: ["outer", "inner", "own"],
      path: "/orgs/:orgId/users/:userId",
    });
  });

  it("accepts a prefix alone, guards alone, or neither", async () => {
    const app = setup({
      handlers: [
        route.with({ prefix: "/a" }).get("/x", { resolve: text("a") }),
        route.with({ guards: [() => deny(new Response("no", { status: 403 }))] }).get("/b", { resolve: text("b") }),
        route.with<{ any: string }>().get("/c", { resolve: text("c") }),
      ],
      onRequest: () => ({ any: "thing" }),
    });
    assertEquals(await (await app.fetch(request("/a/x"))).text(), "a");
    assertEquals((await app.fetch(request("/b"))).status, 403);
    assertEquals(await (await app.fetch(request("/c"))).text(), "c");
  });

  it("joins prefix and path: an empty path is the prefix itself, and a final slash is kept", async () => {
    const v1 = route.with({ prefix: "/v1" });
    // It does not compile, since few mean "/v1/" by it.
    const { get }: { readonly get: typeof route.get } = Object(v1);
    const app = setup({ handlers: [v1.get("", { resolve: text("bare") }), get("/", { resolve: text("slash") })] });
    assertEquals(await (await app.fetch(request("/v1"))).text(), "bare");
    assertEquals(await (await app.fetch(request("/v1/"))).text(), "slash");
  });

  it("rejects a handler in the place of the options, and says what to write", () => {
    const declare = route.get as (path: string, options?: unknown) => unknown;
    const cases = { "a function": () => new Response(), "an array": [], null: null, undefined };
    for (const [received, options] of Object.entries(cases)) {
      assertThrows(
        () => declare("/a", options),
        TypeError,
        `Options of route GET "/a" must be an object such as { resolve: … }: received ${received}`,
      );
    }
  });

  it("rejects a handler that is missing or no function where it is declared, also in a scope", () => {
    for (
      const [resolve, received] of [[undefined, "undefined. If you import it, break the import cycle"], [
        "x",
        "a string",
      ]]
    ) {
      assertThrows(
        () => route.with({ prefix: "/v1" }).get("/a", { resolve } as never),
        TypeError,
        `Handler (resolve) of route GET "/v1/a" must be a function: received ${received}`,
      );
    }
    assertThrows(() => route.get("/a", {} as never), TypeError, "must be a function: received undefined");
  });

  it("rejects a path without a slash where it is declared, and says what to write", () => {
    for (const path of ["books", ":id", "*", "", 5]) {
      assertThrows(
        () => route.on(["GET", "HEAD"], path as string, { resolve: text("x") }),
        TypeError,
        `Path of route GET,HEAD ${JSON.stringify(path)} must start with "/": write "/${path}"`,
      );
    }
    assertThrows(
      () => route.with({ prefix: "/v1" }).get("books" as string, { resolve: text("x") }),
      TypeError,
      'Path of route GET "books" must start with "/": write "/books"',
    );
  });

  it("rejects a body schema for GET and HEAD, also among several methods: every request would be invalid", () => {
    const options = { request: { body: {} }, resolve: text("x") };
    const on = route.on as (method: string | readonly string[], path: string, options: object) => unknown;
    for (const method of ["GET", "HEAD", ["POST", "GET"]]) {
      assertThrows(
        () => on(method, "/a", options),
        TypeError,
        `Option "body" of request of route ${method} "/a": a GET or HEAD request has no body, so use POST, PUT or PATCH, or validate the query`,
      );
    }
    route.all("/a", options);
    on(["POST", "OPTIONS"], "/a", options);
  });

  it("rejects a scope that is not an object", () => {
    for (const scope of [undefined, null, "/v1", []]) {
      assertThrows(
        () => route.with(scope as never),
        TypeError,
        "Options of route.with must be an object: received ",
      );
    }
  });

  it("rejects a prefix that does not begin with a slash, or that ends with one, and names it", () => {
    const scopeOf = (prefix: string) => () => route.with({ prefix: "/v1" }).with({ prefix });
    for (const prefix of ["users", "/users/", "/", "/:id/", "users/", " ", "/a\n/"]) {
      assertThrows(
        scopeOf(prefix),
        TypeError,
        `Prefix ${JSON.stringify(prefix)} of route.with must start with "/" and not end with it`,
      );
    }
    for (const prefix of ["", "/a", "/a/:b", "/*"]) scopeOf(prefix)();
  });

  it("rejects a prefix and a path that do not make a valid pattern", () => {
    const refuses = (prefix: string, path: string, message: string) =>
      assertThrows(
        () => setup({ handlers: [route.with({ prefix }).get(path, { resolve: text("x") })] }),
        TypeError,
        message,
      );
    refuses("/v1", "books", 'Path of route GET "books" must start with "/"');
    refuses("/files/*", "/x", 'must have "*" only as its last segment');
    refuses("/:id", "/:id", 'must not repeat the parameter ":id"');
  });

  it("gives its docs to each route, key by key under those of inner scopes and of the route", () => {
    const outer = route.with({ docs: { tags: ["outer"], summary: "outer", description: "outer" } });
    const inner = outer.with({ prefix: "/inner", docs: { summary: "inner", description: "inner" } });
    const docsOf = (declared: { readonly docs?: object }) => declared.docs;
    const [resolve, docs] = [text("x"), { description: "own" }];
    assertEquals(docsOf(outer.get("/", { resolve })), { tags: ["outer"], summary: "outer", description: "outer" });
    assertEquals(docsOf(outer.get("/", { docs, resolve })), { tags: ["outer"], summary: "outer", description: "own" });
    assertEquals(docsOf(inner.get("", { docs, resolve })), { tags: ["outer"], summary: "inner", description: "own" });
    assertEquals(docsOf(outer.with({ prefix: "/x" }).get("", { docs, resolve })), {
      tags: ["outer"],
      summary: "outer",
      description: "own",
    });
    assertEquals(docsOf(route.with({ docs }).get("/", { resolve })), docs);
    assertEquals(docsOf(route.with({ prefix: "/x" }).get("", { docs, resolve })), docs);
    assertEquals("docs" in route.with({ prefix: "/x" }).get("", { resolve }), false);
  });

  it("merges the responses of a scope and of a route, as properties that no engine keeps in an array", () => {
    const scope = route.with({ responses: { 400: { description: "scope" }, default: { description: "scope" } } });
    const { responses } = scope.get("/", {
      responses: { 204: {}, 400: { description: "own" } },
      resolve: () => reply(204),
    });
    const own = { 204: {}, 400: { description: "own" }, default: { description: "scope" } };
    assertEquals<unknown>({ ...responses }, own);
    // An array would have a place for each number up to 400: 5 KB for each route.
    for (const [status, { writable, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(responses))) {
      assertEquals([writable, enumerable], [false, true], status);
    }
  });

  it("keeps the guards of one scope out of another", async () => {
    const closed = route.with({ guards: [() => deny(new Response(null, { status: 401 }))] });
    const app = setup({
      handlers: [closed.get("/closed", { resolve: text("closed") }), route.get("/open", { resolve: text("open") })],
    });
    assertEquals((await app.fetch(request("/closed"))).status, 401);
    assertEquals((await app.fetch(request("/open"))).status, 200);
  });
});
