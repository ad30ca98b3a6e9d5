/** Schemas that can accept what a request has: text, JSON, or what a reader of bodies makes. No function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Schema } from "effect";
import * as v from "valibot";
import { z } from "zod";
import * as zm from "zod/mini";
import { type BodyReader, endpoint, route, setup } from "../../mod.ts";
import { bytes, decompressed, form, json, optional, text } from "../../src/body/mod.ts";

const ok = () => new Response();

/** A schema that accepts nothing that a request can send does not compile. */
export function schemasThatCanNeverAccept() {
  const isText = (_value: unknown): _value is { readonly q: string } => true;
  const isNumber = (_value: unknown): _value is { readonly n: number } => true;

  // Strings, lists of strings, what converts them, and what may be absent.
  const zod = z.object({
    text: z.string(),
    list: z.array(z.string()),
    either: z.union([z.number(), z.string()]),
    kind: z.enum(["a", "b"]).nullable(),
    limit: z.coerce.number().default(20),
    transformed: z.string().transform(Number).optional(),
    preprocessed: z.preprocess(Number, z.number()),
    forbidden: z.undefined().optional(),
  });
  route.get("/", {
    request: { query: zod },
    resolve(c) {
      if (c.input.ok) assertType<IsExact<typeof c.input.query.limit, number>>(true);
      // @ts-expect-error at `query`: Property 'query' does not exist on type 'InvalidInputUntil<"c.input.ok is checked,
      //   or denyInvalid is among the guards; put guards that a call returns into constants">'.
      c.input.query;
      return ok();
    },
  });
  for (
    const query of [
      z.looseObject({ a: z.string() }),
      z.record(z.string(), z.string()),
      z.object({ a: z.string() }).optional(),
      z.union([z.object({ n: z.number() }), z.object({ n: z.string() })]),
      z.any(),
      isText,
      { of: "another library" },
    ]
  ) route.get("/", { request: { query }, resolve: ok });
  route.get("/", { request: { query: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }, resolve: ok });
  route.get("/", { request: { query: type({ "n?": "string.integer.parse", "list?": "string[]" }) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: z.object({ n: z.number() }) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: z.object({ text: z.string(), n: z.boolean().optional() }) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: z.object({ n: z.array(z.number()) }) }, resolve: ok });
  // @ts-expect-error at `query`: "${string}" of the query arrives as a string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  route.get("/", { request: { query: z.record(z.string(), z.number()) }, resolve: ok });
  const numbers = z.union([z.object({ n: z.number() }), z.object({ m: z.null() })]);
  // @ts-expect-error at `query`: "m" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: numbers }, resolve: ok });
  // @ts-expect-error at `query`: The query is an object of strings, which this schema never accepts
  route.get("/", { request: { query: z.string() }, resolve: ok });
  // @ts-expect-error at `query`: The query is an object of strings, which this schema never accepts
  route.get("/", { request: { query: z.array(z.string()) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: v.object({ n: v.optional(v.number()) }) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: type({ n: "number" }) }, resolve: ok });
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.get("/", { request: { query: isNumber }, resolve: ok });

  // Headers and cookies are strings too.
  route.get("/", { request: { headers: z.object({ "x-limit": z.coerce.number() }) }, resolve: ok });
  route.get("/", { request: { cookies: v.object({ session: v.optional(v.string()) }) }, resolve: ok });
  // @ts-expect-error at `headers`: "x-limit" of the headers arrives as a string, which this schema never accepts: let
  //   the schema convert it, as z.coerce.number() does
  route.get("/", { request: { headers: z.object({ "x-limit": z.number() }) }, resolve: ok });
  // @ts-expect-error at `cookies`: "dark" of the cookies arrives as a string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  route.get("/", { request: { cookies: v.object({ dark: v.boolean() }) }, resolve: ok });

  // The keys of the schema for params are in the path.
  const id = z.object({ id: z.string() });
  route.get("/:id/:other", { request: { params: id }, resolve: ok });
  route.get("/built/" + String(1), { request: { params: id }, resolve: ok });
  route.get("/:id", { request: { params: z.record(z.string(), z.string()) }, resolve: ok });
  route.get("/*", { request: { params: z.object({ "*": z.string() }) }, resolve: ok });
  route.get("/:id+/x", { request: { params: id }, resolve: ok });
  route.with({ prefix: "/:id+" }).get("/x", { request: { params: id }, resolve: ok });
  route.with({ prefix: "/:id" }).get("/x", { request: { params: id }, resolve: ok });
  // @ts-expect-error at `params`: The path /:other+/x has no parameter "id"
  route.get("/:other+/x", { request: { params: id }, resolve: ok });
  // @ts-expect-error at `params`: The path /:ID has no parameter "id"
  route.get("/:ID", { request: { params: id }, resolve: ok });
  // @ts-expect-error at `params`: The path /:id has no parameter "name"
  route.get("/:id", { request: { params: v.object({ id: v.string(), name: v.optional(v.string()) }) }, resolve: ok });
  // @ts-expect-error at `params`: The path /:org/:user has no parameter "id"
  route.with({ prefix: "/:org" }).get("/:user", { request: { params: id }, resolve: ok });
  // @ts-expect-error at `params`: "id" of the params arrives as a string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  route.get("/:id", { request: { params: type({ id: "number" }) }, resolve: ok });

  // GET and HEAD have no body.
  const request = { body: z.object({ n: z.number() }) };
  route.all("/", { request, resolve: (c) => new Response(c.input.ok ? c.input.body.n.toFixed() : "") });
  route.on(["POST", "PUT"], "/", { request, resolve: (c) => new Response(c.input.ok ? c.input.body.n.toFixed() : "") });
  route.on("DELETE", "/", { request, resolve: ok });
  // @ts-expect-error at `request`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
  route.get("/", { request, resolve: ok });
  // @ts-expect-error at `request`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
  route.head("/", { request, resolve: ok });
  // @ts-expect-error at `request`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
  route.on("GET", "/", { request, resolve: ok });
  // @ts-expect-error at `request`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
  route.on(["POST", "HEAD"], "/", { request, resolve: ok });
}

