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
  // @ts-expect-error at `{ ...(flag ? { guards: [auth] as const }…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...(flag ? { guards: [auth] as const } : {}), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...(flag ? { guards: [auth] as const }…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...(flag ? { guards: [auth] as const } : {}), resolve: ok });
  // @ts-expect-error at `{ ...(flag && { guards: [auth] as const…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...(flag && { guards: [auth] as const }), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...(flag ? { guards: [auth] as const }…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...(flag ? { guards: [auth] as const } : undefined), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...maybe, resolve: (c) => id(c.locals.…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...maybe, resolve: read }`: Property 'guards' is optional in type '{…' but required in type
  //   'Unconditional<"guards">'.
  route.get("/", { ...maybe, resolve: read });
  // @ts-expect-error at `{ resolve: (c) => id(c.locals.user), ...…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { resolve: (c) => id(c.locals.user), ...maybe });
  // @ts-expect-error at `{ ...partial, resolve: (c) => id(c.local…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...partial, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...parts(), resolve: (c) => id(c.local…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...parts(), resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...parts(), resolve: ok }`: Property 'guards' is optional in type '{ resolve: () =>
  //   Response; guards?: never; }' but required in type 'Unconditional<"guards">'.
  route.get("/", { ...parts(), resolve: ok });
  // @ts-expect-error at `{ ...instance, resolve: (c) => id(c.loca…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...instance, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `flag ? { guards: [auth] as const, resolv…`: Property 'guards' is missing in type '{ resolve:
  //   (c: Context<{ user: User; }>) => Response; }' but required in type 'Unconditional<"guards">'.
  route.get("/", flag ? { guards: [auth] as const, resolve: (c: Context<{ user: User }>) => id(c.locals.user) } : { resolve: (c: Context<{ user: User }>) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: maybe.guards ?? [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: maybe.guards ?? [], resolve: ok });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: maybe.guards || [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ guards: flag ? [auth] : [], resolve: (…`: These guards may be absent: write one list,
  //   without a condition
  //   at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: flag ? [auth] : [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ guards: flag ? [auth] as const : [] as…`: These guards may be absent: write one list,
  //   without a condition
  //   at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: flag ? [auth] as const : [] as const, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `resolve`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: User;
  //   }'.
  route.get("/", { guards: flag ? [auth] : [], resolve: read });
  // @ts-expect-error at `{ guards: flag ? [ownPage, sessions.writ…`: These guards may be absent: write one list,
  //   without a condition
  route.post("/", { guards: flag ? [ownPage, sessions.writing] : [], resolve: () => reply(204) });
  // @ts-expect-error at `{ guards: flag ? [auth] : undefined, res…`: Type 'undefined' is not assignable to type
  //   'readonly unknown[…'.
  //   at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call
  //   returns into constants">'.
  route.get("/", { guards: flag ? [auth] : undefined, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: maybe.guards ?? [], resolve: read });
  const empty = [] as const;
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  //   at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call
  //   returns into constants">'.
  route.get("/", { guards: maybe.guards ?? empty, resolve: (c) => id(c.locals.user) });
  const variable = maybe.guards ?? [];
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  //   at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call
  //   returns into constants">'.
  route.get("/", { guards: variable, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: variable, resolve: ok });
  // @ts-expect-error at `guards`: Property 'locals' is optional in type '{…' but required in type '{…'.
  route.get("/", { guards: maybe.guards ?? [log], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `flag && auth`: Type 'false' is not assignable to type '(…'.
  route.get("/", { guards: [flag && auth], resolve: ok });
  // @ts-expect-error at `guards`: …
  //   at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that a call
  //   returns into constants">'.
  route.get("/", { guards: optionalElement, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: list, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: [...list], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: [flag ? auth : log], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `…`: …
  route.get("/", { guards: [...(flag ? [auth] as const : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: [...(flag ? [auth] : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `annotated`: Property 'guards' is missing in type '{…' but required in type
  //   'Unconditional<"guards">'.
  const annotated: RouteOptions<"/", NoLocals, readonly [typeof auth]> = { resolve: (c) => id(c.locals.user) };
  route.get("/", annotated);
  // annotated options with guards
  const annotatedOk: RouteOptions<"/", NoLocals, readonly [typeof auth]> = { guards: [auth], resolve: (c) => id(c.locals.user) };
  route.get("/", annotatedOk);
  // annotated options without any
  const annotatedPlain: RouteOptions<"/:id"> = { resolve: (c) => new Response(c.raw.params.id) };
  route.get("/:id", annotatedPlain);
  // @ts-expect-error at `{ ...(flag ? { guards: [auth] as const }…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  setup({ handlers: [route.on(demanding, { ...(flag ? { guards: [auth] as const } : {}), resolve: () => reply(204) })] });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  setup({ handlers: [route.on(demanding, { guards: maybe.guards ?? [], resolve: () => reply(204) })] });
  // @ts-expect-error at `demanding`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(demanding, { guards: flag ? [auth] : [], resolve: () => reply(204) })] });
  // demand
  setup({ handlers: [route.on(demanding, { guards: [auth], resolve: () => reply(204) })] });
  // demand by two lists
  setup({ handlers: [route.on(demanding, { guards: flag ? [auth] : [other], resolve: () => reply(204) })] });
  // @ts-expect-error at `{ ...(flag ? { guards: [ownPage, session…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.post("/", { ...(flag ? { guards: [ownPage, sessions.writing] as const } : {}), resolve: () => reply(204) });
  const protectedBy: { guards?: readonly [typeof ownPage, typeof sessions.writing] } = {};
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.post("/", { guards: protectedBy.guards ?? [], resolve: () => reply(204) });
  // @ts-expect-error at `{ ...(flag ? { guards: [auth] as const }…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.with({ ...(flag ? { guards: [auth] as const } : {}) }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `maybe`: Property 'guards' is optional in type '{…' but required in type
  //   'Unconditional<"guards">'.
  route.with(maybe).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.with({ guards: maybe.guards ?? [] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.with({ guards: maybe.guards ?? [] });
  // @ts-expect-error at `{ guards: flag ? [auth] : [] }`: These guards may be absent: write one list, without a
  //   condition
  //   at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.with({ guards: flag ? [auth] : [] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...(flag ? { prefix: "/orgs/:orgId" as…`: Property 'prefix' is optional in type '{ prefix?:
  //   "/orgs/:orgId"; }' but required in type 'Unconditional<"prefix">'.
  route.with({ ...(flag ? { prefix: "/orgs/:orgId" as const } : {}) }).get("", { resolve: (c) => new Response(c.raw.params.orgId) });
  // @ts-expect-error at `{ ...(opt.prefix !== undefined ? { prefi…`: Property 'prefix' is optional in type '{ prefix?:
  //   "/orgs/:orgId"; }' but required in type 'Unconditional<"prefix">'.
  route.with({ ...(opt.prefix !== undefined ? { prefix: opt.prefix } : {}) }).get("", { resolve: (c) => new Response(c.raw.params.orgId) });
  // @ts-expect-error at `flag ? { guards: [auth] as const } : {}`: Property 'guards' is missing in type '{}' but
  //   required in type 'Unconditional<"guards">'.
  route.with(flag ? { guards: [auth] as const } : {}).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `annotatedScope`: Property 'guards' is missing in type '{}' but required in type
  //   'Unconditional<"guards">'.
  const annotatedScope: ScopeOptions<"", readonly [typeof auth]> = {};
  route.with(annotatedScope).get("/", { resolve: (c) => id(c.locals.user) });
  // annotated scope
  const scopeOk: ScopeOptions<"/v1", readonly [typeof auth]> = { prefix: "/v1", guards: [auth] };
  route.with(scopeOk).get("", { resolve: (c) => id(c.locals.user) });
  // scope with prefix only
  route.with({ prefix: "/orgs/:id" }).get("", { resolve: (c) => new Response(c.raw.params.id) });
  // scope empty
  route.with({}).get("/", { resolve: ok });
  // scope docs spread
  route.with({ ...docs, guards: [auth] }).get("/", { resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...(flag ? { request: { body } } : {})…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"guards" | "request">'.
  route.post("/", { ...(flag ? { request: { body } } : {}), guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `{ ...(flag ? { request: { body } } : {})…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"request">'.
  route.post("/", { ...(flag ? { request: { body } } : {}), resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") });
  // @ts-expect-error at `{ ...maybeRequest, guards: [valid], reso…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"guards" | "request">'.
  route.post("/", { ...maybeRequest, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `{ request: flag ? { body } : undefined,…`: Type 'undefined' is not assignable to type
  //   'SchemasWith<unknown>'.
  //   at `c.input.body`: 'c.input.body' is of type 'unknown'.
  route.post("/", { request: flag ? { body } : undefined, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
  route.post("/", { request: flag ? { body } : {}, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
  route.post("/", { request: maybeRequest.request ?? {}, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `c.input.body`: 'c.input.body' is possibly 'undefined'.
  route.post("/", { request: { ...(flag ? { body } : {}) }, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // request inner spread with check
  route.post("/", { request: { ...(flag ? { body } : {}) }, guards: [valid], resolve: (c) => new Response(c.input.body?.title) });
  // request
  route.post("/", { request: { body }, guards: [valid], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `annotatedBody`: Property 'request' is missing in type '{…' but required in type
  //   'Unconditional<"request">'.
  const annotatedBody: RouteOptions<"/", { body: typeof body }> = { resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") };
  route.post("/", annotatedBody);
  // annotated request
  const annotatedBodyOk: RouteOptions<"/", { body: typeof body }> = { request: { body }, resolve: (c) => new Response(c.input.ok ? c.input.body.title : "") };
  route.post("/", annotatedBodyOk);
  // @ts-expect-error at `{ request: { body }, ...(flag ? { guards…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards" | "request">'.
  route.post("/", { request: { body }, ...(flag ? { guards: [valid] as const } : {}), resolve: (c) => new Response(c.input.body.title) });
  const maybeValid: { guards?: readonly [typeof valid] } = {};
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.post("/", { request: { body }, guards: maybeValid.guards ?? [], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `{ request: { body }, guards: flag ? [val…`: These guards may be absent: write one list,
  //   without a condition
  //   at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked, or denyInvalid is
  //   among the guards; put guards that a call returns into constants">'.
  route.post("/", { request: { body }, guards: flag ? [valid] : [log], resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `{ ...(flag ? { guards: [valid] as const…`: Property 'guards' is optional in type '{ guards?:
  //   readonly [ValidInputGuard<NoLocals, Response>]; }' but required in type 'Unconditional<"guards">'.
  route.with({ ...(flag ? { guards: [valid] as const } : {}) }).post("/", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  // @ts-expect-error at `{ ...(flag ? { guards: [beforeBody(auth)…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.get("/", { ...(flag ? { guards: [beforeBody(auth)] as const } : {}), resolve: (c) => id(c.locals.user) });
  const early = beforeBody(auth);
  const maybeEarly: { guards?: readonly [typeof early] } = {};
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: maybeEarly.guards ?? [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ guards: flag ? [early] : [], resolve:…`: These guards may be absent: write one list, without
  //   a condition
  //   at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: flag ? [early] : [], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `flag ? auth : undefined`: Type 'undefined' is not assignable to type '(…'.
  route.get("/", { guards: [beforeBody(flag ? auth : undefined)], resolve: ok });
  // @ts-expect-error at `flag ? auth : log`: Property 'locals' is optional in type '{…' but required in type '{…'.
  route.get("/", { guards: [beforeBody(flag ? auth : log)], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...(flag ? { request: { body } } : {})…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"request">'.
  route.on(endpoint.post("/", { ...(flag ? { request: { body } } : {}), responses: { 204: {} } }), { guards: [valid], resolve: (c) => c.input.body.title ? reply(204) : reply(204) });
  // @ts-expect-error at `{ ...maybeRequest }`: Property 'request' is optional in type '{…' but required in type
  //   'Unconditional<"request">'.
  endpoint.post("/", { ...maybeRequest });
  // @ts-expect-error at `{ ...(flag ? { prefix: "/orgs/:orgId" as…`: Property 'prefix' is optional in type '{ prefix?:
  //   "/orgs/:orgId"; }' but required in type 'Unconditional<"prefix">'.
  endpoint.with({ ...(flag ? { prefix: "/orgs/:orgId" as const } : {}) }).get("");
  // @ts-expect-error at `flag ? { request: { body } } : {}`: Property 'request' is missing in type '{}' but required in
  //   type 'Unconditional<"request">'.
  endpoint.post("/", flag ? { request: { body } } : {});
  // endpoint options
  endpoint.post("/", { request: { body } });
  // endpoint none
  endpoint.post("/");
  // @ts-expect-error at `{ ...maybe, resolve: (c) => id(c.locals.…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.on("GET", "/", { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `{ ...maybe, resolve: (c) => id(c.locals.…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  route.on(posted, { ...maybe, resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `implement`: Property 'guards' is missing in type '{…' but required in type
  //   'Unconditional<"guards">'.
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
  // @ts-expect-error at `{ guards: flag ? [auth, adminOnly] : [au…`: These guards may be absent: write one list,
  //   without a condition
  route.get("/", { guards: flag ? [auth, adminOnly] : [auth], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: [auth, ...(flag ? [adminOnly] as const : [])], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `guards`: These guards may be absent: write one list, without a condition
  route.get("/", { guards: [auth, ...(flag ? [adminOnly] as const : [])], resolve: (c) => new Response(String(c.locals.admin)) });
  // annotated list of unknown length
  const listed: readonly GuardFn[] = flag ? [log] : [];
  route.get("/", { guards: listed, resolve: ok });
  // empty list
  route.get("/", { guards: [], resolve: ok });
  // @ts-expect-error at `{ guards: flag ? [adminOnly] : [log], re…`: These guards may be absent: write one list,
  //   without a condition
  setup({ handlers: [route.get("/", { guards: flag ? [adminOnly] : [log], resolve: ok })] });
  // @ts-expect-error at `{ guards: flag ? [() => allow({ user: 1…`: These guards may be absent: write one list, without
  //   a condition
  route.get("/", { guards: flag ? [() => allow({ user: 1 }), adminOnly] : [log], resolve: ok });
  // @ts-expect-error at `{ guards: flag ? [log] : [() => allow({…`: These guards may be absent: write one list, without
  //   a condition
  route.get("/", { guards: flag ? [log] : [() => allow({ user: 1 }), adminOnly], resolve: ok });
  function _generic<G extends readonly [typeof auth]>(o: { guards?: G }) {
  // @ts-expect-error at `{ ...o, resolve: (c) => id(c.locals.user…`: Type '{…' is not assignable to type
  //   'Unconditional<GuardsKey<G, G>>'.
  //   at `user`: Property 'user' does not exist on type '…'.
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
  // @ts-expect-error at `{ ...maybe, resolve: (c) => id(c.locals.…`: Property 'guards' is optional in type '{…' but
  //   required in type 'Unconditional<"guards">'.
  withGuards("/x", { ...maybe, resolve: (c) => id(c.locals.user) });
  // satisfies
  const _satisfied = { guards: [auth], resolve: (c) => id(c.locals.user) } satisfies RouteOptions<"/", NoLocals, readonly [typeof auth]>;
  // @ts-expect-error at `satisfies`: Property 'guards' is missing in type '{…' but required in type
  //   'Unconditional<"guards">'.
  const _unsatisfied = { resolve: (c) => id(c.locals.user) } satisfies RouteOptions<"/", NoLocals, readonly [typeof auth]>;
  // inline guards
  route.get("/:id", { guards: [(c) => allow({ book: c.raw.params.id })], resolve: (c) => new Response(c.locals.book) });
  // inline guards after a const spread
  route.get("/:id", { ...docs, guards: [(c) => allow({ book: c.raw.params.id }), auth], resolve: (c) => new Response(c.locals.book + c.locals.user.id) });
}
