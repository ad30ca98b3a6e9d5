import { assert, assertEquals, assertInstanceOf, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { toJsonSchema, toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import {
  type AnyRoute,
  type Context,
  type Endpoint,
  endpoint,
  reply,
  type RequestSchemas,
  route,
  type RouteDocs,
  type RouteResponses,
  setup,
} from "../../../mod.ts";
import { form } from "../../../src/form/mod.ts";
import {
  type JsonSchema,
  openapi,
  type OpenApiDocument,
  type OpenApiOptions,
  type Operation,
  type Parameter,
} from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";

const info = { title: "Test", version: "1.0.0" };
const ok = () => new Response("ok");
/** A handler that fits any declared responses. It is not called. */
const unused = (): never => {
  throw new Error("called");
};
const text: JsonSchema = { type: "string" };

/** The document of these routes. */
function documentOf(routes: readonly Endpoint[], options: Partial<OpenApiOptions> = {}): OpenApiDocument {
  return openapi({ info, routes, ...options });
}

/** The one operation of this one route. */
function operationOf(route: AnyRoute, options: Partial<OpenApiOptions> = {}): Operation {
  const { paths } = documentOf([route], options);
  const [operation, ...others] = Object.values(paths).flatMap((item) => Object.values(item));
  assert(operation !== undefined && others.length === 0);
  return operation;
}

/** The error for these routes. */
function refusal(routes: readonly AnyRoute[], options: Partial<OpenApiOptions> = {}): TypeError {
  return assertThrows(() => documentOf(routes, options), TypeError);
}

/** A schema whose JSON Schema is this. */
function schemaOf(input: unknown, output = input): unknown {
  return { "~standard": { version: 1, vendor: "own", jsonSchema: { input: () => input, output: () => output } } };
}

function withQuery(query: unknown, docs: RouteDocs = {}): AnyRoute {
  return route.get("/q", { request: { query }, docs, resolve: ok });
}

function withBody(body: unknown, path = "/b"): AnyRoute {
  return route.post(path, { request: { body }, resolve: ok });
}

function withResponse(schema: unknown, path = "/r"): AnyRoute {
  return route.get(path, { responses: { 200: { schema } }, resolve: unused });
}

/** The schema of the body in the document. */
function bodyOf(route: AnyRoute, options: Partial<OpenApiOptions> = {}): JsonSchema | undefined {
  return operationOf(route, options).requestBody?.content["application/json"]?.schema;
}

const pathParameter = (name: string, schema: JsonSchema = text): Parameter => (
  { name, in: "path", required: true, schema }
);

describe("openapi() on paths", () => {
  it("writes them as templates, in the order of the routes", () => {
    const { openapi, paths } = documentOf([
      route.get("/", { resolve: ok }),
      route.get("/orgs/:orgId/users/:user_id", { resolve: ok }),
      route.get("/a/", { resolve: ok }),
      route.post("/a", { resolve: ok }),
    ]);
    assertEquals(openapi, "3.1.0");
    assertEquals(Object.keys(paths), ["/", "/orgs/{orgId}/users/{user_id}", "/a/", "/a"]);
  });

  it("writes literal text URL-encoded, as in requests", () => {
    const { paths } = documentOf([route.get("/café/a b/%7Bx%7D", { resolve: ok })]);
    assertEquals(Object.keys(paths), ["/caf%C3%A9/a%20b/%7Bx%7D"]);
  });

  it("lists every path parameter, with and without a schema", () => {
    const params: unknown = z.object({ orgId: z.uuid().describe("The org"), more: z.string().optional() });
    const { parameters } = operationOf(route.get("/orgs/:orgId/users/:id", { request: { params }, resolve: ok }));
    assertEquals(parameters?.map(({ schema: _, ...others }) => others), [
      { name: "orgId", in: "path", description: "The org", required: true },
      { name: "id", in: "path", required: true },
    ]);
    const [orgId, id] = parameters ?? [];
    assertMatch(JSON.stringify(orgId?.schema), /^{"type":"string","format":"uuid"/);
    assertEquals(id?.schema, text);
  });

  it("has a parameter for the rest, whose description says what it may be", () => {
    const { paths } = documentOf([route.get("/files/:volume/*", { resolve: ok })]);
    assertEquals(paths["/files/{volume}/{rest}"]?.get?.parameters, [
      pathParameter("volume"),
      { ...pathParameter("rest"), description: "The rest of the path: it may contain slashes, and may be empty." },
    ]);
  });

  it("gives the rest its schema, and another name if its name is taken", () => {
    const params = schemaOf({ type: "object", properties: { "*": { type: "string", description: "A file" } } });
    const { paths } = documentOf([route.get("/:rest/:rest_/*", { request: { params }, resolve: ok })]);
    const [, , rest] = paths["/{rest}/{rest_}/{rest__}"]?.get?.parameters ?? [];
    assertEquals(rest?.name, "rest__");
    assertMatch(rest?.description ?? "", /^A file\n\nThe rest of the path/);
  });

  it("has the prefix of a scope", () => {
    const v1 = route.with({ prefix: "/orgs/:orgId" });
    assertEquals(Object.keys(documentOf([v1.get("/users", { resolve: ok })]).paths), ["/orgs/{orgId}/users"]);
  });

  it("merges paths that differ only in parameter names, and keeps the names of the first", () => {
    const params = schemaOf({ type: "object", properties: { y: { type: "integer" } } });
    const { paths } = documentOf([
      route.get("/a/:x/b", { resolve: ok }),
      route.post("/a/:y/b", { request: { params }, resolve: ok }),
      route.put("/c/:z", { resolve: ok }),
      route.delete("/c/*", { resolve: ok }),
    ]);
    assertEquals(Object.keys(paths), ["/a/{x}/b", "/c/{z}"]);
    assertEquals(paths["/a/{x}/b"]?.post?.parameters, [pathParameter("x", { type: "integer" })]);
    assertEquals(paths["/c/{z}"]?.delete?.parameters?.map(({ name }) => name), ["z"]);
    assertMatch(paths["/c/{z}"]?.delete?.parameters?.[0]?.description ?? "", /rest of the path/);
  });

  it("keeps paths apart that differ in literal text", () => {
    const routes = ["/a/b", "/a/:x", "/a/", "/:x/b", "/*"].map((path) => route.get(path, { resolve: ok }));
    assertEquals(Object.keys(documentOf(routes).paths), ["/a/b", "/a/{x}", "/a/", "/{x}/b", "/{rest}"]);
  });

  it("rejects a parameter and a rest at one place for one method, and names both routes", () => {
    const routes = [route.get("/a/:x", { resolve: ok }), route.get("/a/*", { resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Routes GET "/a/:x" and GET "/a/*" are one operation to OpenAPI: leave one of them out of routes',
    );
    assertEquals(
      operationOf(routes[0] ?? fail()),
      documentOf(routes, { unrepresentable: "open" }).paths["/a/{x}"]?.get,
    );
  });

  it("rejects a schema of params that requires a parameter that the path does not have", () => {
    const params = schemaOf({ type: "object", properties: { id: text, uid: text }, required: ["id", "uid"] });
    const routes = [route.get("/:id", { request: { params }, resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Schema of the params of route GET "/:id" must not require what its path does not have: received "uid"',
    );
    assertEquals(documentOf(routes, { unrepresentable: "open" }).paths["/{id}"]?.get?.parameters, [
      pathParameter("id"),
    ]);
  });

  it("rejects a value that is not a route, and a path that breaks the grammar", () => {
    for (const item of [null, 1, "GET /", {}, { path: "/" }, { method: "GET" }, { path: "/", method: 1 }, []]) {
      const message = refusal([route.get("/", { resolve: ok }), item as unknown as AnyRoute]).message;
      assertMatch(message, /^Item 2 of routes must be a route or an endpoint: received /);
    }
    assertMatch(refusal([route.get("a", { resolve: ok })]).message, /^Path of route GET "a" must start with "\/"/);
  });
});

describe("openapi() on methods", () => {
  const methodsOf = (routes: readonly AnyRoute[], path = "/a") => Object.keys(documentOf(routes).paths[path] ?? {});

  it("describes each method that OpenAPI supports", () => {
    const { get, post, put, patch, delete: remove, head, options, on } = route;
    const routes = [get, post, put, patch, remove, head, options].map((declare) => declare("/a", { resolve: ok }));
    assertEquals(methodsOf([...routes, on("TRACE", "/a", { resolve: ok })]), [
      "get",
      "post",
      "put",
      "patch",
      "delete",
      "head",
      "options",
      "trace",
    ]);
  });

  it("describes a route for several methods under each of them", () => {
    const several = route.on(["GET", "HEAD"], "/a", { docs: { summary: "Shows it" }, resolve: ok });
    const { get, head } = documentOf([several]).paths["/a"] ?? {};
    assertEquals([get?.summary, head?.summary], ["Shows it", "Shows it"]);
  });

  it("describes a route for all methods under each method without a route of its own on the same pattern", () => {
    const all = route.all("/a/:x", { docs: { summary: "All" }, resolve: ok });
    const post = route.post("/a/:y", { docs: { summary: "Post" }, resolve: ok });
    for (const routes of [[all, post], [post, all]]) {
      const item = Object.values(documentOf(routes).paths)[0] ?? {};
      assertEquals(Object.keys(item).toSorted(), "delete get head options patch post put trace".split(" "));
      assertEquals(Object.values(item).filter(({ summary }) => summary === "All").length, 7);
      assertEquals(item.post?.summary, "Post");
    }
    assertEquals(methodsOf([route.on(["GET", "ALL"], "/a", { resolve: ok })]).length, 8);
  });

  it("rejects a method that OpenAPI does not support, or skips it", () => {
    const routes = [route.on(["PROPFIND", "GET"], "/a", { docs: { operationId: "find" }, resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Route PROPFIND,GET "/a" must have methods that OpenAPI knows, or not be among routes: received PROPFIND',
    );
    const { paths } = documentOf(routes, { unrepresentable: "open" });
    assertEquals(Object.keys(paths["/a"] ?? {}), ["get"]);
    assertEquals(paths["/a"]?.get?.operationId, "find");
  });

  it("skips a path without any method", () => {
    const routes = [route.on("PROPFIND", "/a", { resolve: ok })];
    assertEquals(documentOf(routes, { unrepresentable: "open" }).paths, {});
  });

  it("rejects two routes that match the same requests", () => {
    const twice = [route.get("/a/:x", { resolve: ok }), route.get("/a/:y", { resolve: ok })];
    assertMatch(refusal(twice).message, /^Routes GET "\/a\/:x" and GET "\/a\/:y" are one operation/);
  });
});

describe("openapi() on operation ids", () => {
  const idsOf = (...routes: readonly AnyRoute[]) =>
    Object.values(documentOf(routes).paths).flatMap((item) => Object.values(item)).map(({ operationId }) =>
      operationId
    );
  const get = (path: string, operationId?: string) =>
    route.get(path, { ...(operationId === undefined ? {} : { docs: { operationId } }), resolve: ok });

  it("generates them from method and path", () => {
    assertEquals(idsOf(get("/")), ["getRoot"]);
    assertEquals(idsOf(get("/v2/books/:id/similar-books")), ["getV2BooksByIdSimilarBooks"]);
    assertEquals(idsOf(get("/:org_id/:$x/files/*")), ["getByOrgIdByXFilesRest"]);
    assertEquals(idsOf(route.on(["PUT", "PATCH"], "/a", { resolve: ok })), ["putA", "patchA"]);
  });

  it("numbers equal ones, and skips explicit ones", () => {
    assertEquals(idsOf(get("/a-b"), get("/a/b"), get("/a.b"), get("/x", "getAB2")), [
      "getAB",
      "getAB3",
      "getAB4",
      "getAB2",
    ]);
  });

  it("uses explicit ones, unchanged for the first method of a route", () => {
    assertEquals(idsOf(get("/a", "show")), ["show"]);
    const docs = { operationId: "readFile" };
    assertEquals(idsOf(route.on(["GET", "HEAD"], "/a", { docs, resolve: ok })), ["readFile", "readFileHead"]);
  });

  it("rejects two equal ones, and names both routes", () => {
    assertEquals(
      refusal([get("/a", "show"), get("/b"), get("/c", "show")]).message,
      'Routes GET "/a" and GET "/c" must not both have the operationId "show"',
    );
    assertMatch(refusal([get("/a", "show"), get("/c", "show")], { unrepresentable: "open" }).message, /must not both/);
  });
});

describe("openapi() on queries", () => {
  it("makes a parameter of each property, required if the input side requires it", () => {
    const query = z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20).describe("How many at most"),
      cursor: z.iso.datetime().transform((at) => new Date(at)).optional(),
      author: z.string(),
    });
    const [limit, cursor, author] = operationOf(withQuery(query)).parameters ?? [];
    assertEquals(limit, {
      name: "limit",
      in: "query",
      description: "How many at most",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    });
    assertEquals([cursor?.name, cursor?.required], ["cursor", undefined]);
    assertEquals(author, { name: "author", in: "query", required: true, schema: text });
  });

  it("describes a key that may repeat as an array, in the style that routes read", () => {
    const [tags] = operationOf(withQuery(z.object({ tag: z.array(z.string()).optional() }))).parameters ?? [];
    assertEquals(tags, { name: "tag", in: "query", schema: { type: "array", items: text } });
  });

  it("describes no parameters of a query that may be anything", () => {
    for (const query of [z.any(), z.object({}), z.record(z.string(), z.string()), schemaOf(true), schemaOf(false)]) {
      assertEquals(operationOf(withQuery(query)).parameters, undefined);
    }
  });

  it("merges the objects of allOf, and follows references", () => {
    const query = schemaOf({
      $ref: "#/$defs/base",
      properties: { a: { type: "string" }, own: { $ref: "#/$defs/own" } },
      required: ["own"],
      allOf: [true, { allOf: [{ $ref: "#/$defs/base" }, { properties: { a: { minLength: 1 } } }] }, "nonsense"],
      $defs: {
        base: { type: ["object", "null"], properties: { b: { type: "integer" } }, required: ["b"] },
        own: { type: "boolean" },
      },
    });
    const { paths, components } = documentOf([withQuery(query)]);
    assertEquals(paths["/q"]?.get?.parameters, [
      { name: "b", in: "query", required: true, schema: { type: "integer" } },
      { name: "a", in: "query", schema: { allOf: [{ minLength: 1 }, { type: "string" }] } },
      { name: "own", in: "query", required: true, schema: { $ref: "#/components/schemas/own" } },
    ]);
    assertEquals(components.schemas, { own: { type: "boolean" } });
  });

  it("describes keys that may have any value", () => {
    const query = schemaOf({ type: "object", properties: { a: true, b: {} }, required: ["a"] });
    assertEquals(operationOf(withQuery(query)).parameters, [
      { name: "a", in: "query", required: true, schema: true },
      { name: "b", in: "query", schema: {} },
    ]);
  });

  it("ignores malformed keywords", () => {
    const query = schemaOf({ type: "object", properties: [], required: "all", allOf: {} });
    assertEquals(operationOf(withQuery(query)).parameters, undefined);
    const list = schemaOf({ allOf: [null, 5, "text", true, { properties: { a: text } }] });
    assertEquals(operationOf(withQuery(list)).parameters, [{ name: "a", in: "query", schema: text }]);
  });

  it("rejects unions and non-objects and names the route, or leaves the query open", () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    const choice = z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]);
    const all = z.object({ c: z.string() }).and(union);
    const circular = { type: "object", allOf: [{ $ref: "#" }], oneOf: [{}] };
    for (
      const [query, received] of [[union, '"anyOf"'], [choice, '"oneOf"'], [schemaOf(circular), '"oneOf"']] as const
    ) {
      assertEquals(
        refusal([withQuery(query)]).message,
        'Schema of the query of route GET "/q" must be expressible as JSON Schema: it must be one object of named ' +
          `properties, each of which becomes a parameter: received ${received}`,
      );
    }
    assertMatch(refusal([withQuery(z.string())]).message, /GET "\/q".*received "string"/);
    assertMatch(refusal([withQuery(schemaOf({ type: ["array", "null"] }))]).message, /received \["array","null"\]/);
    assertMatch(refusal([withQuery(all)]).message, /received "anyOf"/);
    for (const query of [union, z.string()]) {
      assertEquals(operationOf(withQuery(query), { unrepresentable: "open" }).parameters, undefined);
    }
    const params = route.get("/:id", { request: { params: union as unknown }, resolve: ok });
    assertMatch(refusal([params]).message, /^Schema of the params of route GET "\/:id" must be expressible/);
    assertEquals(operationOf(params, { unrepresentable: "open" }).parameters, [pathParameter("id")]);
  });

  it("terminates on an object that refers to itself", () => {
    const query = schemaOf({ type: "object", properties: { a: text }, allOf: [{ $ref: "#" }] });
    assertEquals(operationOf(withQuery(query)).parameters, [{ name: "a", in: "query", schema: text }]);
  });
});

describe("openapi() on headers and cookies", () => {
  const withParts = (request: Omit<RequestSchemas, "body">) => route.get("/q/:id", { request, resolve: ok });

  it("makes a parameter of each property, after those of path and query", () => {
    const { parameters } = operationOf(withParts({
      cookies: z.object({ session: z.string().describe("Who it is"), theme: z.enum(["dark", "light"]).optional() }),
      headers: z.object({ "if-match": z.string(), "x-page": z.coerce.number().int().default(1) }),
      query: z.object({ limit: z.string() }),
    }));
    assertEquals(parameters, [
      pathParameter("id"),
      { name: "limit", in: "query", required: true, schema: text },
      { name: "if-match", in: "header", required: true, schema: text },
      {
        name: "x-page",
        in: "header",
        schema: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      },
      { name: "session", in: "cookie", description: "Who it is", required: true, schema: text },
      { name: "theme", in: "cookie", schema: { type: "string", enum: ["dark", "light"] } },
    ]);
  });

  it("leaves out the headers that OpenAPI ignores as parameters", () => {
    const headers = z.object({ accept: z.string(), authorization: z.string(), "content-type": z.string() });
    assertEquals(operationOf(withParts({ headers })).parameters, [pathParameter("id")]);
    const { parameters } = operationOf(withParts({ headers: headers.extend({ "x-a": z.string() }), cookies: headers }));
    const listed = parameters?.map((parameter) => [parameter.in, parameter.name]);
    assertEquals(listed, [
      ["path", "id"],
      ["header", "x-a"],
      ["cookie", "accept"],
      ["cookie", "authorization"],
      ["cookie", "content-type"],
    ]);
  });

  it("rejects a header name that no request can have, as names arrive in lower case", () => {
    const named = (name: string) => withParts({ headers: z.object({ [name]: z.string() }) });
    for (const name of ["If-Match", "ACCEPT"]) {
      assertEquals(
        refusal([named(name)]).message,
        `Schema of the headers of route GET "/q/:id" must have names in lower case: received "${name}"`,
      );
    }
    const { parameters } = operationOf(named("If-Match"), { unrepresentable: "open" });
    assertEquals(parameters?.map(({ name }) => name), ["id", "If-Match"]);
  });

  it("rejects a schema that is not one object", () => {
    for (const part of ["headers", "cookies"] as const) {
      assertMatch(
        refusal([withParts({ [part]: z.string() })]).message,
        new RegExp(
          `^Schema of the ${part} of route GET "/q/:id" must be expressible as JSON Schema: it must be one object`,
        ),
      );
    }
  });
});

describe("openapi() on a bodyReader", () => {
  it("describes the body by the content types of the reader", () => {
    const body = z.object({ title: z.string(), cover: z.file() });
    const { requestBody } = operationOf(route.post("/b", { request: { body, bodyReader: form }, resolve: ok }));
    const schema = bodyOf(withBody(body)) ?? false;
    assertEquals(requestBody, {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema }, "multipart/form-data": { schema } },
    });
    assertMatch(JSON.stringify(schema), /"format":"binary"/);
  });
});

describe("openapi() on bodies and responses", () => {
  const stamp = z.object({ at: z.iso.datetime().transform((at) => at.length).pipe(z.number()) });

  it("describes a body as required JSON, by the input side of its schema", () => {
    const { requestBody } = operationOf(withBody(stamp));
    assertEquals(requestBody?.required, true);
    assertEquals(Object.keys(requestBody?.content ?? {}), ["application/json"]);
    assertMatch(JSON.stringify(requestBody), /"format":"date-time"/);
  });

  it("describes a schema that is true or false: anything, or nothing", () => {
    assertEquals(bodyOf(withBody(schemaOf(true))), {});
    assertEquals(bodyOf(withBody(schemaOf(false))), { not: {} });
  });

  it("describes a response by the output side of its schema", () => {
    assertEquals(operationOf(withResponse(stamp)).responses, {
      200: {
        description: "Successful",
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { at: { type: "number" } },
              required: ["at"],
              additionalProperties: false,
            },
          },
        },
      },
    });
  });

  it("describes responses by status, range and default, and gives each a description", () => {
    const responses = {
      default: {},
      "5XX": { description: "Sorry" },
      404: { schema: schemaOf({}), contentType: "application/problem+json" },
      "3XX": {},
      201: { description: "" },
      100: {},
    };
    assertEquals(operationOf(route.get("/", { responses, resolve: unused })).responses, {
      100: { description: "Informational" },
      201: { description: "" },
      404: { description: "Client error", content: { "application/problem+json": { schema: {} } } },
      "3XX": { description: "Redirection" },
      "5XX": { description: "Sorry" },
      default: { description: "Any other response" },
    });
    const failed = route.get("/", { responses: { 500: {} }, resolve: unused });
    assertEquals(operationOf(failed).responses, { 500: { description: "Server error" } });
  });

  it("describes any response if the route documents none", () => {
    const { responses } = operationOf(route.get("/", { responses: {}, resolve: unused }));
    assertEquals(responses, { default: { description: "Any response" } });
    assertEquals(operationOf(route.get("/", { resolve: ok })), {
      operationId: "getRoot",
      responses: { default: { description: "Any response" } },
    });
  });
});

