import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../../entry_points/standard_schema/arktype_jitless.ts";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Effect, Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import { endpoint, reply, route, setup, type Validator } from "../../../mod.ts";
import { decompressed, form, optional } from "../../../src/body/mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { accepting } from "../../support/accepting.ts";
import { request } from "../../support/request.ts";

/** The query that a handler gets, the query as received, or what failed. */
async function queryOf(schema: unknown, search: string, validator: Validator = standardSchema): Promise<unknown> {
  let seen: unknown;
  const app = setup({
    validator,
    handlers: [route.get("/", {
      request: { query: schema },
      resolve({ input }) {
        seen = input.ok ? input.query : input.failed;
        return new Response();
      },
    })],
  });
  await app.fetch(request(`/${search}`));
  return JSON.parse(JSON.stringify(seen));
}

const ofEffect = (schema: Schema.Top) =>
  Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema as Schema.Codec<unknown>));

const LIBRARIES: { readonly [name: string]: unknown } = {
  Zod: z.object({
    ids: z.array(z.string()),
    numbers: z.array(z.coerce.number()).optional(),
    tags: z.array(z.string()).default(["all"]),
    one: z.string().optional(),
  }),
  Valibot: toStandardJsonSchema(v.object({
    ids: v.array(v.string()),
    numbers: v.optional(v.array(v.pipe(v.string(), v.toNumber()))),
    tags: v.optional(v.array(v.string()), ["all"]),
    one: v.optional(v.string()),
  })),
  ArkType: type({
    ids: "string[]",
    "numbers?": type("string.numeric.parse").array(),
    tags: type("string[]").default(() => ["all"]),
    "one?": "string",
  }),
  Effect: ofEffect(Schema.Struct({
    ids: Schema.Array(Schema.String),
    numbers: Schema.optional(Schema.Array(Schema.NumberFromString)),
    tags: Schema.Array(Schema.String).pipe(Schema.withDecodingDefault(Effect.succeed(["all"]))),
    one: Schema.optional(Schema.String),
  })),
};