/** A body schema that accepts no JSON, or no form if `form` reads the body, does not compile. */
export function bodiesThatCanNeverArrive() {
  const file = z.object({ title: z.string(), file: z.file() });
  const year = z.object({ year: z.int(), cover: z.file().optional() });
  const own: BodyReader = { contentTypes: ["text/csv"], read: () => Promise.resolve({ value: undefined }) };

  for (
    const body of [
      z.object({
        due: z.coerce.date(),
        n: z.int(),
        list: z.array(z.object({ a: z.boolean() })),
        forbidden: z.undefined(),
      }),
      z.union([file, z.object({ title: z.string() })]),
      z.object({ file: z.file().nullable() }),
      z.array(z.int()),
      z.string(),
      z.any(),
    ]
  ) route.post("/", { request: { body }, resolve: ok });
  route.post("/", { request: { body: v.object({ file: v.union([v.file(), v.string()]) }) }, resolve: ok });
  // @ts-expect-error at `body`: "file" of the body is a file, which JSON lacks: add bodyReader: form
  route.post("/", { request: { body: file }, resolve: ok });
  // @ts-expect-error at `body`: "file" of the body is a file, which JSON lacks: add bodyReader: form
  endpoint.post("/", { request: { body: v.object({ file: v.optional(v.file()) }) } });
  for (
    const body of [
      file,
      z.object({ year: z.coerce.number(), files: z.array(z.file()), tags: z.array(z.string()).optional() }),
      z.union([year, z.object({ year: z.string() })]),
    ]
  ) route.post("/", { request: { body, bodyReader: form }, resolve: ok });
  // @ts-expect-error at `body`: "year" of the form arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  route.post("/", { request: { body: year, bodyReader: form }, resolve: ok });
  // @ts-expect-error at `body`: "by" of the form arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  endpoint.post("/", { request: { body: v.object({ by: v.object({ name: v.string() }) }), bodyReader: form } });
  // What another reader returns is not known.
  route.post("/", { request: { body: year, bodyReader: own }, resolve: ok });
}

/** A key that can only be a list needs a JSON Schema, by which `setup` tells a list of one from a text. */
export function listsInQueriesAndForms() {
  const lists = v.object({ ids: v.array(v.string()) });
  const either = v.object({ ids: v.union([v.string(), v.array(v.string())]), any: v.any() });
  const struct = Schema.toStandardSchemaV1(Schema.Struct({ ids: Schema.Array(Schema.String) }));
  const isLists = (value: unknown): value is { readonly ids: readonly string[] } => typeof value === "object";
  for (
    const query of [
      z.object({ ids: z.array(z.string()), numbers: z.array(z.coerce.number()).optional() }),
      type({ ids: "string[]" }),
      toStandardJsonSchema(lists),
      Schema.toStandardJSONSchemaV1(struct),
      either,
    ]
  ) {
    endpoint.get("/", { request: { query } });
    endpoint.get("/", { request: { cookies: query } });
    endpoint.post("/", { request: { body: query, bodyReader: form } });
    endpoint.post("/", { request: { body: query } });
  }
  // @ts-expect-error at `query`: "ids" of the query is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { query: zm.object({ ids: zm.array(zm.string()) }) } });
  // @ts-expect-error at `query`: "ids" of the query is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { query: v.object({ ids: v.optional(v.array(v.string()), []) }) } });
  // @ts-expect-error at `body`: "ids" of the form is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.post("/", { request: { body: lists, bodyReader: form } });
  // @ts-expect-error at `cookies`: "ids" of the cookies is a list, which setup reads from "~standard".jsonSchema, and
  //   this schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { cookies: lists } });
  // @ts-expect-error at `query`: "ids" of the query is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { query: struct } });
  // @ts-expect-error at `query`: "ids" of the query is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { query: isLists } });
  // @ts-expect-error at `query`: "ids" of the query is a list, which setup reads from "~standard".jsonSchema, and this
  //   schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too
  endpoint.get("/", { request: { query: v.union([lists, v.object({ a: v.string() })]) } });
  // JSON has lists.
  endpoint.post("/", { request: { body: lists } });
  const ofLists = z.object({ ids: z.array(z.string()) });
  // @ts-expect-error at `headers`: "ids" of the headers arrives as one string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  endpoint.get("/", { request: { headers: ofLists } });
  // @ts-expect-error at `params`: "ids" of the params arrives as one string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  endpoint.get("/:ids", { request: { params: ofLists } });
}

