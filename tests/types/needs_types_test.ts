// deno-fmt-ignore-file: one line for each mistake
/**
 * Needs of guards and demands of endpoints do not vanish: in contradictions, unions, symbols and lists.
 * If this file compiles, the tests have passed.
 */
import { allow, type Context, deny, endpoint, type GuardFn, type NoLocals, reply, route, setup } from "../../mod.ts";
import { compose } from "../../src/hooks/mod.ts";
interface Reader { readonly id: string; readonly kind: "reader" }
interface Admin { readonly id: string; readonly kind: "admin"; readonly level: number }
declare const flag: boolean;
const id = (user: { id: string }) => new Response(user.id);
const ok = () => new Response();
const needsReader = (c: Context<{ user: { kind: "reader" } }>) => c.locals.user ? allow() : deny(ok());
const needsAdmin = (c: Context<{ user: { kind: "admin" } }>) => c.locals.user ? allow() : deny(ok());
const needsA = (_c: Context<{ kind: "a" }>) => allow();
const needsB = (_c: Context<{ kind: "b" }>) => allow();
const reader = (_c: Context) => allow({ user: { id: "1", kind: "reader" } as Reader });
const key = Symbol("user");
const needsSymbol = (c: Context<{ [key]: string }>) => c.locals[key] ? allow() : deny(ok());
const unknownUser = endpoint.with<{ user: unknown }>().get("/u", { responses: { 204: {} } });
const no = () => reply(204);
declare const g: GuardFn<never>;
declare const unknowns: readonly unknown[];
declare const objects: readonly object[];

