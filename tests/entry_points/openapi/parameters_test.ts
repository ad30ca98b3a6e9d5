/** The parameters of an operation, from the schemas of query, headers and cookies. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type RequestSchemas, route } from "../../../mod.ts";
import { documentOf, ok, operationOf, pathParameter, refusal, schemaOf, text, withQuery } from "./document_of.ts";

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

  it("rejects unions and non-objects and names the route, or allows any query", () => {
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
      assertEquals(operationOf(withQuery(query), { unrepresentable: "any" }).parameters, undefined);
    }
    const params = route.get("/:id", { request: { params: union as unknown }, resolve: ok });
    assertMatch(refusal([params]).message, /^Schema of the params of route GET "\/:id" must be expressible/);
    assertEquals(operationOf(params, { unrepresentable: "any" }).parameters, [pathParameter("id")]);
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
    const { parameters } = operationOf(named("If-Match"), { unrepresentable: "any" });
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

  it("are those of the scope and of the route, also one called __proto__", () => {
    const [ofScope, ofRoute] = ["minLength", "maxLength"].map((rule) =>
      schemaOf(JSON.parse(`{"type":"object","properties":{"__proto__":{"type":"string","${rule}":2}}}`))
    );
    const scope = route.with({ request: { query: ofScope } });
    const { parameters } = operationOf(scope.get("/q", { request: { query: ofRoute }, resolve: ok }));
    assertEquals(parameters?.map(({ name, schema }) => [name, schema]), [
      ["__proto__", { allOf: [{ type: "string", minLength: 2 }, { type: "string", maxLength: 2 }] }],
    ]);
  });
});
