/**
 * Endpoints, and the routes that implement them. The compiler checks them: nothing is asserted at run time, and no function is
 * called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  allow,
  type Answer,
  type Context,
  type Converted,
  deny,
  denyInvalid,
  type Endpoint,
  endpoint,
  type EndpointFactory,
  type GuardResult,
  type NoLocals,
  reply,
  type Route,
  route,
  setup,
  type TypedEndpoint,
} from "../../mod.ts";

const book = z.object({ id: z.string(), title: z.string() });
const missing = z.object({ code: z.literal("missing") });
const who = { 401: { schema: z.object({ code: z.literal("who") }) } } as const;
interface Book {
  id: string;
  title: string;
}

const showBook = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: { schema: missing } } });
const addBook = endpoint.post("/books", {
  request: { query: z.object({ n: z.coerce.number() }), body: book },
  responses: { 201: {} },
});
const health = endpoint.get("/health");
const both = endpoint.on(["GET", "HEAD"], "/both", {});
const authenticated = (c: Context) => c.request.url ? allow({ user: "ada" }) : deny(reply(401, { code: "who" }));

export function typesOfEndpoints() {
  assertType<
    IsExact<
      typeof showBook,
      TypedEndpoint<"GET", "/books/:id", Record<never, never>, Answer<200, Book> | Answer<404, { code: "missing" }>>
    >
  >(true);
  assertType<
    IsExact<
      typeof addBook,
      TypedEndpoint<
        "POST",
        "/books",
        { readonly query: Converted<{ n: unknown }, { n: number }>; readonly body: Book },
        Answer<201, undefined>
      >
    >
  >(true);
  assertType<IsExact<typeof health, TypedEndpoint<"GET", "/health", Record<never, never>>>>(true);
  assertType<IsExact<typeof both["method"], readonly ["GET", "HEAD"]>>(true);
  showBook satisfies Endpoint;
  const all = endpoint.all("/all");
  assertType<IsExact<typeof all["method"], "ALL">>(true);

  // @ts-expect-error: an unknown option
  endpoint.get("/c", { guards: [] });
  // @ts-expect-error: no handler
  endpoint.get("/c", { resolve: () => new Response() });
  // @ts-expect-error: a bare schema
  endpoint.get("/c", { responses: { 200: book } });
  // @ts-expect-error: a misspelt key of a response
  endpoint.get("/c", { responses: { 200: { description: "", shema: book } } });
  // @ts-expect-error: not a status
  endpoint.get("/c", { responses: { ok: {} } });
  // @ts-expect-error: responses stand beside docs
  endpoint.get("/c", { docs: { responses: {} } });
}

export function scopesOfEndpoints() {
  const v1 = endpoint.with({ prefix: "/v1", responses: who });
  const file = v1.get("/x/*", { responses: { 204: {} } });
  assertType<
    IsExact<
      typeof file,
      TypedEndpoint<"GET", "/v1/x/*", Record<never, never>, Answer<401, { code: "who" }> | Answer<204, undefined>>
    >
  >(true);
  // The responses of the scope count for each endpoint.
  const plain = v1.with({ prefix: "/y" }).get("");
  assertType<IsExact<typeof plain, TypedEndpoint<"GET", "/v1/y", Record<never, never>, Answer<401, { code: "who" }>>>>(
    true,
  );
  route.on(plain, { resolve: () => reply(401, { code: "who" }) });
  // @ts-expect-error: any response
  route.on(plain, { resolve: () => new Response() });
  endpoint.with({ docs: { tags: ["v1"] } }).get("/x", { docs: { summary: "X" } });
  // @ts-expect-error: an unknown option
  endpoint.with({ guards: [] });
  // @ts-expect-error: not a status
  endpoint.with({ responses: { ok: {} } });
}

/** Written out, as a published package must. */
export const byHand: TypedEndpoint<
  "GET",
  "/h/:id",
  { readonly query: Converted<{ n?: string }, { n: number }> },
  Answer<200, Book>
