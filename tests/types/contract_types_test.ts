/**
 * Media types, headers and keys of declared responses. The compiler checks them: nothing is asserted at run time, and no
 * function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import * as v from "valibot";
import { z } from "zod";
import {
  allow,
  type Answer,
  type Context,
  deny,
  denyInvalid,
  endpoint,
  type Reply,
  reply,
  replyAs,
  type ReplyInit,
} from "../../mod.ts";
import { route, type SentAs } from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";

const author = z.object({ name: z.string() });
const book = z.object({ id: z.string(), author: author.optional(), tags: z.array(author).optional() });
const aProblem = { schema: z.object({ title: z.string() }), contentType: "application/problem+json" } as const;
const responses = {
  200: { schema: book },
  201: { schema: book, headers: { location: { required: true, schema: z.url() }, "x-left": { schema: z.int() } } },
  202: { schema: z.string(), contentType: "text/plain" },
  204: {},
  303: { headers: { location: { required: true } } },
  404: aProblem,
  409: { ...aProblem, headers: { "retry-after": { required: true } } },
} as const;
const problem = replyAs("application/problem+json");

interface Row {
  readonly id: string;
  readonly passwordHash: string;
}

export function keysThatTheSchemaLacks(row: Row, rows: readonly { name: string; email: string }[], items: Row[]) {
  const nested = { id: "", author: { name: "", email: "" } };
  const load = () => row;
  const list = { 200: { schema: z.array(z.object({ id: z.string() })) } };
  // @ts-expect-error at `reply(200, { id: "", passwordHash: "" })`: Type '"passwordHash"' is not assignable to type
  //   '"author" | "id" | "tags"'.
  route.get("/", { responses, resolve: () => reply(200, { id: "", passwordHash: "" }) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, row) });
  // @ts-expect-error at `reply(200, row)`: Type '"passwordHash"' is not assignable to type '"author" | "id" | "tags"'.
  route.get("/", { responses, resolve: () => reply(200, row) });
  // @ts-expect-error at `{ ...row }`: The schema has no key "passwordHash": name the keys to send, or add it to the
  //   schema
  route.get("/", { responses, resolve: (_c) => reply(200, { ...row }) });
  // @ts-expect-error at `reply(200, { ...row })`: Type '"passwordHash"' is not assignable to type '"author" | "id" |
  //   "tags"'.
  route.get("/", { responses, resolve: () => reply(200, { ...row }) });
  // @ts-expect-error at `nested`: The schema has no key "email": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, nested) });
  // @ts-expect-error at `reply(200, nested)`: Type '"email"' is not assignable to type '"name"'.
  route.get("/", { responses, resolve: () => reply(200, nested) });
  // @ts-expect-error at `tags`: The schema has no key "email": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error at `reply(200, { id: "", tags: rows })`: Type '"email"' is not assignable to type '"name"'.
  route.get("/", { responses, resolve: () => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error at `items`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses: list, resolve: (_c) => reply(200, items) });
  // @ts-expect-error at `reply(200, items)`: Type '"passwordHash"' is not assignable to type '"id"'.
  route.get("/", { responses: list, resolve: () => reply(200, items) });
  // @ts-expect-error at `load()`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, load()) });
  const shown = () => reply(200, row);
  // @ts-expect-error at `shown()`: Type '"passwordHash"' is not assignable to type '"author" | "id" | "tags"'.
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error at `reply(200, await Promise.resolve(row))`: Type '"passwordHash"' is not assignable to type
  //   '"author" | "id" | "tags"'.
  route.get("/", { responses, resolve: async () => reply(200, await Promise.resolve(row)) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(201, row, { headers: { location: "/" } }) });
  // @ts-expect-error at `{ title: "", ...row }`: The schema has no key "id": name the keys to send, or add it to the
  //   schema
  route.get("/", { responses, resolve: (_c) => problem(404, { title: "", ...row }) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(200, row) });
  const guard = (_c: Context) => deny(problem(404, { title: "", detail: "" }));
  // @ts-expect-error at `responses`: 404 is declared without a key of the body that a guard denies with: "detail"
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  // The escape is visible.
  route.get("/", { responses, resolve: () => reply(200, row as { id: string }) });
}

type Shape = { kind: "circle"; radius: number } | { kind: "square"; side: number } | { kind: "none"; label?: string };

export function keysThatOnlyAnotherMemberOfAUnionHas(mixed: { kind: "circle"; radius: number; side: number }) {
  const schema = v.custom<Shape>(() => true);
  const responses = {
    200: { schema },
    201: { schema: v.object({ shapes: v.array(schema), at: v.object({ schema }) }) },
  };
  const circle = { kind: "circle" as const, radius: 1 };
  const labelled = { kind: "circle" as const, radius: 1, label: "" };
  const at = { schema: circle };
  // @ts-expect-error at `reply(200, { kind: "circle", radius: 1,…`: Type '"radius"' is not assignable to type '"kind" |
  //   "side"'.
  route.get("/", { responses, resolve: () => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error at `{ kind: "circle", radius: 1, side: 1 }`: The schema has no key "side": name the keys to send,
  //   or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error at `side`: Object literal may only specify known properties, and 'side' does not exist in type '{
  //   readonly kind: "circle"; readonly radius: number; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", side: 1 }) });
  // @ts-expect-error at `labelled`: The schema has no key "label": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, labelled) });
  // @ts-expect-error at `reply(200, labelled)`: Type '"radius"' is not assignable to type '"kind" | "label"'.
  route.get("/", { responses, resolve: () => reply(200, labelled) });
  // @ts-expect-error at `mixed`: The schema has no key "side": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, mixed) });
  // @ts-expect-error at `reply(200, mixed)`: Type '"radius"' is not assignable to type '"kind" | "side"'.
  route.get("/", { responses, resolve: () => reply(200, mixed) });
  // @ts-expect-error at `{ ...circle, side: 1 }`: The schema has no key "radius": name the keys to send, or add it to
  //   the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { ...circle, side: 1 }) });
  // @ts-expect-error at `reply(200, { ...mixed })`: Type '"radius"' is not assignable to type '"kind" | "side"'.
  route.get("/", { responses, resolve: () => reply(200, { ...mixed }) });
  // @ts-expect-error at `mixed`: The schema has no key "side": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(201, { shapes: [mixed], at }) });
  // @ts-expect-error at `reply(201, { shapes: [], at: { schema: m…`: Type '"radius"' is not assignable to type '"kind"
  //   | "side"'.
  route.get("/", { responses, resolve: () => reply(201, { shapes: [], at: { schema: mixed } }) });
  const shown = () => reply(200, mixed);
  // @ts-expect-error at `shown()`: Type '"radius"' is not assignable to type '"kind" | "side"'.
  route.get("/", { responses, resolve: () => shown() });
  const listed = () => reply(201, { shapes: [mixed], at });
  // @ts-expect-error at `listed()`: Type '"radius"' is not assignable to type '"kind" | "side"'.
  route.get("/", { responses, resolve: () => listed() });
  const denied = (_c: Context) => deny(reply(200, mixed));
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: in a nested
  //   object
  route.get("/", { responses, guards: [denied], resolve: () => reply(200, circle) });
}

/** Each object has the keys `id` and `in`, and the innermost has one more. */
export function keysThatTheSchemaLacksFarInside() {
  const leaf = { id: "", hash: "" };
  const schema = v.custom<{ id: string; in: { id: string; in: { id: string; in: { id: string } } } }>(() => true);
  const deep = { id: "", in: { id: "", in: { id: "", in: leaf } } };
  const responses = { 200: { schema } };
  // @ts-expect-error at `deep`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, deep) });
  // @ts-expect-error at `reply(200, deep)`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, deep) });
  // @ts-expect-error at `reply(200, { id: "", in: { id: "", in: {…`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { id: "", in: leaf } } }) });
  // @ts-expect-error at `reply(200, { id: "", in: { id: "", in: {…`: Type '"hash"' is not assignable to type '"id" |
  //   "in"'.
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { ...leaf, in: { id: "" } } } }) });
  const shown = () => reply(200, deep);
  // @ts-expect-error at `shown()`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => shown() });
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface Totals {
  readonly emma: { readonly id: string };
}

