import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type App, deny, reply, route, setup } from "../../../mod.ts";
import { request } from "../../support/request.ts";

const resolve = () => new Response("served");
const validator = { validate: (_schema: unknown, value: unknown) => ({ ok: true as const, value }) };
/** Hides the keys from the compiler, as options kept in a variable do. */
const routeOf = route.get as (path: string, options: object) => ReturnType<typeof route.get>;
const scopeOf = (scope: object) => route.with({ prefix: "/v1" }).with(scope);
const setupOf = (options: unknown): App => setup(options as { handlers: [] });

/** The message of the TypeError that `declare` throws. */
function refusal(declare: () => unknown): string {
  return assertThrows(declare, TypeError).message;
}

describe("options with an unknown key", () => {
  it("are told the known keys if none is nearly the same, as a guess would mislead", () => {
    assertEquals(
      refusal(() => routeOf("/a", { resolve, body: {} })),
      'Option "body" of route GET "/a" is unknown: the options are request, responses, guards, docs, resolve',
    );
    assertEquals(
      refusal(() => routeOf("/a", { resolve, tags: [] })),
      'Option "tags" of route GET "/a" is unknown: the options are request, responses, guards, docs, resolve',
    );
    for (const name of ["notFound", "guards", "prefix", "on", "", "x".repeat(10_000)]) {
      const message = refusal(() => setupOf({ handlers: [], [name]: resolve }));
      assertEquals(message.includes(" is unknown: the options are handlers, routes, endpoints, "), true, message);
    }
  });

  it("are told a known key that differs by at most a third of its letters", () => {
    const cases = { Resolve: "resolve", resovle: "resolve", guard: "guards", doc: "docs", requst: "request" };
    for (const [key, name] of Object.entries(cases)) {
      const message = refusal(() => routeOf("/a", { resolve, [key]: [] }));
      assertEquals(message.endsWith(`is unknown: did you mean ${name}?`), true, message);
    }
  });

  it("are rejected by the declaration of a route: a misspelt guards must not serve an unguarded route", () => {
    const options = { guard: [() => deny(new Response(null, { status: 401 }))], resolve };
    assertEquals(
      refusal(() => route.get("/a", options)),
      'Option "guard" of route GET "/a" is unknown: did you mean guards?',
    );
    const declarations = [
      () => route.post("/a", options),
      () => route.put("/a", options),
      () => route.patch("/a", options),
      () => route.delete("/a", options),
      () => route.head("/a", options),
      () => route.options("/a", options),
      () => route.all("/a", options),
      () => route.on(["GET", "HEAD"], "/a", options),
      () => route.with({ prefix: "/b" }).get("/a", options),
    ];
    for (const declare of declarations) {
      const message = refusal(declare);
      assertEquals(message.includes('Option "guard" of route '), true, message);
      assertEquals(message.includes('"/a"') || message.includes('"/b/a"'), true, message);
    }
  });

  it("are rejected in request, and the message names it", () => {
    const refused = (schemas: object) => refusal(() => routeOf("/a", { request: schemas, resolve }));
    assertEquals(
      refused({ querry: {} }),
      'Option "querry" of request of route GET "/a" is unknown: did you mean query?',
    );
    assertEquals(refused({ maxBytes: 1 }).includes("did you mean maxBodyBytes?"), true);
    assertEquals(refused({ Body: {} }).includes("did you mean body?"), true);
  });

  it("are rejected by route.with(), and the message names the scope", () => {
    assertEquals(
      refusal(() => scopeOf({ prefix: "/users", gaurds: [] })),
      'Option "gaurds" of route.with for "/v1/users" is unknown: did you mean guards?',
    );
  });

  it("are rejected by setup(), even if their value is undefined", () => {
    assertEquals(
      refusal(() => setupOf({ handlers: [], onErorr: undefined })),
      'Option "onErorr" of setup is unknown: did you mean onError?',
    );
    assertEquals(refusal(() => setupOf({ handler: [] })).includes("did you mean handlers?"), true);
  });

  it("are rejected by setup() in the request of a handwritten route", () => {
    const made = { method: "GET", path: "/a", request: { boddy: {} }, guards: [], resolve };
    assertEquals(
      refusal(() => setupOf({ validator, handlers: [made] })).startsWith(
        'Option "boddy" of request of route GET "/a" is unknown: did you mean body?',
      ),
      true,
    );
  });

  it("are rejected by setup() in a handwritten route: a misspelt guards must not serve an unguarded route", () => {
    const guard = () => deny(new Response(null, { status: 401 }));
    const made = { method: "GET", path: "/a", gaurds: [guard], guards: [], resolve };
    assertEquals(
      refusal(() => setupOf({ handlers: [made] })),
      'Option "gaurds" of route GET "/a" is unknown: did you mean guards?',
    );
    const scoped = route.with({ responses: { 401: {} }, docs: { tags: ["a"] } });
    const declared = [
      scoped.post("/a", { request: { body: {} }, responses: {}, resolve: () => reply(401) }),
      scoped.get("/b", { resolve }),
    ];
    assertEquals(setupOf({ validator, handlers: declared.map((made) => ({ ...made })) }).routes.length, 2);
  });

  it("are rejected in a handwritten endpoint, which would lose its schemas", () => {
    const made = { method: "POST", path: "/a", requests: { body: {} } };
    assertEquals(
      refusal(() => route.on(made, { resolve })),
      'Option "requests" of route POST "/a" is unknown: did you mean request?',
    );
  });

  it("are rejected in docs if they are responses, which stand beside docs", () => {
    const docs = { summary: "", responses: {} };
    assertEquals(
      refusal(() => routeOf("/a", { docs, resolve })),
      'Option "responses" of route GET "/a" must be beside docs, not in it',
    );
    assertEquals(
      refusal(() => scopeOf({ docs })),
      'Option "responses" of route.with for "/v1" must be beside docs, not in it',
    );
  });

  it("are ignored if they are inherited", async () => {
    const options = Object.create({ inherited: true }, { resolve: { value: resolve, enumerable: true } });
    assertEquals((await setup({ handlers: [routeOf("/", options)] }).fetch(request("/"))).status, 200);
  });
});

