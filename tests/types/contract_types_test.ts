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
  // @ts-expect-error: in a literal
  route.get("/", { responses, resolve: () => reply(200, { id: "", passwordHash: "" }) });
  // @ts-expect-error: in a variable
  route.get("/", { responses, resolve: (_c) => reply(200, row) });
  // @ts-expect-error: in a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(200, row) });
  // @ts-expect-error: in a spread
  route.get("/", { responses, resolve: (_c) => reply(200, { ...row }) });
  // @ts-expect-error: in a spread, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { ...row }) });
  // @ts-expect-error: in a nested object
  route.get("/", { responses, resolve: (_c) => reply(200, nested) });
  // @ts-expect-error: in a nested object, without a parameter
  route.get("/", { responses, resolve: () => reply(200, nested) });
  // @ts-expect-error: in the items of an array
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error: in the items of an array, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error: in an array
  route.get("/", { responses: list, resolve: (_c) => reply(200, items) });
  // @ts-expect-error: in an array, without a parameter
  route.get("/", { responses: list, resolve: () => reply(200, items) });
  // @ts-expect-error: in the result of a function
  route.get("/", { responses, resolve: (_c) => reply(200, load()) });
  const shown = () => reply(200, row);
  // @ts-expect-error: in a reply that a function returns
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error: in an asynchronous handler
  route.get("/", { responses, resolve: async () => reply(200, await Promise.resolve(row)) });
  // @ts-expect-error: with headers
  route.get("/", { responses, resolve: (_c) => reply(201, row, { headers: { location: "/" } }) });
  // @ts-expect-error: of another media type
  route.get("/", { responses, resolve: (_c) => problem(404, { title: "", ...row }) });
  // @ts-expect-error: with an endpoint
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(200, row) });
  const guard = (_c: Context) => deny(problem(404, { title: "", detail: "" }));
  // @ts-expect-error: in what a guard denies with
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
  // @ts-expect-error: in a literal
  route.get("/", { responses, resolve: () => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error: in a literal, with a parameter
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error: in place of a key of its own
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", side: 1 }) });
  // @ts-expect-error: an optional key of another member
  route.get("/", { responses, resolve: (_c) => reply(200, labelled) });
  // @ts-expect-error: an optional key of another member, without a parameter
  route.get("/", { responses, resolve: () => reply(200, labelled) });
  // @ts-expect-error: in a variable
  route.get("/", { responses, resolve: (_c) => reply(200, mixed) });
  // @ts-expect-error: in a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(200, mixed) });
  // @ts-expect-error: in a spread
  route.get("/", { responses, resolve: (_c) => reply(200, { ...circle, side: 1 }) });
  // @ts-expect-error: in a spread, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { ...mixed }) });
  // @ts-expect-error: in the items of an array
  route.get("/", { responses, resolve: (_c) => reply(201, { shapes: [mixed], at }) });
  // @ts-expect-error: in a nested object, without a parameter
  route.get("/", { responses, resolve: () => reply(201, { shapes: [], at: { schema: mixed } }) });
  const shown = () => reply(200, mixed);
  // @ts-expect-error: in a reply that a function returns
  route.get("/", { responses, resolve: () => shown() });
  const listed = () => reply(201, { shapes: [mixed], at });
  // @ts-expect-error: in a reply that a function returns, nested
  route.get("/", { responses, resolve: () => listed() });
  const denied = (_c: Context) => deny(reply(200, mixed));
  // @ts-expect-error: in what a guard denies with
  route.get("/", { responses, guards: [denied], resolve: () => reply(200, circle) });
}

/** Each object has the keys `id` and `in`, and the innermost has one more. */
export function keysThatTheSchemaLacksFarInside() {
  const leaf = { id: "", hash: "" };
  const schema = v.custom<{ id: string; in: { id: string; in: { id: string; in: { id: string } } } }>(() => true);
  const deep = { id: "", in: { id: "", in: { id: "", in: leaf } } };
  const responses = { 200: { schema } };
  // @ts-expect-error: in a variable
  route.get("/", { responses, resolve: (_c) => reply(200, deep) });
  // @ts-expect-error: in a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(200, deep) });
  // @ts-expect-error: in a literal, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { id: "", in: leaf } } }) });
  // @ts-expect-error: two objects inside
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { ...leaf, in: { id: "" } } } }) });
  const shown = () => reply(200, deep);
  // @ts-expect-error: in a reply that a function returns
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
  // @ts-expect-error: in a variable
  route.get("/", { responses, resolve: (_c) => reply(200, rows) });
  // @ts-expect-error: in a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(200, rows) });
  // @ts-expect-error: in a literal, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { emma: { id: "", hash: "" } }) });
  // @ts-expect-error: in a spread, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { emma: { ...row } }) });
  // @ts-expect-error: inside of a record, without a parameter
  route.get("/", { responses, resolve: () => reply(201, deep) });
  // @ts-expect-error: in a reply that a function returns
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
  // @ts-expect-error: not JSON
  route.get("/", { responses, resolve: (_c) => reply(200, 1n) });
  // @ts-expect-error: not JSON, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { a: [1n] }) });
  // @ts-expect-error: a key that the schema lacks
  route.get("/", { responses, resolve: (_c) => reply(202, { id: "", children: trees }) });
  // @ts-expect-error: a key that the schema lacks, without a parameter
  route.get("/", { responses, resolve: () => reply(202, { id: "", children: trees }) });
}