describe("openapi() on docs", () => {
  const docs: RouteDocs = {
    summary: "Shows a book",
    description: "With its *author*.",
    tags: ["books", "reading"],
    operationId: "showBook",
    deprecated: true,
    security: [{ bearer: [] }, {}],
  };
  const securitySchemes = { bearer: { type: "http", scheme: "bearer" } } as const;

  it("copies all keys", () => {
    const { responses: _, ...said } = operationOf(route.get("/", { docs, resolve: ok }), { securitySchemes });
    assertEquals<unknown>(said, docs);
  });

  it("uses the docs of the scopes as defaults, key by key, at any depth", () => {
    const scope = route.with({ docs: { tags: ["v1"], deprecated: true, summary: "A route" } });
    const inner = scope.with({ prefix: "/inner", docs: { tags: ["inner"] } });
    const { paths } = documentOf([
      scope.get("/a", { resolve: ok }),
      scope.get("/b", { docs: { deprecated: false, summary: "B" }, resolve: ok }),
      inner.get("/c", { docs: {}, resolve: ok }),
      route.get("/d", { resolve: ok }),
    ]);
    const said = Object.values(paths).map(({ get }) => [get?.tags, get?.deprecated, get?.summary]);
    assertEquals(said, [
      [["v1"], true, "A route"],
      [["v1"], false, "B"],
      [["inner"], true, "A route"],
      [undefined, undefined, undefined],
    ]);
  });

  it("has servers, tags, security and its schemes as given", () => {
    const given = {
      info: { ...info, summary: "S", license: { name: "MIT", identifier: "MIT" }, contact: { name: "Ada" } },
      servers: [{ url: "https://{region}.example.com", variables: { region: { default: "eu", enum: ["eu", "us"] } } }],
      tags: [{ name: "books", description: "All of them" }],
      security: [{ bearer: [] }],
    };
    const { paths: _, openapi: __, components, ...rest } = documentOf([], { ...given, securitySchemes });
    assertEquals(rest, given);
    assertEquals(components, { schemas: {}, securitySchemes });
  });

  it("rejects security schemes that are not declared", () => {
    const routes = [route.get("/", { docs: { security: [{ bearer: [] }, { key: [] }] }, resolve: ok })];
    assertEquals(
      refusal(routes, { securitySchemes }).message,
      'Option docs.security of route GET "/" must name what is in securitySchemes: received "key"',
    );
    assertMatch(refusal([], { security: [{ toString: [] }] }).message, /^Option security must .* received "toString"/);
  });

  it("does not affect requests: handlers do not see docs", async () => {
    const app = setup({ handlers: [route.get("/", { docs, resolve: (c) => Response.json(Object.keys(c)) })] });
    const keys: string[] = await (await app.fetch(request("/"))).json();
    assertEquals(keys.toSorted(), ["input", "locals", "raw", "request", "route"]);
    assertStrictEquals(app.routes[0]?.docs?.security, docs.security);
  });
});

