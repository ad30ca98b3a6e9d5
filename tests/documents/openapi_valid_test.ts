/** Validates generated documents with an OpenAPI validator and a JSON Schema validator from npm. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Validator } from "@seriousme/openapi-schema-validator";
import { toJsonSchema } from "@valibot/to-json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import { type AnyRoute, reply, route } from "../../mod.ts";
import { events, lines } from "../../src/events/mod.ts";
import { openapi, type OpenApiDocument, type ToJsonSchema } from "../../src/openapi/mod.ts";
import { assertOpenApi } from "../support/assert_openapi.ts";
import { granted } from "../support/granted.ts";

const info = { title: "Test", version: "1.0.0" };
const ok = () => new Response();
/** A handler that fits any declared responses. It is not called. */
const unused = (): never => {
  throw new Error("called");
};

const toJsonSchemaOfAny: ToJsonSchema = (schema, side) =>
  isValibot(schema)
    ? toJsonSchema(schema, { typeMode: side, target: "draft-2020-12" })
    : Schema.isSchema(schema)
    ? Schema.toStandardJSONSchemaV1(schema)["~standard"].jsonSchema[side]({ target: "draft-2020-12" })
    : undefined;

function isValibot(schema: unknown): schema is v.GenericSchema {
  return typeof schema === "object" && schema !== null && "kind" in schema && schema.kind === "schema";
}

/** The same schemas, written with one library. */
interface Library {
  readonly name: string;
  readonly params: unknown;
  readonly query: unknown;
  /** `{ title, tags, kind: "a" | "b", pair: [string, number], tree: { children } }`. `tree` is recursive. */
  readonly body: unknown;
}

interface Tree {
  readonly children: readonly Tree[];
}

const zodTree = z.object({
  get children() {
    return z.array(zodTree);
  },
}).meta({ id: "Tree<of Zod>" });
const valibotTree: v.GenericSchema<Tree> = v.object({ children: v.array(v.lazy(() => valibotTree)) });
class EffectTree extends Schema.Class<EffectTree>("EffectTree")({
  children: Schema.Array(Schema.suspend((): Schema.Codec<EffectTree, unknown> => EffectTree)),
}) {}

const libraries: readonly Library[] = [
  {
    name: "Zod",
    params: z.object({ id: z.uuid() }),
    query: z.object({
      limit: z.coerce.number().int().min(1).default(20),
      tag: z.array(z.string()).optional(),
      since: z.iso.datetime().transform((at) => new Date(at)).optional(),
    }),
    body: z.object({
      title: z.string().min(1).describe("As on the cover"),
      tags: z.array(z.string()),
      kind: z.enum(["a", "b"]),
      pair: z.tuple([z.string(), z.number()]),
      tree: zodTree,
    }),
  },
  {
    name: "Valibot",
    params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
    query: v.intersect([
      v.object({ limit: v.optional(v.pipe(v.string(), v.toNumber(), v.minValue(1)), "20") }),
      v.object({ tag: v.optional(v.array(v.string())), since: v.optional(v.pipe(v.string(), v.isoTimestamp())) }),
    ]),
    body: v.object({
      title: v.pipe(v.string(), v.minLength(1), v.description("As on the cover")),
      tags: v.array(v.string()),
      kind: v.picklist(["a", "b"]),
      pair: v.tuple([v.string(), v.number()]),
      tree: valibotTree,
    }),
  },
  {
    name: "ArkType",
    params: type({ id: "string.uuid" }),
    query: type({ limit: type("string.integer.parse").default("20"), "tag?": "string[]", "since?": "string.date.iso" }),
    body: type({
      title: type("string > 0").describe("as on the cover"),
      tags: "string[]",
      kind: "'a' | 'b'",
      pair: ["string", "number"],
      tree: type({ children: "this[]" }),
    }),
  },
  {
    name: "Effect",
    params: Schema.toStandardSchemaV1(Schema.Struct({ id: Schema.String })),
    query: Schema.toStandardSchemaV1(Schema.Struct({
      limit: Schema.optionalKey(Schema.FiniteFromString),
      tag: Schema.optionalKey(Schema.Array(Schema.String)),
      since: Schema.optionalKey(Schema.DateFromString),
    })),
    body: Schema.toStandardSchemaV1(Schema.Struct({
      title: Schema.NonEmptyString.annotate({ description: "As on the cover" }),
      tags: Schema.Array(Schema.String),
      kind: Schema.Literals(["a", "b"]),
      pair: Schema.Tuple([Schema.String, Schema.Number]),
      tree: EffectTree,
    })),
  },
];

