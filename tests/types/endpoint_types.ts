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

/** A type parameter is no endpoint yet: nothing tells what its handler must return. The reply can be generic. */
export function endpointsOfTypeParameters<E extends Endpoint>(each: E) {
  // @ts-expect-error at `each`: Type 'Endpoint<…' is not assignable to type 'KnownEndpoint<…'.
  route.on(each, { resolve: () => new Response() });
  const find = <Row extends object>(row?: Row) => row === undefined ? reply(404, { code: "missing" }) : reply(200, row);
  route.on(showBook, { resolve: (_c) => find({ id: "", title: "" }) });
  // @ts-expect-error at `find({ id: "", title: "", owner: "" })`: return reply(status, body)
  route.on(showBook, { resolve: (_c) => find({ id: "", title: "", owner: "" }) });
}

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

  // @ts-expect-error at `guards`: Object literal may only specify known properties, and 'guards' does not exist in type
  //   'EndpointOptions<NoSchemas, never, "", "/c", never>'.
  endpoint.get("/c", { guards: [] });
  // @ts-expect-error at `resolve`: Object literal may only specify known properties, and 'resolve' does not exist in
  //   type 'EndpointOptions<NoSchemas, never, "", "/c", never>'.
  endpoint.get("/c", { resolve: () => new Response() });
  // @ts-expect-error at `200`: This is a bare schema: write { schema: … } around it
  endpoint.get("/c", { responses: { 200: book } });
  // @ts-expect-error at `shema`: Unknown key: a response has schema, description, contentType, headers and examples
  endpoint.get("/c", { responses: { 200: { description: "", shema: book } } });
  // @ts-expect-error at `ok`: Not a status: write a number such as 200, a range such as "4XX", or default
  endpoint.get("/c", { responses: { ok: {} } });
  // @ts-expect-error at `responses`: Write responses beside docs, not in it: { responses, docs, resolve }
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
  // @ts-expect-error at `new Response()`: return reply(status, body)
  route.on(plain, { resolve: () => new Response() });
  endpoint.with({ docs: { tags: ["v1"] } }).get("/x", { docs: { summary: "X" } });
  // @ts-expect-error at `guards`: Object literal may only specify known properties, and 'guards' does not exist in type
  //   'EndpointScopeOptions<"", never, never, "", never>'.
  endpoint.with({ guards: [] });
  // @ts-expect-error at `ok`: Not a status: write a number such as 200, a range such as "4XX", or default
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
      // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked,
      //   or denyInvalid is among the guards; put guards that a call returns into constants">'.
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
  // @ts-expect-error at `responses`: Write responses beside docs, not in it: { responses, docs, resolve }
  route.on(showBook, { docs: { responses: {} }, resolve: () => reply(404, { code: "missing" }) });
  const handed = route.on(both, { resolve: (_c, _env: { KV: string }) => new Response() });
  handed satisfies Route<NoLocals, [{ KV: string }]>;
  const app = setup({ handlers: [shown, handed] });
  assertType<IsExact<Parameters<typeof app.fetch>, [request: Request, item: { KV: string }]>>(true);

  const within = <C, R>(_ms: number, resolve: (c: C) => R | Promise<R>) => async (c: C): Promise<R> => await resolve(c);
  route.on(showBook, { resolve: within(1, (c) => reply(200, { id: c.raw.params.id, title: "" })) });

  // @ts-expect-error at `418`: Argument of type '418' is not assignable to parameter of type '200 | 404'.
  route.on(showBook, { resolve: () => reply(418, {}) });
  // @ts-expect-error at `titel`: Object literal may only specify known properties, but 'titel' does not exist in type
  //   '{ readonly id: string; readonly title: string; }'. Did you mean to write 'title'?
  route.on(showBook, { resolve: () => reply(200, { id: "", titel: "" }) });
  // @ts-expect-error at `password`: The schema has no key "password": name the keys to send, or add it to the schema
  route.on(showBook, { resolve: (_c) => reply(200, { id: "", title: "", password: "" }) });
  // @ts-expect-error at `new Response()`: return reply(status, body)
  route.on(showBook, { resolve: () => new Response() });
  // @ts-expect-error at `ID`: Property 'ID' does not exist on type '{ readonly id: string; }'. Did you mean 'id'?
  route.on(showBook, { resolve: (c) => reply(200, { id: c.raw.params.ID, title: "" }) });
  // @ts-expect-error at `request`: Object literal may only specify known properties, and 'request' does not exist in
  //   type 'ImplementOptions<…'.
  route.on(showBook, { request: {}, resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error at `responses`: Object literal may only specify known properties, and 'responses' does not exist
  //   in type 'ImplementOptions<…'.
  route.on(showBook, { responses: {}, resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error at `health`: An endpoint has its whole path: implement it in a scope without a prefix
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
  // @ts-expect-error at `showBook`: 401 must be declared, with the body that a guard denies with
  route.on(showBook, { guards: [authenticated], resolve: () => reply(404, { code: "missing" }) });
  // @ts-expect-error at `showBook`: 401 must be declared, with the body that a guard denies with
  scope.on(showBook, { resolve: () => reply(404, { code: "missing" }) });
  // One error, at the endpoint: the handler keeps its types.
  // @ts-expect-error at `showBook`: 401 must be declared, with the body that a guard denies with
  scope.on(showBook, {
    resolve: (c) => reply(200, { id: c.raw.params.id, title: c.locals.user }),
  });
  // 401 must be declared on the endpoint, which is all that clients know.
  // @ts-expect-error at `showBook`: 401 must be declared, with the body that a guard denies with
  route.with({ guards: [authenticated], responses: who }).on(showBook, {
    resolve: () => reply(404, { code: "missing" }),
  });
  const open = route.with<{ session: string }>().on(shown, {
    guards: [(c: Context<{ session: string }>) => allow({ s: c.locals.session })],
    resolve: (c) => reply(200, { id: c.locals.s, title: "" }),
  });
  setup({ handlers: [open], onRequest: () => ({ session: "" }) });
  // @ts-expect-error at `setup({ handlers: [open] })`: onRequest must return the local "session", which route.with<{
  //   session: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
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
  // @ts-expect-error at `satisfies`: Type 'Answer<200, { id: string; title: string; }, AsJson>' is not assignable to
  //   type 'never'.
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
  // @ts-expect-error at `query`: "n" of the query arrives as a string, which this schema never accepts: let the schema
  //   convert it, as z.coerce.number() does
  endpoint.get("/a", { request: { query: z.object({ n: z.number() }) } });
  // @ts-expect-error at `params`: The path /a/:id has no parameter "ID"
  endpoint.get("/a/:id", { request: { params: z.object({ ID: z.string() }) } });
  endpoint.with({ prefix: "/orgs/:org" }).get("/a/:id", {
    request: { params: z.object({ org: z.string(), id: z.coerce.number() }) },
  });
  // @ts-expect-error at `headers`: Header names are in lower case: write "x-id"
  endpoint.get("/a", { request: { headers: z.object({ "X-Id": z.string().optional() }) } });
  endpoint.get("/a", {
    request: { headers: z.looseObject({ "x-id": z.string() }), cookies: z.object({ Id: z.string() }) },
  });
  // @ts-expect-error at `prefix`: A prefix must begin with a slash: write "/v1"
  endpoint.with({ prefix: "v1" });
  // @ts-expect-error at `prefix`: A prefix must not end with a slash: write "/v1"
  endpoint.with({ prefix: "/v1/" });
  // @ts-expect-error at `body`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
  endpoint.get("/a", { request: { body: book } });
  // @ts-expect-error at `body`: A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or
  //   validate the query
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
  const told = route.with<{ user: string }>();
  setup({ handlers: [told.on(gone, { resolve })], onRequest: () => ({ user: "ada" }) });
  // @ts-expect-error at `onRequest`: Type 'undefined' is not assignable to type '(args: OnRequestArgs, ...extra:
  //   unknown[]) => unknown'.
  setup({ handlers: [told.on(gone, { resolve })], onRequest: undefined });
  // @ts-expect-error at `onRequest`: Type 'undefined' is not assignable to type '(args: OnRequestArgs) => { user:
  //   string; }'.
  setup({ handlers: [told.on(gone, { resolve })], onRequest: gone.path ? () => ({ user: "ada" }) : undefined });
  setup({ handlers: [], onRequest: gone.path ? () => ({ user: "ada" }) : undefined });
  gone satisfies Endpoint;
  setup({
    handlers: [
      // @ts-expect-error at `gone`: The endpoint demands the local "user": list a guard that adds it. If onRequest
      //   returns it, use route.with<{ user: … }>()
      route.on(gone, { resolve }),
    ],
  });
  setup({
    handlers: [
      // @ts-expect-error at `gone`: The endpoint demands the local "user": list a guard that adds it. If onRequest
      //   returns it, use route.with<{ user: … }>()
      route.on(gone, { guards: [() => allow({ person: "ada" })], resolve }),
    ],
  });
  setup({
    handlers: [
      // The guard adds the user on one branch only.
      // @ts-expect-error at `gone`: The endpoint demands the local "user": list a guard that adds it. If onRequest
      //   returns it, use route.with<{ user: … }>()
      route.on(gone, { guards: [optional], resolve }),
    ],
  });
  setup({
    handlers: [
      // @ts-expect-error at `gone`: The endpoint demands the local "user": list a guard that adds it. If onRequest
      //   returns it, use route.with<{ user: … }>()
      route.on(gone, { guards: [maybe], resolve }),
    ],
  });
  // Nothing says that the user is among the names.
  // @ts-expect-error at `setup({ handlers: [told.on(gone, { resol…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [told.on(gone, { resolve })], onRequest: (): Record<string, unknown> => ({}) });
  // Nothing says that the user is among the names, whatever their type is.
  // @ts-expect-error at `setup({ handlers: [told.on(gone, { resol…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [told.on(gone, { resolve })], onRequest: (): Record<string, string> => ({}) });
  setup({
    handlers: [told.on(gone, { resolve })],
    onRequest: (): { user: string; [name: string]: string } => ({ user: "ada" }),
  });
  const reads = (_c: Context<{ session: string }>) => allow({ user: "ada" });
  const needy = route.with<{ session: string }>().on(gone, { guards: [reads], resolve });
  // @ts-expect-error at `reads`: No guard before this one adds the local "session". If onRequest returns it, use
  //   route.with<{ session: … }>()
  route.on(gone, { guards: [reads], resolve });
  // @ts-expect-error at `gone`: The endpoint demands the local "user": list a guard that adds it. If onRequest returns
  //   it, use route.with<{ user: … }>()
  route.with<{ user: string | undefined }>().on(gone, { resolve });
  setup({ handlers: [needy], onRequest: () => ({ session: "" }) });
  // @ts-expect-error at `setup({ handlers: [needy] })`: onRequest must return the local "session", which route.with<{
  //   session: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [needy] });

  // The type of the local counts, and scopes add to each other, in any order.
  const admins = endpoint.with({ responses: { 204: {} } }).with<{ user: { role: string } }>().with<{ org: string }>();
  const closed = admins.post("/closed");
  const named = () => allow({ user: "ada", org: "7" });
  const known = () => allow({ user: { role: "admin" }, org: "7" });
  setup({ handlers: [route.on(closed, { guards: [known], resolve })] });
  // @ts-expect-error at `closed`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(closed, { guards: [named], resolve })] });
  const several = admins.on(["PUT", "POST"], "/several");
  // @ts-expect-error at `several`: The endpoint demands the local "org": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ org: … }>()
  setup({ handlers: [route.on(several, { guards: [() => allow({ user: { role: "admin" } })], resolve })] });

  // A scope that needs locals is not a scope that needs none, nor the reverse.
  const declared = (scope: typeof member) => scope.get("/me");
  declared(member);
  // @ts-expect-error at `endpoint.with({ prefix: "/v1" })`: Property 'user' is missing in type 'NoLocals' but required
  //   in type '{ user: {}; }'.
  declared(endpoint.with({ prefix: "/v1" }));
  // @ts-expect-error at `forgotten`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: {};
  //   }'.
  const forgotten: EndpointFactory<"/v1"> = member;
  return forgotten;
}

/** The root of a scope, and demands of any key. */
export function rootsAndDemands() {
  // @ts-expect-error at `"/"`: In this scope, "/" is the prefix with a slash at its end: write "" for the prefix itself
  endpoint.with({ prefix: "/v1" }).get("/");
  // @ts-expect-error at `"/"`: In this scope, "/" is the prefix with a slash at its end: write "" for the prefix itself
  route.with({ prefix: "/v1" }).get("/", { resolve: () => new Response() });
  // @ts-expect-error at `endpoint`: Name the locals that routes need: with any key, no local would be required
  endpoint.with<{ [name: string]: string }>().get("/");
}