describe("openapi() on bodies that handlers read themselves", () => {
  const form = z.object({ title: z.string(), cover: z.string().meta({ format: "binary" }) });
  const upload = (requestBody: unknown, more: object = {}) =>
    route.post("/covers", { docs: { requestBody } as RouteDocs, resolve: ok, ...more });

  it("describes them by docs.requestBody: content type, schema, description, required", () => {
    const requestBody = {
      contentType: "multipart/form-data",
      schema: form,
      required: true,
      description: "The cover as a file",
    };
    const document = documentOf([upload(requestBody)]);
    assertEquals(document.paths["/covers"]?.post?.requestBody, {
      description: "The cover as a file",
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: { title: { type: "string" }, cover: { type: "string", format: "binary" } },
            required: ["title", "cover"],
          },
        },
      },
    });
  });

  it("allows any content without a schema, and is optional by default", () => {
    const document = documentOf([upload({ contentType: "application/xml" })]);
    assertEquals(document.paths["/covers"]?.post?.requestBody, { content: { "application/xml": { schema: {} } } });
  });

  it("leaves the body unread", async () => {
    const app = setup({
      handlers: [
        upload({ contentType: "text/plain" }, { resolve: async (c: Context) => new Response(await c.request.text()) }),
      ],
    });
    const sent = request("/covers", { method: "POST", body: "raw" });
    assertEquals(await (await app.fetch(sent)).text(), "raw");
  });

  it("rejects it next to a body schema, and with the wrong shape", () => {
    const place = 'Option docs.requestBody of route POST "/covers" ';
    assertEquals(
      refusal([upload({ contentType: "text/plain" }, { request: { body: form } })]).message,
      `${place}describes a body that request.body does: remove one of them`,
    );
    for (
      const [requestBody, message] of [
        ["text/plain", 'Option docs.requestBody of route POST "/covers" must be an object: received a string'],
        [{}, 'Option docs.requestBody.contentType of route POST "/covers" must be a string: received undefined'],
        [
          { contentType: 1 },
          'Option docs.requestBody.contentType of route POST "/covers" must be a string: received a number',
        ],
        [
          { contentType: "text/plain", required: "yes" },
          'Option docs.requestBody.required of route POST "/covers" must be true or false: received a string',
        ],
      ] as const
    ) {
      assertEquals(refusal([upload(requestBody)]).message, message);
    }
  });
});