export function valuesOfRecords(
  rows: Record<string, { id: string; hash: string }>,
  totals: Totals,
  records: Record<string, { id: string }>,
  either: Record<string, { id: string }> | { total: number },
  json: Json,
) {
  const schema = v.custom<Record<string, { id: string }>>(() => true);
  const responses = {
    200: { schema },
    201: { schema: v.custom<{ by: Record<string, { in: { id: string } }[]> }>(() => true) },
    202: { schema: v.custom<Record<string, unknown>>(() => true) },
    203: { schema: v.custom<Partial<Record<string, number>> | { total: number }>(() => true) },
    206: { schema: v.custom<{ id: string; [name: string]: unknown }>(() => true) },
    207: { schema: v.custom<Json>(() => true) },
    208: { schema: v.custom<Record<string, { id: string }> | { total: number }>(() => true) },
  };
  const row = { id: "", hash: "" };
  const shown = () => reply(200, rows);
  const deep = { by: { emma: [{ in: row }] } };
  // @ts-expect-error at `rows`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, rows) });
  // @ts-expect-error at `reply(200, rows)`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, rows) });
  // @ts-expect-error at `reply(200, { emma: { id: "", hash: "" }…`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, { emma: { id: "", hash: "" } }) });
  // @ts-expect-error at `reply(200, { emma: { ...row } })`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, { emma: { ...row } }) });
  // @ts-expect-error at `reply(201, deep)`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(201, deep) });
  // @ts-expect-error at `shown()`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => shown() });
  route.get("/", { responses, resolve: () => reply(200, records) });
  route.get("/", { responses, resolve: () => reply(200, { emma: { id: "" } }) });
  route.get("/", { responses, resolve: () => reply(200, { ...totals }) });
  route.get("/", { responses, resolve: () => reply(200, {}) });
  route.get("/", { responses, resolve: () => reply(201, { by: { emma: [{ in: { id: "" } }] } }) });
  route.get("/", { responses, resolve: () => reply(202, { row, rows, none: null, tags: ["a"], at: new Date() }) });
  route.get("/", { responses, resolve: () => reply(203, { total: 1 }) });
  route.get("/", { responses, resolve: () => reply(203, { emma: 1 }) });
  route.get("/", { responses, resolve: () => reply(206, { id: "", rows }) });
  route.get("/", { responses, resolve: () => reply(207, json) });
  route.get("/", { responses, resolve: () => reply(207, { a: [1, { b: null }] }) });
  route.get("/", { responses, resolve: () => reply(208, either) });
}