/** Each line that must not compile, and its neighbours that must. */
export function checked() {
  // @ts-expect-error: contradicting needs of a nested kind
  setup({ handlers: [route.get("/", { guards: [needsReader, needsAdmin], resolve: ok })] });
  // @ts-expect-error: contradicting needs
  setup({ handlers: [route.get("/", { guards: [needsA, needsB], resolve: ok })] });
  // @ts-expect-error: contradicting needs, at the route itself
  route.get("/", { guards: [needsA, needsB], resolve: ok });
  // @ts-expect-error: contradicting scope
  setup({ handlers: [route.with<{ kind: "a" }>().with<{ kind: "b" }>().get("/", { resolve: ok })] });
  // @ts-expect-error: contradicting scope and guard
  setup({ handlers: [route.with<{ kind: "a" }>().get("/", { guards: [needsB], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  // @ts-expect-error: contradicting routes
  setup({ handlers: [route.get("/a", { guards: [needsA], resolve: ok }), route.get("/b", { guards: [needsB], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  const both = [route.get("/a", { guards: [needsA], resolve: ok }), route.get("/b", { guards: [needsB], resolve: ok })];
  // @ts-expect-error: contradicting routes in a list
  setup({ handlers: both, onRequest: () => ({ kind: "a" as const }) });
  const both2 = [route.get("/a", { guards: [needsA], resolve: ok }), route.get("/b", { guards: [needsB], resolve: ok })];
  // @ts-expect-error: contradicting routes in a list, without onRequest
  setup({ handlers: [...both2] });
  // @ts-expect-error: Context<never>
  setup({ handlers: [route.get("/", { guards: [(_c: Context<never>) => allow()], resolve: ok })] });
  // @ts-expect-error: GuardFn<never>
  setup({ handlers: [route.get("/", { guards: [g], resolve: ok })] });
  // @ts-expect-error: with<never>
  setup({ handlers: [route.with<never>().get("/", { resolve: ok })] });
  // @ts-expect-error: with<A | B>, nothing
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })] });
  // @ts-expect-error: with<A | B>, wrong
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => ({ a: 1 }) });
  // with<A | B>, one
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => ({ a: "1" }) });
  // with<A | B>, either
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => flag ? { a: "1" } : { b: "1" } });
  // @ts-expect-error: with<A | B>, common key, other missing
  setup({ handlers: [route.with<{ k: 1; a: string } | { k: 2; b: string }>().get("/", { resolve: ok })], onRequest: () => ({ k: 1 as const }) });
  // with<A | B>, common key
  setup({ handlers: [route.with<{ k: 1; a: string } | { k: 2; b: string }>().get("/", { resolve: ok })], onRequest: () => ({ k: 1 as const, a: "" }) });
  // @ts-expect-error: Context<A | B> of a guard
  setup({ handlers: [route.get("/", { guards: [(_c: Context<{ k: 1; a: string } | { k: 2; b: string }>) => allow()], resolve: ok })], onRequest: () => ({ k: 1 as const }) });
  // @ts-expect-error: with<A | B> and a guard with a need
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { guards: [needsA], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  // @ts-expect-error: demand of a union
  setup({ handlers: [route.on(endpoint.with<{ a: string } | { b: string }>().get("/", { responses: { 204: {} } }), { resolve: no })] });
  // demand of a union met
  setup({ handlers: [route.on(endpoint.with<{ a: string } | { b: string }>().get("/", { responses: { 204: {} } }), { guards: [() => allow({ b: "" })], resolve: no })] });
  // @ts-expect-error: symbol need
  setup({ handlers: [route.get("/", { guards: [needsSymbol], resolve: ok })] });
  // symbol need
  setup({ handlers: [route.get("/", { guards: [needsSymbol], resolve: ok })], onRequest: () => ({ [key]: "" }) });
  // symbol need by a guard
  setup({ handlers: [route.get("/", { guards: [() => allow({ [key]: "" }), needsSymbol], resolve: ok })] });
  // @ts-expect-error: symbol demand
  setup({ handlers: [route.on(endpoint.with<{ [key]: unknown }>().get("/", { responses: { 204: {} } }), { resolve: no })] });
  // @ts-expect-error: unknown list
  route.get("/", { guards: unknowns, resolve: ok });
  // @ts-expect-error: unknown list in a scope
  route.with({ guards: unknowns });
  // @ts-expect-error: unknown list after a guard
  route.get("/", { guards: [reader, ...unknowns], resolve: ok });
  // @ts-expect-error: list of objects
  route.get("/", { guards: objects, resolve: ok });
  // @ts-expect-error: undefined meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: undefined })], resolve: no })] });
  // @ts-expect-error: null meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: null })], resolve: no })] });
  // @ts-expect-error: maybe undefined meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: flag ? "ada" : undefined })], resolve: no })] });
  // @ts-expect-error: optional meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow<{ user?: string }>({})], resolve: no })] });
  // @ts-expect-error: branch meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => flag ? allow({ user: 1 }) : allow()], resolve: no })] });
  // @ts-expect-error: undefined of onRequest meets unknown
  setup({ handlers: [route.on(unknownUser, { resolve: no })], onRequest: () => ({ user: undefined }) });
  // value meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: "ada" })], resolve: no })] });
  // onRequest meets unknown
  setup({ handlers: [route.on(unknownUser, { resolve: no })], onRequest: () => ({ user: "ada" }) });
  // a demand that allows undefined
  setup({ handlers: [route.on(endpoint.with<{ user: string | undefined }>().get("/", { responses: { 204: {} } }), { guards: [() => allow({ user: undefined })], resolve: no })] });
  const maybeAdmin = (_c: Context): { readonly allow: true; readonly locals: { user?: Admin } } => ({ allow: true, locals: {} });
  // @ts-expect-error: later optional local
  route.get("/", { guards: [reader, maybeAdmin], resolve: (c) => new Response(String(c.locals.user.level)) });
  // later optional local
  route.get("/", { guards: [reader, maybeAdmin], resolve: (c) => new Response(c.locals.user.id + (c.locals.user.kind === "admin" ? c.locals.user.level : "")) });
  const maybeAdminFn: GuardFn<NoLocals, { user?: Admin }> = () => allow({});
  // @ts-expect-error: later optional local of GuardFn
  route.get("/", { guards: [reader, maybeAdminFn], resolve: (c) => { const kind: "reader" = c.locals.user.kind; return new Response(kind); } });
  // later optional local of GuardFn
  route.get("/", { guards: [reader, maybeAdminFn], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error: optional local alone
  route.get("/", { guards: [maybeAdmin], resolve: (c) => id(c.locals.user) });
  // optional local alone
  route.get("/", { guards: [maybeAdmin], resolve: (c) => new Response(c.locals.user?.id) });
  // @ts-expect-error: optional by spread
  route.get("/", { guards: [reader, () => allow({ ...(flag && { user: { id: "", kind: "admin", level: 1 } as Admin }) })], resolve: (c) => { const r: Reader = c.locals.user; return new Response(r.id); } });
  // @ts-expect-error: optional over a need
  setup({ handlers: [route.get("/", { guards: [reader, maybeAdmin, needsReader], resolve: ok })] });
  const admin = { id: "", kind: "admin", level: 1 } as Admin;
  // @ts-expect-error: a later guard that may add nothing, by allow({})
  route.get("/", { guards: [reader, () => flag ? allow({ user: admin }) : allow({})], resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // a later guard that may add nothing, by allow({})
  route.get("/", { guards: [reader, () => flag ? allow({ user: admin }) : allow({})], resolve: (c) => id(c.locals.user) });
  const admins: readonly GuardFn<NoLocals, { user: Admin }>[] = [];
  // @ts-expect-error: a list of unknown length may hide an earlier local
  route.get("/", { guards: [reader, ...admins], resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // @ts-expect-error: a list of unknown length may hide a local of the scope
  route.with({ guards: [reader] }).get("/", { guards: admins, resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // @ts-expect-error: a list of unknown length may hide a local of onRequest
  route.with<{ user: Reader }>().get("/", { guards: admins, resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // @ts-expect-error: a list of unknown length may add nothing
  route.get("/", { guards: admins, resolve: (c) => id(c.locals.user) });
  // a list of unknown length after a guard
  route.get("/", { guards: [reader, ...admins], resolve: (c) => id(c.locals.user) });
  const many: readonly GuardFn[] = [];
  // guards after a list of unknown length
  route.get("/", { guards: [...many, reader, needsReader], resolve: (c) => id(c.locals.user) });
  // guards around a list of unknown length
  route.with({ guards: [reader, ...many, needsReader] }).get("/", { resolve: (c) => id(c.locals.user) });
  // a guard after a list of unknown length that adds the same
  route.get("/", { guards: [...admins, reader], resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // @ts-expect-error: a need after a list of unknown length
  setup({ handlers: [route.get("/", { guards: [...many, needsReader, reader], resolve: ok })] });
  // @ts-expect-error: contradicting needs after a list of unknown length
  route.get("/", { guards: [...many, reader, needsAdmin], resolve: ok });
  // @ts-expect-error: no guard after a list of unknown length
  route.get("/", { guards: [...many, 1], resolve: ok });
  const keyed = (_c: Context<Record<string, Reader>>) => allow();
  const noKey: Record<string, Reader> = {};
  // @ts-expect-error: a key that may be absent
  route.get("/", { guards: [() => allow(noKey)], resolve: (c) => id(c.locals["user"]) });
  // @ts-expect-error: a key that may be absent, of a name that is computed
  route.get("/", { guards: [() => allow({ [String(flag)]: admin })], resolve: (c) => id(c.locals["user"]) });
  // @ts-expect-error: a guard needs a key that may be absent
  route.get("/", { guards: [() => allow(noKey), needsReader], resolve: ok });
  // a key that may be absent
  route.get("/", { guards: [() => allow(noKey)], resolve: (c) => id(c.locals["user"] ?? admin) });
  // @ts-expect-error: a promise is no locals
  allow(Promise.resolve({ user: admin }));
  // @ts-expect-error: a need of any key
  setup({ handlers: [route.get("/", { guards: [keyed], resolve: ok })] });
  // @ts-expect-error: a scope that needs any key
  setup({ handlers: [route.with<Record<string, Reader>>().get("/", { resolve: (c) => id(c.locals["user"] as Reader) })] });
  // @ts-expect-error: a scope that needs any key that begins so
  setup({ handlers: [route.with<Record<`user${string}`, Reader>>().get("/", { resolve: (c) => id(c.locals.user1) })] });
  // @ts-expect-error: a key beside an index signature
  setup({ handlers: [route.with<{ [name: string]: unknown; user: Reader }>().get("/", { resolve: (c) => id(c.locals.user) })] });
  // @ts-expect-error: any key does not meet the need of one
  setup({ handlers: [route.with<{ user: Reader }>().get("/", { resolve: (c) => id(c.locals.user) })], onRequest: () => noKey });
  // @ts-expect-error: contradicting needs of any key
  setup({ handlers: [route.get("/", { guards: [keyed, (_c: Context<Record<string, Admin>>) => allow()], resolve: ok })] });
  // a key beside an index signature
  setup({ handlers: [route.with<{ [name: string]: unknown; user: Reader }>().get("/", { resolve: ok })], onRequest: () => ({ user: { id: "", kind: "reader" } as const }) });
  // any key, which may be undefined
  setup({ handlers: [route.get("/", { guards: [(c: Context<Record<string, unknown>>) => c.locals["user"] ? allow() : deny(ok())], resolve: ok })] });
  const renamed = [{ onRequest: () => ({ user: 1 }) }];
  // @ts-expect-error: any number of later concerns
  setup({ ...compose({ onRequest: () => ({ user: "ada" }) }, ...renamed), handlers: [route.with<{ user: string }>().get("/", { resolve: ok })] });
  // any number of later concerns
  setup({ ...compose({ onRequest: () => ({ user: "ada" }) }, ...renamed), handlers: [route.with<{ user: string | number }>().get("/", { resolve: ok })] });
  const a = endpoint.with<{ user: unknown }>().get("/a", { responses: { 204: {} } });
  const b = endpoint.get("/b", { responses: { 204: {} } });
  const api = { a, b };
  // @ts-expect-error: union of endpoints, demand
  setup({ handlers: Object.values(api).map((e) => route.on(e, { resolve: no })) });
  // union of endpoints, demand met
  setup({ handlers: Object.values(api).map((e) => route.on(e, { guards: [reader], resolve: no })) });
  const c2 = endpoint.get("/c", { responses: { 204: {}, 404: {} } });
  // @ts-expect-error: union of endpoints, another's status
  Object.values({ b, c2 }).map((e) => route.on(e, { resolve: () => reply(404) }));
  // union of endpoints, common status
  Object.values({ b, c2 }).map((e) => route.on(e, { resolve: () => reply(204) }));
  // @ts-expect-error: union of endpoints, ternary
  route.on(flag ? b : c2, { resolve: () => reply(404) });
  // @ts-expect-error: union of endpoints, denial
  Object.values({ b, c2 }).map((e) => route.on(e, { guards: [() => flag ? allow() : deny(reply(404))], resolve: () => reply(204) }));
  // @ts-expect-error: union with a route
  route.on(flag ? b : route.get("/r", { responses: { 204: {} }, resolve: no }), { resolve: no });
}