describe("docs of a route", () => {
  const refused: readonly (readonly [docs: unknown, message: string])[] = [
    [null, 'Option docs of route GET "/a" must be an object: received null'],
    ["Shows it", 'Option docs of route GET "/a" must be an object: received a string'],
    [[], 'Option docs of route GET "/a" must be an object: received an array'],
    [{ summary: 1 }, 'Option docs.summary of route GET "/a" must be a string: received a number'],
    [{ description: null }, 'Option docs.description of route GET "/a" must be a string: received null'],
    [{ operationId: [] }, 'Option docs.operationId of route GET "/a" must be a string: received an array'],
    [{ deprecated: "yes" }, 'Option docs.deprecated of route GET "/a" must be true or false: received a string'],
    [{ tags: "books" }, 'Option docs.tags of route GET "/a" must be an array of strings: received a string'],
    [{ tags: ["books", 1] }, 'Option docs.tags of route GET "/a" must be an array of strings: received an array'],
  ];

  const refusalOf = (docs: unknown) => refusal([route.get("/a", { docs: docs as RouteDocs, resolve: ok })]).message;

  it("is rejected if it has the wrong shape", () => {
    for (const [docs, message] of refused) assertEquals(refusalOf(docs), message);
  });

  it("is not checked by setup", async () => {
    const docs = { summary: 1 } as unknown as RouteDocs;
    const app = setup({ handlers: [route.get("/a", { docs, resolve: ok })] });
    assertEquals((await app.fetch(new Request("http://localhost/a"))).status, 200);
  });

  it("is rejected if a list has wrong items", () => {
    for (const security of [{}, ["bearer"], [{ bearer: "" }], [{ bearer: [1] }], [null]]) {
      assertMatch(
        refusalOf({ security }),
        /^Option docs\.security of route GET "\/a" must be an array of { scheme: scopes }, scopes being arrays of strings: /,
      );
    }
  });

  it("is rejected if it has responses, which stand beside it", () => {
    const docs = { responses: {} } as RouteDocs;
    assertEquals(
      refusal([{ ...route.get("/a", { resolve: ok }), docs }]).message,
      'Option "responses" of route GET "/a" must be beside docs, not in it',
    );
  });

  it("is rejected if the docs of the scope or of the route have the wrong shape, even if the other is right", () => {
    for (const wrong of ["v1", null, 1]) {
      const scope = route.with({ docs: wrong as unknown as RouteDocs });
      const right = route.with({ docs: { summary: "Right" } });
      for (
        const wrongOne of [
          scope.get("/a", { resolve: ok }),
          scope.get("/a", { docs: { summary: "Right" }, resolve: ok }),
          right.get("/a", { docs: wrong as unknown as RouteDocs, resolve: ok }),
        ]
      ) {
        assertMatch(refusal([wrongOne]).message, /^Option docs of route GET "\/a" must be an object: /);
      }
    }
  });

  it("may have every key, no key, and unknown keys", () => {
    const docs = { summary: "", tags: [], security: [], deprecated: false, "x-internal": 1 };
    const routes = [route.get("/a", { docs, resolve: ok }), route.get("/b", { docs: {}, resolve: ok })];
    documentOf(routes, { unrepresentable: "open" });
  });
});

describe("openapi() on endpoints", () => {
  const api = endpoint.with({ prefix: "/v1", responses: { 401: {} }, docs: { tags: ["v1"] } });
  const showBook = api.get("/books/:id", {
    request: { query: z.object({ q: z.string() }) },
    responses: { 200: { schema: z.object({ id: z.string() }) } },
    docs: { operationId: "showBook" },
  });

  it("describes them as the routes that implement them", () => {
    const implemented = route.on(showBook, { resolve: () => reply(401) });
    const document = documentOf([showBook, endpoint.on(["GET", "HEAD"], "/health")]);
    assertEquals(document.paths["/v1/books/{id}"], documentOf([implemented]).paths["/v1/books/{id}"]);
    const described = document.paths["/v1/books/{id}"]?.get;
    assertEquals(Object.keys(described?.responses ?? {}), ["200", "401"]);
    assertEquals([described?.operationId, described?.tags], ["showBook", ["v1"]]);
    assertEquals(Object.keys(document.paths["/health"] ?? {}), ["get", "head"]);
  });

  it("describes what a route adds to the docs of its endpoint", () => {
    const implemented = route.on(showBook, { docs: { summary: "Shows a book" }, resolve: () => reply(401) });
    assertEquals(operationOf(implemented).summary, "Shows a book");
  });
});

