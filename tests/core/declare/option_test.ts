import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { allow, type App, deny, endpoint, reply, route, setup } from "../../../mod.ts";
import { lines } from "../../../src/events/mod.ts";
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

  it("are ignored if they are inherited", async () => {
    const options = Object.create({ inherited: true }, { resolve: { value: resolve, enumerable: true } });
    assertEquals((await setup({ handlers: [routeOf("/", options)] }).fetch(request("/"))).status, 200);
  });
});

describe("docs and responses with an unknown key", () => {
  /** The same in each place that takes docs and responses: a route, an endpoint, and a scope of each. */
  const PLACES: Readonly<Record<string, (described: object) => unknown>> = {
    'route GET "/v1/a"': (described) => (routeIn.get as typeof routeOf)("/a", { ...described, resolve }),
    'endpoint GET "/a"': (described) => (endpoint.get as (path: string, options: object) => unknown)("/a", described),
    'route.with for "/v1"': (described) => scopeOf(described),
    'endpoint.with for "/v1"': (described) => endpoint.with({ prefix: "/v1", ...described }),
    'route POST "/b"': (described) =>
      route.on({ method: "POST", path: "/b", ...described }, { resolve: () => reply(204) }),
    'route PUT "/c"': (described) =>
      setupOf({ handlers: [{ method: "PUT", path: "/c", guards: [], resolve, ...described }] }),
  };
  const routeIn = route.with({ prefix: "/v1" });

  const MISTAKES: readonly (readonly [described: object, message: string])[] = [
    [{ docs: { sumary: "A" } }, 'Option "sumary" of docs of OWNER is unknown: did you mean summary?'],
    [
      { docs: { responses: {} } },
      'Option "responses" of docs of OWNER is unknown: the options are summary, description, tags, operationId, ' +
      "deprecated, security, requestBody",
    ],
    [{ docs: { "x-internal": 1 } }, 'Option "x-internal" of docs of OWNER is unknown: the options are summary, '],
    [
      { docs: { requestBody: { contenttype: "text/plain" } } },
      'Option "contenttype" of docs.requestBody of OWNER is unknown: did you mean contentType?',
    ],
    [{ docs: null }, "Options of docs of OWNER must be an object: received null"],
    [{ docs: ["summary"] }, "Options of docs of OWNER must be an object: received an array"],
    [
      { docs: { requestBody: "text/plain" } },
      "Options of docs.requestBody of OWNER must be an object: received a string",
    ],
    [
      { responses: { 200: { shema: {} } } },
      'Option "shema" of responses.200 of OWNER is unknown: did you mean schema?',
    ],
    [
      { responses: { "4XX": { body: {} } } },
      'Option "body" of responses.4XX of OWNER is unknown: the options are schema, description, contentType, headers',
    ],
    [
      { responses: { 200: { schema: undefined } } },
      'Option "schema" of responses.200 of OWNER is undefined. If you import it, break the import cycle',
    ],
    [
      { responses: { 200: { headers: { etag: { require: true } } } } },
      'Option "require" of responses.200.headers.etag of OWNER is unknown: did you mean required?',
    ],
    [
      { responses: { 200: { headers: { "Content-Type": { required: true } } } } },
      'Option "Content-Type" of responses.200.headers of OWNER: write contentType beside headers, not in it',
    ],
    [
      { responses: { 200: { headers: { etag: "required" } } } },
      "Options of responses.200.headers.etag of OWNER must be an object such as { schema: … }: received a string",
    ],
    [
      { responses: { 200: { headers: ["etag"] } } },
      "Options of responses.200.headers of OWNER must be an object: received an array",
    ],
    [
      { responses: { 200: { "~standard": { version: 1 } } } },
      "responses.200 of OWNER is a bare schema: write { schema: … } around it",
    ],
    [
      { responses: { 200: () => true } },
      "Options of responses.200 of OWNER must be an object such as { schema: … }: received ",
    ],
    [
      { responses: { 200: "The books" } },
      "Options of responses.200 of OWNER must be an object such as { schema: … }: received a string",
    ],
    [
      { responses: { 200: [undefined] } },
      "Options of responses.200 of OWNER must be an object such as { schema: … }: received undefined",
    ],
    [{ responses: null }, "Options of responses of OWNER must be an object: received null"],
    [{ responses: [] }, "Options of responses of OWNER must be an object: received an array"],
    [{ responses: { defualt: {} } }, 'Option "defualt" of responses of OWNER is unknown: did you mean default?'],
  ];

  it("throw where they are declared, and the message names the route, the key and the known ones", () => {
    for (const [owner, declare] of Object.entries(PLACES)) {
      for (const [described, message] of MISTAKES) {
        assertEquals(refusal(() => declare(described)).startsWith(message.replace("OWNER", owner)), true, message);
      }
    }
  });

  it("throw if an option of a stream is misspelt", () => {
    const options = { headers: {}, descripton: "All books" };
    assertEquals(
      refusal(() => routeOf("/a", { responses: { 200: lines({ "~standard": {} }, options) }, resolve })),
      'Option "descripton" of responses.200 of route GET "/a" is unknown: did you mean description?',
    );
  });

  it("throw if a response is for no status", () => {
    for (const status of ["99", "600", "6XX", "4xx", "20", "2000", "1200", "ok", "", "__proto__"]) {
      assertEquals(
        refusal(() => routeOf("/a", { responses: Object.fromEntries([[status, {}]]), resolve })),
        `Option ${JSON.stringify(status)} of responses of route GET "/a" is unknown: ` +
          "the options are 100 to 599, 1XX to 5XX, default",
      );
    }
  });

  it("throw if a header has a name that cannot be sent", () => {
    for (const name of ["", "x y", "x:y", "x\n", "x\r\nset-cookie", "caf\u00e9", "(x)", "x,y", '"x"', "__proto__ "]) {
      const responses = { 200: { headers: Object.fromEntries([["etag", {}], [name, {}]]) } };
      for (const [owner, declare] of Object.entries(PLACES)) {
        assertEquals(
          refusal(() => declare({ responses })),
          `Option "${name}" of responses.200.headers of ${owner} is unknown: ` +
            "the options are names such as x-count",
        );
      }
    }
    for (const name of ["x", "X-Count", "__proto__", "!#$%&'*+.^_`|~0"]) {
      routeOf("/a", { responses: { 200: { headers: Object.fromEntries([[name, {}]]) } }, resolve });
    }
  });

  it("do not throw if all keys are known, and are ignored if they are inherited", () => {
    const header = { description: "", schema: {}, required: true };
    const response = {
      description: "",
      schema: {},
      contentType: "a/b",
      headers: { etag: header, "content-type-of": {} },
    };
    const requestBody = { contentType: "text/plain", schema: {}, required: true, description: "" };
    const docs = {
      summary: "",
      description: "",
      tags: [],
      operationId: "a",
      deprecated: true,
      security: [],
      requestBody,
    };
    const responses = { 100: {}, 599: response, "1XX": {}, "5XX": {}, default: {}, 200: { description: undefined } };
    const all = { docs, responses: Object.assign(Object.create({ ok: {} }), responses) };
    for (const [owner, declare] of Object.entries(PLACES)) declare(owner.includes("PUT") ? all : { ...all });
  });
});

describe("an option with the explicit value undefined, as an import cycle leaves it", () => {
  const cycle: { readonly schema?: object } = {};

  it("is rejected for a schema", () => {
    for (const part of ["params", "query", "body"] as const) {
      assertEquals(
        refusal(() => route.post("/a", { request: { [part]: cycle.schema }, resolve })),
        `Option "${part}" of request of route POST "/a" is undefined. If you import it, break the import cycle`,
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
      'Option "responses" of route GET "/a" is undefined. If you import it, break the import cycle',
    );
    assertEquals(
      refusal(() => scopeOf({ responses: undefined })),
      'Option "responses" of route.with for "/v1" is undefined. If you import it, break the import cycle',
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