interface Tree {
  readonly id: string;
  readonly children: Tree[];
}

export function typesThatContainThemselves(json: z.core.util.JSONType, tree: Tree, trees: (Tree & { hash: string })[]) {
  const responses = {
    200: { schema: z.json() },
    201: { schema: z.object({ any: z.json(), all: z.array(z.json()) }) },
    202: { schema: v.custom<Tree>(() => true) },
    203: { schema: v.custom<Json>(() => true) },
  };
  const shown = () => reply(200, [1, { a: [json] }]);
  route.get("/", { responses, resolve: () => reply(200, "x") });
  route.get("/", { responses, resolve: (_c) => reply(200, "x") });
  route.get("/", { responses, resolve: () => reply(200, json) });
  route.get("/", { responses, resolve: (_c) => reply(200, [json, { json }, [[json]]]) });
  route.get("/", { responses, resolve: () => shown() });
  route.get("/", { responses, guards: [() => deny(shown())], resolve: () => reply(200, null) });
  route.get("/", { responses, resolve: () => reply(201, { any: [json], all: [json] }) });
  route.get("/", { responses, resolve: (_c) => reply(201, { any: { json }, all: [1, [json]] }) });
  route.get("/", { responses, resolve: () => reply(202, { id: "", children: [tree] }) });
  route.get("/", { responses, resolve: (_c) => reply(202, { id: "", children: [tree] }) });
  route.get("/", { responses, resolve: () => reply(203, json) });
  route.get("/", { responses, resolve: (_c) => reply(203, json) });
  // @ts-expect-error at `1n`: Argument of type '1n' is not assignable to parameter of type 'JSONType'.
  route.get("/", { responses, resolve: (_c) => reply(200, 1n) });
  // @ts-expect-error at `reply(200, { a: [1n] })`: Type '1n' is not assignable to type '…'.
  route.get("/", { responses, resolve: () => reply(200, { a: [1n] }) });
  // @ts-expect-error at `children`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(202, { id: "", children: trees }) });
  // @ts-expect-error at `reply(202, { id: "", children: trees })`: Type '"hash"' is not assignable to type '"children"
  //   | "id"'.
  route.get("/", { responses, resolve: () => reply(202, { id: "", children: trees }) });
}

export function arraysInArrays(row: { id: string; hash: string }) {
  const responses = { 200: { schema: v.custom<{ id: string }[][][][][]>(() => true) } };
  route.get("/", { responses, resolve: () => reply(200, [[[[[{ id: "" }]]]]]) });
  // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, [[[[[row]]]]]) });
  // @ts-expect-error at `reply(200, [[[[[row]]]]])`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses, resolve: () => reply(200, [[[[[row]]]]]) });
}

