import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, denyInvalid, endpoint, reply, route, setup } from "../../../mod.ts";
import { accepting } from "../../support/accepting.ts";
import { post, request } from "../../support/request.ts";

const schema = { any: "schema" };
/** Hides the keys from the compiler, as options kept in a variable do. */
const endpointOf = endpoint.get as (path: string, options?: unknown) => ReturnType<typeof endpoint.get>;
const scopeOf = endpoint.with as (scope: object) => unknown;
const routeOf = route.on as (...args: unknown[]) => ReturnType<typeof route.get>;
const DOCS = "summary, description, tags, operationId, deprecated, security, requestBody";

/** The message of the TypeError that `declare` throws. */
function refusal(declare: () => unknown): string {
  return assertThrows(declare, TypeError).message;
}

describe("endpoint", () => {
  it("declares plain data, for each method", () => {
    const options = { request: { query: schema }, responses: { 204: {} }, docs: { summary: "A" } };
    assertEquals<unknown>(endpoint.get("/a", options), { method: "GET", path: "/a", ...options });
    assertEquals<unknown>(endpoint.post("/a"), { method: "POST", path: "/a" });
    assertEquals(
      [
        endpoint.put("/a"),
        endpoint.patch("/a"),
        endpoint.delete("/a"),
        endpoint.head("/a"),
        endpoint.options("/a"),
        endpoint.query("/a"),
        endpoint.all("/a"),
        endpoint.on("PROPFIND", "/a"),
        endpoint.on(["GET", "HEAD"], "/a"),
      ].map(({ method }) => method),
      ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY", "ALL", "PROPFIND", ["GET", "HEAD"]],
    );
  });

  it("gets the prefix, the responses and the docs of its scopes, key by key", () => {
    const outer = endpoint.with({
      prefix: "/v1",
      responses: { 401: {}, 404: {} },
      docs: { tags: ["v1"], summary: "A" },
    });
    const inner = outer.with({ prefix: "/orgs/:orgId", responses: { 404: { description: "Inner" } } });
    assertEquals<unknown>(inner.get("/x", { responses: { 200: {} }, docs: { summary: "X" } }), {
      method: "GET",
      path: "/v1/orgs/:orgId/x",
      responses: { 200: {}, 401: {}, 404: { description: "Inner" } },
      scopeResponses: { 401: {}, 404: { description: "Inner" } },
      docs: { tags: ["v1"], summary: "X" },
    });
    assertEquals<unknown>(inner.get("").responses, { 401: {}, 404: { description: "Inner" } });
    assertEquals<unknown>(endpoint.with({}).get("/a"), { method: "GET", path: "/a" });
  });

  it("rejects unknown options, and those of a route", () => {
    assertEquals(
      refusal(() => endpointOf("/a", { response: {} })),
      'Option "response" of endpoint GET "/a" is unknown: did you mean responses?',
    );
    for (const key of ["guards", "resolve"]) {
      assertEquals(
        refusal(() => endpointOf("/a", { [key]: [] })),
        `Option "${key}" of endpoint GET "/a" is unknown: the options are request, responses, docs`,
      );
    }
    assertEquals(
      refusal(() => endpointOf("/a", { request: { boddy: {} } })),
      'Option "boddy" of request of endpoint GET "/a" is unknown: did you mean body?',
    );
    assertEquals(
      refusal(() => scopeOf({ prefix: "/v1", guards: [] })),
      'Option "guards" of endpoint.with for "/v1" is unknown: the options are request, responses, prefix, docs',
    );
    assertEquals(
      refusal(() => endpointOf("/a", () => new Response())),
      'Options of endpoint GET "/a" must be an object such as { responses: … }: received a function',
    );
  });

  it("rejects responses in docs, and values that are undefined as an import cycle leaves them", () => {
    assertEquals(
      refusal(() => endpointOf("/a", { docs: { responses: {} } })),
      `Option "responses" of docs of endpoint GET "/a" is unknown: the options are ${DOCS}`,
    );
    assertEquals(
      refusal(() => scopeOf({ docs: { responses: {} } })),
      `Option "responses" of docs of endpoint.with is unknown: the options are ${DOCS}`,
    );
    assertEquals(
      refusal(() => endpointOf("/a", { responses: undefined })),
      'Option "responses" of endpoint GET "/a" is undefined. If you import it, break the import cycle',
    );
    assertEquals(
      refusal(() => endpointOf("/a", { request: { query: undefined } })),
      'Option "query" of request of endpoint GET "/a" is undefined. If you import it, break the import cycle',
    );
    assertEquals(
      refusal(() => scopeOf({ responses: undefined })),
      'Option "responses" of endpoint.with is undefined. If you import it, break the import cycle',
    );
  });

  it("rejects a body for GET and HEAD", () => {
    const body = { request: { body: schema } };
    assertEquals(
      refusal(() => endpointOf("/a", body)),
      'Option "body" of request of endpoint GET "/a": a GET or HEAD request has no body, so use POST, PUT or PATCH, or validate the query',
    );
  });

  it("rejects a path that does not start with a slash", () => {
    assertEquals(
      refusal(() => endpoint.get("a" as string)),
      'Path of endpoint GET "a" must start with "/": write "/a"',
    );
    assertEquals(
      refusal(() => endpoint.with({ prefix: "/v1" }).on(["GET", "HEAD"], ":id" as string)),
      'Path of endpoint GET,HEAD ":id" must start with "/": write "/:id"',
    );
  });

  it("rejects a scope that is not an object", () => {
    for (const scope of [undefined, null, "/v1", []]) {
      const message = refusal(() => endpoint.with(scope as never));
      assertEquals(message.startsWith("Options of endpoint.with must be an object: received "), true, message);
    }
  });

  it("rejects a prefix that does not begin with a slash, or that ends with one", () => {
    for (const [prefix, proper] of [["v1", "/v1"], ["/v1/", "/v1"], ["/", ""]]) {
      assertEquals(
        refusal(() => endpoint.with({ prefix: String(prefix) })),
        `Prefix "${prefix}" of endpoint.with must start with "/" and not end with it: write "${proper}"`,
      );
    }
  });
});