describe("responses of a route", () => {
  const refusalOf = (responses: unknown) =>
    refusal([route.get("/a", { responses: responses as RouteResponses, resolve: unused })]).message;

  it("are rejected if they have the wrong shape", () => {
    const refused: readonly (readonly [responses: unknown, message: string])[] = [
      [[], 'Option responses of route GET "/a" must be an object: received an array'],
      [
        { 200: { description: 1 } },
        'Option responses.200.description of route GET "/a" must be a string: received a number',
      ],
      [
        { 200: { contentType: true } },
        'Option responses.200.contentType of route GET "/a" must be a string: received true',
      ],
      [{ 200: { headers: [] } }, 'Option responses.200.headers of route GET "/a" must be an object: received an array'],
      [
        { 200: { headers: { a: "b" } } },
        'Option responses.200.headers.a of route GET "/a" must be an object: received a string',
      ],
      [
        { 200: { headers: { a: { required: 1 } } } },
        'Option responses.200.headers.a.required of route GET "/a" must be true or false: received a number',
      ],
      [{ 200: { schema: undefined } }, 'Option "schema" of responses.200 of route GET "/a" is undefined'],
    ];
    for (const [responses, message] of refused) assertEquals(refusalOf(responses), message);
    for (const responses of [{ 200: { shema: 1 } }, { 200: { headers: { a: { shema: 1 } } } }]) {
      assertMatch(
        refusalOf(responses),
        /^Option "shema" of responses\.200(\.headers\.a)? of route GET "\/a" is unknown/,
      );
    }
  });

  it("are rejected if one is not an object", () => {
    for (const response of [type("string"), "Found", undefined, null, []]) {
      const message = refusalOf({ 200: response });
      assertMatch(message, /^Option responses\.200 of route GET "\/a" must be an object: received/);
    }
  });

  it("are rejected if one is a bare schema", () => {
    assertEquals(
      refusalOf({ 200: z.object({}) }),
      'Option responses.200 of route GET "/a" must be { description?, schema?, contentType?, headers? }, not a bare schema: ' +
        "received an object",
    );
  });

  it("are rejected if a key is not a status", () => {
    for (const status of ["99", "600", "6XX", "4xx", "20", "2000", "1200", "ok", "", "__proto__"]) {
      assertEquals(
        refusalOf(Object.fromEntries([[status, {}]])),
        'Option responses of route GET "/a" must have 100 to 599, "1XX" to "5XX" or "default" as its keys: ' +
          `received ${JSON.stringify(status)}`,
      );
    }
  });

  it("may have every key of a response, and every kind of status", () => {
    const responses = { 100: {}, 599: { description: "", schema: 1, contentType: "a/b" }, "1XX": {}, default: {} };
    documentOf([route.get("/a", { responses, resolve: unused })], { unrepresentable: "open" });
  });

  it("are merged over those of its scopes, status by status", () => {
    const outer = route.with({ responses: { 401: { description: "Outer" }, 403: { description: "Outer" } } });
    const inner = outer.with({ responses: { 403: { description: "Inner" }, 404: { description: "Inner" } } });
    const own = inner.get("/", { responses: { 404: { description: "Own" } }, resolve: unused });
    assertEquals(operationOf(own).responses, {
      401: { description: "Outer" },
      403: { description: "Inner" },
      404: { description: "Own" },
    });
    assertEquals(operationOf(inner.get("/", { responses: {}, resolve: unused })).responses, {
      401: { description: "Outer" },
      403: { description: "Inner" },
      404: { description: "Inner" },
    });
  });

  it("are those of the scope if the route declares none, and then document only", () => {
    const scope = route.with({ responses: { 401: { description: "Who?" } } });
    const plain = scope.get("/", { resolve: ok });
    assertEquals(operationOf(plain).responses, { 401: { description: "Who?" } });
    assertEquals([plain.responses, plain.scopeResponses], [undefined, { 401: { description: "Who?" } }]);
  });

  it("have headers, each with a schema of its value", () => {
    const headers = {
      etag: { description: "Changes with the book", required: true },
      "x-rate-limit": { schema: z.number().int().min(0) },
    };
    assertEquals(operationOf(route.get("/", { responses: { 200: { headers } }, resolve: unused })).responses[200], {
      description: "Successful",
      headers: {
        etag: { description: "Changes with the book", required: true, schema: text },
        "x-rate-limit": { schema: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
      },
    });
    const open = { 200: { headers: { a: { schema: z.bigint() } } } };
    assertEquals(
      refusal([route.get("/", { responses: open, resolve: unused })]).message,
      'Schema of the header a of response 200 of route GET "/" must be expressible as JSON Schema: ' +
        "BigInt cannot be represented in JSON Schema",
    );
  });

  it("have a content type of their own, also without a schema", () => {
    const responses = { 200: { contentType: "image/png" }, 404: { schema: schemaOf(text), contentType: "text/plain" } };
    assertEquals(operationOf(route.get("/", { responses, resolve: unused })).responses, {
      200: { description: "Successful", content: { "image/png": { schema: {} } } },
      404: { description: "Client error", content: { "text/plain": { schema: text } } },
    });
  });
});

describe("openapi() on a Date in a response", () => {
  const dateTime = { type: "string", format: "date-time" };
  /** The properties in the document of a response with this schema. */
  function propertiesOf(schema: unknown, options: Partial<OpenApiOptions> = {}): unknown {
    const { content } = operationOf(withResponse(schema), options).responses[200] ?? {};
    const described = content?.["application/json"]?.schema;
    return typeof described === "object" ? described.properties : described;
  }
  const valibot: Partial<OpenApiOptions> = {
    toJsonSchema: (schema, side) =>
      toJsonSchema(schema as v.GenericSchema, { typeMode: side, target: "draft-2020-12" }),
  };
  const dates = v.object({
    at: v.date(),
    until: v.optional(v.pipe(v.date(), v.minValue(new Date(0)))),
    of: v.pipe(v.string(), v.isoTimestamp(), v.toDate(), v.maxValue(new Date())),
    all: v.array(v.nullable(v.date())),
    code: v.pipe(v.string(), v.minLength(2)),
  });
  const inJson = {
    at: dateTime,
    until: dateTime,
    of: dateTime,
    all: { type: "array", items: { anyOf: [dateTime, { type: "null" }] } },
    code: { type: "string", minLength: 2 },
  };

  it("describes the string that JSON makes of it, with Zod", () => {
    const schema = z.object({
      at: z.date().describe("When"),
      until: z.date().optional(),
      of: z.codec(z.string(), z.date(), {
        decode: (text) => new Date(text),
        encode: (date) => date.toISOString(),
      }),
    });
    assertEquals(propertiesOf(schema), { at: { ...dateTime, description: "When" }, until: dateTime, of: dateTime });
  });

  it("describes it with ArkType", () => {
    const schema = type({ at: "Date", of: "string.date.parse", code: "string" });
    assertEquals(propertiesOf(schema), { at: dateTime, of: dateTime, code: text });
  });

  it("describes it with Valibot, by Standard JSON Schema and by a converter", () => {
    assertEquals(propertiesOf(toStandardJsonSchema(dates)), inJson);
    assertEquals(propertiesOf(dates, valibot), inJson);
  });

  it("describes it in a recursive schema of Valibot", () => {
    interface Thread {
      at: Date;
      replies: Thread[];
    }
    const thread: v.GenericSchema<Thread> = v.object({ at: v.date(), replies: v.array(v.lazy(() => thread)) });
    const { components } = documentOf([withResponse(thread, "/threads")], valibot);
    assertEquals(Object.values(components.schemas).map((schema) => (schema as { properties: object }).properties), [
      { at: dateTime, replies: { type: "array", items: { $ref: "#/components/schemas/0" } } },
    ]);
  });

  it("still rejects what JSON cannot hold, and a Date in a request", () => {
    for (const schema of [z.object({ at: z.date(), n: z.bigint() }), z.map(z.string(), z.date())]) {
      assertMatch(
        refusal([withResponse(schema)]).message,
        /must be expressible as JSON Schema: .*cannot be represented/,
      );
    }
    const bigint = v.object({ at: v.date(), n: v.bigint() });
    for (const [schema, options] of [[bigint, valibot], [toStandardJsonSchema(bigint), {}]] as const) {
      assertMatch(refusal([withResponse(schema)], options).message, /"bigint" schema cannot be converted/);
    }
    assertMatch(refusal([withBody(z.object({ at: z.date() }))]).message, /Date cannot be represented/);
    assertMatch(refusal([withBody(dates)], valibot).message, /"date" schema cannot be converted/);
  });

  it("passes on what another library, and a converter for one, throws", () => {
    const failing = (vendor: string) => ({
      "~standard": {
        version: 1,
        vendor,
        jsonSchema: {
          output: () => {
            throw new Error(`${vendor} says no`);
          },
        },
      },
    });
    assertMatch(refusal([withResponse(failing("own"))]).message, /own says no$/);
    const toJsonSchema = () => {
      throw new Error("the converter says no");
    };
    assertMatch(refusal([withResponse({})], { toJsonSchema }).message, /the converter says no$/);
  });

  it("does not take the options of an older Zod for the permission to describe nothing", () => {
    const older = {
      "~standard": {
        version: 1,
        vendor: "zod",
        jsonSchema: {
          output({ libraryOptions }: { readonly libraryOptions?: object }) {
            if (libraryOptions === undefined) throw new Error("BigInt cannot be represented in JSON Schema");
            return {};
          },
        },
      },
    };
    assertMatch(refusal([withResponse(older)]).message, /BigInt cannot be represented/);
  });
});

describe("openapi() on references", () => {
  it("moves their targets into components, and drops the rest of $defs", () => {
    const body = schemaOf({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { $ref: "#/$defs/A", description: "Mine" } },
      $defs: { A: { type: "array", items: { $ref: "#/$defs/B" } }, B: { type: "null" }, Unused: {} },
    });
    const { paths, components } = documentOf([withBody(body)]);
    assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {
      type: "object",
      properties: { a: { $ref: "#/components/schemas/A", description: "Mine" } },
    });
    assertEquals(components.schemas, {
      A: { type: "array", items: { $ref: "#/components/schemas/B" } },
      B: { type: "null" },
    });
  });

  it("keeps schemas that refer to themselves", () => {
    const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
    const { paths, components } = documentOf([withBody(schemaOf(tree), "/trees")]);
    const reference = { $ref: "#/components/schemas/postTreesBody" };
    assertEquals(paths["/trees"]?.post?.requestBody?.content["application/json"]?.schema, reference);
    assertEquals(components.schemas, {
      postTreesBody: { type: "object", properties: { children: { type: "array", items: reference } } },
    });
    const { components: ofResponse } = documentOf([withResponse(schemaOf(tree))]);
    assertEquals(Object.keys(ofResponse.schemas), ["getRResponse200"]);
    const { components: ofQuery } = documentOf([withQuery(schemaOf(tree))]);
    assertEquals(Object.keys(ofQuery.schemas), ["getQQuery"]);
  });

  it("shares equal schemas between routes, and renames different schemas with one name", () => {
    const node = (leaf: string) =>
      schemaOf({ $ref: "#/$defs/Node", $defs: { Node: { anyOf: [{ $ref: "#/$defs/Leaf" }] }, Leaf: { const: leaf } } });
    const { paths, components } = documentOf([
      withBody(node("a"), "/1"),
      withBody(node("a"), "/2"),
      withBody(node("b"), "/3"),
      withResponse(node("c"), "/4"),
      withResponse(node("d"), "/5"),
      withBody(node("a"), "/6"),
      withBody(node("d"), "/7"),
    ]);
    assertEquals(
      Object.values(paths).map(({ get, post }) => /schemas\/(\w+)/.exec(JSON.stringify(get ?? post))?.[1]),
      ["Node", "Node", "NodeInput", "NodeOutput", "NodeOutput2", "Node", "NodeInput2"],
    );
    const leaves = Object.entries(components.schemas).filter(([name]) => name.startsWith("Leaf"));
    assertEquals(Object.fromEntries(leaves), {
      Leaf: { const: "a" },
      LeafInput: { const: "b" },
      LeafOutput: { const: "c" },
      LeafOutput2: { const: "d" },
      LeafInput2: { const: "d" },
    });
  });

  it("follows them to any place, with the encodings of a JSON Pointer", () => {
    const body = schemaOf({
      properties: { "a/b~c d": { type: "integer" }, "": { type: "null" }, p: { anyOf: [{ const: 1 }] } },
      items: { $ref: "#/properties/a~1b~0c%20d" },
      not: { $ref: "#/properties/p/anyOf/0" },
      contains: { $ref: "#/properties/" },
      if: { $ref: "#/definitions/old" },
      definitions: { old: true },
    });
    const { paths, components } = documentOf([withBody(body)]);
    const schema = paths["/b"]?.post?.requestBody?.content["application/json"]?.schema;
    assertEquals(Object.entries(schema ?? {}).slice(1), [
      ["items", { $ref: "#/components/schemas/a_b_c_d" }],
      ["not", { $ref: "#/components/schemas/0" }],
      ["contains", { $ref: "#/components/schemas/postBBody" }],
      ["if", { $ref: "#/components/schemas/old" }],
    ]);
    assertEquals(components.schemas, {
      a_b_c_d: { type: "integer" },
      0: { const: 1 },
      postBBody: { type: "null" },
      old: true,
    });
  });

  it("finds them in every subschema, and nowhere else", () => {
    const $ref = "#/$defs/A";
    const lifted = "#/components/schemas/A";
    const single =
      "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems " +
      "unevaluatedProperties";
    const list = "allOf anyOf oneOf prefixItems";
    const map = "$defs definitions dependentSchemas patternProperties properties";
    const build = (target: string, other = target): Record<string, unknown> => ({
      ...Object.fromEntries(single.split(" ").map((keyword) => [keyword, { $ref: target }])),
      ...Object.fromEntries(list.split(" ").map((keyword) => [keyword, [{ $ref: target }, true]])),
      ...Object.fromEntries(
        map.split(" ").map((keyword) => [keyword, { default: { $ref: target }, $ref: { $ref: target } }]),
      ),
      ...Object.fromEntries(
        ["default", "const", "example", "x-own"].map((keyword) => [keyword, { $ref: other, items: { $ref: other } }]),
      ),
      enum: [{ $ref: other }],
      examples: [{ $ref: other }],
    });
    const { $defs: _, definitions: __, ...outer } = build($ref);
    const body = bodyOf(withBody(schemaOf({ ...outer, anyOf: [build($ref)], $defs: { A: text } })));
    const { $defs: ___, definitions: ____, ...expected } = build(lifted, $ref);
    assertEquals(body, { ...expected, anyOf: [build(lifted, $ref)] });
  });

  it("copies keywords with values of the wrong type unchanged", () => {
    const odd = { type: "object", properties: [{ $ref: "#/no" }], allOf: { $ref: 1 }, items: "x", not: null, $ref: 7 };
    assertEquals(bodyOf(withBody(schemaOf(odd))), odd);
  });

  it("resolves the $id of the whole schema, and leaves subschemas with their own $id and external references unchanged", () => {
    const own = { $id: "https://example.com/own", properties: { a: { $ref: "#/properties/a" } } };
    const elsewhere = { $ref: "https://example.com/elsewhere#/$defs/x" };
    const body = {
      $id: "Tree",
      properties: {
        own,
        elsewhere,
        tree: { $ref: "Tree" },
        leaf: { $ref: "Tree#/$defs/L" },
        local: { $ref: "#/$defs/L" },
      },
    };
    const { components } = documentOf([withBody(schemaOf({ ...body, $defs: { L: text } }))]);
    assertEquals(components.schemas, {
      postBBody: {
        properties: {
          own,
          elsewhere,
          tree: { $ref: "#/components/schemas/postBBody" },
          leaf: { $ref: "#/components/schemas/L" },
          local: { $ref: "#/components/schemas/L" },
        },
      },
      L: text,
    });
    const { components: lifted } = documentOf([withBody(schemaOf({ $ref: "#/$defs/own", $defs: { own } }))]);
    assertEquals(lifted.schemas, { own });
  });

  it("rejects those without a target and names the route, or leaves the schema open", () => {
    const nowhere = [
      "#/$defs/A",
      "#/$defs/toString",
      "#anchor",
      "#/title",
      "#/required/0",
      "Other",
      "./a.json",
      "#/a/%",
      "#/__proto__",
      "#/nowhere/deeper",
      "https://example.com/#/a/%",
    ];
    for (const $ref of nowhere) {
      const whole = { $id: "https://example.com/", title: "x", required: ["a"], items: { $ref }, $defs: { B: {} } };
      const routes = [withBody(schemaOf(whole))];
      assertEquals(
        refusal(routes).message,
        'Schema of the body of route POST "/b" must be expressible as JSON Schema: ' +
          `it refers to ${JSON.stringify($ref)}, which it does not hold`,
      );
      const { paths, components } = documentOf(routes, { unrepresentable: "open" });
      assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {});
      assertEquals(components.schemas, {});
    }
  });

  it("converts tuples from draft 7 to draft 2020-12", () => {
    const old = { $schema: "http://json-schema.org/draft-07/schema#", items: [text, { $ref: "#/definitions/A" }] };
    const definitions = { A: { items: [true], additionalItems: { $ref: "#/definitions/A" } } };
    const { paths, components } = documentOf([withBody(schemaOf({ ...old, definitions }))]);
    const reference = { $ref: "#/components/schemas/A" };
    assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {
      prefixItems: [text, reference],
    });
    assertEquals(components.schemas, { A: { prefixItems: [true], items: reference } });
  });

  it("treats names such as __proto__ and constructor like any other", () => {
    const json =
      '{"properties":{"__proto__":{"$ref":"#/$defs/__proto__"},"constructor":{"$ref":"#/$defs/constructor"}},' +
      '"required":["__proto__"],"$defs":{"__proto__":{"type":"null"},"constructor":{"type":"integer"}}}';
    const document = documentOf([withBody(schemaOf(JSON.parse(json))), withQuery(schemaOf(JSON.parse(json)))]);
    assertEquals(
      JSON.stringify(document.components.schemas),
      '{"__proto__":{"type":"null"},"constructor":{"type":"integer"}}',
    );
    assertEquals(document.paths["/q"]?.get?.parameters?.map(({ name, required }) => [name, required]), [
      ["__proto__", true],
      ["constructor", undefined],
    ]);
    assertEquals(Object.keys(Object.prototype), []);
  });
});