export function membersOfAUnionThatFit(shape: Shape, shapes: readonly Shape[], either: { kind: "none"; label: "" }) {
  const schema = v.custom<Shape>(() => true);
  const responses = { 200: { schema }, 201: { schema: v.array(schema) } };
  const circle = { kind: "circle" as const, radius: 1 };
  const any = () => reply(200, shape);
  const all = () => reply(201, shapes);
  route.get("/", { responses, resolve: () => reply(200, { kind: "square", side: 1 }) });
  route.get("/", { responses, resolve: (_c) => reply(200, Math.random() < 1 ? circle : either) });
  route.get("/", { responses, resolve: () => reply(200, Math.random() < 1 ? circle : either) });
  route.get("/", { responses, resolve: () => reply(200, { ...circle }) });
  route.get("/", { responses, resolve: () => reply(200, { kind: "none" }) });
  route.get("/", { responses, resolve: () => any() });
  route.get("/", { responses, resolve: () => all() });
  route.get("/", { responses, resolve: () => reply(201, [...shapes, circle, either]) });
}

class Money {
  readonly amount: number = 1;
  add(): Money {
    return this;
  }
}

class Stamp {
  readonly seconds = 0;
  toJSON(): { at: string } {
    return { at: "" };
  }
}

export function bodiesThatFit(
  record: Record<string, { n: number }>,
  frozen: readonly { readonly name: string }[],
  either: { kind: "a"; n: number } | { kind: "b"; text: string },
  some: unknown,
  object: object,
) {
  const of = <T>(schema: v.BaseSchema<unknown, T, v.BaseIssue<unknown>>) => ({ 200: { schema } });
  route.get("/", { responses, resolve: () => reply(200, { id: "", tags: frozen }) });
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", tags: frozen }) });
  const union = { 200: { schema: z.union([z.object({ kind: z.literal("a"), n: z.number() }), z.null()]) } };
  route.get("/", { responses: union, resolve: () => reply(200, { kind: "a", n: 1 }) });
  route.get("/", { responses: union, resolve: (c) => reply(200, c.request.body ? null : { kind: "a", n: 1 }) });
  const a = z.object({ kind: z.literal("a"), n: z.number() });
  const b = z.object({ kind: z.literal("b"), text: z.string() });
  const told = { 200: { schema: z.discriminatedUnion("kind", [a, b]) } };
  route.get("/", { responses: told, resolve: () => reply(200, either) });
  route.get("/", { responses: told, resolve: (_c) => reply(200, either) });
  const byName = { 200: { schema: z.record(z.string(), z.object({ n: z.number() })) } };
  route.get("/", { responses: byName, resolve: () => reply(200, record) });
  route.get("/", { responses: byName, resolve: (_c) => reply(200, { one: { n: 1 }, two: { n: 2 } }) });
  const open = { 200: { schema: z.object({ any: z.unknown(), loose: z.looseObject({ id: z.string() }) }) } };
  route.get("/", { responses: open, resolve: () => reply(200, { any: { a: 1 }, loose: { id: "", more: 1 } }) });
  route.get("/", { responses: open, resolve: (_c) => reply(200, { any: some, loose: { id: "", more: 1 } }) });
  route.get("/", { responses: of(v.custom<object>(() => true)), resolve: () => reply(200, object) });
  route.get("/", { responses: of(v.custom<object>(() => true)), resolve: (_c) => reply(200, { a: 1 }) });
  const tuple = { 200: { schema: z.tuple([z.string(), z.object({ at: z.date() })]) } };
  route.get("/", { responses: tuple, resolve: () => reply(200, ["", { at: new Date() }]) });
  route.get("/", { responses: tuple, resolve: (_c) => reply(200, ["", { at: new Date() }]) });
  // JSON leaves methods out, and calls `toJSON`.
  const amount = { 200: { schema: z.object({ amount: z.number() }) } };
  route.get("/", { responses: amount, resolve: () => reply(200, new Money()) });
  route.get("/", { responses: amount, resolve: (_c) => reply(200, new Money()) });
  const stamped = { 200: { schema: z.object({ stamp: z.instanceof(Stamp) }) } };
  route.get("/", { responses: stamped, resolve: () => reply(200, { stamp: new Stamp() }) });
  route.get("/", { responses: stamped, resolve: (_c) => reply(200, { stamp: new Stamp() }) });
  route.get("/", { responses: { 200: { schema: z.object({}) } }, resolve: () => reply(200, {}) });
}