function routesOf({ name, params, query, body }: Library): readonly AnyRoute[] {
  return [
    route.put(`/${name}/:id/*`, {
      request: { params, query, body },
      responses: { 200: { schema: body }, "4XX": { description: "Wrong" }, default: {} },
      resolve: () => reply(500),
    }),
    route.post(`/${name}/:key`, { request: { body }, resolve: ok }),
  ];
}

describe("a document with schemas of", () => {
  for (const library of libraries) {
    it(`a document with schemas of ${library.name} is valid, and its body schema accepts exactly the described input`, async () => {
      const document = openapi({ info, routes: routesOf(library), toJsonSchema: toJsonSchemaOfAny });
      const checks = await assertOpenApi(document);
      const { parameters = [], requestBody } = document.paths[`/${library.name}/{id}/{rest}`]?.put ?? {};
      assertEquals(parameters.map(({ name, required }) => `${name} ${required ?? false}`).toSorted(), [
        "id true",
        "limit false",
        "rest true",
        "since false",
        "tag false",
      ]);
      const schema = requestBody?.content["application/json"]?.schema ?? false;
      const tree = { children: [{ children: [] }, { children: [{ children: [] }] }] };
      const body = { title: "Emma", tags: ["x"], kind: "b", pair: ["a", 1], tree };
      checks.get(schema)?.(body);
      const wrong = [
        { title: "" },
        { kind: "c" },
        { tags: [1] },
        { pair: [1, "a"] },
        { tree: { children: [{ children: [{}] }] } },
        { tree: undefined },
      ];
      for (const change of wrong) {
        await assertRejects(() => Promise.resolve().then(() => checks.get(schema)?.({ ...body, ...change })), Error);
      }
    });
  }

  it("a document with schemas of all libraries together is valid, and gives different schemas different names", async () => {
    const routes = libraries.flatMap(routesOf);
    await assertOpenApi(openapi({ info, routes, toJsonSchema: toJsonSchemaOfAny }));
    await assertOpenApi(openapi({ info, routes: routes.toReversed(), toJsonSchema: toJsonSchemaOfAny }));
  });
});