describe("an option with the explicit value undefined, as an import cycle leaves it", () => {
  const cycle: { readonly schema?: object } = {};

  it("is rejected for a schema", () => {
    for (const part of ["params", "query", "body"] as const) {
      assertEquals(
        refusal(() => route.post("/a", { request: { [part]: cycle.schema }, resolve })),
        `Option "${part}" of request of route POST "/a" is undefined`,
      );
    }
    const made = { method: "GET", path: "/a", request: { body: undefined }, guards: [], resolve };
    assertEquals(
      refusal(() => setupOf({ validator, handlers: [made] })).startsWith('Option "body" of request of route GET'),
      true,
    );
  });

  it("is rejected for guards and request: no route may lose its guards silently", () => {
    assertEquals(
      refusal(() => routeOf("/a", { guards: undefined, resolve })).startsWith(
        'Option "guards" of route GET "/a"',
      ),
      true,
    );
    assertEquals(
      refusal(() => routeOf("/a", { request: undefined, resolve })).startsWith(
        'Option "request" of route GET "/a"',
      ),
      true,
    );
    assertEquals(
      refusal(() => scopeOf({ prefix: "/users", guards: undefined })).startsWith(
        'Option "guards" of route.with for "/v1/users"',
      ),
      true,
    );
  });

  it("is rejected for responses", () => {
    assertEquals(
      refusal(() => routeOf("/a", { responses: undefined, resolve })),
      'Option "responses" of route GET "/a" is undefined',
    );
    assertEquals(
      refusal(() => scopeOf({ responses: undefined })),
      'Option "responses" of route.with for "/v1" is undefined',
    );
  });

  it("is accepted by setup() for hooks, validator and bound", async () => {
    const app = setupOf({
      handlers: [route.get("/", { guards: [() => allow()], resolve })],
      routes: undefined,
      validator: undefined,
      onRequest: undefined,
      onResponse: undefined,
      onError: undefined,
      maxBodyBytes: undefined,
    });
    assertEquals((await app.fetch(request("/"))).status, 200);
  });
});