describe("openapi() on schemas without Standard JSON Schema", () => {
  const own = { own: true };
  const convert = (schema: unknown) => schema === own ? { type: "string" } : undefined;

  it("calls toJsonSchema with the side", () => {
    const asked: unknown[] = [];
    const routes = [
      route.post("/", {
        request: { body: own },
        responses: { 200: { schema: own } },
        resolve: unused,
      }),
    ];
    documentOf(routes, { toJsonSchema: (...args) => (asked.push(args), true) });
    assertEquals(asked, [[own, "input"], [own, "output"]]);
  });

  it("does not call it for schemas with Standard JSON Schema", () => {
    const body = bodyOf(withBody(schemaOf(text)), { toJsonSchema: () => assert(false) ?? {} });
    assertEquals(body, text);
  });

  it("calls it if a schema fails to convert itself", () => {
    const body = z.object({ at: z.date() });
    const toJsonSchema = (schema: unknown) =>
      schema instanceof z.ZodType ? z.toJSONSchema(schema, { unrepresentable: "any" }) : undefined;
    assertEquals(bodyOf(withBody(body), { toJsonSchema }), {
      type: "object",
      properties: { at: {} },
      required: ["at"],
      additionalProperties: false,
    });
  });

  it("names the route of a schema that nothing can convert, and keeps the reason", () => {
    const place = 'Schema of the body of route POST "/b" must be expressible as JSON Schema: ';
    const unknown = 'it has no "~standard".jsonSchema, and there is no toJsonSchema that knows it';
    for (const schema of [{}, null, 1, v.string(), { "~standard": null }, { "~standard": {} }, () => true]) {
      assertEquals(refusal([withBody(schema)]).message, place + unknown);
      assertEquals(refusal([withBody(schema)], { toJsonSchema: convert }).message, place + unknown);
    }
    const date = refusal([withBody(z.date())], { toJsonSchema: convert });
    assertEquals(date.message, `${place}Date cannot be represented in JSON Schema`);
    assertInstanceOf(date.cause, Error);
    const thrown = new Error("No idea");
    const toJsonSchema = () => {
      throw thrown;
    };
    assertStrictEquals(refusal([withBody(own)], { toJsonSchema }).cause, thrown);
    const both = refusal([withBody(z.date())], { toJsonSchema });
    assertEquals(both.message, `${place}Date cannot be represented in JSON Schema; No idea`);
    assertInstanceOf(both.cause, AggregateError);
    assertStrictEquals(both.cause.errors[1], thrown);
    const text = refusal([withBody(own)], {
      toJsonSchema: () => {
        throw "text";
      },
    });
    assertEquals([text.message, text.cause], [`${place}a string`, "text"]);
    assertMatch(
      refusal([withResponse(own)]).message,
      /^Schema of the response 200 of route GET "\/r" must be expressible/,
    );
  });

  it("names the route if the result is not a JSON Schema", () => {
    for (const made of [null, [], "string", 1, Promise.resolve({})]) {
      const toJsonSchema = () => made as object;
      assertMatch(
        refusal([withBody(own)], { toJsonSchema }).message,
        /POST "\/b".*it must be expressed as an object or /,
      );
      assertMatch(refusal([withBody(schemaOf(made))]).message, /POST "\/b".*it must be expressed as an object or /);
    }
    const lame = { "~standard": { jsonSchema: { input: 1 } } };
    assertMatch(refusal([withBody(lame)]).message, /function "~standard"\.jsonSchema\.input: received a number$/);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const made of [circular, { maximum: 1n }]) {
      assertMatch(refusal([withBody(schemaOf(made))]).message, /^Schema of the body of route POST "\/b" must be/);
    }
  });

  it("leaves them open with `unrepresentable`, and the rest of the document unchanged", () => {
    const open = { unrepresentable: "open" } as const;
    const everywhere = route.post("/:id", {
      request: { params: own, query: own, body: own },
      responses: { 200: { schema: own } },
      resolve: unused,
    });
    assertEquals(operationOf(everywhere, open), {
      operationId: "postById",
      parameters: [pathParameter("id")],
      requestBody: { required: true, content: { "application/json": { schema: {} } } },
      responses: { 200: { description: "Successful", content: { "application/json": { schema: {} } } } },
    });
    assertEquals(bodyOf(withBody(own), { ...open, toJsonSchema: convert }), text);
  });
});