export function mediaTypes() {
  const inJson = { contentType: "application/problem+json" } as const;
  route.get("/", { responses, resolve: () => reply(404, { title: "" }, inJson) });
  route.get("/", {
    responses,
    resolve: (_c) => reply(404, { title: "" }, { contentType: "application/problem+json" }),
  });
  route.get("/", { responses, resolve: () => problem(404, { title: "" }) });
  route.get("/", { responses, resolve: () => reply(202, "hello", { contentType: "text/plain" }) });
  route.get("/", { responses, resolve: (_c) => replyAs("text/plain")(202, "hello") });
  // @ts-expect-error at `{ title: "" }`: Write reply(404, body, { contentType: "application/problem+json" })
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }) });
  // @ts-expect-error at `reply(404, { title: "" })`: Type '"application/json"' is not assignable to type
  //   '"application/problem+json"'.
  route.get("/", { responses, resolve: () => reply(404, { title: "" }) });
  // @ts-expect-error at `"hello"`: Write reply(202, body, { contentType: "text/plain" })
  route.get("/", { responses, resolve: (_c) => reply(202, "hello") });
  // @ts-expect-error at `contentType`: Type '"application/json"' is not assignable to type
  //   '"application/problem+json"'.
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }, { contentType: "application/json" }) });
  // @ts-expect-error at `{ id: "" }`: 200 is declared as application/json, not as application/problem+json
  route.get("/", { responses, resolve: (_c) => problem(200, { id: "" }) });
  // @ts-expect-error at `5`: Argument of type 'number' is not assignable to parameter of type 'string'.
  route.get("/", { responses, resolve: (_c) => reply(202, 5, { contentType: "text/plain" }) });
  // @ts-expect-error at `{ a: 1 }`: The body must be a string, since text/plain is not JSON
  reply(200, { a: 1 }, { contentType: "text/plain" });
  // Headers are not a way around.
  // @ts-expect-error at `headers`: Write contentType beside headers, not in it
  reply(404, { title: "" }, { headers: { "content-type": "application/problem+json" } });
  // Headers are not a way around, in a declaration.
  // @ts-expect-error at `"content-type"`: Type '{}' is not assignable to type 'undefined'.
  endpoint.get("/", { responses: { 200: { headers: { "content-type": {} } } } });
  const missing = () => reply(404, { title: "" });
  // @ts-expect-error at `missing()`: Type '"application/json"' is not assignable to type '"application/problem+json"'.
  route.get("/", { responses, resolve: () => missing() });
  const asJson = (c: Context) => c.request.url ? allow() : deny(reply(404, { title: "" }));
  // @ts-expect-error at `responses`: 404 is declared as application/problem+json, and a guard denies as
  //   application/json
  route.get("/", { responses, guards: [asJson], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 404 is declared as application/problem+json, and a guard denies as
  //   application/json
  route.get("/", { responses, guards: [denyInvalid(() => reply(404, { title: "" }))], resolve: () => reply(204) });
  const asProblem = (c: Context) => c.request.url ? allow() : deny(problem(404, { title: "" }));
  route.get("/", { responses, guards: [asProblem], resolve: () => reply(204) });
  assertType<
    IsExact<ReturnType<typeof missing>, Reply<Answer<404, { readonly title: "" }>>>
  >(true);
  const ready = new Response() as Reply<Answer<404, { title: string }, SentAs<"application/problem+json">>>;
  route.get("/", { responses, resolve: () => ready });
  // Several media types: a string, of which no value is known.
  const several = { 200: { schema: book, contentType: "application/json" as string } };
  route.get("/", { responses: several, resolve: () => reply(200, { id: "" }, { contentType: "application/b+json" }) });
}

/** Under `exactOptionalPropertyTypes`, too. */
export function optionsThatAreUndefined(
  given: { [name: string]: string } | undefined,
  some: { etag: string } | undefined,
  csv: { contentType?: "text/csv" },
  wide: ReplyInit,
) {
  const open = {
    200: { schema: author },
    201: { schema: author, headers: { etag: {} } },
    202: { schema: author, headers: { etag: { required: true } } },
    203: { schema: z.string(), contentType: "text/csv" },
    206: { schema: z.string() },
    404: aProblem,
  } as const;
  const body = { name: "" };
  const shared = (title: string, headers?: { [name: string]: string }, statusText?: string) =>
    reply(404, { title }, { contentType: "application/problem+json", headers, statusText });
  route.get("/", { responses: open, resolve: () => shared("") });
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: given, contentType: undefined }) });
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: given, statusText: undefined }) });
  route.get("/", { responses: open, resolve: (_c) => reply(201, body, { headers: some }) });
  route.get("/", { responses: open, resolve: () => reply(201, body, { headers: some }) });
  route.get("/", { responses: open, resolve: () => problem(404, { title: "" }, { headers: given }) });
  allow({}, { headers: given });
  createClient({}, { baseUrl: undefined, fetch: undefined, headers: undefined, validator: undefined });
  // @ts-expect-error at `headers`: Type 'undefined' is not assignable to type '{ readonly etag: HeaderValue; }'.
  route.get("/", { responses: open, resolve: (_c) => reply(202, body, { headers: some }) });
  // @ts-expect-error at `reply(202, body, { headers: some })`: Property 'etag' is missing in type 'Record<never,
  //   never>' but required in type '{ readonly etag: HeaderValue; }'.
  route.get("/", { responses: open, resolve: () => reply(202, body, { headers: some }) });
  // @ts-expect-error at `csv`: Property 'contentType' is optional in type '{ contentType?: "text/csv"; }' but required
  //   in type '{ readonly contentType: "text/csv"; }'.
  route.get("/", { responses: open, resolve: (_c) => reply(203, "", csv) });
  // @ts-expect-error at `csv`: Type '"text/csv"' is not assignable to type '"application/json"'.
  route.get("/", { responses: open, resolve: (_c) => reply(206, "", csv) });
  // @ts-expect-error at `reply(206, "", csv)`: Type '"text/csv"' is not assignable to type '"application/json"'.
  route.get("/", { responses: open, resolve: () => reply(206, "", csv) });
  // @ts-expect-error at `reply(206, "", wide)`: Type 'string' is not assignable to type '"application/json"'.
  route.get("/", { responses: open, resolve: () => reply(206, "", wide) });

  // One error at the mistake, and none at the routes that return the reply.
  const wrong = (title: string) =>
    // @ts-expect-error at `headers`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
    reply(404, { title }, { contentType: "application/problem+json", headers: { title: {} } });
  route.get("/", { responses: open, resolve: () => wrong("") });
  // @ts-expect-error at `headers`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
  const wrongProblem = (title: string) => problem(404, { title }, { headers: { title: {} } });
  route.get("/", { responses: open, resolve: () => wrongProblem("") });
}