describe("route.on() with an endpoint", () => {
  const validator = {
    validate: (_schema: unknown, value: unknown, part: "body" | "params" | "query") =>
      value === 1
        ? { ok: true as const, value }
        : { ok: false as const, issues: [{ part, path: [], message: "not 1" }] },
  };
  const addBook = endpoint.with({ prefix: "/v1", docs: { tags: ["books"] } }).post("/books/:id", {
    request: { body: schema, maxBodyBytes: 10 },
    responses: { 201: { schema }, 400: { schema } },
    docs: { summary: "Adds a book", operationId: "addBook" },
  });

  it("serves it: path, schemas, guards and handler", async () => {
    const app = setup({
      validator,
      handlers: [
        route.on(addBook, {
          guards: [denyInvalid(({ issues }) => reply(400, issues)), () => allow({ user: "ada" })],
          resolve: (c) => reply(201, [c.raw.params.id, c.input.body, c.locals.user]),
        }),
      ],
    });
    const added = await app.fetch(post("/v1/books/emma", "1"));
    assertEquals([added.status, await added.json()], [201, ["emma", 1, "ada"]]);
    assertEquals((await app.fetch(post("/v1/books/emma", "2"))).status, 400);
    const [large] = await (await app.fetch(post("/v1/books/emma", '"0123456789"'))).json();
    assertEquals(large.code, "body_too_large");
    assertEquals((await app.fetch(request("/v1/books/emma"))).status, 404);
  });

  it("makes a route that is the endpoint, too, with docs of its own over those of the endpoint and the scope", () => {
    const guard = () => allow();
    const scope = route.with({ guards: [guard], docs: { deprecated: true, summary: "Any" }, responses: { 401: {} } });
    const resolve = () => reply(201, {});
    const made = scope.on(addBook, { docs: { summary: "Adds one" }, resolve });
    assertEquals<unknown>(made, {
      ...addBook,
      docs: { deprecated: true, tags: ["books"], summary: "Adds one", operationId: "addBook" },
      guards: [guard],
      resolve,
    });
    // The responses of the scope do not count: clients know only the endpoint.
    assertStrictEquals(made.responses, addBook.responses);
    assertEquals("scopeResponses" in scope.on(endpoint.get("/a"), { resolve: () => new Response() }), false);
  });

  it("reads the body by a reader of the implementation, which clients do not see", async () => {
    const made = (name: string) => ({
      contentTypes: ["text/plain"],
      read: async (request: Request) => ({ value: `${name} ${await request.text()}` }),
    });
    const [ofEndpoint, ofServer] = [made("endpoint"), made("server")];
    const add = endpoint.post("/a", { request: { body: schema, bodyReader: ofEndpoint, maxBodyBytes: 9 } });
    const served = route.on(add, {
      bodyReader: ofServer,
      resolve: ({ input }) => new Response(input.ok ? String(input.body) : ""),
    });
    assertEquals(served.request, { body: schema, bodyReader: ofServer, maxBodyBytes: 9 });
    assertStrictEquals(add.request?.bodyReader, ofEndpoint);
    const app = setup({ endpoints: { add }, handlers: [served], validator: accepting });
    assertEquals(await (await app.fetch(post("/a", "x"))).text(), "server x");
    assertEquals(
      refusal(() => route.on(endpoint.post("/b"), { bodyReader: ofServer, resolve: () => new Response() })),
      'Option bodyReader of route POST "/b" needs an endpoint with a body schema',
    );
    assertStrictEquals(
      refusal(() => routeOf(add, { bodyReader: undefined, resolve: () => new Response() })).includes("bodyReader"),
      true,
    );
  });

  it("rejects a route in place of an endpoint: its guards would be dropped", () => {
    const first = route.get("/a", { guards: [() => allow()], resolve: () => new Response("first") });
    const { resolve: _, ...guarded } = first;
    for (const given of [first, guarded]) {
      assertEquals(
        refusal(() => routeOf(given, { resolve: () => new Response("second") })),
        'Endpoint of route GET "/a" is a route, whose guards and handler would be dropped: implement its endpoint',
      );
    }
  });

  it("rejects an endpoint that is undefined, as an import cycle leaves it", () => {
    assertEquals(
      refusal(() => routeOf(undefined, { resolve: () => reply(204) })),
      'Option "endpoint" of route.on is undefined. If you import it, break the import cycle',
    );
  });

  it("rejects a path without a slash, and a handler that is missing, where the route is declared", () => {
    assertEquals(
      refusal(() => routeOf({ method: "GET", path: "a" }, { resolve: () => reply(204) })),
      'Path of route GET "a" must start with "/": write "/a"',
    );
    assertEquals(
      refusal(() => routeOf(addBook, {})),
      'Handler (resolve) of route POST "/v1/books/:id" must be a function: received undefined. ' +
        "If you import it, break the import cycle",
    );
  });

  it("throws in a scope with a prefix: an endpoint has its whole path", () => {
    const scope = route.with({ prefix: "/v2" }) as unknown as { on: typeof routeOf };
    assertEquals(
      refusal(() => scope.on(addBook, { resolve: () => reply(201, {}) })),
      'Endpoint of route POST "/v1/books/:id" has its whole path: ' +
        'implement it in a scope without a prefix, not in "/v2"',
    );
  });

  it("rejects the options that stand on the endpoint, and all that a route rejects", () => {
    for (const key of ["request", "responses"]) {
      assertEquals(
        refusal(() => routeOf(addBook, { [key]: {}, resolve: () => reply(201, {}) })),
        `Option "${key}" of route POST "/v1/books/:id" is unknown: the options are bodyReader, guards, docs, resolve`,
      );
    }
    assertEquals(
      refusal(() => routeOf(addBook, { guards: undefined })),
      'Option "guards" of route POST "/v1/books/:id" is undefined. If you import it, break the import cycle',
    );
    assertEquals(
      refusal(() => routeOf(addBook, { docs: { responses: {} }, resolve: () => reply(201, {}) })),
      `Option "responses" of docs of route POST "/v1/books/:id" is unknown: the options are ${DOCS}`,
    );
    assertEquals(
      refusal(() => routeOf(addBook, () => new Response())),
      'Options of route POST "/v1/books/:id" must be an object such as { resolve: … }: received a function',
    );
    assertEquals(
      refusal(() =>
        routeOf({ method: "GET", path: "/a", request: { query: undefined } }, { resolve: () => reply(204) })
      ),
      'Option "query" of request of route GET "/a" is undefined. If you import it, break the import cycle',
    );
  });
});
