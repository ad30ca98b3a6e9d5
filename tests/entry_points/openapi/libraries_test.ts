/** Schemas of each library, and how those without Standard JSON Schema are converted. */
import { assert, assertEquals, assertInstanceOf, assertMatch, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { toJsonSchema, toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import { route } from "../../../mod.ts";
import type { OpenApiOptions } from "../../../src/openapi/mod.ts";
import {
  bodyOf,
  documentOf,
  ok,
  operationOf,
  pathParameter,
  refusal,
  schemaOf,
  text,
  unused,
  withBody,
  withResponse,
} from "./document_of.ts";

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
    const remedy = "let the schema convert text or JSON, as z.coerce.date() does, or give the option toJsonSchema";
    assertEquals(date.message, `${place}Date cannot be represented in JSON Schema: ${remedy}`);
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
        /POST "\/b".*must return an object or /,
      );
      assertMatch(refusal([withBody(schemaOf(made))]).message, /POST "\/b".*must return an object or /);
    }
    const lame = { "~standard": { jsonSchema: { input: 1 } } };
    assertMatch(refusal([withBody(lame)]).message, /function "~standard"\.jsonSchema\.input: received a number$/);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const made of [circular, { maximum: 1n }]) {
      assertMatch(refusal([withBody(schemaOf(made))]).message, /^Schema of the body of route POST "\/b" must be/);
    }
  });

  it("with `unrepresentable`, allows any value there, and leaves the rest of the document unchanged", () => {
    const any = { unrepresentable: "any" } as const;
    const everywhere = route.post("/:id", {
      request: { params: own, query: own, body: own },
      responses: { 200: { schema: own } },
      resolve: unused,
    });
    assertEquals(operationOf(everywhere, any), {
      operationId: "postById",
      parameters: [pathParameter("id")],
      requestBody: { required: true, content: { "application/json": { schema: {} } } },
      responses: { 200: { description: "Successful", content: { "application/json": { schema: {} } } } },
    });
    assertEquals(bodyOf(withBody(own), { ...any, toJsonSchema: convert }), text);
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