export function arraysInArrays(row: { id: string; hash: string }) {
  const responses = { 200: { schema: v.custom<{ id: string }[][][][][]>(() => true) } };
  route.get("/", { responses, resolve: () => reply(200, [[[[[{ id: "" }]]]]]) });
  // @ts-expect-error: a key that the schema lacks
  route.get("/", { responses, resolve: (_c) => reply(200, [[[[[row]]]]]) });
  // @ts-expect-error: a key that the schema lacks, without a parameter
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
  // @ts-expect-error: sent as JSON
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }) });
  // @ts-expect-error: sent as JSON, without a parameter
  route.get("/", { responses, resolve: () => reply(404, { title: "" }) });
  // @ts-expect-error: sent as JSON, in quotes
  route.get("/", { responses, resolve: (_c) => reply(202, "hello") });
  // @ts-expect-error: another media type
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }, { contentType: "application/json" }) });
  // @ts-expect-error: another media type than JSON, the default
  route.get("/", { responses, resolve: (_c) => problem(200, { id: "" }) });
  // @ts-expect-error: not a string
  route.get("/", { responses, resolve: (_c) => reply(202, 5, { contentType: "text/plain" }) });
  // @ts-expect-error: not a string, outside of a route
  reply(200, { a: 1 }, { contentType: "text/plain" });
  // @ts-expect-error: headers are not a way around
  reply(404, { title: "" }, { headers: { "content-type": "application/problem+json" } });
  // @ts-expect-error: headers are not a way around, in a declaration
  endpoint.get("/", { responses: { 200: { headers: { "content-type": {} } } } });
  const missing = () => reply(404, { title: "" });
  // @ts-expect-error: what a function replies
  route.get("/", { responses, resolve: () => missing() });
  const asJson = (c: Context) => c.request.url ? allow() : deny(reply(404, { title: "" }));
  // @ts-expect-error: what a guard denies with
  route.get("/", { responses, guards: [asJson], resolve: () => reply(204) });
  // @ts-expect-error: what denyInvalid denies with
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
  // @ts-expect-error: a required header may be missing
  route.get("/", { responses: open, resolve: (_c) => reply(202, body, { headers: some }) });
  // @ts-expect-error: a required header may be missing, without a parameter
  route.get("/", { responses: open, resolve: () => reply(202, body, { headers: some }) });
  // @ts-expect-error: the media type may be missing
  route.get("/", { responses: open, resolve: (_c) => reply(203, "", csv) });
  // @ts-expect-error: the media type may be another one
  route.get("/", { responses: open, resolve: (_c) => reply(206, "", csv) });
  // @ts-expect-error: the media type may be another one, without a parameter
  route.get("/", { responses: open, resolve: () => reply(206, "", csv) });
  // @ts-expect-error: the media type may be any
  route.get("/", { responses: open, resolve: () => reply(206, "", wide) });

  // One error at the mistake, and none at the routes that return the reply.
  const wrong = (title: string) =>
    // @ts-expect-error: not the value of a header
    reply(404, { title }, { contentType: "application/problem+json", headers: { title: {} } });
  route.get("/", { responses: open, resolve: () => wrong("") });
  // @ts-expect-error: not the value of a header
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
  // @ts-expect-error: a required header is missing
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }) });
  // @ts-expect-error: a required header is missing, without a parameter
  route.get("/", { responses, resolve: () => reply(201, { id: "" }) });
  // @ts-expect-error: a required header is missing among others
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { "x-left": 1 } }) });
  // @ts-expect-error: a required header may be undefined
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location: etag } }) });
  // @ts-expect-error: a misspelt header
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-lfet": 1 } }) });
  // @ts-expect-error: not a number, as its schema says
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-left": "one" } }) });
  // @ts-expect-error: without a body, too
  route.get("/", { responses, resolve: (_c) => reply(303) });
  // @ts-expect-error: not a value of a header
  reply(204, undefined, { headers: { "x-any": {} } });
  const late = () => problem(409, { title: "" });
  // @ts-expect-error: what a function replies lacks the header
  route.get("/", { responses, resolve: () => late() });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }));
  // @ts-expect-error: what a guard denies with lacks the header
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
  // @ts-expect-error: in a literal
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error: in a literal, without a parameter
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error: in an asynchronous handler without a parameter
  route.get("/", { responses, resolve: async () => reply(201, await later, { headers: { location, ...other } }) });
  // @ts-expect-error: in a variable
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: given }) });
  // @ts-expect-error: in a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error: in a third argument that is a variable
  route.get("/", { responses, resolve: (_c) => reply(201, body, init) });
  // @ts-expect-error: in a third argument that is a variable, without a parameter
  route.get("/", { responses, resolve: () => reply(201, body, init) });
  // @ts-expect-error: in a spread
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error: in a spread, without a parameter
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error: in one member of a union
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: either }) });
  // @ts-expect-error: in one member of a union, without a parameter
  route.get("/", { responses, resolve: () => reply(201, body, { headers: either }) });
  // @ts-expect-error: without a body
  route.get("/", { responses, resolve: () => reply(303, undefined, { headers: given }) });
  const shown = () => reply(201, body, { headers: { location, "x-other": "1" } });
  // @ts-expect-error: in a reply that a function returns
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error: in a reply that a function returns, with a parameter
  route.get("/", { responses, resolve: (_c) => shown() });
  // @ts-expect-error: in one of several replies
  route.get("/", { responses, resolve: () => location ? reply(200, body) : shown() });
  route.get("/", {
    responses,
    // @ts-expect-error: in an early return
    resolve: async () => {
      if (await Promise.resolve(location)) return reply(201, body, { headers: given });
      return reply(204);
    },
  });
  // @ts-expect-error: of another media type
  route.get("/", { responses, resolve: (_c) => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error: of another media type, without a parameter
  route.get("/", { responses, resolve: () => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error: with an endpoint
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error: beside headers that may be left out
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error: beside headers that may be left out, without a parameter
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error: in a range
  route.get("/", { responses: open, resolve: () => reply(404, undefined, { headers: { etag: "", ...other } }) });
  // @ts-expect-error: in other letters than is declared
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, Location: "" } }) });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error: in what a guard denies with
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  const whole = denyInvalid(() => problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error: in what denyInvalid denies with
  route.get("/", { responses, guards: [whole], resolve: () => reply(204) });
  // @ts-expect-error: in what a guard of an implemented endpoint denies with
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
  // @ts-expect-error: not a declared header of the function
  const tagged = (): Given<{ location: string }> => reply(201, body, { headers: { location, etag: "" } });
  const both = (): Given<{ location: string; etag?: string }> => reply(201, body, { headers: { location } });
  // @ts-expect-error: the function may send a header that is not declared
  route.get("/", { responses, resolve: () => both() });
  return tagged;
}