describe("a list in a query", () => {
  for (const [library, schema] of Object.entries(LIBRARIES)) {
    it(`is one of ${library} if its key comes twice, once or, if it is required, not at all`, async () => {
      const tags = ["all"];
      assertEquals(await queryOf(schema, "?ids=a&ids=b"), { ids: ["a", "b"], tags });
      assertEquals(await queryOf(schema, "?ids=a"), { ids: ["a"], tags });
      assertEquals(await queryOf(schema, ""), { ids: [], tags });
      assertEquals(await queryOf(schema, "?ids=&tags=x&numbers=1"), { ids: [""], tags: ["x"], numbers: [1] });
      assertEquals(await queryOf(schema, "?numbers=1&numbers=2"), { ids: [], tags, numbers: [1, 2] });
      // Effect makes NaN of any text.
      if (library !== "Effect") assertEquals(await queryOf(schema, "?numbers=x"), ["query"]);
      assertEquals(await queryOf(schema, "?one=a&one=b"), ["query"]);
    });
  }

  it("may be nullable, read-only, a tuple, of references, and in parts of a schema", async () => {
    const list = z.array(z.string());
    const named = list.meta({ id: "Names" });
    for (
      const ids of [
        list.nullable(),
        list.nullish(),
        list.readonly(),
        list.min(1).max(3),
        named,
        z.tuple([z.string()]),
        z.union([list, z.array(z.coerce.number())]),
        z.lazy(() => list),
        list.transform((values) => values),
        z.intersection(list, list),
        list.catch([]),
      ]
    ) {
      assertEquals(await queryOf(z.object({ ids }), "?ids=a"), { ids: ["a"] });
      assertEquals(await queryOf(z.intersection(z.object({ ids }), z.object({ b: z.string() })), "?ids=a&b=c"), {
        ids: ["a"],
        b: "c",
      });
      assertEquals(await queryOf(z.object({ ids }).optional(), "?ids=a"), { ids: ["a"] });
      const both = z.union([z.object({ ids, a: z.string() }), z.object({ ids, b: z.string() })]);
      assertEquals(await queryOf(both, "?ids=a&b=c"), { ids: ["a"], b: "c" });
    }
    assertEquals(await queryOf(z.object({ ids: z.array(z.string()).nullish() }), ""), {});
    const either = z.union([z.object({ ids: list }), z.object({ b: z.string() })]);
    assertEquals(await queryOf(either, "?b=c"), { b: "c" });
  });

  it("is as received where the schema accepts a text, too, or anything", async () => {
    const list = z.array(z.string());
    const one = z.string();
    const cases: readonly (readonly [unknown, unknown])[] = [
      [z.union([one, list]), "a"],
      [z.union([z.coerce.string(), list]), "a"],
      [one.transform((text) => [text]), ["a"]],
      [z.unknown(), "a"],
      [z.any(), "a"],
      [z.preprocess((value) => typeof value === "string" ? value.split(",") : value, list), ["a"]],
      [one, "a"],
    ];
    for (const [ids, expected] of cases) assertEquals(await queryOf(z.object({ ids }), "?ids=a"), { ids: expected });
    const split = z.preprocess((value) => typeof value === "string" ? value.split(",") : value, list);
    assertEquals(await queryOf(z.object({ ids: split }), "?ids=a,b"), { ids: ["a", "b"] });
    assertEquals(await queryOf(z.record(one, list), "?ids=a"), ["query"]);
  });

  it("named __proto__ is a key like any other", async () => {
    const shape: { [name: string]: z.ZodType } = {};
    Object.defineProperty(shape, "__proto__", { value: z.array(z.string()), enumerable: true });
    await queryOf(z.looseObject(shape), "?__proto__=a&constructor=b");
    assertEquals("a" in {}, false);
  });

  it("leaves c.raw and what is received as they were", async () => {
    const seen: unknown[] = [];
    const app = setup({
      validator: standardSchema,
      handlers: [route.get("/", {
        request: { query: z.object({ ids: z.array(z.string().max(1)) }) },
        resolve({ input, raw }) {
          seen.push({ ...raw.query }, input.ok || { ...input.received.query as object });
          return new Response();
        },
      })],
    });
    await app.fetch(request("/?ids=aa"));
    assertEquals(seen, [{ ids: "aa" }, { ids: "aa" }]);
  });

  it("means the same to the typed client, the document and the server", async () => {
    const api = {
      list: endpoint.get("/list", {
        request: { query: z.object({ ids: z.array(z.coerce.number<string>()) }) },
        responses: { 200: { schema: z.array(z.number()) }, 400: {} },
      }),
      send: endpoint.post("/send", {
        request: { body: z.object({ ids: z.array(z.string()), file: z.array(z.file()).optional() }), bodyReader: form },
        responses: { 200: { schema: z.number() }, 400: {} },
      }),
    };
    const app = setup({
      endpoints: api,
      validator: standardSchema,
      handlers: [
        route.on(api.list, { resolve: ({ input }) => input.ok ? reply(200, input.query.ids) : reply(400) }),
        route.on(api.send, {
          resolve: ({ input }) =>
            input.ok ? reply(200, input.body.ids.length * 10 + (input.body.file?.length ?? 0)) : reply(400),
        }),
      ],
    });
    const client = createClient(api, { fetch: app.fetch });
    for (const ids of [[], [1], [1, 2]]) assertEquals((await client.list({ query: { ids } })).body, ids);
    for (const ids of [[], ["a"], ["a", "b"]]) {
      assertEquals((await client.send({ body: { ids } })).body, ids.length * 10);
      assertEquals((await client.send({ body: { ids, file: [new File([], "a")] } })).body, ids.length * 10 + 1);
    }
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(paths["/list"]?.get?.parameters, [
      { name: "ids", in: "query", required: true, schema: { type: "array", items: { type: "number" } } },
    ]);
  });

  it("is learned from the validator once, by setup", async () => {
    const asked: unknown[] = [];
    const validator: Validator = {
      ...accepting,
      lists(schema, part, required = false) {
        asked.push([schema, part, required]);
        return part === "query" && !required ? ["ids", "tags"] : part === "query" ? ["ids"] : [];
      },
    };
    const reader = decompressed(form, { maxBodyBytes: 10 });
    const raws: unknown[] = [];
    const app = setup({
      validator,
      handlers: [
        route.get("/:id", {
          request: { params: "p", query: "q", headers: "h", cookies: "c" },
          resolve: ({ input }) => (raws.push(input.ok && { ...Object(input.query) }), new Response()),
        }),
        route.post("/", { request: { body: "form", bodyReader: reader }, resolve: () => new Response() }),
        route.put("/", { request: { body: "json" }, resolve: () => new Response() }),
      ],
    });
    const once = [["q", "query", false], ["q", "query", true], ["c", "cookies", false], ["form", "body", false]];
    assertEquals(asked, once);
    await app.fetch(request("/1"));
    await app.fetch(request("/1?tags=a&b=c"));
    assertEquals(raws, [{ ids: [] }, { ids: [], tags: ["a"], b: "c" }]);
    assertEquals(asked, once);
  });

  it("is known from a JSON Schema of any shape", () => {
    const list = { type: "array" };
    const nested = (inner: object, depth: number): object =>
      depth === 0 ? inner : { anyOf: [nested(inner, depth - 1)] };
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ allOf: [{ properties: { ids: list } }, { properties: { ids: list, b: { type: "string" } } }] }, ["ids"]],
      [{ allOf: [{ properties: { ids: list } }, { properties: { ids: { type: "string" } } }] }, []],
      [{ properties: { ids: { anyOf: [false, list] } } }, ["ids"]],
      [{ properties: { ids: { const: [] } } }, ["ids"]],
      [{ properties: { ids: { enum: [["a"], null] } } }, ["ids"]],
      [{ properties: { ids: { enum: [["a"], "b"] } } }, []],
      [{ properties: { ids: nested(list, 16) } }, ["ids"]],
      [{ properties: { ids: nested(list, 17) } }, []],
      [nested({ properties: { ids: list } }, 16), ["ids"]],
      [nested({ properties: { ids: list } }, 18), []],
    ];
    for (const [json, expected] of cases) {
      const schema = { "~standard": { jsonSchema: { input: () => json } } };
      assertEquals(standardSchema.lists?.(schema, "query"), expected, JSON.stringify(json));
    }
  });

  it("is not looked for where an optional form has no body", async () => {
    const body = z.object({ ids: z.array(z.string()) }).optional();
    const app = setup({
      validator: standardSchema,
      handlers: [route.post("/", {
        request: { body, bodyReader: optional(form) },
        resolve: ({ input }) => Response.json(input.ok ? [input.body?.ids] : input.failed),
      })],
    });
    const post = (body?: URLSearchParams) =>
      app.fetch(new Request("http://localhost/", { method: "POST", body: body ?? null }));
    assertEquals(await (await post()).json(), [null]);
    assertEquals(await (await post(new URLSearchParams("ids=a"))).json(), [["a"]]);
  });

  it("of a schema that has no JSON Schema, or fails to, is not known", () => {
    const broken = {
      "~standard": {
        version: 1,
        vendor: "x",
        validate: () => ({ value: 1 }),
        jsonSchema: { input: () => assert(false) },
      },
    };
    const circular = {
      "~standard": { jsonSchema: { input: () => ({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }) } },
    };
    for (const schema of [undefined, null, () => true, v.object({ ids: v.array(v.string()) }), broken, circular]) {
      assertEquals(standardSchema.lists?.(schema, "query"), []);
    }
  });
});
