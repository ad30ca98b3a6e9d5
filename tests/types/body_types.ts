/** Which bodies fit what is declared: their keys and their values. No function is called. */
import * as v from "valibot";
import { z } from "zod";
import { type Context, deny, denyInvalid, endpoint, reply, replyAs } from "../../mod.ts";
import { route } from "../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../src/events/mod.ts";

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
  // @ts-expect-error at `reply(200, { id: "", passwordHash: "" })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { id: "", passwordHash: "" }) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, row) });
  // @ts-expect-error at `reply(200, row)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, row) });
  // @ts-expect-error at `{ ...row }`: The schema has no key "passwordHash": name the keys to send, or add it to the
  //   schema
  route.get("/", { responses, resolve: (_c) => reply(200, { ...row }) });
  // @ts-expect-error at `reply(200, { ...row })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { ...row }) });
  // @ts-expect-error at `nested`: The schema has no key "email": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, nested) });
  // @ts-expect-error at `reply(200, nested)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, nested) });
  // @ts-expect-error at `tags`: The schema has no key "email": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error at `reply(200, { id: "", tags: rows })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { id: "", tags: rows }) });
  // @ts-expect-error at `items`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses: list, resolve: (_c) => reply(200, items) });
  // @ts-expect-error at `reply(200, items)`: return reply(status, body)
  route.get("/", { responses: list, resolve: () => reply(200, items) });
  // @ts-expect-error at `load()`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, load()) });
  const role = z.enum(["admin", "member"]);
  const withRole = { 200: { schema: z.object({ user: z.object({ id: z.string(), role }) }) } };
  const isAdmin = rows.length > 0;
  route.get("/", {
    responses: withRole,
    // @ts-expect-error at `user`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
    resolve: (_c) => reply(200, { user: isAdmin ? { ...row, role: "admin" } : { id: "", role: "member" } }),
  });
  route.get("/", {
    responses: withRole,
    // @ts-expect-error at `{ ...row, user: isAdmin ? { id: "", role…`: The schema has no key "id": name the keys to
    //   send, or add it to the schema | The schema has no key "passwordHash": name the keys to send, or add it to the
    //   schema
    resolve: (_c) => reply(200, { ...row, user: isAdmin ? { id: "", role: "admin" } : { id: "", role: "member" } }),
  });
  route.get("/", {
    responses: withRole,
    resolve: (_c) => reply(200, { user: isAdmin ? { id: row.id, role: "admin" } : { id: "", role: "member" } }),
  });
  const shown = () => reply(200, row);
  // @ts-expect-error at `shown()`: return reply(status, body)
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error at `reply(200, await Promise.resolve(row))`: return reply(status, body)
  route.get("/", { responses, resolve: async () => reply(200, await Promise.resolve(row)) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(201, row, { headers: { location: "/" } }) });
  // @ts-expect-error at `{ title: "", ...row }`: The schema has no key "id": name the keys to send, or add it to the
  //   schema | The schema has no key "passwordHash": name the keys to send, or add it to the schema
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
  // @ts-expect-error at `reply(200, { kind: "circle", radius: 1,…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error at `{ kind: "circle", radius: 1, side: 1 }`: The schema has no key "side": name the keys to send,
  //   or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", radius: 1, side: 1 }) });
  // @ts-expect-error at `side`: Object literal may only specify known properties, and 'side' does not exist in type '{
  //   readonly kind: "circle"; readonly radius: number; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, { kind: "circle", side: 1 }) });
  // @ts-expect-error at `labelled`: The schema has no key "label": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, labelled) });
  // @ts-expect-error at `reply(200, labelled)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, labelled) });
  // @ts-expect-error at `mixed`: The schema has no key "side": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, mixed) });
  // @ts-expect-error at `reply(200, mixed)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, mixed) });
  // @ts-expect-error at `{ ...circle, side: 1 }`: The schema has no key "radius": name the keys to send, or add it to
  //   the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { ...circle, side: 1 }) });
  // @ts-expect-error at `reply(200, { ...mixed })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { ...mixed }) });
  // @ts-expect-error at `mixed`: The schema has no key "side": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(201, { shapes: [mixed], at }) });
  // @ts-expect-error at `reply(201, { shapes: [], at: { schema: m…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(201, { shapes: [], at: { schema: mixed } }) });
  const shown = () => reply(200, mixed);
  // @ts-expect-error at `shown()`: return reply(status, body)
  route.get("/", { responses, resolve: () => shown() });
  const listed = () => reply(201, { shapes: [mixed], at });
  // @ts-expect-error at `listed()`: return reply(status, body)
  route.get("/", { responses, resolve: () => listed() });
  const denied = (_c: Context) => deny(reply(200, mixed));
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: that of
  //   another member of a union
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
  // @ts-expect-error at `reply(200, deep)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, deep) });
  // @ts-expect-error at `reply(200, { id: "", in: { id: "", in: {…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { id: "", in: leaf } } }) });
  // @ts-expect-error at `reply(200, { id: "", in: { id: "", in: {…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { id: "", in: { id: "", in: { ...leaf, in: { id: "" } } } }) });
  const shown = () => reply(200, deep);
  // @ts-expect-error at `shown()`: return reply(status, body)
  route.get("/", { responses, resolve: () => shown() });
  const denied = (_c: Context) => deny(reply(200, deep));
  const fits = { id: "", in: { id: "", in: { id: "", in: { id: "" } } } };
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: "hash"
  route.get("/", { responses, guards: [denied], resolve: () => reply(200, fits) });
  const issue = z.object({ part: z.string(), path: z.array(z.string()), message: z.string() });
  const valid = denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }));
  const declared = { 204: {}, 400: { schema: z.object({ error: z.string(), issues: z.array(issue) }) } };
  // @ts-expect-error at `responses`: 400 is declared without a key of the body that a guard denies with: "code"
  route.get("/", { responses: declared, guards: [valid], resolve: () => reply(204) });
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
  // @ts-expect-error at `reply(200, rows)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, rows) });
  // @ts-expect-error at `reply(200, { emma: { id: "", hash: "" }…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { emma: { id: "", hash: "" } }) });
  // @ts-expect-error at `reply(200, { emma: { ...row } })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { emma: { ...row } }) });
  // @ts-expect-error at `reply(201, deep)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(201, deep) });
  // @ts-expect-error at `shown()`: return reply(status, body)
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
  // @ts-expect-error at `reply(200, { a: [1n] })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { a: [1n] }) });
  // @ts-expect-error at `children`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(202, { id: "", children: trees }) });
  // @ts-expect-error at `reply(202, { id: "", children: trees })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(202, { id: "", children: trees }) });
}

