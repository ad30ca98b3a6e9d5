import { assertEquals, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, endpoint, reply, route, setup } from "../../mod.ts";
import { cors, withHead } from "../../src/hooks/mod.ts";
import { accepting } from "../support/accepting.ts";
import { request } from "../support/request.ts";

const ok = () => new Response("ok");

/** Calls `setup` without type checks. */
function setupUnchecked(options: unknown): unknown {
  return setup(options as { handlers: [] });
}

/** The message that `setup` throws for these handlers. */
function refusal(...handlers: unknown[]): string {
  return assertThrows(() => setupUnchecked({ handlers }), TypeError).message;
}

describe("setup()", () => {
  it("returns an app whose fetch handles requests", async () => {
    const app = setup({ handlers: [route.get("/", { resolve: ok })] });
    assertEquals(await (await app.fetch(request("/"))).text(), "ok");
  });

  it("accepts the routes as `routes`", async () => {
    const app = setup({ routes: [route.get("/", { resolve: ok })] });
    assertEquals((await app.fetch(request("/"))).status, 200);
  });

  it("rejects both `handlers` and `routes`, and neither", () => {
    const BOTH = "Option routes is an alias of handlers: received both, give one";
    assertThrows(() => setupUnchecked({ handlers: [], routes: [] }), TypeError, BOTH);
    assertThrows(() => setupUnchecked({}), TypeError, "Option handlers must be an array of routes: received undefined");
    assertThrows(() => setupUnchecked({ handlers: null }), TypeError, "must be an array of routes: received null");
    assertThrows(() => setupUnchecked(undefined), TypeError, "Options of setup must be an object: received undefined");
    assertThrows(() => setupUnchecked({ handlers: route.get("/", { resolve: ok }) }), TypeError, "received an object");
  });

  it("accepts an empty list of routes", async () => {
    const app = setup({ handlers: [] });
    assertEquals((await app.fetch(request("/"))).status, 404);
  });

  it("lists the routes as they were declared, in order", () => {
    const first = route.get("/a", { resolve: ok });
    const second = route.on(["GET", "HEAD"], "/b", { resolve: ok });
    const app = setup({ handlers: [first, second] });
    assertEquals(app.routes.length, 2);
    assertStrictEquals(app.routes[0], first);
    assertStrictEquals(app.routes[1], second);
  });

  it("reads its options once: later changes have no effect", async () => {
    const handlers = [route.get("/", { request: { query: {} }, resolve: ok })];
    const sayFrom = (text: string) => async ({ response }: { response: Response }) =>
      new Response(`${await response.text()} ${text}`, response);
    const validator = { validate: (_schema: unknown, input: unknown) => ({ ok: true, value: input }) as const };
    const options = { handlers, validator, onResponse: sayFrom("from the hook") };
    const app = setup(options);
    handlers.length = 0;
    options.onResponse = sayFrom("changed");
    validator.validate = () => {
      throw new Error("changed");
    };
    const response = await app.fetch(request("/"));
    assertEquals([response.status, await response.text()], [200, "ok from the hook"]);
    assertEquals(app.routes.length, 1);
  });

  it("returns a fetch that needs no `this`", async () => {
    const { fetch } = setup({ handlers: [route.get("/", { resolve: ok })] });
    assertEquals((await fetch(request("/"))).status, 200);
  });

  it("rejects a value that is not a route, and names its position", () => {
    const good = route.get("/", { resolve: ok });
    assertEquals(refusal(good, undefined), "Item 2 of handlers must be a route: received undefined");
    assertEquals(refusal(null), "Item 1 of handlers must be a route: received null");
    assertEquals(
      refusal([good]),
      "Item 1 of handlers must be a route: write ... before an array of routes: received an array",
    );
    assertEquals(refusal(ok), "Item 1 of handlers must be a route: received a function");
    assertEquals(refusal({ method: "GET" }), "Item 1 of handlers must be a route: received an object");
    assertEquals(
      refusal(good, endpoint.get("/books", {})),
      'Item 2 of handlers is the endpoint GET "/books": write route.on(endpoint, { resolve: … })',
    );
  });

  it("rejects a handler, a guard or a hook that is not a function", () => {
    const declare = route.get as (path: string, options?: unknown) => unknown;
    const byHand = { method: "GET", path: "/x", guards: [] };
    assertEquals(
      refusal({ ...byHand, resolve: "ok" }),
      'Handler (resolve) of route GET "/x" must be a function: received a string',
    );
    assertEquals(
      refusal(byHand),
      'Handler (resolve) of route GET "/x" must be a function: received undefined. ' +
        "If you import it, break the import cycle",
    );
    assertEquals(
      refusal({ ...byHand, path: "x", resolve: ok }),
      'Path of route GET "x" must start with "/": write "/x"',
    );
    assertEquals(
      refusal(declare("/x", { guards: [() => ({ allow: true }), { allow: true }], resolve: ok })),
      'Guard 2 of route GET "/x" must be a function: received an object',
    );
    assertEquals(
      refusal({ method: "GET", path: "/x", guards: null, resolve: ok }),
      'Option guards of route GET "/x" must be an array: received null',
    );
    assertEquals(
      refusal(declare("/x", { guards: null, resolve: ok })),
      'Guard 1 of route GET "/x" must be a function: received null',
    );
    const holes: unknown[] = [];
    holes[1] = () => ({ deny: new Response() });
    assertEquals(
      refusal(declare("/x", { guards: holes, resolve: ok })),
      'Guard 1 of route GET "/x" must be a function: received undefined. If you import it, break the import cycle',
    );
    for (const hook of ["onRequest", "onResponse", "onError"]) {
      for (const value of [null, 0, "", {}, true]) {
        assertThrows(() => setupUnchecked({ handlers: [], [hook]: value }), TypeError, `Option ${hook} must be`);
      }
    }
  });

  it("rejects a validator without a function `validate`", () => {
    for (const value of [null, {}, () => {}, { validate: true }]) {
      assertThrows(
        () => setupUnchecked({ handlers: [], validator: value }),
        TypeError,
        "Option validator must be a validator, such as standardSchema of @fw/core/standard-schema: received",
      );
    }
  });

  it("rejects schemas without a validator, and names the route", () => {
    for (const part of ["params", "query", "body"]) {
      const declared = route.post("/x", { request: { [part]: {} }, resolve: ok });
      assertEquals(
        refusal(declared),
        'Route POST "/x" has schemas: give setup the option validator, such as standardSchema of @fw/core/standard-schema',
      );
    }
    setup({ handlers: [route.post("/x", { request: {}, resolve: ok })] });
  });

  it("rejects a `request` that is not an object", () => {
    const declare = route.get as (path: string, options: unknown) => unknown;
    const byHand = { method: "GET", path: "/x", guards: [], resolve: ok };
    for (const [given, received] of [[null, "null"], [[], "an array"], [new Response(), "a Response"]] as const) {
      const message = `Options of request of route GET "/x" must be an object: received ${received}`;
      assertThrows(() => declare("/x", { request: given, resolve: ok }), TypeError, message);
      assertEquals(refusal({ ...byHand, request: given }), message);
    }
    assertEquals(
      refusal({ ...byHand, request: { body: {} } }),
      'Option "body" of request of route GET "/x": a GET or HEAD request has no body, so use POST, PUT or PATCH, or validate the query',
    );
  });

  it("rejects a bound that is not a number of bytes, or has no body schema", () => {
    for (const maxBodyBytes of [-1, 1.5, NaN, "1", null, 2 ** 53]) {
      assertThrows(() => setupUnchecked({ handlers: [], maxBodyBytes }), TypeError, "Option maxBodyBytes must be");
      assertThrows(
        () =>
          setup({
            validator: accepting,
            handlers: [route.post("/x", { request: { body: {}, maxBodyBytes: -1 }, resolve: ok })],
          }),
        TypeError,
        'Option maxBodyBytes of route POST "/x" must be a whole number of bytes, or Infinity: received -1',
      );
    }
    assertThrows(
      () => setup({ handlers: [route.post("/x", { request: { maxBodyBytes: 1 }, resolve: ok })] }),
      TypeError,
      'Option maxBodyBytes of route POST "/x" needs a body schema',
    );
    assertThrows(() => setupUnchecked({ handlers: [], maxBodyBytes: "1" }), TypeError, "Infinity: received a string");
    for (const maxBodyBytes of [0, 1, Infinity]) setup({ handlers: [], maxBodyBytes });
  });

  it("rejects a trustUrl that is not a boolean", () => {
    for (const trustUrl of [null, 0, 1, "", "true", "false", [], {}, () => true]) {
      assertThrows(() => setupUnchecked({ handlers: [], trustUrl }), TypeError, "Option trustUrl must be a boolean");
    }
    for (const trustUrl of [true, false]) setup({ handlers: [], trustUrl });
  });

  it("rejects an endpoint that no route implements, and names it", () => {
    const api = {
      list: endpoint.get("/books"),
      both: endpoint.on(["GET", "HEAD"], "/both"),
      version: 1,
      ok,
      none: null,
    };
    const list = route.on(api.list, { resolve: ok });
    const both = route.on(api.both, { resolve: ok });
    const refusal = (endpoints: unknown, ...handlers: unknown[]) =>
      assertThrows(() => setupUnchecked({ endpoints, handlers }), TypeError).message;

    setupUnchecked({ endpoints: api, handlers: [both, list] });
    setupUnchecked({ endpoints: api, handlers: [list, ...setup({ handlers: [both] }).routes] });
    setupUnchecked({ endpoints: Object.assign(Object.create(null), api), routes: [both, list] });
    setupUnchecked({ endpoints: undefined, handlers: [] });
    assertEquals(refusal(api, list), 'No route of handlers implements GET,HEAD "/both": write route.on(api.both, …)');
    assertEquals(refusal(api, both), 'No route of handlers implements GET "/books": write route.on(api.list, …)');
    const half = { ...both, method: "GET" };
    assertEquals(
      refusal(api, list, half),
      'No route of handlers implements GET,HEAD "/both": write route.on(api.both, …)',
    );
    assertEquals(refusal([api.list]), "Option endpoints must be a record of endpoints: received an array");
    assertEquals(refusal(null), "Option endpoints must be a record of endpoints: received null");
  });

  it("rejects a route that has the method and the path of an endpoint, and is not made of it", () => {
    const schema = (value: unknown): value is string => typeof value === "string";
    const validator = accepting;
    const responses = { 200: { description: "The books" } };
    const scope = endpoint.with({ responses: { 401: {} } });
    const api = {
      list: scope.get("/books", { responses }),
      find: endpoint.query("/books", { request: { body: schema } }),
    };
    const list = route.on(api.list, { resolve: () => reply(200) });
    const find = route.on(api.find, { resolve: ok });
    const set = (...handlers: unknown[]) => setupUnchecked({ endpoints: api, handlers, validator });
    set(list, find);
    set(...withHead([list]), find);
    set(...setup({ handlers: [list] }).routes, find);
    const made = 'No route of handlers implements GET "/books": write route.on(api.list, …)';
    for (const own of [{}, { responses }, { responses: { 200: { description: "The books" }, 401: {} } }]) {
      const { message } = assertThrows(() => set({ ...route.get("/books", { resolve: ok }), ...own }, find), TypeError);
      assertEquals(message, made);
    }
    const body = route.query("/books", { request: { body: schema }, resolve: ok });
    assertThrows(() => set(list, body), TypeError, 'implements QUERY "/books": write route.on(api.find, …)');
  });

  it("rejects a route that is made of another endpoint, or of none, if neither declares anything", () => {
    const api = { remove: endpoint.with<{ user: string }>().delete("/books") };
    const user = () => allow({ user: "ada" });
    const made = route.on(api.remove, { guards: [user], resolve: ok });
    const set = (...handlers: unknown[]) => setupUnchecked({ endpoints: api, handlers });
    set(made);
    set({ ...made, resolve: () => reply(204) });
    set({ ...made, docs: { summary: "Removes all" } });
    set(Object.assign({}, made, { docs: {} }));
    for (
      const other of [
        route.delete("/books", { resolve: ok }),
        route.delete("/books", { responses: {}, resolve: ok }),
        route.on(endpoint.delete("/books"), { resolve: ok }),
        { method: "DELETE", path: "/books", guards: [], resolve: ok },
        // Copies with other guards: the endpoint may demand those that they lack.
        { ...made, guards: [] },
        { ...made, guards: [user] },
        { ...made, guards: made.guards.slice() },
        Object.assign({}, made, { guards: [] }),
        { ...made, path: "/other" },
        { ...made, method: "POST" },
      ]
    ) {
      const { message } = assertThrows(() => set(other), TypeError);
      assertEquals(message, 'No route of handlers implements DELETE "/books": write route.on(api.remove, …)');
    }
  });

  it("accepts a route in the record of endpoints, and copies of it with its guards", () => {
    const api = { list: route.get("/books", { guards: [() => allow()], responses: {}, resolve: () => reply(200) }) };
    const set = (handlers: readonly unknown[]) => setupUnchecked({ endpoints: api, handlers });
    set([api.list]);
    set(withHead([api.list]));
    assertThrows(() => set([{ ...api.list, guards: [] }]), TypeError, "write route.on(api.list, …)");
  });

  it("accepts routes of endpoints that respond to preflights, too", () => {
    const api = { any: endpoint.all("/books") };
    const { preflights } = cors({ origins: "*" });
    setup({ endpoints: api, handlers: preflights([route.on(api.any, { resolve: ok })]) });
    const handwritten = preflights([route.all("/books", { resolve: ok })]);
    assertThrows(() => setup({ endpoints: api, handlers: [...handwritten] }), TypeError, "write route.on(api.any, …)");
  });

  it("rejects a record without endpoints, and one that contains other records of them", () => {
    const list = endpoint.get("/books");
    const handlers = [route.on(list, { resolve: ok })];
    const refusal = (endpoints: unknown) =>
      assertThrows(() => setupUnchecked({ endpoints, handlers }), TypeError).message;
    for (
      const endpoints of [{}, new Map([["list", list]]), new Set([list]), { ok, version: 1, none: null, text: "x" }]
    ) {
      assertEquals(refusal(endpoints), "Option endpoints must contain an endpoint, such as { list }: received none");
    }
    const books = { list, version: 1 };
    for (
      const nested of [
        { books },
        { list, books: Object.assign(Object.create(null), books) },
        { list, books: { a: books } },
        { list, books: { a: { b: books } } },
      ]
    ) {
      assertEquals(refusal(nested), "Option endpoints must be flat: write ...books in place of books");
    }
    const app = setup({ handlers });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    setupUnchecked({ endpoints: { list, app, cycle, all: [list], names: new Map([["list", "/books"]]) }, handlers });
  });

  it("rejects a method that no request can have", () => {
    for (
      const method of ["get", "Patch", "", "GET ", "A B", "G\nET", [], ["GET", "post"], [undefined], [1], 1, undefined]
    ) {
      const declared = { method, path: "/x", guards: [], resolve: ok };
      assertMatch(
        refusal(declared),
        /^Method of route [^]* "\/x" must be in capital letters, such as "GET", or an array: /,
      );
    }
    assertEquals(
      refusal({ method: ["GET", "post"], path: "/x", guards: [], resolve: ok }),
      'Method of route GET,post "/x" must be in capital letters, such as "GET", or an array: received ["GET","post"]',
    );
  });

  it("rejects two routes with the same method and shape, and names both", () => {
    assertEquals(
      refusal(route.get("/u/:id", { resolve: ok }), route.get("/u/:name", { resolve: ok })),
      'Routes GET "/u/:id" and GET "/u/:name" match the same requests: remove one',
    );
    refusal(route.get("/x", { resolve: ok }), route.on(["POST", "GET"], "/x", { resolve: ok }));
    refusal(route.on(["GET", "GET"], "/x", { resolve: ok }));
    refusal(route.all("/x", { resolve: ok }), route.all("/x", { resolve: ok }));
    refusal(route.get("/a/*", { resolve: ok }), route.get("/a/*", { resolve: ok }));
    refusal(route.get("/caf\u00e9", { resolve: ok }), route.get("/caf%C3%A9", { resolve: ok }));
  });

  it("accepts one shape for several methods, and shapes that overlap", async () => {
    const { fetch } = setup({
      handlers: [
        route.get("/u/:id", { resolve: ok }),
        route.post("/u/:name", { resolve: ok }),
        route.all("/u/:any", { resolve: ok }),
        route.get("/u/me", { resolve: ok }),
        route.get("/u/*", { resolve: ok }),
        route.get("/u/:id/", { resolve: ok }),
      ],
    });
    for (const path of ["/u/1", "/u/me", "/u/1/2", "/u/1/"]) assertEquals((await fetch(request(path))).status, 200);
  });
});
