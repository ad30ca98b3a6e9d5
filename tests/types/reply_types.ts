/**
 * Declared responses: what handlers may return and guards may deny with. The compiler checks them: nothing is asserted at run
 * time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  allow,
  type Answer,
  type App,
  type Context,
  deny,
  endpoint,
  type NoLocals,
  type Reply,
  reply,
  type Route,
  route,
  type RouteResponses,
  setup,
} from "../../mod.ts";

const book = z.object({
  id: z.string(),
  title: z.string(),
  tags: z.array(z.string()).optional(),
  at: z.date().optional(),
});
const missing = z.object({ code: z.literal("missing") });
const responses = {
  200: { schema: book },
  404: { schema: missing },
  204: {},
  303: { description: "Elsewhere" },
} as const;
const store = new Map<string, { readonly id: string; readonly title: string; readonly tags: readonly string[] }>();
const gone = () => reply(404, { code: "missing" });
const teapot = () => reply(418, { code: "missing" });

export function declaredResponses() {
  route.get("/", { responses, resolve: () => reply(404, { code: "missing" }) });
  route.get("/", { responses, resolve: (_c) => reply(404, { code: "missing" }) });
  route.get("/:id", {
    responses,
    resolve: (c) => c.raw.params.id ? gone() : reply(200, { id: c.raw.params.id, title: "", tags: ["a"] }),
  });
  route.get("/", {
    responses,
    resolve: async () => {
      await Promise.resolve();
      return gone();
    },
  });
  route.on(["GET", "HEAD"], "/", { responses, resolve: () => gone() });

  // The status is declared with another body.
  // @ts-expect-error at `reply(404, { code: "misssing" })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(404, { code: "misssing" }) });
  // @ts-expect-error at `code`: Type '"misssing"' is not assignable to type '"missing"'.
  route.get("/", { responses, resolve: (_c) => reply(404, { code: "misssing" }) });
  // @ts-expect-error at `418`: Argument of type '418' is not assignable to parameter of type '200 | 204 | 303 | 404'.
  route.get("/", { responses, resolve: (_c) => reply(418, { code: "missing" }) });
  // @ts-expect-error at `new Response()`: return reply(status, body)
  route.get("/", { responses, resolve: () => new Response() });
  // @ts-expect-error at `c.request.url ? reply(204) : new Respons…`: return reply(status, body)
  route.get("/", { responses, resolve: (c) => c.request.url ? reply(204) : new Response() });
  // @ts-expect-error at `reply(200)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses, resolve: (_c) => reply(200) });
  // @ts-expect-error at `password`: The schema has no key "password": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", title: "", password: 1 }) });
  // @ts-expect-error at `reply(200, { id: "", title: "", password…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { id: "", title: "", password: 1 }) });
  // @ts-expect-error at `titel`: Object literal may only specify known properties, but 'titel' does not exist in type
  //   '{…'. Did you mean to write 'title'?
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", titel: "" }) });
  // @ts-expect-error at `teapot()`: return reply(status, body)
  route.get("/", { responses, resolve: (_c) => teapot() });
  // @ts-expect-error at `{ a: 1 }`: This response has no schema, so no body: declare one, or write undefined in place
  //   of the body
  route.get("/", { responses, resolve: (_c) => reply(204, { a: 1 }) });
  // @ts-expect-error at `resolve`: Type 'void' is not assignable to type 'MustReturn<…'.
  route.get("/", { responses, resolve: (_c) => {} });
  // @ts-expect-error at `Promise.resolve({ id: "", title: "" })`: The body is a promise: write await before it
  route.get("/", { responses, resolve: (_c) => reply(200, Promise.resolve({ id: "", title: "" })) });
  // @ts-expect-error at `Response.json({ id: "", title: "" })`: Type 'Response' is missing the following properties
  //   from type '{…': id, title
  route.get("/", { responses, resolve: (_c) => reply(200, Response.json({ id: "", title: "" })) });
  // @ts-expect-error at `reply(418)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.on(["GET", "HEAD"], "/", { responses, resolve: (_c) => reply(418) });
}

export function earlyReturns() {
  route.get("/:id", {
    responses,
    async resolve(c) {
      const found = await Promise.resolve(store.get(c.raw.params.id));
      if (!found) return reply(404, { code: "missing" });
      if (found.id === "a") return reply(204);
      if (found.id === "b") return reply(303, Response.redirect("http://localhost/", 303));
      return reply(200, found, { headers: { etag: '"1"' }, statusText: "Fine" });
    },
  });
  route.get("/:id", {
    responses,
    resolve: async (c) => {
      await Promise.resolve();
      // @ts-expect-error at `418`: Argument of type '418' is not assignable to parameter of type '200 | 204 | 303 |
      //   404'.
      if (c.raw.params.id) return reply(418, { code: "missing" });
      // @ts-expect-error at `id`: Type 'number' is not assignable to type 'string'.
      return reply(200, { id: 1, title: "x" });
    },
  });
}

export function withoutResponses() {
  route.get("/", { resolve: () => reply(200, { a: 1 }) });
  route.get("/", { resolve: () => new Response() });
  // A reply by itself has exactly its status and its body.
  assertType<IsExact<ReturnType<typeof gone>, Reply<Answer<404, { readonly code: "missing" }>>>>(true);
  assertType<IsExact<ReturnType<typeof gone>["status"], 404>>(true);
  const empty = reply(204);
  assertType<IsExact<typeof empty, Reply<Answer<204, undefined>>>>(true);
  empty satisfies Response;
  // @ts-expect-error at `"200"`: Argument of type '"200"' is not assignable to parameter of type 'never'.
  reply("200", {});
}

export function handlersThatAreWrapped() {
  const within = <C, R>(_ms: number, resolve: (c: C) => R | Promise<R>) => async (c: C): Promise<R> => await resolve(c);
  const logged =
    <A extends unknown[], R extends Response>(resolve: (...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => await resolve(...args);
  route.get("/:id", { responses, resolve: within(1, (_c) => reply(404, { code: "missing" })) });
  route.get("/:id", {
    request: { query: z.object({ n: z.coerce.number() }) },
    responses,
    resolve: within(1, async (c) => {
      await Promise.resolve();
      if (c.input.ok) return reply(200, { id: c.raw.params.id, title: c.input.query.n.toFixed() });
      return reply(404, { code: "missing" });
    }),
  });
  route.get("/:id", {
    responses,
    resolve: logged((c: Context) => c.request.url ? reply(204) : reply(404, { code: "missing" })),
  });
  // @ts-expect-error at `418`: Argument of type '418' is not assignable to parameter of type '200 | 204 | 303 | 404'.
  route.get("/:id", { responses, resolve: within(1, (_c) => reply(418, { code: "missing" })) });
  // @ts-expect-error at `resolve`: return reply(status, body)
  route.get("/:id", { responses, resolve: within(1, (_c) => new Response()) });
}

export function functionsThatSeveralRoutesCall() {
  const shown = (): Reply<Answer<200, { id: string; title: string }> | Answer<404, { code: "missing" }>> =>
    reply(404, { code: "missing" });
  route.get("/", { responses, resolve: () => shown() });
  route.get("/", {
    responses,
    resolve: (c) => fetch(c.request) as Promise<Reply<Answer<200, { id: string; title: string }>>>,
  });
  route.get("/", { responses, resolve: () => new Response() as Reply<Found> });
  // Another status, in spite of the cast.
  // @ts-expect-error at `fetch(c.request) as Promise<Reply<Answer…`: return reply(status, body)
  route.get("/", { responses, resolve: (c) => fetch(c.request) as Promise<Reply<Answer<201, { id: string }>>> });
}

type Found = Answer<200, { id: string; title: string }>;
type Missing = Answer<404, { code: "missing" }>;

export function unionsOfReplies(either: Reply<Found> | Reply<Missing>, one: Reply<Found | Missing>) {
  // A union of replies fits where one reply of a union is expected, also in a promise, in a wrapper and in a denial.
  either satisfies Reply<Found | Missing>;
  // The reverse does not hold.
  // @ts-expect-error at `satisfies`: Type '404' is not assignable to type '200'.
  one satisfies Reply<Found> | Reply<Missing>;
  route.get("/", { responses, resolve: () => either });
  route.get("/", { responses, resolve: () => one });
  route.get("/", { responses, resolve: async (c) => c.request.url ? await Promise.resolve(either) : reply(204) });
  const awaited = <C, R extends Response>(resolve: (c: C) => R | Promise<R>) => async (c: C): Promise<R> =>
    await resolve(c);
  route.get("/", { responses, resolve: awaited((c) => c.request.url ? either : reply(204)) });
  const guard = (c: Context) => c.request.url ? deny(either) : deny(one);
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  // @ts-expect-error at `either`: return reply(status, body)
  route.get("/", { responses: { 200: { schema: book } }, resolve: () => either });
  // @ts-expect-error at `responses`: 404 must be declared, with the body that a guard denies with
  //   at `gone()`: return reply(status, body)
  route.get("/", { responses: { 200: { schema: book } }, guards: [guard], resolve: (_c) => gone() });

  // So a function says what it returns by one reply of a union.
  const show = (found: boolean): Reply<Found | Missing> =>
    found ? reply(200, { id: "", title: "" }) : reply(404, { code: "missing" });
  route.get("/", { responses, resolve: () => show(true) });
  const inferred = (found: boolean) => found ? reply(200, { id: "", title: "" }) : reply(404, { code: "missing" });
  inferred(true) satisfies Reply<Found | Missing>;
}

export function statusesOfUnions(status: 404 | 409, undeclared: 404 | 418, any: number) {
  const conflicts = { ...responses, 409: { schema: missing } };
  route.get("/", { responses: conflicts, resolve: (_c) => reply(status, { code: "missing" }) });
  // @ts-expect-error at `undeclared`: Type '418' is not assignable to type '200 | 204 | 303 | 404 | 409'.
  route.get("/", { responses: conflicts, resolve: (_c) => reply(undeclared, { code: "missing" }) });
  // @ts-expect-error at `any`: Argument of type 'number' is not assignable to parameter of type '200 | 204 | 303 | 404
  //   | 409'.
  route.get("/", { responses: conflicts, resolve: (_c) => reply(any, { code: "missing" }) });
}

export function mediaTypes() {
  // Without a schema, a status has any ready response: one of several media types, too.
  route.get("/", {
    responses: { 200: { description: "The books, as JSON or HTML" } },
    resolve: (c) => reply(200, c.request.url ? Response.json([]) : new Response("<ul></ul>")),
  });
  route.get("/", {
    // @ts-expect-error at `contentType`: Type 'string[]' is not assignable to type 'string'.
    responses: { 200: { contentType: ["application/json", "text/html"] } },
    resolve: () => reply(200, new Response()),
  });
  const xml = { 200: { schema: z.object({ n: z.number() }), contentType: "application/xml" } };
  route.get("/", { responses: xml, resolve: () => reply(200, { n: 1 }) });
  const literal = { 200: { schema: z.object({ n: z.number() }), contentType: "application/xml" } } as const;
  // @ts-expect-error at `{ n: 1 }`: Write reply(200, body, { contentType: "application/xml" })
  route.get("/", { responses: literal, resolve: (_c) => reply(200, { n: 1 }) });
  // @ts-expect-error at `{ n: 1 }`: Write reply(200, body, { contentType: "application/xml" })
  route.on(endpoint.get("/", { responses: literal }), { resolve: (_c) => reply(200, { n: 1 }) });
  route.get("/", { responses: literal, resolve: () => reply(200, "<n>1</n>", { contentType: "application/xml" }) });
  route.get("/", {
    responses: { 200: { contentType: "text/html" } },
    // @ts-expect-error at `"<ul></ul>"`: This response has no schema, so no body: declare one, or write undefined in
    //   place of the body
    resolve: (_c) => reply(200, "<ul></ul>"),
  });
}

export function rangesAndDefault() {
  route.get("/", {
    responses: { "4XX": { schema: missing }, 200: { schema: v.object({ n: v.number() }) } },
    resolve: (c) => c.request.url ? reply(418, { code: "missing" }) : reply(200, { n: 1 }),
  });
  route.get("/", {
    responses: { default: { schema: type({ n: "number" }) }, "4XX": {}, "503": { schema: missing } },
    resolve(c) {
      if (c.request.url) return reply(500, { n: 1 });
      return c.request.body ? reply(404) : reply(503, { code: "missing" });
    },
  });
  // @ts-expect-error at `500`: Argument of type '500' is not assignable to parameter of type 'RangeOf<4>'.
  route.get("/", { responses: { "4XX": { schema: missing } }, resolve: (_c) => reply(500, { code: "missing" }) });
  route.get("/", {
    responses: { "4XX": { schema: missing }, 404: {} },
    // The status is declared apart from its range.
    // @ts-expect-error at `{ code: "missing" }`: This response has no schema, so no body: declare one, or write
    //   undefined in place of the body
    resolve: (_c) => reply(404, { code: "missing" }),
  });
  route.get("/", {
    responses: { default: { schema: missing }, "404": {} },
    // The status is declared apart from the default.
    // @ts-expect-error at `{ code: "missing" }`: This response has no schema, so no body: declare one, or write
    //   undefined in place of the body
    resolve: (_c) => reply(404, { code: "missing" }),
  });
  // Of statuses that are not known, any may be sent.
  const any: RouteResponses = responses;
  route.get("/", { responses: any, resolve: (c) => c.request.body ? reply(418) : reply(200, { any: 1 }) });
  // @ts-expect-error at `new Response()`: return reply(status, body)
  route.get("/", { responses: any, resolve: () => new Response() });
}

export function bodies() {
  const frozen: readonly { readonly n: readonly number[] }[] = [];
  route.get("/", {
    responses: { 200: { schema: z.array(z.object({ n: z.array(z.number()) })) } },
    resolve: (_c) => reply(200, frozen),
  });
  const texts: readonly string[] = [];
  // @ts-expect-error at `texts`: Type 'string' is not assignable to type 'number'.
  route.get("/", { responses: { 200: { schema: z.array(z.number()) } }, resolve: (_c) => reply(200, texts) });
  const pair = v.tuple([v.string(), v.date()]);
  route.get("/", { responses: { 200: { schema: pair } }, resolve: (_c) => reply(200, ["a", new Date()]) });
  // @ts-expect-error at `["a"]`: Source has 1 element(s) but target requires 2.
  route.get("/", { responses: { 200: { schema: pair } }, resolve: (_c) => reply(200, ["a"]) });
  // The output type counts, not the input type.
  const size = z.string().transform((text) => text.length);
  route.get("/", { responses: { 200: { schema: size } }, resolve: (_c) => reply(200, 1) });
  // @ts-expect-error at `"a"`: Argument of type 'string' is not assignable to parameter of type 'number'.
  route.get("/", { responses: { 200: { schema: size } }, resolve: (_c) => reply(200, "a") });
  // A schema of unknown output accepts any body, but still checks the status.
  const json = { type: "object" } as const;
  route.get("/", { responses: { 200: { schema: json } }, resolve: (_c) => reply(200, { any: [null] }) });
  route.get("/", {
    responses: { 200: { schema: z.object({ any: z.unknown() }) } },
    resolve: (_c) => reply(200, { any: null }),
  });
  // @ts-expect-error at `201`: Argument of type '201' is not assignable to parameter of type '200'.
  route.get("/", { responses: { 200: { schema: json } }, resolve: (_c) => reply(201, {}) });
  // A union is narrowed by its literal, and a body may be null.
  const shape = v.union([v.object({ kind: v.literal("a"), n: v.number() }), v.null()]);
  route.get("/", {
    responses: { 200: { schema: shape } },
    resolve: (c) => reply(200, c.request.body ? { kind: "a", n: 1 } : null),
  });
  // @ts-expect-error at `kind`: Type '"b"' is not assignable to type '"a"'.
  route.get("/", { responses: { 200: { schema: shape } }, resolve: (_c) => reply(200, { kind: "b", n: 1 }) });
}

/** With one answer, a body of a wider type must not count as the expected one. */
export function bodiesOfTheOnlyAnswer(
  text: string | undefined,
  partial: { id: string; title?: string },
  some: unknown,
  status: 404 | 409,
) {
  const only = { 200: { schema: z.object({ title: z.string() }) } };
  const shown = endpoint.get("/", { responses: { 200: { schema: book } } });
  route.get("/", { responses: only, resolve: (_c) => reply(200, { title: text ?? "" }) });
  // @ts-expect-error at `title`: Type 'undefined' is not assignable to type 'string'.
  route.get("/", { responses: only, resolve: (_c) => reply(200, { title: text }) });
  // @ts-expect-error at `title`: Type 'undefined' is not assignable to type 'string'.
  route.get("/", { responses: only, resolve: async (_c) => await Promise.resolve(reply(200, { title: text })) });
  // @ts-expect-error at `{}`: Property 'title' is missing in type '{}' but required in type '{ title: string; }'.
  route.get("/", { responses: only, resolve: (_c) => reply(200, {}) });
  // @ts-expect-error at `partial`: Property 'title' is optional in type '{ id: string; title?: string; }' but required
  //   in type '{…'.
  route.on(shown, { resolve: (_c) => reply(200, partial) });
  // @ts-expect-error at `some`: Argument of type 'unknown' is not assignable to parameter of type '{…'.
  route.on(shown, { resolve: (_c) => reply(200, some) });
  const conflicts = { 404: only[200], 409: only[200] };
  // @ts-expect-error at `{ title: text }`: This does not fit what is declared for 404: write one call for each | This
  //   does not fit what is declared for 409: write one call for each
  route.get("/", { responses: conflicts, resolve: (_c) => reply(status, { title: text }) });
}

