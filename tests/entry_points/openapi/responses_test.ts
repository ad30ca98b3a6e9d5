/** The declared responses in the document, with their headers, and a `Date` in them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { type ConversionConfig, toJsonSchema, toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { route, type RouteResponses } from "../../../mod.ts";
import type { OpenApiOptions } from "../../../src/openapi/mod.ts";
import { documentOf, ok, operationOf, refusal, schemaOf, text, unused, withBody, withResponse } from "./document_of.ts";

describe("responses of a route", () => {
  const refusalOf = (responses: unknown) =>
    refusal([route.get("/a", { responses: responses as RouteResponses, resolve: unused })]).message;

  it("are rejected if they have the wrong shape", () => {
    const refused: readonly (readonly [responses: unknown, message: string])[] = [
      [
        { 200: { description: 1 } },
        'Option responses.200.description of route GET "/a" must be a string: received a number',
      ],
      [
        { 200: { contentType: true } },
        'Option responses.200.contentType of route GET "/a" must be a string: received true',
      ],
      [
        { 200: { headers: { a: { required: 1 } } } },
        'Option responses.200.headers.a.required of route GET "/a" must be true or false: received a number',
      ],
    ];
    for (const [responses, message] of refused) assertEquals(refusalOf(responses), message);
  });

  it("are rejected in a handwritten route if a key is unknown, also one of its scope", () => {
    const made = route.get("/a", { resolve: unused });
    const responses = { 200: { shema: 1 } } as RouteResponses;
    for (const byHand of [{ ...made, responses }, { ...made, scopeResponses: responses }]) {
      assertEquals(
        refusal([byHand]).message,
        'Option "shema" of responses.200 of route GET "/a" is unknown: did you mean schema?',
      );
    }
  });

  it("may have every key of a response, and every kind of status", () => {
    const responses = { 100: {}, 599: { description: "", schema: 1, contentType: "a/b" }, "1XX": {}, default: {} };
    documentOf([route.get("/a", { responses, resolve: unused })], { unrepresentable: "any" });
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
    const responses = { 200: { headers: { a: { schema: z.bigint() } } } };
    assertEquals(
      refusal([route.get("/", { responses, resolve: unused })]).message,
      'Schema of the header a of response 200 of route GET "/" must be expressible as JSON Schema: ' +
        "BigInt cannot be represented in JSON Schema: let the schema make JSON of it, or give the option toJsonSchema",
    );
  });

  it("have a content type of their own, also without a schema", () => {
    const bytes = { type: "string", format: "binary", contentMediaType: "image/png" };
    const responses = { 200: { contentType: "image/png" }, 404: { schema: schemaOf(text), contentType: "text/plain" } };
    assertEquals(operationOf(route.get("/", { responses, resolve: unused })).responses, {
      200: { description: "Successful", content: { "image/png": { schema: bytes } } },
      404: { description: "Client error", content: { "text/plain": { schema: text } } },
    });
  });
});

describe("openapi() on a stream", () => {
  const stringSchema = schemaOf(text);
  /** The content of a response that is declared as a stream of these items. */
  const contentOf = (contentType: string, items: unknown, options: Partial<OpenApiOptions>) => {
    const declared = { contentType, schema: stringSchema, "~stream": { items, maxLength: 1, read: unused } };
    const route = withResponses({ 200: declared });
    return operationOf(route, options).responses[200]?.content;
  };
  const withResponses = (responses: RouteResponses) => route.get("/s", { responses, resolve: unused });
  const token = z.object({ text: z.string() });

  it("describes a string in OpenAPI 3.1", () => {
    for (const options of [{}, { openapi: "3.1.0" }] as const) {
      assertEquals(contentOf("text/event-stream", { token }, options), { "text/event-stream": { schema: text } });
      assertEquals(contentOf("application/jsonl", token, options), { "application/jsonl": { schema: text } });
    }
  });

  it("describes each line in OpenAPI 3.2", () => {
    assertEquals(contentOf("application/jsonl", token, { openapi: "3.2.0" }), {
      "application/jsonl": {
        itemSchema: { type: "object", properties: { text }, required: ["text"], additionalProperties: false },
      },
    });
  });

  it("describes each event in OpenAPI 3.2, its data as a string of JSON", () => {
    const items = { token, message: schemaOf({ type: "integer" }) };
    const content = contentOf("text/event-stream", items, { openapi: "3.2.0" });
    assertEquals<unknown>(content?.["text/event-stream"], {
      itemSchema: {
        type: "object",
        properties: { id: text, retry: { type: "integer", minimum: 0 } },
        oneOf: [
          {
            properties: {
              event: { const: "token" },
              data: {
                type: "string",
                contentMediaType: "application/json",
                contentSchema: {
                  type: "object",
                  properties: { text },
                  required: ["text"],
                  additionalProperties: false,
                },
              },
            },
            required: ["event", "data"],
          },
          {
            properties: {
              event: { const: "message", default: "message" },
              data: { type: "string", contentMediaType: "application/json", contentSchema: { type: "integer" } },
            },
            required: ["data"],
          },
        ],
      },
    });
  });

  it("names the item that cannot be expressed, or allows any value", () => {
    const declared = (contentType: string, items: unknown) =>
      withResponses({ 200: { contentType, "~stream": { items, maxLength: 1, read: unused } } });
    for (
      const [route, name] of [
        [declared("text/event-stream", { big: z.bigint() }), "event big of response 200"],
        [declared("application/jsonl", z.bigint()), "item of response 200"],
      ] as const
    ) {
      const { message } = refusal([route], { openapi: "3.2.0" });
      assert(message.startsWith(`Schema of the ${name} of route GET "/s" must be expressible as JSON Schema: `));
      documentOf([route], { openapi: "3.2.0", unrepresentable: "any" });
    }
    const any = operationOf(declared("application/jsonl", z.bigint()), { openapi: "3.2.0", unrepresentable: "any" });
    assertEquals(any.responses[200]?.content, { "application/jsonl": { itemSchema: {} } });
  });

  it("moves what items refer to into the components", () => {
    const items = schemaOf({ $ref: "#/$defs/Row", $defs: { Row: { type: "object" } } });
    const declared = { contentType: "application/jsonl", "~stream": { items, maxLength: 1, read: unused } };
    const { components } = documentOf([withResponses({ 200: declared })], { openapi: "3.2.0" });
    assertEquals(components.schemas, { Row: { type: "object" } });
  });

  it("describes other responses as in OpenAPI 3.1", () => {
    const plain = withResponse(token);
    assertEquals(documentOf([plain], { openapi: "3.2.0" }), { ...documentOf([plain]), openapi: "3.2.0" });
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
  const valibot = (options: ConversionConfig = {}): Partial<OpenApiOptions> => ({
    toJsonSchema: (schema, side) =>
      toJsonSchema(schema as v.GenericSchema, { typeMode: side, target: "draft-2020-12", ...options }),
  });
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

  it("describes it with Valibot, by Standard JSON Schema", () => {
    assertEquals(propertiesOf(toStandardJsonSchema(dates)), inJson);
  });

  it("leaves it to a converter of the application", () => {
    assertMatch(refusal([withResponse(dates)], valibot()).message, /"date" schema cannot be converted/);
    const converter = valibot({
      overrideSchema: ({ valibotSchema }) =>
        valibotSchema.type === "date" ? { type: "string", format: "date-time" } : undefined,
    });
    assertEquals(propertiesOf(v.object({ at: v.date() }), converter), { at: dateTime });
  });

  it("describes it in a recursive schema of Valibot", () => {
    interface Thread {
      at: Date;
      replies: Thread[];
    }
    const thread: v.GenericSchema<Thread> = v.object({ at: v.date(), replies: v.array(v.lazy(() => thread)) });
    const { components } = documentOf([withResponse(toStandardJsonSchema(thread), "/threads")]);
    assertEquals(Object.values(components.schemas).map((schema) => (schema as { properties: object }).properties), [
      { at: dateTime, replies: { type: "array", items: { $ref: "#/components/schemas/0" } } },
    ]);
  });

  it("still rejects what JSON cannot express, and a Date in a request", () => {
    for (const schema of [z.object({ at: z.date(), n: z.bigint() }), z.map(z.string(), z.date())]) {
      assertMatch(
        refusal([withResponse(schema)]).message,
        /must be expressible as JSON Schema: .*cannot be represented/,
      );
    }
    const bigint = v.object({ at: v.date(), n: v.bigint() });
    assertMatch(refusal([withResponse(toStandardJsonSchema(bigint))]).message, /"bigint" schema cannot be converted/);
    assertMatch(refusal([withBody(z.object({ at: z.date() }))]).message, /Date cannot be represented/);
    assertMatch(refusal([withBody(dates)], valibot()).message, /"date" schema cannot be converted/);
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