describe("openapi() on the schemas of", () => {
  const isValibot = (schema: unknown): schema is v.GenericSchema =>
    typeof schema === "object" && schema !== null && "kind" in schema && schema.kind === "schema";
  const fromValibot = (schema: unknown, side: "input" | "output") =>
    isValibot(schema) ? toJsonSchema(schema, { typeMode: side, target: "draft-2020-12" }) : undefined;
  const operation = (query: unknown, body: unknown, options: Partial<OpenApiOptions> = {}): readonly unknown[] => {
    const { parameters, requestBody } = operationOf(
      route.post("/", { request: { query, body }, resolve: ok }),
      options,
    );
    return [parameters?.map(({ name, required, schema }) => [name, required, schema]), requestBody?.content];
  };
  const titled = (limit: unknown, more: object = {}): readonly unknown[] => [
    [["limit", undefined, limit], ["q", undefined, text]],
    { "application/json": { schema: { type: "object", properties: { title: text }, required: ["title"], ...more } } },
  ];

  it("Zod has the input side", () => {
    const query = z.object({ limit: z.coerce.number().default(20), q: z.string().optional() });
    assertEquals(operation(query, z.object({ title: z.string() })), titled({ default: 20, type: "number" }));
  });

  it("ArkType has the input side", () => {
    const query = type({ limit: type("string").pipe(Number).default("20"), "q?": "string" });
    assertEquals(operation(query, type({ title: "string" })), titled({ type: "string" }));
  });

  it("Valibot has the input side, by its converter or its wrapper", () => {
    const query = v.object({
      limit: v.optional(v.pipe(v.string(), v.toNumber()), "20"),
      q: v.optional(v.string()),
    });
    const body = v.object({ title: v.string() });
    const expected = titled({ type: "string", default: "20" });
    assertEquals(operation(query, body, { toJsonSchema: fromValibot }), expected);
    assertEquals(operation(toStandardJsonSchema(query), toStandardJsonSchema(body)), expected);
  });

  it("Effect has the input side, by its converter or its wrapper", () => {
    const query = Schema.toStandardSchemaV1(
      Schema.Struct({ limit: Schema.optionalKey(Schema.FiniteFromString), q: Schema.optionalKey(Schema.String) }),
    );
    const body = Schema.toStandardSchemaV1(Schema.Struct({ title: Schema.String }));
    const expected = titled(text, { additionalProperties: true });
    const fromEffect = (schema: unknown, side: "input" | "output") =>
      Schema.isSchema(schema)
        ? Schema.toStandardJSONSchemaV1(schema)["~standard"].jsonSchema[side]({ target: "draft-2020-12" })
        : undefined;
    assertEquals(operation(query, body, { toJsonSchema: fromEffect }), expected);
    assertEquals(operation(Schema.toStandardJSONSchemaV1(query), Schema.toStandardJSONSchemaV1(body)), expected);
  });

  it("all of them may be recursive, side by side in one app", () => {
    const zodTree = z.object({
      name: z.string(),
      get children() {
        return z.array(zodTree);
      },
    });
    const zodNode = z.object({
      get next() {
        return zodNode.nullable();
      },
    }).meta({ id: "Node" });
    interface ValibotTree {
      readonly children: readonly ValibotTree[];
    }
    const valibotTree: v.GenericSchema<ValibotTree> = v.object({ children: v.array(v.lazy(() => valibotTree)) });
    const arkTree = type({ name: "string", "children?": "this[]" });
    const schemas = [zodTree, zodNode, valibotTree, arkTree];
    const { components, paths } = documentOf(
      schemas.map((schema, index) => withBody(schema, `/${index}`)),
      { toJsonSchema: fromValibot },
    );
    const references = JSON.stringify({ components, paths }).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    const names = Array.from(references, ([, name = ""]) => name);
    assert(names.length >= 8);
    assertEquals(names.filter((name) => !(name in components.schemas)), []);
    assertEquals(components.schemas.Node, {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }] } },
      required: ["next"],
    });
  });
});

