// deno-fmt-ignore-file: one line for each mistake
/**
 * What may be absent counts as absent: guards, schemas and prefixes that a condition spreads in, or leaves out.
 * If this file compiles, the tests have passed.
 */
import { allow, type Context, deny, denyInvalid, beforeBody, endpoint, type NoLocals, reply, route, type RouteOptions, type ScopeOptions, type ImplementOptions, setup, type GuardFn } from "../../mod.ts";
import { createSessions, ownPages } from "../../src/session/mod.ts";
import { sessionStore } from "../../src/memory/mod.ts";
import { z } from "zod";
interface User { readonly id: string; readonly role: string }
declare const flag: boolean;
const id = (user: User) => new Response(user.id);
const ok = () => new Response();
const auth = (c: Context) => c.request.headers.has("x") ? allow({ user: { id: "1", role: "a" } as User }) : deny(ok());
const other = (_c: Context) => allow({ user: { id: "2", role: "b" } as User });
const log = (_c: Context) => allow();
const adminOnly = (c: Context<{ user: User }>) => c.locals.user.role === "a" ? allow({ admin: true }) : deny(ok());
const valid = denyInvalid(() => ok());
const ownPage = ownPages({ origins: [], refuse: () => reply(403, "x") });
const sessions = createSessions({ store: sessionStore({ most: 1 }), idle: 1, absolute: 1, perUser: 1, refuse: () => reply(401, "x") });
const body = z.object({ title: z.string() });
const maybe: { guards?: readonly [typeof auth] } = {};
const maybeRequest: { request?: { body: typeof body } } = {};
const partial: Partial<{ guards: readonly [typeof auth]; docs: { summary: string } }> = {};
const docs: { docs?: { summary: string } } = {};
const parts = () => flag ? { guards: [auth] as const } : {};
const read = (c: Context<{ user: User }>) => id(c.locals.user);
const member = endpoint.with<{ user: unknown }>();
const demanding = member.post("/demanding", { responses: { 204: {} } });
const posted = endpoint.post("/posted", { request: { body } });
interface Part { guards?: readonly [typeof auth]; request?: { body: typeof body }; prefix?: "/orgs/:orgId" }
declare const opt: Part;
class Opts { guards?: readonly [typeof auth]; }
const instance = new Opts();

declare const optionalElement: readonly [typeof auth?];
declare const list: readonly (typeof auth)[];

