/** Types of sessions. If this file compiles, the tests have passed. */
import { allow, beforeBody, type Context, endpoint, type Reply, reply, route, setup } from "../../mod.ts";
import {
  createSessions,
  type InSession,
  ownPages,
  type Session,
  type SessionDataSchema,
  type SessionHeaders,
  type Sessions,
  type SessionsOptions,
  type SessionWith,
} from "../../src/session/mod.ts";
import { z } from "zod";
import { sessionStore } from "../../src/memory/mod.ts";

type Exact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const exact = <_Same extends true>(): void => {};

const text = (value: unknown): value is string => typeof value === "string";
const store = sessionStore({ most: 10 });
const ownPage = ownPages({ origins: [], refuse: () => reply(403, "forged") });
const sessions = createSessions({ store, idle: 1, absolute: 1, perUser: 1, refuse: () => reply(401, "nobody") });

// A write behind ownPages, in a route and in a scope, before the body and after it.
const write = route.post("/", {
  guards: [ownPage, sessions.writing],
  resolve: (c) => {
    exact<Exact<typeof c.locals, { readonly ownPage: true; readonly session: Session }>>();
    return reply(200, c.locals.session.user);
  },
});
const members = route.with({ guards: [beforeBody(ownPage), beforeBody(sessions.writing)] });
const inScope = members.post("/in-scope", { resolve: (c) => reply(200, c.locals.session.begunAt) });
const forged = route.with({ guards: [ownPage] });
const ownPageInScope = forged.post("/own-page-in-scope", { guards: [sessions.writing], resolve: () => reply(204) });
const read = route.get("/", { guards: [sessions.reading], resolve: (c) => reply(200, c.locals.session.user) });
setup({ handlers: [write, inScope, ownPageInScope, read] });

// A write without ownPages does not compile, in a route, in a scope, and before the body.
// @ts-expect-error at `sessions.writing`: No guard before this one adds the local "ownPage". If onRequest returns it,
//   use route.with<{ ownPage: … }>()
route.post("/unprotected", { guards: [sessions.writing], resolve: () => reply(204) });
// @ts-expect-error at `beforeBody(sessions.writing)`: No guard before this one adds the local "ownPage". If onRequest
//   returns it, use route.with<{ ownPage: … }>()
route.post("/early", { guards: [beforeBody(sessions.writing)], resolve: () => reply(204) });
// @ts-expect-error at `sessions.writing`: No guard before this one adds the local "ownPage". If onRequest returns it,
//   use route.with<{ ownPage: … }>()
route.with({ guards: [sessions.writing] });
// @ts-expect-error at `sessions.writing`: The guard that adds the local "ownPage" must come before this one
route.post("/late", { guards: [sessions.writing, ownPage], resolve: () => reply(204) });
const endpoints = { remove: endpoint.delete("/removed", { responses: { 204: {}, 401: { schema: text } } }) };
// @ts-expect-error at `sessions.writing`: No guard before this one adds the local "ownPage". If onRequest returns it,
//   use route.with<{ ownPage: … }>()
route.on(endpoints.remove, { guards: [sessions.writing], resolve: () => reply(204) });
// @ts-expect-error at `sessions.writing`: No guard before this one adds the local "ownPage". If onRequest returns it,
//   use route.with<{ ownPage: … }>()
route.post("/after-reading", { guards: [sessions.reading, sessions.writing], resolve: () => reply(204) });
const pretend = () => allow({ ownPage: false });
// @ts-expect-error at `sessions.writing`: The local "ownPage" has another type than this guard reads
route.post("/pretend", { guards: [pretend, sessions.writing], resolve: () => reply(204) });

// The responses of both guards must be declared, whatever the format is.
route.post("/declared", {
  responses: { 204: {}, 401: { schema: text }, 403: { schema: text } },
  guards: [ownPage, sessions.writing],
  resolve: () => reply(204),
});
route.post("/undeclared", {
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with | 403 must be
  //   declared, with the body that a guard denies with
  responses: { 204: {} },
  guards: [ownPage, sessions.writing],
  resolve: () => reply(204),
});
route.get("/undeclared", {
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  responses: { 204: {} },
  guards: [sessions.reading],
  resolve: () => reply(204),
});
const plain = createSessions({ store, idle: 1, absolute: 1, perUser: 1, refuse: () => new Response() });
route.get("/plain", { responses: { 204: {} }, guards: [plain.reading], resolve: () => reply(204) });
exact<
  Exact<
    ReturnType<typeof plain.reading> extends Promise<infer R> ? Extract<R, { deny: unknown }>["deny"] : never,
    Response
  >
>();

// The headers of begin and end are those of a response.
const signIn = async (c: Context): Promise<Reply> =>
  reply(204, undefined, { headers: { ...await sessions.begin(c.request, "ada"), "cache-control": "no-store" } });