export function headers(etag: string | undefined) {
  const location = "/books/1";
  const made = { 200: { schema: book, headers: { etag: {} } } };
  route.get("/", { responses, resolve: () => reply(201, { id: "" }, { headers: { location, "x-left": 1 } }) });
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location } }) });
  route.get("/", { responses, resolve: () => reply(303, undefined, { headers: { location } }) });
  // A ready response has its own headers.
  route.get("/", { responses, resolve: () => reply(303, Response.redirect("http://localhost/", 303)) });
  route.get("/", { responses, resolve: () => problem(409, { title: "" }, { headers: { "retry-after": 1 } }) });
  route.get("/", { responses: made, resolve: (_c) => reply(200, { id: "" }, { headers: { etag } }) });
  route.get("/", { responses: made, resolve: () => reply(200, { id: "" }) });
  // A status without declared headers has any.
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "" }, { headers: { "x-any": true } }) });
  // @ts-expect-error at `{ id: "" }`: Write reply(201, body, { headers: { "location": ... } })
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }) });
  // @ts-expect-error at `reply(201, { id: "" })`: Property 'location' is missing in type 'Record<never, never>' but
  //   required in type '{…'.
  route.get("/", { responses, resolve: () => reply(201, { id: "" }) });
  // @ts-expect-error at `headers`: Property 'location' is missing in type '{ "x-left": number; }' but required in type
  //   '{…'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { "x-left": 1 } }) });
  // @ts-expect-error at `location`: Type 'undefined' is not assignable to type 'string'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location: etag } }) });
  // @ts-expect-error at `"x-lfet"`: The response declares no header "x-lfet": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-lfet": 1 } }) });
  // @ts-expect-error at `"x-left"`: Type 'string' is not assignable to type 'number'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-left": "one" } }) });
  // @ts-expect-error at `303`: Argument of type '303' is not assignable to parameter of type '204'.
  route.get("/", { responses, resolve: (_c) => reply(303) });
  // @ts-expect-error at `headers`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
  reply(204, undefined, { headers: { "x-any": {} } });
  const late = () => problem(409, { title: "" });
  // @ts-expect-error at `late()`: Property '"retry-after"' is missing in type 'Record<never, never>' but required in
  //   type '{ readonly "retry-after": HeaderValue; }'.
  route.get("/", { responses, resolve: () => late() });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }));
  // @ts-expect-error at `responses`: 409 is declared as application/problem+json with headers: { "retry-after": ... },
  //   and a guard denies as application/problem+json
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
}