export function responsesOfGenericFunctions<Item extends { id: string }>(
  schema: z.ZodType<Item>,
  items: Map<string, Item>,
  other: { id: string },
) {
  const responses = { 200: { schema }, 201: { schema: z.array(schema) }, 404: {} };
  route.get("/:id", {
    responses,
    resolve: (c) => {
      const item = items.get(c.raw.params.id);
      return item ? reply(200, item) : reply(404);
    },
  });
  const all = Array.from(items.values());
  route.get("/", { responses, resolve: (_c) => reply(201, all) });
  // @ts-expect-error at `other`: Argument of type '{ id: string; }' is not assignable to parameter of type
  //   'ExpectedBody<{ id: string; }, Item>'.
  route.get("/", { responses, resolve: (_c) => reply(200, other) });
  // @ts-expect-error at `{ ...items.get("") as Item, secret: "" }`: Argument of type 'Item & { secret: ""; }' is not
  //   assignable to parameter of type 'ExpectedBody<Item & { readonly secret: ""; }, Item>'.
  route.get("/", { responses, resolve: (_c) => reply(200, { ...items.get("") as Item, secret: "" }) });
}

export function whatResponsesLeaveAlone() {
  interface Env {
    readonly KV: string;
  }
  interface Locals {
    readonly user: { readonly role: string };
  }
  const adminOnly = (c: Context<{ user: { role: string } }>) =>
    c.locals.user.role === "admin" ? allow() : deny(new Response());
  const open = route.with<Locals>().get("/60", {
    guards: [adminOnly],
    responses: { 204: {} },
    resolve: (_c, _env: Env) => reply(204),
  });
  const plain = route.get("/61", { resolve: () => new Response() });
  assertType<IsExact<typeof plain, Route<NoLocals, []>>>(true);
  open satisfies Route<Locals, [Env]>;
  [open, plain] satisfies Route<Locals, [Env]>[];
  const other = route.with<{ session: string }>().get("/", { responses: { 204: {} }, resolve: () => reply(204) });
  // @ts-expect-error at `satisfies`: Property 'session' is missing in type 'Locals' but required in type '{ session:
  //   string; }'.
  other satisfies Route<Locals, [Env]>;
  const inner = setup({ handlers: [open], onRequest: () => ({ user: { role: "x" } }) });
  assertType<IsExact<typeof inner, App<[Env], { readonly user: { readonly role: string } }>>>(true);
  const outer = setup({ handlers: [...inner.routes], onRequest: () => ({ user: { role: "x" } }) });
  outer.fetch(new Request("http://localhost/"), { KV: "" });
  // @ts-expect-error at `setup({ handlers: [...inner.routes] })`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...inner.routes] });
  // @ts-expect-error at `setup({ handlers: [open, plain] })`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [open, plain] });
}