describe("a document of", () => {
  const securitySchemes = {
    bearer: { type: "http", scheme: "bearer", bearerFormat: "opaque" },
    key: { type: "apiKey", name: "x-key", in: "header" },
  } as const;

  it("a document of every kind of path and method is valid", async () => {
    const body = z.object({ a: z.string() });
    const paths = ["/", "/a", "/a/", "/a/b", "/a/:x", "/:x/b", "/a/:x/*", "/*", "/café", "/:rest/:$y/*"];
    const routes = [
      ...paths.map((path) => route.get(path, { resolve: ok })),
      route.all("/a/:other", { request: { body }, resolve: ok }),
      route.on(["HEAD", "OPTIONS", "TRACE", "POST"], "/a", { docs: { operationId: "several" }, resolve: ok }),
      route.on(["PROPFIND", "QUERY", "PUT"], "/a", { resolve: ok }),
    ];
    const document = openapi({ info, routes, unrepresentable: "any" });
    await assertOpenApi(document);
    assertEquals(Object.values(document.paths).flatMap((item) => Object.keys(item)).length, 10 + 7 + 4 + 1);
  });

  it("a document of routes with every option of docs and of the document is valid", async () => {
    const docs = {
      summary: "Shows it",
      description: "All of *it*",
      tags: ["a", "b"],
      operationId: "show it",
      deprecated: true,
      security: [{ bearer: [], key: [] }, {}],
    };
    const etag = { description: "Changes with it", schema: z.string(), required: true };
    const responses = {
      100: {},
      200: {
        description: "It",
        schema: z.object({}),
        contentType: "application/vnd.books.v2+json",
        headers: { etag, "x-request-id": {} },
      },
      206: { contentType: "image/png" },
      "3XX": {},
      404: { schema: z.object({ error: z.string() }) },
      default: { schema: z.any() },
    };
    const document = openapi({
      info: {
        ...info,
        summary: "A test",
        description: "",
        termsOfService: "https://example.com/terms",
        contact: { name: "Ada", url: "https://example.com", email: "ada@example.com" },
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/" }, { url: "https://{x}.example.com", variables: { x: { default: "a", enum: ["a", "b"] } } }],
      tags: [{ name: "a", description: "The first" }, { name: "b" }],
      security: [{ key: [] }],
      securitySchemes,
      routes: [
        route.get("/", { responses, docs, resolve: unused }),
        route.put("/", { responses: {}, resolve: unused }),
      ],
    });
    await assertOpenApi(document);
  });

  it("a document of no routes is valid", async () => {
    await assertOpenApi(openapi({ info, routes: [] }));
  });

  it("a document of schemas that allow any value is valid", async () => {
    const schema = () => true;
    const routes = [
      route.post("/:id/*", {
        request: { params: schema, query: schema, body: schema },
        responses: { 200: { schema } },
        resolve: () => reply(200, {}),
      }),
    ];
    await assertOpenApi(openapi({ info, routes, unrepresentable: "any" }));
  });
});

describe("a document of OpenAPI 3.2", () => {
  const row = z.object({ id: z.int(), at: z.iso.datetime() }).meta({ id: "Row" });
  const responses = {
    200: events({ token: z.object({ text: z.string() }), message: row }),
    206: lines(row),
  };
  const chat = route.get("/chat", { responses, resolve: unused });
  const document = openapi({ openapi: "3.2.0", info, routes: [chat, route.get("/:id/*", { resolve: ok })] });

  (granted("read") ? it : it.skip)("a document of OpenAPI 3.2 is valid", async () => {
    const check = new Validator();
    const { valid, errors } = await check.validate(structuredClone<object>(document) as Record<string, unknown>);
    assertEquals([valid, errors, check.version], [true, undefined, "3.2"]);
    // The validator knows the keyword.
    const broken = JSON.parse(JSON.stringify(document).replace('"itemSchema":{', '"itemSchema":3,"x-was":{'));
    assertEquals((await new Validator().validate(broken)).valid, false);
  });

  it("a document of OpenAPI 3.2 has schemas of items that Ajv accepts, and that accept the items", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, "document");
    const at = "document#/paths/~1chat/get/responses/";
    const event = ajv.compile({ $ref: `${at}200/content/text~1event-stream/itemSchema` });
    const line = ajv.compile({ $ref: `${at}206/content/application~1jsonl/itemSchema` });
    for (const item of [{ event: "token", data: "{}", id: "1" }, { data: "{}" }, { event: "message", data: "1" }]) {
      assert(event(item), JSON.stringify(item));
    }
    for (const item of [{ event: "other", data: "{}" }, { event: "token" }, { event: "token", data: {} }, {}]) {
      assert(!event(item), JSON.stringify(item));
    }
    assert(line({ id: 1, at: "2026-01-01T00:00:00Z" }));
    assert(!line({ id: "1" }));
  });

  (granted("env", "read") ? it : it.skip)("a document of OpenAPI 3.2 is read by openapi-typescript", async () => {
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const types = astToString(await openapiTS(JSON.stringify(document)));
    for (const part of ['"/chat": {', '"text/event-stream": unknown', '"application/jsonl": unknown', "Row: {"]) {
      assert(types.includes(part), `${part} is not in ${types}`);
    }
  });
});

describe("assertOpenApi()", () => {
  const rejects = async (change: (document: OpenApiDocument) => void) => {
    const document = openapi({ info, routes: [route.get("/a/:x", { resolve: ok })] });
    change(document);
    await assertRejects(() => assertOpenApi(document), Error);
  };

  it("assertOpenApi() rejects documents that are not valid OpenAPI", async () => {
    await rejects((document) => delete document.paths["/a/{x}"]?.get?.parameters);
    await rejects((document) => document.components.schemas.A = { $ref: "#/components/schemas/B" });
    await rejects((document) => document.components.schemas.A = { type: "strin" });
    await rejects((document) => document.components.schemas["A B"] = {});
    await rejects((document) =>
      document.paths["/b"] = { get: { operationId: "getAByX", responses: { 200: { description: "" } } } }
    );
  });
});