/** Each line that must not compile, and its neighbours that must. */
export function checked() {
  // plain guards
  route.get("/", { guards: [auth], resolve: (c) => id(c.locals.user) });
  // guards as const spread, present
  route.get("/", { ...{ guards: [auth] as const }, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of conditional, read
  route.get("/", { ...(flag ? { guards: [auth] as const } : {}), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of conditional, not read
  route.get("/", { ...(flag ? { guards: [auth] as const } : {}), resolve: ok });
  // @ts-expect-error: spread of &&
  route.get("/", { ...(flag && { guards: [auth] as const }), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of undefined
  route.get("/", { ...(flag ? { guards: [auth] as const } : undefined), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of maybe
  route.get("/", { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of maybe, before a fixed handler
  route.get("/", { ...maybe, resolve: read });
  // @ts-expect-error: spread after resolve
  route.get("/", { resolve: (c) => id(c.locals.user), ...maybe });
  // @ts-expect-error: partial
  route.get("/", { ...partial, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: function result
  route.get("/", { ...parts(), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: function result not read
  route.get("/", { ...parts(), resolve: ok });
  // @ts-expect-error: class instance
  route.get("/", { ...instance, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: whole options ternary
  route.get("/", flag ? { guards: [auth] as const, resolve: (c: Context<{ user: User }>) => id(c.locals.user) } : { resolve: (c: Context<{ user: User }>) => id(c.locals.user) });
  // @ts-expect-error: ?? []
  route.get("/", { guards: maybe.guards ?? [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ?? [], not read
  route.get("/", { guards: maybe.guards ?? [], resolve: ok });
  // @ts-expect-error: || []
  route.get("/", { guards: maybe.guards || [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ternary []
  route.get("/", { guards: flag ? [auth] : [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ternary [] as const
  route.get("/", { guards: flag ? [auth] as const : [] as const, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ternary [] with fixed handler
  route.get("/", { guards: flag ? [auth] : [], resolve: read });
  // @ts-expect-error: ternary [], not read
  route.post("/", { guards: flag ? [ownPage, sessions.writing] : [], resolve: () => reply(204) });
  // @ts-expect-error: ternary undefined
  route.get("/", { guards: flag ? [auth] : undefined, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ?? [] with fixed handler
  route.get("/", { guards: maybe.guards ?? [], resolve: read });
  const empty = [] as const;
  // @ts-expect-error: ?? [] const empty
  route.get("/", { guards: maybe.guards ?? empty, resolve: (c) => id(c.locals.user) });
  const variable = maybe.guards ?? [];
  // @ts-expect-error: ?? [] variable
  route.get("/", { guards: variable, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ?? [] variable not read
  route.get("/", { guards: variable, resolve: ok });
  // @ts-expect-error: ?? [log]: other guard reads
  route.get("/", { guards: maybe.guards ?? [log], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: false element
  route.get("/", { guards: [flag && auth], resolve: ok });
  // @ts-expect-error: optional element
  route.get("/", { guards: optionalElement, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: array of unknown length
  route.get("/", { guards: list, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: spread of array of unknown length
  route.get("/", { guards: [...list], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: ternary of guards, read
  route.get("/", { guards: [flag ? auth : log], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: conditional inner spread
  route.get("/", { guards: [...(flag ? [auth] as const : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: conditional inner spread, inferred
  route.get("/", { guards: [...(flag ? [auth] : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: annotated options without guards
  const annotated: RouteOptions<"/", NoLocals, readonly [typeof auth]> = { resolve: (c) => id(c.locals.user) };
  route.get("/", annotated);
  // annotated options with guards
  const annotatedOk: RouteOptions<"/", NoLocals, readonly [typeof auth]> = { guards: [auth], resolve: (c) => id(c.locals.user) };
  route.get("/", annotatedOk);
  // annotated options without any
  const annotatedPlain: RouteOptions<"/:id"> = { resolve: (c) => new Response(c.raw.params.id) };
  route.get("/:id", annotatedPlain);
  // @ts-expect-error: demand by spread
  setup({ handlers: [route.on(demanding, { ...(flag ? { guards: [auth] as const } : {}), resolve: () => reply(204) })] });
  // @ts-expect-error: demand by ?? []
  setup({ handlers: [route.on(demanding, { guards: maybe.guards ?? [], resolve: () => reply(204) })] });
  // @ts-expect-error: demand by ternary
  setup({ handlers: [route.on(demanding, { guards: flag ? [auth] : [], resolve: () => reply(204) })] });
  // demand
  setup({ handlers: [route.on(demanding, { guards: [auth], resolve: () => reply(204) })] });
  // demand by two lists
  setup({ handlers: [route.on(demanding, { guards: flag ? [auth] : [other], resolve: () => reply(204) })] });
  // @ts-expect-error: sessions by spread
  route.post("/", { ...(flag ? { guards: [ownPage, sessions.writing] as const } : {}), resolve: () => reply(204) });
  const protectedBy: { guards?: readonly [typeof ownPage, typeof sessions.writing] } = {};
  // @ts-expect-error: sessions by ??
  route.post("/", { guards: protectedBy.guards ?? [], resolve: () => reply(204) });
  // @ts-expect-error: scope spread
  route.with({ ...(flag ? { guards: [auth] as const } : {}) }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: scope maybe
  route.with(maybe).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: scope ??
  route.with({ guards: maybe.guards ?? [] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: scope ?? not read
  route.with({ guards: maybe.guards ?? [] });
  // @ts-expect-error: scope ternary
  route.with({ guards: flag ? [auth] : [] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: scope prefix
  route.with({ ...(flag ? { prefix: "/orgs/:orgId" as const } : {}) }).get("/", { resolve: (c) => new Response(c.raw.params.orgId) });
  // @ts-expect-error: scope prefix optional member
  route.with({ ...(opt.prefix !== undefined ? { prefix: opt.prefix } : {}) }).get("/", { resolve: (c) => new Response(c.raw.params.orgId) });
  // @ts-expect-error: scope ternary options
  route.with(flag ? { guards: [auth] as const } : {}).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: annotated scope without guards
  const annotatedScope: ScopeOptions<"", readonly [typeof auth]> = {};
  route.with(annotatedScope).get("/", { resolve: (c) => id(c.locals.user) });
  // annotated scope
  const scopeOk: ScopeOptions<"/v1", readonly [typeof auth]> = { prefix: "/v1", guards: [auth] };
  route.with(scopeOk).get("/", { resolve: (c) => id(c.locals.user) });
  // scope with prefix only
  route.with({ prefix: "/orgs/:id" }).get("/", { resolve: (c) => new Response(c.raw.params.id) });
  // scope empty
  route.with({}).get("/", { resolve: ok });
  // scope docs spread
  route.with({ ...docs, guards: [auth] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: request spread
  route.post("/", { ...(flag ? { request: { body } } : {}), guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: request spread, checked input
  route.post("/", { ...(flag ? { request: { body } } : {}), resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") });
  // @ts-expect-error: request maybe
  route.post("/", { ...maybeRequest, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: request undefined
  route.post("/", { request: flag ? { body } : undefined, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: request ternary {}
  route.post("/", { request: flag ? { body } : {}, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: request ?? {}
  route.post("/", { request: maybeRequest.request ?? {}, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: request inner spread
  route.post("/", { request: { ...(flag ? { body } : {}) }, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // request inner spread with check
  route.post("/", { request: { ...(flag ? { body } : {}) }, guards: [valid], resolve: (c) => new Response(c.input.body?.title) });
  // request
  route.post("/", { request: { body }, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: annotated request missing
  const annotatedBody: RouteOptions<"/", { body: typeof body }> = { resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") };
  route.post("/", annotatedBody);
  // annotated request
  const annotatedBodyOk: RouteOptions<"/", { body: typeof body }> = { request: { body }, resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") };
  route.post("/", annotatedBodyOk);
  // @ts-expect-error: valid by spread
  route.post("/", { request: { body }, ...(flag ? { guards: [valid] as const } : {}), resolve: (c) => new Response(c.input.body.title) });
  const maybeValid: { guards?: readonly [typeof valid] } = {};
  // @ts-expect-error: valid by ??
  route.post("/", { request: { body }, guards: maybeValid.guards ?? [], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: valid by ternary
  route.post("/", { request: { body }, guards: flag ? [valid] : [log], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: valid in scope
  route.with({ ...(flag ? { guards: [valid] as const } : {}) }).post("/", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error: beforeBody spread
  route.get("/", { ...(flag ? { guards: [beforeBody(auth)] as const } : {}), resolve: (c) => id(c.locals.user) });
  const early = beforeBody(auth);
  const maybeEarly: { guards?: readonly [typeof early] } = {};
  // @ts-expect-error: beforeBody ?? []
  route.get("/", { guards: maybeEarly.guards ?? [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: beforeBody ternary
  route.get("/", { guards: flag ? [early] : [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: beforeBody of undefined
  route.get("/", { guards: [beforeBody(flag ? auth : undefined)], resolve: ok });
  // @ts-expect-error: beforeBody of union
  route.get("/", { guards: [beforeBody(flag ? auth : log)], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: endpoint request spread
  route.on(endpoint.post("/", { ...(flag ? { request: { body } } : {}), responses: { 204: {} } }), { guards: [valid], resolve: (c) => c.input.body.title ? reply(204) : reply(204) });
  // @ts-expect-error: endpoint request maybe
  endpoint.post("/", { ...maybeRequest });
  // @ts-expect-error: endpoint prefix
  endpoint.with({ ...(flag ? { prefix: "/orgs/:orgId" as const } : {}) }).get("/");
  // @ts-expect-error: endpoint options ternary
  endpoint.post("/", flag ? { request: { body } } : {});
  // endpoint options
  endpoint.post("/", { request: { body } });
  // endpoint none
  endpoint.post("/");
  // @ts-expect-error: on spread
  route.on("GET", "/", { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: on endpoint spread
  route.on(posted, { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: implement options annotated
  const implement: ImplementOptions<typeof posted, readonly [typeof auth]> = { resolve: (c) => id(c.locals.user) };
  route.on(posted, implement);
  // implement options annotated
  const implementOk: ImplementOptions<typeof posted, readonly [typeof auth]> = { guards: [auth], resolve: (c) => id(c.locals.user) };
  route.on(posted, implementOk);
  // docs spread
  route.get("/", { ...docs, guards: [auth], resolve: (c) => id(c.locals.user) });
  // docs conditional
  route.get("/", { ...(flag ? { docs: { summary: "x" } } : {}), guards: [auth], resolve: (c) => id(c.locals.user) });
  // responses conditional
  route.get("/", { ...(flag ? { responses: { 204: {} } } : {}), guards: [auth], resolve: (c) => c.locals.user ? reply(204) : reply(204) });
  // whole spread
  const whole = { guards: [auth], docs: { summary: "x" } } as const;
  route.get("/", { ...whole, resolve: (c) => id(c.locals.user) });
  // two lists
  route.get("/", { guards: flag ? [auth] : [other], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: longer list
  route.get("/", { guards: flag ? [auth, adminOnly] : [auth], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: inner conditional spread as const
  route.get("/", { guards: [auth, ...(flag ? [adminOnly] as const : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: inner conditional spread, read
  route.get("/", { guards: [auth, ...(flag ? [adminOnly] as const : [])], resolve: (c) => new Response(String(c.locals.admin)) });
  // annotated list of unknown length
  const listed: readonly GuardFn[] = flag ? [log] : [];
  route.get("/", { guards: listed, resolve: ok });
  // empty list
  route.get("/", { guards: [], resolve: ok });
  // @ts-expect-error: two lists, a need of one
  setup({ handlers: [route.get("/", { guards: flag ? [adminOnly] : [log], resolve: ok })] });
  // @ts-expect-error: two lists, a misfit in one
  route.get("/", { guards: flag ? [() => allow({ user: 1 }), adminOnly] : [log], resolve: ok });
  // @ts-expect-error: two lists, a misfit in the other
  route.get("/", { guards: flag ? [log] : [() => allow({ user: 1 }), adminOnly], resolve: ok });
  function _generic<G extends readonly [typeof auth]>(o: { guards?: G }) {
  // @ts-expect-error: generic with optional member
    return route.get("/", { ...o, resolve: (c) => id(c.locals.user) });
  }
  // generic wrapper, annotated
  function _wrapper<Path extends string>(path: Path, options: RouteOptions<Path>) {
    const all: RouteOptions<Path> = { ...options, docs: { summary: "x" } }; return route.get(path, all);
  }
  // generic wrapper of guards
  function withGuards<Path extends string, const Guards extends readonly unknown[]>(path: Path, options: RouteOptions<Path, NoLocals, Guards>) {
    return route.get(path, options);
  }
  // generic wrapper of guards, called
  withGuards("/x", { guards: [auth], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: generic wrapper of guards, called with a spread
  withGuards("/x", { ...maybe, resolve: (c) => id(c.locals.user) });
  // satisfies
  const _satisfied = { guards: [auth], resolve: (c) => id(c.locals.user) } satisfies RouteOptions<"/", NoLocals, readonly [typeof auth]>;
  // @ts-expect-error: satisfies without guards
  const _unsatisfied = { resolve: (c) => id(c.locals.user) } satisfies RouteOptions<"/", NoLocals, readonly [typeof auth]>;
  // inline guards
  route.get("/:id", { guards: [(c) => allow({ book: c.raw.params.id })], resolve: (c) => new Response(c.locals.book) });
  // inline guards after a const spread
  route.get("/:id", { ...docs, guards: [(c) => allow({ book: c.raw.params.id }), auth], resolve: (c) => new Response(c.locals.book + c.locals.user.id) });
}