export function arraysInArrays(row: { id: string; hash: string }) {
  const responses = { 200: { schema: v.custom<{ id: string }[][][][][]>(() => true) } };
  route.get("/", { responses, resolve: () => reply(200, [[[[[{ id: "" }]]]]]) });
  // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, [[[[[row]]]]]) });
  // @ts-expect-error at `reply(200, [[[[[row]]]]])`: return reply(status, body)
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

class User {
  readonly id: string = "";
  private readonly passwordHash = "x";
  hash(): string {
    return this.passwordHash;
  }
}

class Admin extends User {}

class Guest {
  readonly id: string = "";
  protected readonly token = "x";
}

class Plain {
  readonly id: string = "";
  show(): string {
    return this.id;
  }
}

class Secret {
  readonly id: string = "";
  toJSON(): { readonly id: string; readonly hash: string } {
    return { id: this.id, hash: "" };
  }
}

class Described {
  readonly id: string = "";
  private readonly hash = "x";
  toJSON(): { readonly id: string } {
    return { id: this.id + this.hash.slice(0, 0) };
  }
}

interface MaybeJson {
  readonly id: string;
  toJSON?(): { readonly hash: string };
}

export function membersThatTypesHide(user: User, maybeJson: MaybeJson, record: Record<string, User>, some: Plain) {
  const shown = z.object({ id: z.string() });
  const marked = Object.assign(user, { mark: undefined });
  const markedPlain = Object.assign(some, { mark: undefined });
  const deep = { list: [{ user }] };
  const nested = {
    200: { schema: shown },
    201: { schema: z.object({ list: z.array(z.object({ user: shown })) }) },
    202: { schema: z.array(shown) },
    203: { schema: z.record(z.string(), shown) },
    206: { schema: v.custom<{ id: string } | { name: string } | null>(() => true) },
    207: { schema: z.looseObject({ id: z.string() }) },
    208: lines(shown),
    209: events({ a: shown }),
    204: {},
  };
  route.get("/", { responses: nested, resolve: (_c) => reply(200, some) });
  route.get("/", { responses: nested, resolve: () => reply(200, new Plain()) });
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Described()) });
  route.get("/", { responses: nested, resolve: () => reply(200, new Described()) });
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [some, new Described(), { id: user.id }]) });
  route.get("/", { responses: nested, resolve: () => reply(206, Math.random() < 1 ? some : null) });
  // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, user) });
  // @ts-expect-error at `reply(200, new User())`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(200, new User()) });
  // @ts-expect-error at `reply(200, new Admin())`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(200, new Admin()) });
  // @ts-expect-error at `new Guest()`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Guest()) });
  // @ts-expect-error at `deep`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(201, deep) });
  // @ts-expect-error at `reply(201, deep)`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(201, deep) });
  // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [user]) });
  // @ts-expect-error at `record`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(203, record) });
  // @ts-expect-error at `reply(203, record)`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(203, record) });
  // @ts-expect-error at `Math.random() < 1 ? user : null`: The body has private members, which JSON contains: name the
  //   keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(206, Math.random() < 1 ? user : null) });
  // @ts-expect-error at `reply(207, user)`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(207, user) });
  // @ts-expect-error at `[user]`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => replyLines(208, [user]) });
  route.get("/", {
    responses: nested,
    resolve: (_c) =>
      replyEvents(209, function* (_signal, event) {
        // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
        yield event("a", user);
      }),
  });
  const reveal = () => reply(200, user);
  // @ts-expect-error at `reveal()`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reveal() });
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: a private
  //   member
  route.get("/", { responses: nested, guards: [() => deny(reveal())], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: a private
  //   member
  route.get("/", { responses: nested, guards: [denyInvalid(reveal)], resolve: () => reply(204) });
  // @ts-expect-error at `marked`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, marked) });
  // @ts-expect-error at `reply(200, marked)`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(200, marked) });
  // @ts-expect-error at `marked`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [marked]) });
  route.get("/", { responses: nested, resolve: (_c) => reply(200, markedPlain) });
  // @ts-expect-error at `new Secret()`: JSON has what toJSON() of the body returns, and the schema does not describe
  //   that: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Secret()) });
  // @ts-expect-error at `reply(200, new Secret())`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(200, new Secret()) });
  // @ts-expect-error at `new Secret()`: JSON has what toJSON() of the body returns, and the schema does not describe
  //   that: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [new Secret()]) });
  // @ts-expect-error at `maybeJson`: The schema has no key "toJSON": name the keys to send, or add it to the schema
  route.get("/", { responses: nested, resolve: (_c) => reply(200, maybeJson) });
  // @ts-expect-error at `reply(200, maybeJson)`: return reply(status, body)
  route.get("/", { responses: nested, resolve: () => reply(200, maybeJson) });
}
