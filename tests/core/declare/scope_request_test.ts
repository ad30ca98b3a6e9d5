import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../../entry_points/standard_schema/arktype_jitless.ts";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import { allow, denyInvalid, endpoint, reply, route, type RouteOptions, setup, type Validator } from "../../../mod.ts";
import { form } from "../../../src/body/mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { tools } from "../../../src/tools/mod.ts";
import { request } from "../../support/request.ts";

const ofEffect = (schema: Schema.Top) =>
  Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema as Schema.Codec<unknown>));

/** Of a library: a schema of a scope, and one of a route in it. */
const LIBRARIES: { readonly [name: string]: readonly [scope: unknown, route: unknown] } = {
  Zod: [z.object({ orgId: z.coerce.number() }), z.object({ id: z.coerce.number() })],
  "Zod with loose objects": [z.looseObject({ orgId: z.coerce.number() }), z.looseObject({ id: z.coerce.number() })],
  Valibot: [
    v.object({ orgId: v.pipe(v.string(), v.toNumber()) }),
    v.object({ id: v.pipe(v.string(), v.toNumber()) }),
  ],
  "Valibot with loose objects": [
    toStandardJsonSchema(v.looseObject({ orgId: v.pipe(v.string(), v.toNumber()) })),
    v.looseObject({ id: v.pipe(v.string(), v.toNumber()) }),
  ],
  ArkType: [type({ orgId: "string.numeric.parse" }), type({ id: "string.numeric.parse" })],
  Effect: [
    ofEffect(Schema.Struct({ orgId: Schema.NumberFromString })),
    ofEffect(Schema.Struct({ id: Schema.NumberFromString })),
  ],
};

/** What a handler gets as its input, or what failed and the issues. */
async function inputOf(
  scope: ReturnType<typeof route.with>,
  path: string,
  options: { readonly request?: object },
  sent: Request,
  validator: Validator = standardSchema,
): Promise<unknown> {
  let seen: unknown;
  const resolve: RouteOptions["resolve"] = ({ input }) => {
    seen = input.ok ? { ...input } : { failed: input.failed, issues: input.issues.map(({ path }) => path.join(".")) };
    return new Response();
  };
  await setup({ validator, handlers: [scope.get(path, { ...options, resolve } as RouteOptions)] }).fetch(sent);
  return JSON.parse(JSON.stringify(seen));
}

/** A scope, as untyped tests declare it. */
const scopeOf = (options: object) => route.with(options);