/** A schema that accepts `undefined` needs a reader of bodies that may be absent. */
export function bodiesThatMayBeAbsent() {
  const book = z.object({ title: z.string() });
  const limits = { maxBodyBytes: 10 };
  const unknown: BodyReader = optional(json);
  const own = { contentTypes: ["a/b"], read: () => Promise.resolve({ value: 1 }) };
  const mayBe = { ...own, optional: true } as const;
  for (const body of [book.optional(), book.default({ title: "" }), book.nullish(), book.prefault({ title: "" })]) {
    route.post("/", { request: { body, bodyReader: optional(json) }, resolve: ok });
    endpoint.post("/", { request: { body, bodyReader: optional(form) } });
    endpoint.post("/", { request: { body, bodyReader: decompressed(optional(json), limits) } });
    endpoint.post("/", { request: { body, bodyReader: optional(decompressed(json, limits)) } });
    endpoint.post("/", { request: { body, bodyReader: mayBe } });
    // Its type does not tell.
    endpoint.post("/", { request: { body, bodyReader: unknown } });
    // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
    //   optional(json)
    route.post("/", { request: { body }, resolve: ok });
    // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
    //   optional(json)
    endpoint.post("/", { request: { body, bodyReader: json } });
    // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
    //   optional(form)
    endpoint.post("/", { request: { body, bodyReader: form } });
    // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
    //   optional(…), around this reader
    endpoint.post("/", { request: { body, bodyReader: decompressed(json, limits) } });
    // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
    //   optional(…), around this reader
    endpoint.post("/", { request: { body, bodyReader: own } });
  }
  // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
  //   optional(json)
  endpoint.post("/", { request: { body: v.optional(v.string()) } });
  // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
  //   optional(json)
  endpoint.post("/", { request: { body: type("string | undefined") } });
  // @ts-expect-error at `body`: This schema accepts undefined, and the body is required: write bodyReader:
  //   optional(json)
  endpoint.post("/", { request: { body: (value: unknown): value is string | undefined => value !== 1 } });
  // Not known what they accept.
  for (const body of [z.unknown(), z.any(), z.preprocess((value) => value, z.string().optional())]) {
    endpoint.post("/", { request: { body } });
  }
  // The schema decides.
  endpoint.post("/", { request: { body: book, bodyReader: optional(json) } });
  const files = z.object({ file: z.file() }).optional();
  // @ts-expect-error at `body`: "file" of the body is a file, which JSON lacks: add bodyReader: form
  endpoint.post("/", { request: { body: files, bodyReader: optional(json) } });
  route.post("/", {
    request: { body: book.optional(), bodyReader: optional(json) },
    resolve(c) {
      if (c.input.ok) assertType<IsExact<typeof c.input.body, { title: string } | undefined>>(true);
      return ok();
    },
  });
}

/** Texts and bytes are what their readers return. */
export function bodiesOfTextAndBytes() {
  for (const body of [z.string(), z.enum(["a", "b"]), z.coerce.number(), z.union([z.string(), z.number()]), z.any()]) {
    endpoint.post("/", { request: { body, bodyReader: text } });
  }
  for (const body of [z.instanceof(Uint8Array), z.custom<Uint8Array>(), z.custom<ArrayBufferView>(), z.any()]) {
    endpoint.post("/", { request: { body, bodyReader: bytes } });
  }
  // @ts-expect-error at `body`: The body arrives as a string, which this schema never accepts
  endpoint.post("/", { request: { body: z.object({ a: z.string() }), bodyReader: text } });
  // @ts-expect-error at `body`: The body arrives as a string, which this schema never accepts
  endpoint.post("/", { request: { body: z.number(), bodyReader: text } });
  // @ts-expect-error at `body`: The body arrives as a Uint8Array, which this schema never accepts
  endpoint.post("/", { request: { body: z.string(), bodyReader: bytes } });
}

/** A generic function may take a schema whose input type is known. */
export function schemasOfGenericFunctions() {
  const byOutput = <Out extends { readonly id: string }>(params: z.ZodType<Out, { id: string }>) =>
    route.get("/:id", { request: { params }, resolve: (c) => new Response(c.input.ok ? c.input.params.id : "") });
  setup({ handlers: [byOutput(z.object({ id: z.uuid() }))] });
  const bySchema = <S extends z.ZodType<{ id: string }, { id: string }>>(params: S) =>
    // Not known whether the schema accepts strings.
    // @ts-expect-error at `request`: Type 'ZodType<…' is not assignable to type 'PossibleInput<…'.
    route.get("/:id", { request: { params }, resolve: ok });
  return bySchema;
}
