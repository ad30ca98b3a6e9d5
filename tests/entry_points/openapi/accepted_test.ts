/** A schema of a request is described by what it accepts as text or as JSON, in each library. */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { bytes } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, mock } from "../../../src/testing/mod.ts";
import { tools } from "../../../src/tools/mod.ts";
import {
  bodyOf,
  documentOf,
  operationOf,
  refusal,
  schemaOf,
  unused,
  withBody,
  withQuery,
  withResponse,
} from "./document_of.ts";

const DATE_TIME = { type: "string", format: "date-time" };
const effect = (schema: Schema.Top) =>
  Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema as Schema.Codec<unknown>));

/** The schemas of the parameters of a query. */
const parametersOf = (query: unknown) =>
  Object.fromEntries(
    operationOf(withQuery(query)).parameters?.map(({ name, schema, required }) => [
      required ? name : `${name}?`,
      schema,
    ]) ?? [],
  );

/** The properties of a JSON body. */
const propertiesOf = (body: unknown): unknown => Object(bodyOf(withBody(body))).properties;

describe("openapi() on a request", () => {
  it("describes what Zod converts by what it accepts", () => {
    const converted = {
      from: z.coerce.date().optional(),
      until: z.coerce.date().min(new Date(0)).default(() => new Date()),
      id: z.coerce.bigint(),
      at: z.preprocess((value) => new Date(String(value)), z.date()),
      size: z.preprocess((value) => BigInt(String(value)), z.bigint()),
      on: z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
      any: z.preprocess((value) => value, z.custom(() => true)),
      made: z.transform((value) => value),
      five: z.preprocess((value) => BigInt(String(value)), z.literal(5n)),
      set: z.preprocess((value) => new Set([value]), z.set(z.string())),
    };
    const { on, ...described } = parametersOf(z.object(converted));
    assertEquals((on as { format: string }).format, "date");
    assertEquals(described, {
      "from?": DATE_TIME,
      "until?": DATE_TIME,
      id: { type: "integer" },
      at: DATE_TIME,
      size: { type: "integer" },
      any: {},
      "made?": {},
      five: { const: 5, type: "number" },
      set: {},
    });
    const text = z.string();
    assertEquals(propertiesOf(z.object({ a: z.preprocess((value) => value, z.object({ b: text, c: text })) })), {
      a: { type: "object", properties: { b: { type: "string" }, c: { type: "string" } }, required: ["b", "c"] },
    });
    assertEquals(propertiesOf(z.object({ from: converted.from, id: converted.id })), {
      from: DATE_TIME,
      id: { type: "integer" },
    });
  });

  it("describes files and bytes, and what JSON lacks as nothing", () => {
    const binary = { type: "string", format: "binary" };
    for (
      const body of [
        z.object({ a: z.instanceof(File), b: z.union([z.string(), z.undefined()]) }),
        toStandardJsonSchema(v.object({ a: v.file(), b: v.union([v.string(), v.undefined_()]) })),
        toStandardJsonSchema(v.object({ a: v.instance(Blob), b: v.union([v.string(), v.undefined_()]) })),
        type({ a: "File", b: "string | undefined" }),
      ]
    ) {
      assertEquals(propertiesOf(body), { a: binary, b: { anyOf: [{ type: "string" }, { not: {} }] } });
    }
    const picture = route.put("/p", {
      request: { body: z.instanceof(Uint8Array), bodyReader: bytes },
      resolve: unused,
    });
    assertEquals(operationOf(picture).requestBody?.content["*/*"]?.schema, binary);
  });

  it("names the route, the part and the key of what cannot be sent, and what to do", () => {
    const remedy = "let the schema convert text or JSON, as z.coerce.date() does, or give the option toJsonSchema";
    const cases: readonly (readonly [unknown, string])[] = [
      [z.object({ a: z.object({ at: z.date() }) }), 'key "a.at": Date cannot'],
      [z.object({ a: z.array(z.bigint()).optional() }), 'key "a.[]": BigInt cannot'],
      [z.object({ a: z.custom<string>(() => true) }), 'key "a": Custom types cannot'],
      [z.object({ a: z.instanceof(URL) }), 'key "a": Custom types cannot'],
      [z.object({ a: z.set(z.string()) }), 'key "a": Set cannot'],
      [z.object({ a: z.map(z.string(), z.string()) }), 'key "a": Map cannot'],
      [z.object({ a: z.nan(), b: z.literal(5n) }), 'key "a": NaN cannot'],
      [z.object({ b: z.literal([5n, "a"]) }), 'key "b": BigInt cannot'],
      [z.object({ b: z.symbol() }), 'key "b": Symbols cannot'],
      [
        toStandardJsonSchema(v.object({ at: v.date() })),
        'key "at": The "date" schema cannot be converted to JSON Schema',
      ],
      [
        toStandardJsonSchema(v.object({ at: v.pipe(v.date(), v.minValue(new Date(0))) })),
        'key "at": The "date" schema cannot be converted',
      ],
      [toStandardJsonSchema(v.object({ at: v.instance(URL) })), 'key "at": The "instance" schema cannot be converted'],
      [toStandardJsonSchema(v.object({ at: v.pipe(v.string(), v.regex(/a/i)) })), 'key "at": RegExp flags are not'],
      [type({ at: "Date" }), 'key "at": Date cannot'],
      [type({ at: "Set" }), 'key "at": Set cannot'],
      [type({ at: "bigint" }), 'key "at": bigint cannot'],
      [type({ at: "5n" }), 'key "at": bigint cannot'],
      [type({ at: "d'2026-01-01'" }), 'key "at": Date cannot'],
      [effect(Schema.Struct({ at: Schema.Date })), 'key "at": A declared type, such as Date, cannot'],
      [effect(Schema.Struct({ at: Schema.optional(Schema.BigInt) })), 'key "at": BigInt cannot'],
      [effect(Schema.Struct({ at: Schema.Array(Schema.Date) })), 'key "at.[]": A declared type'],
      [effect(Schema.Struct({ at: Schema.Tuple([Schema.String, Schema.Date]) })), 'key "at.'],
    ];
    for (const [schema, expected] of cases) {
      for (const [part, made] of [["query", withQuery(schema)], ["body", withBody(schema)]] as const) {
        const { message } = refusal([made]);
        assertMatch(message, new RegExp(`^Schema of the ${part} of route (GET|POST) "/[a-z]*" must be expressible`));
        assertEquals(message.includes(expected) && message.endsWith(remedy), true, message);
      }
    }
    const transformed = z.string().transform((text) => text.length);
    assertMatch(refusal([withResponse(z.object({ n: transformed }))]).message, /key "n": Transforms cannot/);
    assertMatch(
      refusal([withResponse(z.object({ n: z.bigint() }))]).message,
      /key "n": BigInt cannot.*let the schema make JSON/,
    );
  });

  it("asks toJsonSchema for the part that fails, and with `unrepresentable` allows any value there only", () => {
    const money = z.custom<`${number} EUR`>((value) => /EUR$/.test(String(value)));
    const schema = z.object({ price: money.optional(), name: z.string() });
    const toJsonSchema = (part: unknown) => part === money ? { type: "string", pattern: "EUR$" } : undefined;
    const name = { type: "string" };
    assertEquals(Object(bodyOf(withBody(schema), { toJsonSchema })).properties, {
      price: { type: "string", pattern: "EUR$" },
      name,
    });
    assertEquals(Object(bodyOf(withBody(schema), { unrepresentable: "any" })).properties, { price: {}, name });
  });

  it("takes a description of one's own by `meta`", () => {
    const price = z.custom<string>(() => true).meta({ type: "string", description: "In EUR" });
    assertEquals(propertiesOf(z.object({ price })), { price: { type: "string", description: "In EUR" } });
  });

  it("has no readOnly, which would say that a property must not be sent", () => {
    const list = z.array(z.string()).readonly();
    const body = z.object({ tags: list, nested: z.object({ a: list.optional() }).readonly(), readOnly: z.string() })
      .readonly();
    const named = z.object({ a: list.meta({ id: "Names" }) });
    for (const schema of [body, named, schemaOf({ properties: { readOnly: {}, a: { readOnly: true } } })]) {
      assertEquals(JSON.stringify(documentOf([withBody(schema)])).includes('"readOnly":true'), false);
    }
    assertEquals(Object.keys(Object(propertiesOf(body))), ["tags", "nested", "readOnly"]);
    const actions = v.object({ a: v.pipe(v.array(v.string()), v.readonly()), b: v.pipe(v.string(), v.brand("B")) });
    assertEquals(propertiesOf(toStandardJsonSchema(actions)), {
      a: { type: "array", items: { type: "string" } },
      b: { type: "string" },
    });
  });

  it("publishes a default that is a value, and none that a function makes", () => {
    let count = 0;
    const made: readonly (() => unknown)[] = [
      () => crypto.randomUUID(),
      () => Math.random(),
      () => ++count,
      () => Date.now(),
      () => ({ at: [Date.now()] }),
      () => Math.floor(Date.now() / 1000),
      () => Date.now() - 30 * 86_400_000,
      () => new Date().toISOString(),
      () => new Date().toISOString().slice(0, 10),
      () => new Date(Date.now() - 30 * 86_400_000).toISOString(),
    ];
    const either = z.unknown();
    for (const create of made) {
      for (const schema of [either.default(create), either.prefault(create), either.catch(create)]) {
        assertEquals(
          JSON.stringify(propertiesOf(z.object({ a: schema.optional() }))).includes('"default"'),
          false,
          `${create}`,
        );
      }
      const valibot = v.object({
        a: v.optional(v.string(), () => String(create())),
        b: v.nullish(v.string(), () => "x"),
      });
      assertEquals(JSON.stringify(propertiesOf(toStandardJsonSchema(valibot))).includes('"default"'), false);
      const arktype = type({ a: type("string").default(() => String(create())) });
      assertEquals(JSON.stringify(propertiesOf(arktype)).includes('"default"'), false);
    }
    for (const value of [20, "all", "2020-01-01", "2020-01-01T00:00:00Z", 0, 1_577_836_800_000]) {
      assertEquals(Object(propertiesOf(z.object({ a: either.default(value) }))).a.default, value);
      const valibot = v.object({ a: v.optional(v.union([v.string(), v.number()]), value) });
      assertEquals(Object(propertiesOf(toStandardJsonSchema(valibot))).a.default, value);
    }
    assertEquals(Object(propertiesOf(z.object({ a: z.array(z.string()).default(["a"]) }))).a.default, ["a"]);
    assertEquals(Object(propertiesOf(z.object({ a: z.coerce.bigint().default(5n) }))).a, { type: "integer" });
    assertEquals(Object(propertiesOf(z.object({ a: z.coerce.bigint().catch(5n) }))).a, { type: "integer" });
    const dated = v.object({ at: v.pipe(v.string(), v.toDate(), v.minValue(new Date(0))) });
    assertEquals(propertiesOf(toStandardJsonSchema(dated)), { at: { type: "string" } });
    const sent = operationOf(withResponse(toStandardJsonSchema(dated))).responses["200"]?.content;
    assertEquals(Object(sent?.["application/json"]?.schema).properties, { at: DATE_TIME });
  });

  it("leaves out the null of Effect, which stands for undefined", () => {
    const schema = effect(
      Schema.Struct({ a: Schema.optional(Schema.String), b: Schema.optional(Schema.NullOr(Schema.String)) }),
    );
    assertEquals(propertiesOf(schema), { a: { type: "string" }, b: { anyOf: [{ type: "string" }, { type: "null" }] } });
  });
});