export async function headersThatAClientReceives() {
  const answer = await createClient({ add: endpoint.post("/", { responses }) }).add();
  if (answer.status === 201) {
    assertType<IsExact<typeof answer.headers.location, string>>(true);
    assertType<IsExact<typeof answer.headers["x-left"], string | undefined>>(true);
    // @ts-expect-error: not declared
    answer.headers.etag;
  }
  // @ts-expect-error: this answer declares none
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
  // @ts-expect-error: it may be absent
  route.get("/", { responses: maybe, resolve: () => reply(404) });
  // @ts-expect-error: it may be absent, with its body
  route.get("/", { responses: maybe, resolve: () => reply(404, { name: id }) });
  // @ts-expect-error: it may be absent, with its media type
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
  // @ts-expect-error: not declared
  route.get("/", { responses: named, resolve: () => reply(Status.Gone) });
  // @ts-expect-error: another key
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error: another key, by number
  route.get("/", { responses: named, resolve: () => reply(200, row) });
  // @ts-expect-error: another key, in an endpoint
  route.on(showBook, { resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error: another body
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, { id: 1 }) });
  // @ts-expect-error: no body
  route.get("/", { responses: { ...named, default: {} }, resolve: () => reply(Status.Ok) });
  // @ts-expect-error: any member
  route.get("/", { responses: named, resolve: () => reply(status, { id }) });
  // @ts-expect-error: any number
  route.get("/", { responses: named, resolve: () => reply(some, { id }) });
  const signedIn = () => id ? allow() : deny(reply(Status.Unauthorized));
  const denied = { ...named, [Status.Unauthorized]: {} };
  route.get("/", { responses: denied, guards: [signedIn], resolve: () => reply(200, { id }) });
  // @ts-expect-error: a guard denies with a status that is not declared
  route.get("/", { responses: named, guards: [signedIn], resolve: () => reply(200, { id }) });
  const asRoute = route.get("/books/:id", { responses: named, resolve: () => reply(200, { id }) });
  return [createClient({ showBook }), createClient({ showBook: asRoute })].map(async (client) => {
    const answer = await client.showBook({ params: { id } });
    assertType<IsExact<typeof answer.status, 200 | 204>>(true);
    return answer.status === 200 ? answer.body.id : answer.body;
  });
}