route.post("/sign-in", { guards: [ownPage], resolve: signIn });
const signOut = async (c: Context): Promise<Reply> => reply(204, undefined, { headers: await sessions.end(c.request) });
route.post("/sign-out", { guards: [ownPage], resolve: signOut });

// One guard for a session or a token.
const either = async (c: Context) => {
  if (c.request.headers.has("authorization")) return allow({ user: "program" });
  const own = ownPage(c);
  if ("deny" in own) return own;
  const result = await sessions.writing({ ...c, locals: own.locals });
  return "deny" in result ? result : allow({ user: result.locals.session.user }, result);
};
const byEither = route.post("/either", { guards: [either], resolve: (c) => reply(200, c.locals.user) });
setup({ handlers: [byEither] });

// Data of sessions has the types of its schema: what `begin` takes, and what handlers see.
const OPTIONS = { store, idle: 1, absolute: 1, perUser: 1, refuse: () => reply(401, "nobody") };
const account = z.object({ tenant: z.string(), since: z.coerce.date<string>() });
const withData = createSessions({ ...OPTIONS, data: account });
interface Account {
  tenant: string;
  since: Date;
}
type Begin = (request: Request, user: string, data: { tenant: string; since: string }) => Promise<SessionHeaders>;
exact<Exact<typeof withData.begin, Begin>>();
route.get("/data", {
  guards: [withData.reading],
  resolve: (c) => {
    exact<Exact<typeof c.locals, { readonly session: SessionWith<Account> }>>();
    return reply(200, c.locals.session.data.tenant);
  },
});
const inTenant = (c: Context<InSession<SessionWith<{ readonly tenant: string }>>>) =>
  c.locals.session.data.tenant === "north" ? allow() : { allow: false as const, deny: reply(403) };
route.get("/tenant", { guards: [withData.reading, inTenant], resolve: () => reply(204) });
setup({
  handlers: [
    // @ts-expect-error at `inTenant`: The local "session" has another type than this guard reads
    route.get("/no-tenant", { guards: [sessions.reading, inTenant], resolve: () => reply(204) }),
  ],
});
const begins = (request: Request, maybe: typeof account | undefined, anyOptions: SessionsOptions<Response>) => {
  withData.begin(request, "ada", { tenant: "north", since: "2026-01-01" });
  // @ts-expect-error at `begin`: Expected 3 arguments, but got 2.
  withData.begin(request, "ada");
  // @ts-expect-error at `role`: Object literal may only specify known properties, and 'role' does not exist in type '{
  //   tenant: string; since: string; }'.
  withData.begin(request, "ada", { tenant: "north", since: "2026-01-01", role: "admin" });
  // @ts-expect-error at `since`: Type 'Date' is not assignable to type 'string'.
  withData.begin(request, "ada", { tenant: "north", since: new Date() });
  // @ts-expect-error at `{ tenant: "north" }`: Expected 2 arguments, but got 3.
  sessions.begin(request, "ada", { tenant: "north" });
  createSessions({ ...OPTIONS, data: account.optional() }).begin(request, "ada");
  createSessions({ ...OPTIONS, data: undefined }).begin(request, "ada");
  // @ts-expect-error at `data`: Pass a Standard Schema that is always there
  createSessions({ ...OPTIONS, data: maybe });
  // @ts-expect-error at `{ ...anyOptions, ...{ data: maybe } }`: Pass a Standard Schema that is always there
  createSessions({ ...anyOptions, ...{ data: maybe } });
  // @ts-expect-error at `data`: Pass a Standard Schema that is always there
  createSessions({ ...OPTIONS, data: text });
  exact<Exact<ReturnType<typeof createSessions<Response>>, Sessions<Response>>>();
  const general: SessionDataSchema<unknown, unknown> = account;
  createSessions({ ...anyOptions, data: general }).begin(request, "ada", general);
};
void begins;

// The answer is the application's.

// @ts-expect-error at `{ store, idle: 1, absolute: 1, perUser:…`: Property 'refuse' is missing in type '{…' but
//   required in type 'SessionsOptions<Response>'.
void (() => createSessions({ store, idle: 1, absolute: 1, perUser: 1 }));
// The answer is the application's.
// @ts-expect-error at `{ origins: [] }`: Property 'refuse' is missing in type '{ origins: never[]; }' but required in
//   type 'OwnPagesOptions<Response>'.
void (() => ownPages({ origins: [] }));
// @ts-expect-error at `origins`: Type 'string' is not assignable to type 'ReadonlySet<string> | readonly string[]'.
void (() => ownPages({ origins: "https://app.example.com", refuse: () => reply(403) }));
// @ts-expect-error at `{}`: Property 'most' is missing in type '{}' but required in type '{ readonly most: number; }'.
void (() => sessionStore({}));
