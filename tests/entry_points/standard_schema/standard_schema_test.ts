import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "./arktype_jitless.ts";
import { type } from "arktype";
import { Effect, Schema, SchemaGetter } from "effect";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";
import { type AnyInput, type InvalidInput, type RawInput, type RequestSchemas, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { post, request } from "../../support/request.ts";

/** The same schemas, written with one library. */
interface Library {
  readonly name: string;
  /** `{ id }`, a number. */
  readonly params: unknown;
  /** `{ limit }`, a number, 20 by default. */
  readonly query: unknown;
  /** `{ title, tags: { name }[] }`. */
  readonly body: unknown;
  /** `{ id }`, checked to be "ada" asynchronously. ArkType has no asynchronous schemas. */
  readonly later?: unknown;
  /** The codes of the issues "Not a number", "Not a string", "No object" and "Not Ada", if the library has codes. */
  readonly codes?: { readonly number: string; readonly string: string; readonly object: string; readonly ada?: string };
}

const isAda = (id: string) => Promise.resolve(id === "ada");

const arkNumber = type("string.numeric.parse").configure({ message: "Not a number" });
const arkString = type("string").configure({ message: "Not a string" });

const effectNumber = Schema.FiniteFromString.annotate({ message: "Not a number" });
const effectString = Schema.String.annotate({ message: "Not a string" });
const effectAda = Schema.String.pipe(Schema.decode({
  decode: SchemaGetter.checkEffect((id) => Effect.promise(async () => await isAda(id) || "Not Ada")),
  encode: SchemaGetter.passthrough(),
}));

const libraries: readonly Library[] = [
  {
    name: "Zod",
    params: z.object({ id: z.coerce.number("Not a number") }),
    query: z.object({ limit: z.coerce.number("Not a number").default(20) }),
    body: z.object({ title: z.string(), tags: z.array(z.object({ name: z.string("Not a string") })) }, "No object"),
    later: z.object({ id: z.string().refine(isAda, "Not Ada") }),
    codes: { number: "invalid_type", string: "invalid_type", object: "invalid_type", ada: "custom" },
  },
  {
    name: "Zod Mini",
    params: mini.object({ id: mini.coerce.number("Not a number") }),
    query: mini.object({ limit: mini._default(mini.coerce.number("Not a number"), 20) }),
    body: mini.object({
      title: mini.string(),
      tags: mini.array(mini.object({ name: mini.string("Not a string") })),
    }, "No object"),
    later: mini.object({ id: mini.string().check(mini.refine(isAda, "Not Ada")) }),
    codes: { number: "invalid_type", string: "invalid_type", object: "invalid_type", ada: "custom" },
  },
  {
    name: "Valibot",
    params: v.object({ id: v.pipe(v.string(), v.toNumber("Not a number")) }),
    query: v.object({ limit: v.optional(v.pipe(v.string(), v.toNumber("Not a number")), "20") }),
    body: v.object({ title: v.string(), tags: v.array(v.object({ name: v.string("Not a string") })) }, "No object"),
    later: v.objectAsync({ id: v.pipeAsync(v.string(), v.checkAsync(isAda, "Not Ada")) }),
    codes: { number: "to_number", string: "string", object: "object", ada: "check" },
  },
  {
    name: "ArkType",
    params: type({ id: arkNumber }),
    query: type({ limit: arkNumber.default("20") }),
    body: type({ title: "string", tags: type({ name: arkString }).array() }).configure({ message: "No object" }),
    codes: { number: "pattern", string: "domain", object: "domain" },
  },
  {
    name: "Effect",
    params: Schema.toStandardSchemaV1(Schema.Struct({ id: effectNumber })),
    query: Schema.toStandardSchemaV1(
      Schema.Struct({ limit: effectNumber.pipe(Schema.withDecodingDefaultKey(Effect.succeed("20"))) }),
    ),
    body: Schema.toStandardSchemaV1(
      Schema.Struct({ title: Schema.String, tags: Schema.Array(Schema.Struct({ name: effectString })) })
        .annotate({ message: "No object" }),
    ),
    later: Schema.toStandardSchemaV1(Schema.Struct({ id: effectAda })),
  },
];

for (const { name, params, query, body, later, codes } of libraries) {
  const notNumber = worded("Not a number", codes?.number);
  const notString = worded("Not a string", codes?.string);
  const noObject = worded("No object", codes?.object);
  const notAda = worded("Not Ada", codes?.ada);

  describe(`standardSchema with ${name}`, () => {
    it("returns the transformed values", async () => {
      const { input } = await ask(
        { params, query, body },
        post("/7?limit=5", '{"title":"Emma","tags":[{"name":"a"}]}'),
      );
      assertEquals(input, {
        ok: true,
        params: { id: 7 },
        query: { limit: 5 },
        body: { title: "Emma", tags: [{ name: "a" }] },
      });
      const { input: byDefault, raw } = await ask({ query }, request("/7"));
      assertEquals(byDefault, { ok: true, query: { limit: 20 } });
      assertEquals(raw.query, {});
    });

    it("returns the issues of all parts: path as strings, message, and code if there is one", async () => {
      const { input, raw } = await ask(
        { body, query, params },
        post("/x?limit=x", '{"title":"Emma","tags":[{"name":"a"},{"name":2}]}'),
      );
      assert(!input.ok);
      const { errors, ...rest } = input;
      assertEquals(rest, {
        ok: false,
        failed: ["params", "query", "body"],
        issues: [
          { part: "params", path: ["id"], ...notNumber },
          { part: "query", path: ["limit"], ...notNumber },
          { part: "body", path: ["tags", "1", "name"], ...notString },
        ],
        received: { params: { id: "x" }, query: { limit: "x" }, body: raw.body },
      });
      for (const { path } of input.issues) assertStrictEquals(Object.getPrototypeOf(path), Array.prototype);
      assertEquals(Object.keys(errors ?? {}), ["params", "query", "body"]);
    });

    it("returns an empty path for an issue at the root", async () => {
      const { input } = await ask({ body }, post("/7", "3"));
      assertEquals(issuesOf(input), [{ part: "body", path: [], ...noObject }]);
    });

    it("is synchronous if the schemas are", async () => {
      assertEquals((await ask({ params, query }, request("/7"))).atOnce, true);
      assertEquals((await ask({ params, query }, request("/x"))).atOnce, true);
    });

    if (later === undefined) return;
    it("awaits an asynchronous schema", async () => {
      const valid = await ask({ params: later }, request("/ada"));
      assertEquals([valid.atOnce, valid.input], [false, { ok: true, params: { id: "ada" } }]);
      const invalid = await ask({ params: later, query }, request("/bob?limit=x"));
      assertEquals([invalid.atOnce, issuesOf(invalid.input)], [false, [
        { part: "params", path: ["id"], ...notAda },
        { part: "query", path: ["limit"], ...notNumber },
      ]]);
    });
  });
}

describe("standardSchema", () => {
  it("accepts schemas of several libraries in one route", async () => {
    const schemas = {
      params: type({ id: "string.numeric.parse" }),
      query: v.object({ limit: v.optional(v.string(), "20") }),
      body: z.object({ title: z.string() }),
    };
    const { input } = await ask(schemas, post("/7", '{"title":"Emma"}'));
    assertEquals(input, { ok: true, params: { id: 7 }, query: { limit: "20" }, body: { title: "Emma" } });
  });

  it("validates null-prototype objects with libraries that check for plain objects", async () => {
    const schemas = [
      z.record(z.string(), z.string()),
      z.strictObject({ a: z.string() }),
      z.intersection(z.object({ a: z.string() }), z.looseObject({})),
      v.record(v.string(), v.string()),
      v.strictObject({ a: v.string() }),
      v.variant("a", [v.object({ a: v.literal("b") }), v.object({ a: v.literal("1") })]),
      type({ "[string]": "string" }),
      type({ a: "'1'" }, "|", { a: "'2'", b: "string" }),
      type({ "+": "reject", a: "string" }),
      Schema.toStandardSchemaV1(Schema.Record(Schema.String, Schema.String)),
      Schema.toStandardSchemaV1(
        Schema.Union([Schema.Struct({ b: Schema.String }), Schema.Struct({ a: Schema.String })]),
      ),
    ];
    for (const query of schemas) {
      assertEquals((await ask({ query }, request("/7?a=1"))).input, { ok: true, query: { a: "1" } });
    }
  });

  it("passes the library's own issues on as errors", async () => {
    const issues = [{ message: "no", hint: "yes" }];
    const { input } = await ask({ params: standard(() => ({ issues })), query: standard(echo) }, request("/7"));
    assert(!input.ok);
    assertEquals(Object.keys(input.errors ?? {}), ["params"]);
    assertStrictEquals(input.errors?.params, issues);

    const { input: refused } = await ask({ params: type({ id: "'ada'" }) }, request("/7"));
    assert(!refused.ok);
    assertInstanceOf(refused.errors?.params, type.errors);
    assertEquals(refused.errors.params.summary, 'id must be "ada" (was "7")');
  });

  it("tells failure from success by the issues, whatever the value", async () => {
    for (const value of [undefined, null, false, 0, "", { issues: ["x"] }]) {
      const { input } = await ask({ params: standard(() => ({ value })) }, request("/7"));
      assertEquals(input, { ok: true, params: value });
    }
    const { input: explicit } = await ask(
      { params: standard(() => ({ value: 1, issues: undefined })) },
      request("/7"),
    );
    assertEquals(explicit, { ok: true, params: 1 });
    const { input: refused } = await ask({ params: standard(() => ({ value: 1, issues: [] })) }, request("/7"));
    assertEquals(refused, {
      ok: false,
      failed: ["params"],
      issues: [],
      received: { params: { id: "7" } },
      errors: { params: [] },
    });
  });

  it("converts all path elements to strings: names, indexes, symbols, and objects with a key", async () => {
    const path = ["a", 0, Symbol("b"), { key: "c" }, { key: 1 }, { key: Symbol() }];
    const { input } = await ask({ params: standard(() => ({ issues: [{ message: "no", path }] })) }, request("/7"));
    assertEquals(issuesOf(input), [
      { part: "params", path: ["a", "0", "Symbol(b)", "c", "1", "Symbol()"], message: "no" },
    ]);
  });

  it("converts any key of a Map or Set to a string, also an object from a client", async () => {
    const set = v.pipe(v.array(v.string()), v.transform((list) => new Set(list)), v.set(v.literal("x")));
    assertEquals(issuesOf((await ask({ body: set }, post("/7", '["y"]'))).input)[0]?.path, ["null"]);
    const map = v.pipe(
      v.array(v.unknown()),
      v.transform((list) => new Map(list.map((key) => [key, 1]))),
      v.map(v.unknown(), v.pipe(v.number(), v.minValue(2, "Too few"))),
    );
    const { input } = await ask({ body: map }, post("/7", '[{"toString":1,"valueOf":1},"k"]'));
    assertEquals(issuesOf(input), [
      { part: "body", path: ["[object Object]"], message: "Too few", code: "min_value" },
      { part: "body", path: ["k"], message: "Too few", code: "min_value" },
    ]);
  });

  it("uses the code of an issue, else its type, if that is a string", async () => {
    const codes: [object, object][] = [
      [{ code: "c" }, { code: "c" }],
      [{ type: "t" }, { code: "t" }],
      [{ code: "c", type: "t" }, { code: "c" }],
      [{ code: 1, type: "t" }, { code: "t" }],
      [{ code: 1, type: {} }, {}],
      [{ code: undefined, type: undefined }, {}],
    ];
    for (const [given, expected] of codes) {
      const schema = standard(() => ({ issues: [{ message: "no", ...given }] }));
      const issues = issuesOf((await ask({ params: schema }, request("/7"))).input);
      assertEquals(issues, [{ part: "params", path: [], message: "no", ...expected }]);
      assertEquals(issues.map((issue) => "code" in issue), ["code" in expected]);
    }
  });

  it("accepts schemas that are functions or inherit `~standard` from a class", async () => {
    const callable = Object.assign(() => {}, standard(echo));
    class Named {
      get "~standard"() {
        return new Props();
      }
    }
    class Props {
      readonly version = 1;
      readonly vendor = "class";
      validate() {
        return { value: this.vendor };
      }
    }
    const { input } = await ask({ params: callable, query: new Named() }, request("/7"));
    assertEquals(input, { ok: true, params: { id: "7" }, query: "class" });
  });

  it("awaits any object with a `then` method", async () => {
    const thenable = { then: (next: (result: unknown) => void) => next({ value: "later" }) };
    const { input, atOnce } = await ask({ params: standard(() => thenable) }, request("/7"));
    assertEquals([input, atOnce], [{ ok: true, params: "later" }, false]);
  });

  it("passes the error of a schema on unchanged, thrown or rejected", async () => {
    const failure = { any: "value" };
    const failing = [
      standard(() => {
        throw failure;
      }),
      standard(() => Promise.reject(failure)),
    ];
    for (const params of failing) {
      const errors: unknown[] = [];
      const app = setup({
        validator: standardSchema,
        handlers: [route.get("/:id", { request: { params }, resolve: () => new Response("a pass") })],
        onError({ error }) {
          errors.push(error);
          return new Response(null, { status: 500 });
        },
      });
      assertEquals((await app.fetch(request("/7"))).status, 500);
      assertEquals(errors.length, 1);
      assertStrictEquals(errors[0], failure);
    }
  });

  it("rejects a value that is not a Standard Schema with a TypeError that names the part and says what to do", () => {
    const rule = "must be a Standard Schema, with a";
    const version = 'must be a Standard Schema of version 1, in "~standard".version:';
    const schemas: [unknown, string][] = [
      [null, `${rule} "~standard" property: received null`],
      ["text", `${rule} "~standard" property: received a string`],
      [{}, `${rule} "~standard" property: received an object`],
      [{ safeParse: echo }, `${rule} "~standard" property: received an object`],
      [() => true, `${rule} "~standard" property: received a function`],
      [Schema.String, `${rule} "~standard" property: received a function`],
      [{ "~standard": 1 }, `${rule} "~standard" property: received an object`],
      [{ "~standard": null }, `${rule} "~standard" property: received an object`],
      [{ "~standard": { version: 2, validate: echo } }, `${version} received a number`],
      [{ "~standard": { validate: echo } }, `${version} received undefined`],
      [{ "~standard": { version: 1 } }, `${rule} function "~standard".validate: received undefined`],
      [{ "~standard": { version: 1, validate: {} } }, `${rule} function "~standard".validate: received an object`],
    ];
    for (const [schema, message] of schemas) {
      for (const part of ["query", "params"] as const) {
        const error = assertThrows(() => standardSchema.validate(schema, {}, part), TypeError);
        assertEquals(error.message, `Schema of the ${part} ${message}`);
        // setup detects it before any request.
        assertThrows(
          () =>
            setup({
              validator: standardSchema,
              handlers: [route.get("/:id", { request: { [part]: schema }, resolve: () => new Response("a pass") })],
            }),
          TypeError,
          `Schema of the ${part} of route GET "/:id" must be one the validator accepts: received`,
        );
      }
    }
  });

  it("rejects a result that does not conform to the standard with a TypeError", async () => {
    const rule = "Schema of the params must be one whose validate returns { value } or { issues }: received";
    const results = [
      undefined,
      null,
      true,
      "secret",
      7,
      () => {},
      [],
      {},
      { issues: undefined },
      { issues: null, value: 1 },
      { issues: false, value: 1 },
      { issues: "secret", value: 1 },
      { issues: { length: 0 }, value: 1 },
      { issues: new Set(), value: 1 },
    ];
    for (const result of results) {
      await assertRefused({ params: standard(() => result) }, rule);
      await assertRefused({ params: standard(() => Promise.resolve(result)) }, rule);
    }
  });

  it("names the route in the TypeError about such a result", async () => {
    for (const result of [7, { issues: [7] }]) {
      const asked = ask({ params: standard(() => result) }, request("/7"));
      await assertRejects(() => asked, TypeError, 'received a number (for route ALL "/:id")');
    }
  });

  it("rejects an issue that does not conform to the standard with a TypeError", async () => {
    const rule = "Schema of the params must be one whose issues are { message, path }: received";
    const issues = [
      undefined,
      null,
      "secret",
      {},
      { message: 1 },
      { message: undefined },
      { message: "no", path: "secret" },
      { message: "no", path: null },
      { message: "no", path: { 0: "a", length: 1 } },
    ];
    for (const issue of issues) {
      await assertRefused({ params: standard(() => ({ issues: [{ message: "fine" }, issue] })) }, rule);
    }
    await assertRefused({ params: standard(() => ({ issues: Array(1) })) }, rule);
  });
});

/** The input that a handler receives, and whether the app responds synchronously. */
async function ask(
  schemas: RequestSchemas,
  incoming: Request,
): Promise<{ readonly input: AnyInput; readonly raw: RawInput; readonly atOnce: boolean }> {
  const seen: { readonly input: AnyInput; readonly raw: RawInput }[] = [];
  const app = setup({
    validator: standardSchema,
    handlers: [route.all("/:id", {
      request: schemas,
      resolve({ input, raw }) {
        seen.push({ input, raw });
        return new Response();
      },
    })],
  });
  const answer = app.fetch(incoming);
  await answer;
  const [facts] = seen;
  if (facts === undefined) throw new Error("The handler did not run");
  return { ...facts, atOnce: answer instanceof Response };
}

function worded(message: string, code: string | undefined): { readonly message: string; readonly code?: string } {
  return code === undefined ? { message } : { message, code };
}

function issuesOf(input: AnyInput): InvalidInput["issues"] {
  if (input.ok) throw new Error("The input is valid");
  return input.issues;
}

/** A Standard Schema written by hand. */
function standard(validate: (value: unknown) => unknown): object {
  return { "~standard": { version: 1, vendor: "test", validate } };
}

function echo(value: unknown): unknown {
  return { value };
}

async function assertRefused(schemas: RequestSchemas, message: string): Promise<void> {
  const error = await assertRejects(() => ask(schemas, request("/secret?q=secret")), TypeError);
  assertEquals(error.message.startsWith(message), true, error.message);
  assertMatch(error.message, /^(?!.*secret)/);
}