> = { method: "GET", path: "/h/:id", responses: { 200: { schema: book } } };

export function routesOfEndpoints() {
  const shown = route.on(showBook, {
    resolve: (c) =>
      c.raw.params.id === "x" ? reply(404, { code: "missing" }) : reply(200, { id: c.raw.params.id, title: "" }),
  });
  shown satisfies typeof showBook;
  shown satisfies Route<NoLocals, []>;
  route.on(addBook, {
    resolve: async (c) => {
      await Promise.resolve();
      if (c.input.ok) {
        assertType<IsExact<typeof c.input.query.n, number>>(true);
        assertType<IsExact<typeof c.input.body, Book>>(true);
        assertType<IsExact<typeof c.input.params, undefined>>(true);
      }
      // @ts-expect-error: `ok` is not checked
      c.input.body;
      return reply(201);
    },
  });
  route.on(byHand, {
    guards: [denyInvalid(() => new Response())],
    resolve: (c) => reply(200, { id: c.raw.params.id, title: c.input.query.n.toFixed() }),
  });
  const converted = endpoint.put("/v", {
    request: { body: v.object({ n: v.optional(v.number()) }) },
    responses: { 200: { schema: type({ n: "number" }) } },
  });
  route.on(converted, {
    guards: [denyInvalid(() => new Response())],
    resolve: (c) => reply(200, { n: c.input.body.n ?? 0 }),
  });
  route.on(health, { resolve: () => new Response() });
  route.on(showBook, { docs: { summary: "Shows a book" }, resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error: responses stand on the endpoint
  route.on(showBook, { docs: { responses: {} }, resolve: () => reply(404, { code: "missing" }) });
  const handed = route.on(both, { resolve: (_c, _env: { KV: string }) => new Response() });
  handed satisfies Route<NoLocals, [{ KV: string }]>;
  const app = setup({ handlers: [shown, handed] });
  assertType<IsExact<Parameters<typeof app.fetch>, [request: Request, item: { KV: string }]>>(true);

  const within = <C, R>(_ms: number, resolve: (c: C) => R | Promise<R>) => async (c: C): Promise<R> => await resolve(c);
  route.on(showBook, { resolve: within(1, (c) => reply(200, { id: c.raw.params.id, title: "" })) });

  // @ts-expect-error: a status that is not declared
  route.on(showBook, { resolve: () => reply(418, {}) });
  // @ts-expect-error: a misspelt key
  route.on(showBook, { resolve: () => reply(200, { id: "", titel: "" }) });
  // @ts-expect-error: a key that the schema does not have
  route.on(showBook, { resolve: (_c) => reply(200, { id: "", title: "", password: "" }) });
  // @ts-expect-error: any response
  route.on(showBook, { resolve: () => new Response() });
  // @ts-expect-error: a misspelt param
  route.on(showBook, { resolve: (c) => reply(200, { id: c.raw.params.ID, title: "" }) });
  // @ts-expect-error: schemas stand on the endpoint
  route.on(showBook, { request: {}, resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error: responses stand on the endpoint
  route.on(showBook, { responses: {}, resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error: a scope with a prefix
  route.with({ prefix: "/v2" }).on(health, { resolve: () => new Response() });
}

export function guardsOfEndpoints() {
  const shown = endpoint.get("/s", { responses: { ...who, 200: { schema: book } } });
  route.on(shown, { guards: [authenticated], resolve: (c) => reply(200, { id: c.locals.user, title: "" }) });
  route.on(shown, {
    guards: [(c) => c.request.url ? allow({ n: 1 }) : deny(new Response())],
    resolve: (c) => reply(200, { id: String(c.locals.n), title: "" }),
  });
  const scope = route.with({ guards: [authenticated] });
  scope.on(shown, { resolve: (c) => reply(200, { id: c.locals.user, title: "" }) });
  // An endpoint without responses checks nothing.
  scope.on(health, { resolve: (c) => new Response(c.locals.user) });
  // @ts-expect-error: 401 must be declared
  route.on(showBook, { guards: [authenticated], resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error: 401 must be declared, for the guard of a scope
  scope.on(showBook, { resolve: () => reply(404, { code: "missing" }) });
  // One error, at the endpoint: the handler keeps its types.
  // @ts-expect-error: 401 must be declared
  scope.on(showBook, {
    resolve: (c) => reply(200, { id: c.raw.params.id, title: c.locals.user }),
  });
  // @ts-expect-error: 401 must be declared on the endpoint, which is all that clients know
  route.with({ guards: [authenticated], responses: who }).on(showBook, {
    resolve: () => reply(404, { code: "missing" }),
  });
  const open = route.on(shown, {
    guards: [(c: Context<{ session: string }>) => allow({ s: c.locals.session })],
    resolve: (c) => reply(200, { id: c.locals.s, title: "" }),
  });
  setup({ handlers: [open], onRequest: () => ({ session: "" }) });
  // @ts-expect-error: onRequest must return the local session
  setup({ handlers: [open] });
}

export function routesAsEndpoints() {
  const shown = route.get("/r/:id", {
    request: { query: z.object({ n: z.coerce.number() }) },
    responses: { 200: { schema: book } },
    resolve: (c) => reply(200, { id: c.raw.params.id, title: "" }),
  });
  shown satisfies TypedEndpoint<
    "GET",
    "/r/:id",
    { readonly query: Converted<{ n: unknown }, { n: number }> },
    Answer<200, Book>
  >;
  // @ts-expect-error: another path
  shown satisfies TypedEndpoint<"GET", "/r/:ID", Record<never, never>>;
  const several = route.with({ prefix: "/v1", responses: who }).on(["GET", "HEAD"], "/r", {
    responses: { 204: {} },
    resolve: () => reply(204),
  });
  several satisfies TypedEndpoint<
    readonly ["GET", "HEAD"],
    "/v1/r",
    Record<never, never>,
    Answer<204, undefined> | Answer<401, { code: "who" }>
  >;
  // Without responses of its own, a route carries no further types.
  const plain = route.with({ responses: who }).get("/p", { resolve: () => new Response() });
  assertType<IsExact<typeof plain, Route<NoLocals, []>>>(true);
  plain satisfies Endpoint;
  // Nor does the type of any route.
  assertType<IsExact<ReturnType<typeof route.get>, Route<NoLocals, []>>>(true);
  // The route of an endpoint without responses does: its input is known.
  const healthy = route.on(health, { resolve: () => new Response() });
  healthy satisfies typeof health;
}

export function schemasThatNoRequestFits() {
  // @ts-expect-error: a string, unless the schema converts it
  endpoint.get("/a", { request: { query: z.object({ n: z.number() }) } });
  // @ts-expect-error: no parameter of the path
  endpoint.get("/a/:id", { request: { params: z.object({ ID: z.string() }) } });
  endpoint.with({ prefix: "/orgs/:org" }).get("/a/:id", {
    request: { params: z.object({ org: z.string(), id: z.coerce.number() }) },
  });
  // @ts-expect-error: header names arrive in lower case
  endpoint.get("/a", { request: { headers: z.object({ "X-Id": z.string().optional() }) } });
  endpoint.get("/a", {
    request: { headers: z.looseObject({ "x-id": z.string() }), cookies: z.object({ Id: z.string() }) },
  });
  // @ts-expect-error: a prefix begins with a slash
  endpoint.with({ prefix: "v1" });
  // @ts-expect-error: a prefix does not end with a slash
  endpoint.with({ prefix: "/v1/" });
  // @ts-expect-error: a GET request has no body
  endpoint.get("/a", { request: { body: book } });
  // @ts-expect-error: a HEAD request has no body
  endpoint.on(["POST", "HEAD"], "/a", { request: { body: book } });
  endpoint.all("/a", { request: { body: book } });
}

/** An endpoint says which locals its routes need, whether or not their handlers read them. */
export function localsThatEndpointsNeed() {
  const member = endpoint.with<{ user: unknown }>().with({ prefix: "/v1", docs: { security: [{ token: [] }] } });
  const gone = member.delete("/books/:id", { responses: { 204: {}, 401: {} } });
  assertType<IsExact<typeof gone["path"], "/v1/books/:id">>(true);
  const resolve = () => reply(204);
  const signedIn = (c: Context) => c.request.url ? allow({ user: "ada" }) : deny(reply(401));
  const optional = (c: Context) => c.request.url ? allow({ user: "ada" }) : allow();
  const maybe = (): GuardResult<{ user?: string }> => allow({});

  setup({ handlers: [route.on(gone, { guards: [signedIn], resolve })] });
  setup({ handlers: [route.with({ guards: [signedIn] }).on(gone, { resolve })] });
  setup({ handlers: [route.on(gone, { resolve })], onRequest: () => ({ user: "ada" }) });
  // @ts-expect-error: onRequest is left out
  setup({ handlers: [route.on(gone, { resolve })], onRequest: undefined });
  // @ts-expect-error: onRequest may be left out
  setup({ handlers: [route.on(gone, { resolve })], onRequest: gone.path ? () => ({ user: "ada" }) : undefined });
  setup({ handlers: [], onRequest: gone.path ? () => ({ user: "ada" }) : undefined });
  gone satisfies Endpoint;
  setup({
    handlers: [
      // @ts-expect-error: no guard adds the user
      route.on(gone, { resolve }),
    ],
  });
  setup({
    handlers: [
      // @ts-expect-error: another guard
      route.on(gone, { guards: [() => allow({ person: "ada" })], resolve }),
    ],
  });
  setup({
    handlers: [
      // @ts-expect-error: the guard adds the user on one branch only
      route.on(gone, { guards: [optional], resolve }),
    ],
  });
  setup({
    handlers: [
      // @ts-expect-error: the guard may add the user
      route.on(gone, { guards: [maybe], resolve }),
    ],
  });
  // @ts-expect-error: nothing says that the user is among the names
  setup({ handlers: [route.on(gone, { resolve })], onRequest: (): Record<string, unknown> => ({}) });
  // @ts-expect-error: nothing says that the user is among the names, whatever their type is
  setup({ handlers: [route.on(gone, { resolve })], onRequest: (): Record<string, string> => ({}) });
  setup({
    handlers: [route.on(gone, { resolve })],
    onRequest: (): { user: string; [name: string]: string } => ({ user: "ada" }),
  });
  const reads = (_c: Context<{ session: string }>) => allow({ user: "ada" });
  const needy = route.on(gone, { guards: [reads], resolve });
  setup({ handlers: [needy], onRequest: () => ({ session: "" }) });
  // @ts-expect-error: the guard itself needs a local
  setup({ handlers: [needy] });

  // The type of the local counts, and scopes add to each other, in any order.
  const admins = endpoint.with({ responses: { 204: {} } }).with<{ user: { role: string } }>().with<{ org: string }>();
  const closed = admins.post("/closed");
  const named = () => allow({ user: "ada", org: "7" });
  const known = () => allow({ user: { role: "admin" }, org: "7" });
  setup({ handlers: [route.on(closed, { guards: [known], resolve })] });
  // @ts-expect-error: the user is a string
  setup({ handlers: [route.on(closed, { guards: [named], resolve })] });
  const several = admins.on(["PUT", "POST"], "/several");
  // @ts-expect-error: no guard adds the org
  setup({ handlers: [route.on(several, { guards: [() => allow({ user: { role: "admin" } })], resolve })] });

  // A scope that needs locals is not a scope that needs none, nor the reverse.
  const declared = (scope: typeof member) => scope.get("/me");
  declared(member);
  // @ts-expect-error: its endpoints need nothing
  declared(endpoint.with({ prefix: "/v1" }));
  // @ts-expect-error: its endpoints need a user
  const forgotten: EndpointFactory<"/v1"> = member;
  return forgotten;
}