export function headersThatAreNotDeclared(either: { location: string } | { location: string; "x-other": string }) {
  const body = { id: "" };
  const later = Promise.resolve(body);
  const location = "/books/1";
  const other = { "x-other": "1" };
  const given = { location, "x-other": "1" };
  const init = { headers: given };
  const late = { "retry-after": 1, "x-other": "1" };
  const open = { 200: { schema: book, headers: { etag: {} } }, 201: {}, "4XX": { headers: { etag: {} } }, default: {} };
  // @ts-expect-error at `"x-other"`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error at `reply(201, await later, { headers: { loc…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: async () => reply(201, await later, { headers: { location, ...other } }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: given }) });
  // @ts-expect-error at `reply(201, body, { headers: given })`: declare each header, or leave it out: Type '"x-other"'
  //   is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error at `init`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, init) });
  // @ts-expect-error at `reply(201, body, init)`: declare each header, or leave it out: Type '"x-other"' is not
  //   assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, init) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: either }) });
  // @ts-expect-error at `reply(201, body, { headers: either })`: declare each header, or leave it out
  route.get("/", { responses, resolve: () => reply(201, body, { headers: either }) });
  // @ts-expect-error at `reply(303, undefined, { headers: given }…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location"'.
  route.get("/", { responses, resolve: () => reply(303, undefined, { headers: given }) });
  const shown = () => reply(201, body, { headers: { location, "x-other": "1" } });
  // @ts-expect-error at `shown()`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error at `shown()`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: (_c) => shown() });
  // @ts-expect-error at `location ? reply(200, body) : shown()`: declare each header, or leave it out: Type '"x-other"'
  //   is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => location ? reply(200, body) : shown() });
  route.get("/", {
    responses,
    // @ts-expect-error at `resolve`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
    //   '"location" | "x-left"'.
    resolve: async () => {
      if (await Promise.resolve(location)) return reply(201, body, { headers: given });
      return reply(204);
    },
  });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error at `problem(409, { title: "" }, { headers: l…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"retry-after"'.
  route.get("/", { responses, resolve: () => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(200, body, { headers: { etag: "",…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"etag"'.
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(404, undefined, { headers: { etag:…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"etag"'.
  route.get("/", { responses: open, resolve: () => reply(404, undefined, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"Location"' is not assignable to type '"location" | "x-left"'. Did you mean '"location"'?
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, Location: "" } }) });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error at `responses`: 409 is declared without a header that a guard denies with: "x-other"
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  const whole = denyInvalid(() => problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error at `responses`: 409 is declared without a header that a guard denies with: "x-other"
  route.get("/", { responses, guards: [whole], resolve: () => reply(204) });
  // @ts-expect-error at `endpoint.get("/", { responses })`: 409 is declared without a header that a guard denies with:
  //   "x-other"
  route.on(endpoint.get("/", { responses }), { guards: [guard], resolve: () => reply(204) });
}

export function headersThatFit(
  known: { location: string } | { location: string; "x-left": number },
  record: Record<string, string>,
  none: undefined,
) {
  const body = { id: "" };
  const location = "/books/1";
  const other = { "x-other": "1" };
  const open = { 200: { schema: book }, 201: { headers: { etag: {} } }, "4XX": {}, default: { headers: { etag: {} } } };
  type Given<Headers> = Reply<Answer<201, z.infer<typeof book>, SentAs<"application/json", Headers>>>;
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: known }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: known }) });
  // One that is undefined is not sent.
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, "x-other": undefined } }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, "x-left": none, no: none } }) });
  // The names of a record are not known.
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, ...record } }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, ...record } }) });
  route.get("/", { responses: open, resolve: () => reply(201, undefined, { headers: record }) });
  // A status without declared headers has any.
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: other }) });
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: new Headers(other) }) });
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: [["link", "a"], ["link", "b"]] }) });
  route.get("/", { responses: open, resolve: () => reply(404, undefined, { headers: other }) });
  const guard = (c: Context) =>
    c.request.url ? allow() : deny(reply(429, undefined, { headers: { "retry-after": 1 } }));
  route.get("/", { responses: open, guards: [guard], resolve: () => reply(200, body) });
  // Those of a guard that lets the request continue are not those of the reply.
  route.get("/", { responses: open, guards: [() => allow({}, { headers: other })], resolve: () => reply(201) });
  // A reply that a function declares.
  const located = (): Given<{ location: string }> => reply(201, body, { headers: { location } });
  route.get("/", { responses, resolve: () => located() });
  route.get("/", { responses: { 201: { schema: book } }, resolve: () => located() });
  route.get("/", {
    responses: { 201: { schema: book, headers: { location: { required: true } } } },
    resolve: () => located(),
  });
  // @ts-expect-error at `etag`: The response declares no header "etag": declare it, or leave it out
  const tagged = (): Given<{ location: string }> => reply(201, body, { headers: { location, etag: "" } });
  const both = (): Given<{ location: string; etag?: string }> => reply(201, body, { headers: { location } });
  // The function may send a header that is not declared.
  // @ts-expect-error at `both()`: declare each header, or leave it out: Type '"etag"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => both() });
  return tagged;
}

export async function headersThatAClientReceives() {
  const answer = await createClient({ add: endpoint.post("/", { responses }) }).add();
  if (answer.status === 201) {
    assertType<IsExact<typeof answer.headers.location, string>>(true);
    assertType<IsExact<typeof answer.headers["x-left"], string | undefined>>(true);
    // @ts-expect-error at `etag`: Property 'etag' does not exist on type 'ReceivedHeaders<…'.
    answer.headers.etag;
  }
  // @ts-expect-error at `location`: Property 'location' does not exist on type 'NoHeaders'.
  if (answer.status === 200) answer.headers.location;
}

/** Statuses as enums of libraries have them. TypeScript accepts any number as a member of an enum. */
declare enum Status {
  Ok = 200,
  NoContent = 204,
  Unauthorized = 401,
  Gone = 410,
}

/** A status that may be absent is not declared. */
export function statusesThatMayBeAbsent(id: string, some: { 404?: { schema: typeof author }; 410?: typeof aProblem }) {
  const maybe = { 200: { schema: author }, 204: {}, ...some };
  route.get("/", { responses: maybe, resolve: () => id ? reply(200, { name: id }) : reply(204) });
  route.get("/", { responses: { ...maybe, 404: {} }, resolve: () => reply(404) });
  // @ts-expect-error at `reply(404)`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => reply(404) });
  // @ts-expect-error at `reply(404, { name: id })`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => reply(404, { name: id }) });
  // @ts-expect-error at `problem(410, { title: "Gone" })`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => problem(410, { title: "Gone" }) });
}

export function statusesOfAnEnum(id: string, row: Row, status: Status, some: number) {
  const named = { [Status.Ok]: { schema: z.object({ id: z.string() }) }, [Status.NoContent]: {} };
  const numbered = { 200: { schema: z.object({ id: z.string() }) }, 204: {} };
  const showBook = endpoint.get("/books/:id", { responses: named });
  route.get("/", { responses: named, resolve: () => id ? reply(Status.Ok, { id }) : reply(204) });
  route.get("/", { responses: named, resolve: () => id ? reply(200, { id }) : reply(Status.NoContent) });
  route.get("/", { responses: numbered, resolve: () => id ? reply(Status.Ok, { id }) : reply(Status.NoContent) });
  route.on(showBook, { resolve: () => reply(Status.Ok, { id }) });
  route.get("/", { responses: { ...named, default: {} }, resolve: () => id ? reply(200, { id }) : reply(500) });
  // @ts-expect-error at `reply(Status.Gone)`: Type 'Status.Gone' is not assignable to type '200 | 204'.
  route.get("/", { responses: named, resolve: () => reply(Status.Gone) });
  // @ts-expect-error at `reply(Status.Ok, row)`: Type '"passwordHash"' is not assignable to type '"id"'.
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error at `reply(200, row)`: Type '"passwordHash"' is not assignable to type '"id"'.
  route.get("/", { responses: named, resolve: () => reply(200, row) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.on(showBook, { resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error at `reply(Status.Ok, { id: 1 })`: Type 'number' is not assignable to type 'string'.
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, { id: 1 }) });
  // @ts-expect-error at `reply(Status.Ok)`: Type 'undefined' is not assignable to type '{ readonly id: string; }'.
  route.get("/", { responses: { ...named, default: {} }, resolve: () => reply(Status.Ok) });
  // @ts-expect-error at `reply(status, { id })`: Type 'Status.Unauthorized' is not assignable to type '200 | 204'.
  route.get("/", { responses: named, resolve: () => reply(status, { id }) });
  // @ts-expect-error at `reply(some, { id })`: Type 'number' is not assignable to type '200 | 204'.
  route.get("/", { responses: named, resolve: () => reply(some, { id }) });
  const signedIn = () => id ? allow() : deny(reply(Status.Unauthorized));
  const denied = { ...named, [Status.Unauthorized]: {} };
  route.get("/", { responses: denied, guards: [signedIn], resolve: () => reply(200, { id }) });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.get("/", { responses: named, guards: [signedIn], resolve: () => reply(200, { id }) });
  const asRoute = route.get("/books/:id", { responses: named, resolve: () => reply(200, { id }) });
  return [createClient({ showBook }), createClient({ showBook: asRoute })].map(async (client) => {
    const answer = await client.showBook({ params: { id } });
    assertType<IsExact<typeof answer.status, 200 | 204>>(true);
    return answer.status === 200 ? answer.body.id : answer.body;
  });
}