describe("the document", () => {
  const Book = z.object({ id: z.string(), tags: z.array(z.string()).default(["x"]) }).meta({ id: "Book" });
  const routes = [
    route.put("/books/:id", {
      request: { params: z.object({ id: z.string() }), query: z.object({ q: z.enum(["a", "b"]) }), body: Book },
      responses: { 200: { schema: Book } },
      docs: { tags: ["books"] },
      resolve: unused,
    }),
    withResponse(z.array(Book)),
  ];

  it("is plain data that survives a round trip through JSON", () => {
    const document = documentOf(routes, { servers: [{ url: "/" }] });
    assertEquals(JSON.parse(JSON.stringify(document)), document);
    assert(!JSON.stringify(document).includes("~standard"));
  });

  it("is the same every time", () => {
    assertEquals(JSON.stringify(documentOf(routes)), JSON.stringify(documentOf(routes)));
  });

  it("belongs to the caller: it shares no object with schemas, docs or options, and contains none twice", () => {
    const json = {
      type: "object",
      properties: { a: { $ref: "#/$defs/E" }, b: { enum: ["x"] } },
      $defs: { E: { enum: [] } },
    };
    const tags = ["books"];
    const shared = [
      withBody(schemaOf(json), "/1"),
      withBody(schemaOf(json), "/2"),
      route.on(["GET", "HEAD"], "/3", {
        responses: { 200: { schema: schemaOf(json) } },
        docs: { tags },
        resolve: unused,
      }),
    ];
    const servers = [{ url: "/" }];
    const before = JSON.stringify([json, tags, servers, info]);
    const document = documentOf(shared, { servers });
    const seen = new Set<object>();
    const spoil = (value: object) => {
      assert(!seen.has(value), "twice in one document");
      seen.add(value);
      for (const item of Object.values(value)) if (typeof item === "object" && item !== null) spoil(item);
      Object.assign(value, { spoiled: true });
    };
    spoil(document);
    assertEquals(JSON.stringify([json, tags, servers, info]), before);
    assert(!JSON.stringify(documentOf(shared, { servers })).includes("spoiled"));
  });

  it("describes exactly the input that the app accepts", async () => {
    const query = z.object({ tag: z.array(z.string()), limit: z.coerce.number().default(20) });
    const app = setup({
      validator: standardSchema,
      handlers: [
        route.get("/a/:x/*", {
          request: { query },
          resolve: ({ input, raw }) => Response.json(input.ok ? [raw.params, input.query] : input.issues),
        }),
      ],
    });
    const [[path = ""] = []] = Object.entries(documentOf(app.routes).paths);
    const url = path.replace("{x}", "1").replace("{rest}", "b/c") + "?tag=a&tag=b";
    assertEquals(await (await app.fetch(request(url))).json(), [{ x: "1", "*": "b/c" }, {
      tag: ["a", "b"],
      limit: 20,
    }]);
  });

  it("takes work that is linear in the number of routes with schemas of their own", () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      route.post(`/things${n}/:id/*`, {
        request: {
          params: z.object({ id: z.uuid() }),
          query: z.object({ limit: z.coerce.number().default(20), [`q${n}`]: z.string().optional() }),
          body: z.object({ name: z.string().min(1), [`books${n}`]: z.array(Book) }),
        },
        responses: { 201: { schema: Book }, 400: { schema: z.object({ n: z.literal(n) }) } },
        docs: { summary: `Thing ${n}` },
        resolve: unused,
      }));
    documentOf(many.slice(0, 1)); // Zod builds some of its tables when it is first used.
    assertLinear((length) => assertEquals(Object.keys(documentOf(many.slice(0, length)).paths).length, length), 100);
  });
});

describe("the options of openapi()", () => {
  const refusalOf = (options: unknown) => assertThrows(() => openapi(options as OpenApiOptions), TypeError).message;

  it("are rejected if they have the wrong shape", () => {
    const routes: AnyRoute[] = [];
    assertEquals(refusalOf(undefined), "Options of openapi must be an object: received undefined");
    assertEquals(refusalOf({ routes }), "Option info must be an object: received undefined");
    assertEquals(refusalOf({ routes, info: {} }), "Option info.title must be a string: received undefined");
    assertEquals(
      refusalOf({ routes, info: { title: "" } }),
      "Option info.version must be a string: received undefined",
    );
    assertEquals(refusalOf({ info }), "Option routes must be an array of routes: received undefined");
    assertEquals(
      refusalOf({ info, routes, toJsonSchema: "valibot" }),
      "Option toJsonSchema must be a function: received a string",
    );
    assertEquals(
      refusalOf({ info, routes, unrepresentable: "any" }),
      'Option unrepresentable must be "throw" or "open": received "any"',
    );
  });

  it("may be only info and routes", () => {
    assertEquals(openapi({ info, routes: [] }), { openapi: "3.1.0", info, paths: {}, components: { schemas: {} } });
    assertEquals(openapi({ info, routes: [], unrepresentable: "throw" }).paths, {});
  });
});

function fail(): never {
  throw new Error("There is no such route");
}