describe("the request of a scope", () => {
  for (const [library, [params, own]] of Object.entries(LIBRARIES)) {
    it(`is validated for each route, and merged with that of the route: ${library}`, async () => {
      const org = scopeOf({ prefix: "/orgs/:orgId", request: { params } });
      assertEquals(await inputOf(org, "/", {}, request("/orgs/7/")), { ok: true, params: { orgId: 7 } });
      const seen = await inputOf(org, "/items/:id", { request: { params: own } }, request("/orgs/7/items/8"));
      assertEquals(seen, { ok: true, params: { orgId: 7, id: 8 } });
    });
  }

  it("is that of each part but the body, beside the body of a route", async () => {
    const scope = scopeOf({
      request: {
        query: z.object({ page: z.coerce.number().default(1) }),
        headers: z.object({ "x-tenant": z.string() }),
        cookies: z.object({ theme: z.enum(["dark", "light"]) }),
      },
    });
    const headers = { "x-tenant": "acme", cookie: "theme=dark", "if-match": "1" };
    const own = { headers: z.object({ "if-match": z.string() }) };
    assertEquals(await inputOf(scope, "/", { request: own }, request("/", { headers })), {
      ok: true,
      query: { page: 1 },
      headers: { "x-tenant": "acme", "if-match": "1" },
      cookies: { theme: "dark" },
    });
    assertEquals(await inputOf(scope, "/", { request: own }, request("/?page=x")), {
      failed: ["query", "headers", "cookies"],
      issues: ["page", "x-tenant", "if-match", "theme"],
    });
  });

  it("of nested scopes is merged from the outside in", async () => {
    const outer = scopeOf({ request: { query: z.object({ a: z.string(), b: z.string() }) } });
    const inner = outer.with(
      { request: { query: z.object({ b: z.coerce.number(), c: z.coerce.number() }) } } as object,
    );
    const own = { query: z.object({ c: z.coerce.boolean() }) };
    const seen = await inputOf(inner as typeof outer, "/", { request: own }, request("/?a=1&b=2&c=3"));
    assertEquals(seen, { ok: true, query: { a: "1", b: 2, c: true } });
  });

  it("gives a key to the route if both declare it, also if the route leaves it as it was received", async () => {
    const scope = scopeOf({ request: { query: z.object({ limit: z.coerce.number().default(20) }) } });
    const limit = (query: unknown, search: string) =>
      inputOf(scope, "/", { request: { query } }, request(`/${search}`));
    const text = z.looseObject({ limit: z.string().default("all") });
    assertEquals(await limit(text, "?limit=5"), { ok: true, query: { limit: "5" } });
    assertEquals(await limit(text, ""), { ok: true, query: { limit: "all" } });
    assertEquals(await limit(z.object({ limit: z.string().optional() }), ""), { ok: true, query: { limit: 20 } });
    const either = z.union([z.object({ limit: z.string() }), z.object({ other: z.string() })]);
    assertEquals(await limit(either, "?limit=5"), { ok: true, query: { limit: "5" } });
    // Of a record, it is not known which keys it declares.
    assertEquals(await limit(z.record(z.string(), z.string()), "?limit=5&x=y"), {
      ok: true,
      query: { limit: 5, x: "y" },
    });
    assertEquals(await limit(z.any(), "?limit=5&x=y"), { ok: true, query: { limit: 5, x: "y" } });
  });

  it("gives lists, and the first of several cookies", async () => {
    const scope = scopeOf({
      request: { query: z.object({ tags: z.array(z.string()) }), cookies: type({ a: "string" }) },
    });
    const own = { query: z.looseObject({ ids: z.array(z.string()) }), cookies: type({ b: "string" }) };
    const sent = request("/?tags=x&ids=y", { headers: { cookie: "a=1; b=2; a=3" } });
    assertEquals(await inputOf(scope, "/", { request: own }, sent), {
      ok: true,
      query: { ids: ["y"], tags: ["x"] },
      cookies: { a: "1", b: "2" },
    });
  });

  it("is validated by any validator, synchronously or not, and each schema gets a part of its own", async () => {
    const validator: Validator = {
      async validate(schema, input, part) {
        await Promise.resolve();
        const { [schema as string]: value, ...others }: { [name: string]: unknown } = Object(input);
        Object.assign(Object(input), { default: schema });
        return value === undefined
          ? { ok: false, issues: [{ part, path: [String(schema)], message: "Missing" }], error: schema }
          : { ok: true, value: { ...others, [schema as string]: [value] } };
      },
    };
    const scope = scopeOf({ request: { query: "a" } });
    const seen = (search: string) => inputOf(scope, "/", { request: { query: "b" } }, request(`/${search}`), validator);
    assertEquals(await seen("?a=1&b=2&c=3"), { ok: true, query: { a: ["1"], b: ["2"], c: "3" } });
    // No key replaces a prototype.
    const hostile = JSON.parse('{"a":["1"],"b":["2"],"__proto__":"x"}');
    assertEquals(await seen("?a=1&b=2&__proto__=x"), { ok: true, query: hostile });
    assertEquals(await seen("?c=3"), { failed: ["query"], issues: ["a", "b"] });

    let errors: unknown;
    const resolve: RouteOptions["resolve"] = ({ input }) => {
      errors = input.ok || input.errors;
      return new Response();
    };
    const handlers = [scope.get("/", { request: { query: "b" }, resolve } as RouteOptions)];
    await setup({ validator, handlers }).fetch(request("/?a=1"));
    assertEquals(errors, { query: "b" });
  });

  it("fails if a validator does not return what it must, or if outputs cannot be merged", async () => {
    const fetchWith = (validator: Validator) => {
      const scope = scopeOf({ request: { query: "a" } });
      const options = { request: { query: "b" }, resolve: () => new Response() } as RouteOptions;
      const app = setup({
        validator,
        handlers: [scope.get("/x", options)],
        onError: ({ error }) => new Response(String(error)),
      });
      return Promise.resolve(app.fetch(request("/x"))).then((response) => response.text());
    };
    assertEquals(
      await fetchWith({ validate: (schema) => schema === "b" ? undefined as never : { ok: true, value: {} } }),
      "TypeError: Validator must return { ok: true, value } or { ok: false, issues: { part, path, message }[] } for the " +
        'query of route GET "/x": received undefined',
    );
    assertEquals(
      await fetchWith({ validate: (schema) => ({ ok: true, value: schema === "b" ? [] : {} }) }),
      'TypeError: Schemas of the query of route GET "/x" and of its scope must return plain objects, which are merged: ' +
        "received an array",
    );
    const rejected = { ok: false, issues: [{ part: "query", path: [], message: "No" }] } as const;
    assertEquals(await fetchWith({ validate: () => rejected }), "");
  });

  it("is accepted by the validator schema by schema", () => {
    const scope = scopeOf({ request: { query: z.object({ a: z.string() }) } });
    const options = { request: { query: () => true }, resolve: () => new Response() } as unknown as RouteOptions;
    assertThrows(
      () => setup({ validator: standardSchema, handlers: [scope.get("/x", options)] }),
      TypeError,
      'Schema of the query of route GET "/x" must be one the validator accepts: received a function',
    );
  });

  it("is seen by guards of the scope and by handlers, with its types", async () => {
    const org = route.with({
      prefix: "/orgs/:orgId",
      request: { params: z.object({ orgId: z.coerce.number() }), headers: z.object({ "x-tenant": z.string() }) },
      guards: [
        denyInvalid(({ failed }) => reply(400, failed)),
        (c) => allow({ org: c.input.ok ? `${c.input.params.orgId + 1}${c.input.headers["x-tenant"]}` : "" }),
      ],
    });
    const show = org.post("/items/:id", {
      request: { params: z.object({ id: z.string() }), body: z.object({ title: z.string() }) },
      resolve: (c) => Response.json([c.input.params.orgId, c.input.params.id, c.input.body.title, c.locals.org]),
    });
    const app = setup({ validator: standardSchema, handlers: [show] });
    const post = (path: string, headers: HeadersInit) =>
      app.fetch(request(path, { method: "POST", body: '{"title":"Emma"}', headers }));
    assertEquals(await (await post("/orgs/7/items/8", { "x-tenant": "acme" })).json(), [7, "8", "Emma", "8acme"]);
    assertEquals(await (await post("/orgs/x/items/8", {})).json(), ["params", "headers"]);
  });

  it("of endpoints is sent by clients, described by documents and tools, and validated by the server", async () => {
    const org = endpoint.with({
      prefix: "/orgs/:orgId",
      request: {
        params: z.object({ orgId: z.coerce.number<string>().meta({ description: "The number of the org" }) }),
        headers: z.object({ "x-tenant": z.string() }),
      },
    });
    const api = {
      show: org.get("/items/:id", {
        request: { query: z.object({ q: z.string() }), headers: z.object({ "if-match": z.string() }) },
        responses: { 200: { schema: z.array(z.unknown()) }, 400: {} },
      }),
    };
    const app = setup({
      validator: standardSchema,
      endpoints: api,
      handlers: [route.on(api.show, {
        resolve: ({ input, raw }) =>
          input.ok ? reply(200, [input.params.orgId, raw.params.id, input.query.q, input.headers]) : reply(400),
      })],
    });
    const client = createClient(api, { fetch: app.fetch });
    const headers = { "x-tenant": "acme", "if-match": "1" };
    const { body } = await client.show({ params: { orgId: 7, id: 8 }, query: { q: "x" }, headers });
    assertEquals(body, [7, "8", "x", headers]);

    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(
      paths["/orgs/{orgId}/items/{id}"]?.get?.parameters?.map((
        each,
      ) => [each.name, each.in, each.required, each.description]),
      [
        ["orgId", "path", true, "The number of the org"],
        ["id", "path", true, undefined],
        ["q", "query", true, undefined],
        ["x-tenant", "header", true, undefined],
        ["if-match", "header", true, undefined],
      ],
    );

    const [tool] = tools(api, { fetch: app.fetch, headers });
    const args = { params: { orgId: "7", id: "8" }, query: { q: "x" } };
    assertEquals((await tool?.call(args))?.body, body);
    assertEquals(Object(Object(tool?.inputSchema.properties).params).required, ["orgId", "id"]);
  });

  it("is described as one object, or by allOf where a schema refers to others", () => {
    const parametersOf = (scope: unknown, own: unknown) => {
      const declared = endpoint.with({ request: { query: scope } } as object).get(
        "/",
        { request: { query: own } } as object,
      );
      return openapi({ info: { title: "", version: "" }, routes: [declared] }).paths["/"]?.get?.parameters
        ?.map(({ name, required, schema }) => [name, required, JSON.stringify(schema)]);
    };
    const item = z.string().meta({ id: "Item" });
    assertEquals(parametersOf(z.object({ a: item, b: item }), z.object({ b: z.string().max(3).optional(), c: item })), [
      ["a", true, '{"$ref":"#/components/schemas/Item"}'],
      ["b", true, '{"allOf":[{"$ref":"#/components/schemas/Item"},{"type":"string","maxLength":3}]}'],
      ["c", true, '{"$ref":"#/components/schemas/Item"}'],
    ]);
    const other = z.string().max(3).meta({ id: "Item" });
    assertEquals(parametersOf(z.object({ a: item }), z.object({ a: other.optional() })), [
      ["a", true, '{"allOf":[{"$ref":"#/components/schemas/Item"},{"$ref":"#/components/schemas/ItemInput"}]}'],
    ]);
    assertEquals(parametersOf(z.object({ a: z.string() }), z.object({ a: z.string().max(3) })), [
      ["a", true, '{"allOf":[{"type":"string"},{"type":"string","maxLength":3}]}'],
    ]);
    assertEquals(parametersOf(z.object({ a: z.string().optional() }), z.looseObject({})), [[
      "a",
      undefined,
      '{"type":"string"}',
    ]]);
    assertThrows(
      () => parametersOf(z.strictObject({ a: z.string() }), z.object({ b: z.string() })),
      TypeError,
      'the schemas of the scope and of the route must both accept the keys of the other one: one of them rejects "b"',
    );
  });

  it("must be an object of schemas for parts other than the body", () => {
    const schema = z.object({ a: z.string() });
    const messages: readonly (readonly [object, string])[] = [
      [
        { body: schema },
        'Option "body" of request of route.with for "/v1": a scope has no body, declare it on each route',
      ],
      [{ bodyReader: form }, 'Option "bodyReader" of request of route.with for "/v1": a scope has no body'],
      [{ maxBodyBytes: 1 }, 'Option "maxBodyBytes" of request of route.with for "/v1": a scope has no body'],
      [{ param: schema }, 'Option "param" of request of route.with for "/v1" is unknown: did you mean params?'],
      [{ query: undefined }, 'Option "query" of request of route.with for "/v1" is undefined'],
    ];
    for (const [given, message] of messages) {
      assertThrows(() => scopeOf({ prefix: "/v1", request: given }), TypeError, message);
      assertThrows(
        () => endpoint.with({ prefix: "/v1", request: given } as object),
        TypeError,
        message.replace("route.with", "endpoint.with"),
      );
    }
    assertThrows(
      () => scopeOf({ request: undefined }),
      TypeError,
      'Option "request" of route.with is undefined',
    );
  });

  it("is not added to an endpoint by the scope of its route: clients would not send it", () => {
    const scope = scopeOf({ request: { headers: z.object({ "x-tenant": z.string() }) } });
    assertThrows(
      () => scope.on(endpoint.get("/x"), { resolve: () => new Response() }),
      TypeError,
      'Endpoint of route GET "/x" has its whole request: implement it in a scope without request, and declare it by ' +
        "endpoint.with({ request })",
    );
  });
});