describe("a schema that cannot be described", () => {
  const api = {
    list: endpoint.get("/list", {
      request: { query: z.object({ at: z.custom<string>(() => true) }) },
      responses: { 200: { schema: z.object({ n: z.bigint() }) } },
    }),
  };
  const app = setup({
    validator: standardSchema,
    handlers: [route.on(api.list, { resolve: () => reply(200, { n: 1n }) })],
  });

  it("is an error of tools, fuzz and mock that names the endpoint, the part and the key", async () => {
    assertThrows(
      () => tools(api, { fetch: app.fetch }),
      TypeError,
      'The query of endpoint "list" has no JSON Schema: key "at": Custom types cannot be represented in JSON Schema: let',
    );
    await assertRejects(
      () => fuzz(() => app, { fc }),
      TypeError,
      'query of GET /list must be expressible as JSON Schema, or leave the endpoint out by the option skip: key "at": Custom',
    );
    assertThrows(() => mock(api, { fc }), TypeError, "response 200 of GET /list must be expressible as JSON Schema");
    assertThrows(() => mock(api, { fc }), TypeError, 'key "n": BigInt cannot be represented');
  });
});

describe("dates and bigints in requests", () => {
  const day = z.coerce.date();
  const api = {
    list: endpoint.get("/list", {
      request: { query: z.object({ from: day, id: z.coerce.bigint() }) },
      responses: { 200: { schema: z.string() }, 400: {} },
    }),
    add: endpoint.post("/add", {
      request: { body: z.object({ at: day, id: z.coerce.bigint() }) },
      responses: { 200: { schema: z.string() }, 400: {} },
    }),
  };
  const create = () =>
    setup({
      validator: standardSchema,
      endpoints: api,
      handlers: [
        route.on(api.list, {
          resolve: ({ input }) =>
            input.ok ? reply(200, `${input.query.from.getTime() + Number(input.query.id)}`) : reply(400),
        }),
        route.on(api.add, {
          resolve: ({ input }) =>
            input.ok ? reply(200, `${input.body.at.getTime() + Number(input.body.id)}`) : reply(400),
        }),
      ],
    });

  it("are sent by fuzz and tools, and read by mock", async () => {
    assertEquals(await fuzz(create, { fc, runs: 5 }), []);
    const [list, add] = tools(api, { fetch: create().fetch, only: ["list", "add"] });
    const at = "1970-01-01T00:00:00.001Z";
    assertEquals((await list?.call({ query: { from: at, id: 1 } }))?.body, "2");
    assertEquals((await add?.call({ body: { at, id: 1 } }))?.body, "2");
    const mocked = mock(api, { fc });
    assertEquals((await mocked.fetch(new Request(`http://localhost/list?from=${at}&id=1`))).status, 200);
    assertEquals((await mocked.fetch(new Request("http://localhost/list?from=x&id=1"))).status, 400);
  });
});
