// deno-fmt-ignore-file: one line for each mistake
/**
 * Needs of guards and scopes, and demands of endpoints, do not vanish: in contradictions, unions, symbols and lists.
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
const inA = route.with<{ kind: "a" }>();
const inB = route.with<{ kind: "b" }>();
const unknownUser = endpoint.with<{ user: unknown }>().get("/u", { responses: { 204: {} } });
const no = () => reply(204);
declare const g: GuardFn<never>;
declare const unknowns: readonly unknown[];
declare const objects: readonly object[];

/** Each line that must not compile, and its neighbours that must. */
export function checked() {
  // @ts-expect-error at `needsReader`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  setup({ handlers: [route.get("/", { guards: [needsReader, needsAdmin], resolve: ok })] });
  // @ts-expect-error at `needsA`: No guard before this one adds the local "kind". If onRequest returns it, use
  //   route.with<{ kind: … }>()
  setup({ handlers: [route.get("/", { guards: [needsA, needsB], resolve: ok })] });
  // @ts-expect-error at `needsA`: No guard before this one adds the local "kind". If onRequest returns it, use
  //   route.with<{ kind: … }>()
  route.get("/", { guards: [needsA, needsB], resolve: ok });
  // @ts-expect-error at `setup({ handlers: [route.with<{ kind: "a…`: Two scopes promise the local "No value of "kind"
  //   fits what both scopes promise" with types that exclude each other
  setup({ handlers: [route.with<{ kind: "a" }>().with<{ kind: "b" }>().get("/", { resolve: ok })] });
  // @ts-expect-error at `needsB`: The local "kind" has another type than this guard reads
  setup({ handlers: [route.with<{ kind: "a" }>().get("/", { guards: [needsB], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  // @ts-expect-error at `setup({ handlers: [inA.get("/a", { guard…`: Two scopes promise locals with types that exclude
  //   each other
  setup({ handlers: [inA.get("/a", { guards: [needsA], resolve: ok }), inB.get("/b", { guards: [needsB], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  const both = [inA.get("/a", { guards: [needsA], resolve: ok }), inB.get("/b", { guards: [needsB], resolve: ok })];
  // @ts-expect-error at `setup({ handlers: both, onRequest: () =>…`: Two scopes promise locals with types that exclude
  //   each other
  setup({ handlers: both, onRequest: () => ({ kind: "a" as const }) });
  const both2 = [inA.get("/a", { guards: [needsA], resolve: ok }), inB.get("/b", { guards: [needsB], resolve: ok })];
  // @ts-expect-error at `setup({ handlers: [...both2] })`: Two scopes promise locals with types that exclude each other
  setup({ handlers: [...both2] });
  // @ts-expect-error at `(_c: Context<never>) => allow()`: No guard before this one adds the local "never". If
  //   onRequest returns it, use route.with<{ never: … }>()
  setup({ handlers: [route.get("/", { guards: [(_c: Context<never>) => allow()], resolve: ok })] });
  // @ts-expect-error at `g`: No guard before this one adds the local "never". If onRequest returns it, use route.with<{
  //   never: … }>()
  setup({ handlers: [route.get("/", { guards: [g], resolve: ok })] });
  // @ts-expect-error at `setup({ handlers: [route.with<never>().g…`: Two scopes promise the local "No value fits all
  //   needed types" with types that exclude each other
  setup({ handlers: [route.with<never>().get("/", { resolve: ok })] });
  // @ts-expect-error at `setup({ handlers: [route.with<{ a: strin…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })] });
  // @ts-expect-error at `setup({ handlers: [route.with<{ a: strin…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => ({ a: 1 }) });
  // with<A | B>, one
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => ({ a: "1" }) });
  // with<A | B>, either
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { resolve: ok })], onRequest: () => flag ? { a: "1" } : { b: "1" } });
  // @ts-expect-error at `setup({ handlers: [route.with<{ k: 1; a:…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [route.with<{ k: 1; a: string } | { k: 2; b: string }>().get("/", { resolve: ok })], onRequest: () => ({ k: 1 as const }) });
  // with<A | B>, common key
  setup({ handlers: [route.with<{ k: 1; a: string } | { k: 2; b: string }>().get("/", { resolve: ok })], onRequest: () => ({ k: 1 as const, a: "" }) });
  // @ts-expect-error at `(_c: Context<{ k: 1; a: string } | { k:…`: No guard before this one adds the local "…
  setup({ handlers: [route.get("/", { guards: [(_c: Context<{ k: 1; a: string } | { k: 2; b: string }>) => allow()], resolve: ok })], onRequest: () => ({ k: 1 as const }) });
  // @ts-expect-error at `setup({ handlers: [route.with<{ a: strin…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  //   at `needsA], resolve: ok })], onRequest: ()…`: No guard before this one adds the local "kind". If onRequest
  //   returns it, use route.with<{ kind: … }>()
  setup({ handlers: [route.with<{ a: string } | { b: string }>().get("/", { guards: [needsA], resolve: ok })], onRequest: () => ({ kind: "a" as const }) });
  // @ts-expect-error at `endpoint.with<{ a: string } | { b: strin…`: The endpoint demands the local "…
  setup({ handlers: [route.on(endpoint.with<{ a: string } | { b: string }>().get("/", { responses: { 204: {} } }), { resolve: no })] });
  // demand of a union met
  setup({ handlers: [route.on(endpoint.with<{ a: string } | { b: string }>().get("/", { responses: { 204: {} } }), { guards: [() => allow({ b: "" })], resolve: no })] });
  // @ts-expect-error at `needsSymbol`: No guard before this one adds the local "[symbol]". If onRequest returns it, use
  //   route.with<{ [symbol]: … }>()
  setup({ handlers: [route.get("/", { guards: [needsSymbol], resolve: ok })] });
  // symbol need
  setup({ handlers: [route.with<{ [key]: string }>().get("/", { guards: [needsSymbol], resolve: ok })], onRequest: () => ({ [key]: "" }) });
  // symbol need by a guard
  setup({ handlers: [route.get("/", { guards: [() => allow({ [key]: "" }), needsSymbol], resolve: ok })] });
  // @ts-expect-error at `endpoint.with<{ [key]: unknown }>().get(…`: The endpoint demands the local "[symbol]": list a
  //   guard that adds it. If onRequest returns it, use route.with<{ [symbol]: … }>()
  setup({ handlers: [route.on(endpoint.with<{ [key]: unknown }>().get("/", { responses: { 204: {} } }), { resolve: no })] });
  // @ts-expect-error at `{ guards: unknowns, resolve: ok }`: What these guards need is not known: give the list the
  //   type of its guards, such as GuardFn[]
  route.get("/", { guards: unknowns, resolve: ok });
  // @ts-expect-error at `{ guards: unknowns }`: What these guards need is not known: give the list the type of its
  //   guards, such as GuardFn[]
  route.with({ guards: unknowns });
  // @ts-expect-error at `...unknowns`: What these guards need is not known: give the list the type of its guards, such
  //   as GuardFn[]
  route.get("/", { guards: [reader, ...unknowns], resolve: ok });
  // @ts-expect-error at `...unknowns`: What these guards need is not known: give the list the type of its guards, such
  //   as GuardFn[]
  route.get("/", { guards: [...unknowns, reader], resolve: ok });
  // @ts-expect-error at `guards`: … provides no match for …
  route.get("/", { guards: objects, resolve: ok });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: undefined })], resolve: no })] });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: null })], resolve: no })] });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: flag ? "ada" : undefined })], resolve: no })] });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow<{ user?: string }>({})], resolve: no })] });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { guards: [() => flag ? allow({ user: 1 }) : allow()], resolve: no })] });
  // @ts-expect-error at `unknownUser`: The endpoint demands the local "user": list a guard that adds it. If onRequest
  //   returns it, use route.with<{ user: … }>()
  setup({ handlers: [route.on(unknownUser, { resolve: no })], onRequest: () => ({ user: undefined }) });
  // value meets unknown
  setup({ handlers: [route.on(unknownUser, { guards: [() => allow({ user: "ada" })], resolve: no })] });
  // onRequest meets unknown
  setup({ handlers: [route.with<{ user: string }>().on(unknownUser, { resolve: no })], onRequest: () => ({ user: "ada" }) });
  // a demand that allows undefined
  setup({ handlers: [route.on(endpoint.with<{ user: string | undefined }>().get("/", { responses: { 204: {} } }), { guards: [() => allow({ user: undefined })], resolve: no })] });
  const maybeAdmin = (_c: Context): { readonly allow: true; readonly locals: { user?: Admin } } => ({ allow: true, locals: {} });
  // @ts-expect-error at `level`: Property 'level' does not exist on type 'Admin | Reader'.
  route.get("/", { guards: [reader, maybeAdmin], resolve: (c) => new Response(String(c.locals.user.level)) });
  // later optional local
  route.get("/", { guards: [reader, maybeAdmin], resolve: (c) => new Response(c.locals.user.id + (c.locals.user.kind === "admin" ? c.locals.user.level : "")) });
  const maybeAdminFn: GuardFn<NoLocals, { user?: Admin }> = () => allow({});
  // @ts-expect-error at `kind`: Type '"admin"' is not assignable to type '"reader"'.
  route.get("/", { guards: [reader, maybeAdminFn], resolve: (c) => { const kind: "reader" = c.locals.user.kind; return new Response(kind); } });
  // later optional local of GuardFn
  route.get("/", { guards: [reader, maybeAdminFn], resolve: (c) => id(c.locals.user) });
  // @ts-expect-error at `c.locals.user`: Type 'undefined' is not assignable to type '{ id: string; }'.
  route.get("/", { guards: [maybeAdmin], resolve: (c) => id(c.locals.user) });
  // optional local alone
  route.get("/", { guards: [maybeAdmin], resolve: (c) => new Response(c.locals.user?.id) });
  // @ts-expect-error at `r: Reader = c.locals.user; return new Re…`: Type '"admin"' is not assignable to type
  //   '"reader"'.
  route.get("/", { guards: [reader, () => allow({ ...(flag && { user: { id: "", kind: "admin", level: 1 } as Admin }) })], resolve: (c) => { const r: Reader = c.locals.user; return new Response(r.id); } });
  // @ts-expect-error at `needsReader`: The local "user" has another type than this guard reads
  setup({ handlers: [route.get("/", { guards: [reader, maybeAdmin, needsReader], resolve: ok })] });
  const admin = { id: "", kind: "admin", level: 1 } as Admin;
  // A later guard that may add nothing, by allow({}).
  // @ts-expect-error at `r: Reader = c.locals.user; return id(r);…`: Type '"admin"' is not assignable to type
  //   '"reader"'.
  route.get("/", { guards: [reader, () => flag ? allow({ user: admin }) : allow({})], resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // a later guard that may add nothing, by allow({})
  route.get("/", { guards: [reader, () => flag ? allow({ user: admin }) : allow({})], resolve: (c) => id(c.locals.user) });
  const admins: readonly GuardFn<NoLocals, { user: Admin }>[] = [];
  // A list of unknown length may hide an earlier local.
  // @ts-expect-error at `r`: Type '"admin"' is not assignable to type '"reader"'.
  route.get("/", { guards: [reader, ...admins], resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // A list of unknown length may hide a local of the scope.
  // @ts-expect-error at `r`: Type '"admin"' is not assignable to type '"reader"'.
  route.with({ guards: [reader] }).get("/", { guards: admins, resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // A list of unknown length may hide a local of onRequest.
  // @ts-expect-error at `r`: Type '"admin"' is not assignable to type '"reader"'.
  route.with<{ user: Reader }>().get("/", { guards: admins, resolve: (c) => { const r: Reader = c.locals.user; return id(r); } });
  // A list of unknown length may add nothing.
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: Admin; }'.
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
  // @ts-expect-error at `...many`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  setup({ handlers: [route.get("/", { guards: [...many, needsReader, reader], resolve: ok })] });
  // @ts-expect-error at `...many`: The local "user" has another type than this guard reads
  route.get("/", { guards: [...many, reader, needsAdmin], resolve: ok });
  // No guard after a list of unknown length.
  // @ts-expect-error at `...many`: Type 'number' is not assignable to type '(…'.
  route.get("/", { guards: [...many, 1], resolve: ok });
  const keyed = (_c: Context<Record<string, Reader>>) => allow();
  const noKey: Record<string, Reader> = {};
  // @ts-expect-error at `c.locals["user"]`: Type 'undefined' is not assignable to type '{ id: string; }'.
  route.get("/", { guards: [() => allow(noKey)], resolve: (c) => id(c.locals["user"]) });
  // @ts-expect-error at `c.locals["user"]`: Type 'undefined' is not assignable to type '{ id: string; }'.
  route.get("/", { guards: [() => allow({ [String(flag)]: admin })], resolve: (c) => id(c.locals["user"]) });
  // @ts-expect-error at `needsReader`: The local "user" has another type than this guard reads
  route.get("/", { guards: [() => allow(noKey), needsReader], resolve: ok });
  // a key that may be absent
  route.get("/", { guards: [() => allow(noKey)], resolve: (c) => id(c.locals["user"] ?? admin) });
  // A promise is no locals.
  // @ts-expect-error at `Promise.resolve({ user: admin })`: These are no locals: return a guard's result without
  //   allow(), and name the keys of locals, as in allow({ user })
  allow(Promise.resolve({ user: admin }));
  // @ts-expect-error at `keyed`: No guard before this one adds the local "any string". If onRequest returns it, use
  //   route.with<{ any string: … }>()
  setup({ handlers: [route.get("/", { guards: [keyed], resolve: ok })] });
  // @ts-expect-error at `setup({ handlers: [route.with<Record<str…`: onRequest must return the local "any string",
  //   which route.with<{ any string: … }>() promises to its routes. If a guard adds it, list that guard in route.with({
  //   guards }) instead
  setup({ handlers: [route.with<Record<string, Reader>>().get("/", { resolve: (c) => id(c.locals["user"] as Reader) })] });
  // @ts-expect-error at `setup({ handlers: [route.with<Record<`us…`: onRequest must return the local "any string",
  //   which route.with<{ any string: … }>() promises to its routes. If a guard adds it, list that guard in route.with({
  //   guards }) instead
  //   at `c.locals.user1`: Type 'undefined' is not assignable to type '{ id: string; }'.
  setup({ handlers: [route.with<Record<`user${string}`, Reader>>().get("/", { resolve: (c) => id(c.locals.user1) })] });
  // @ts-expect-error at `setup({ handlers: [route.with<{ [name: s…`: onRequest must return the local "any string",
  //   which route.with<{ any string: … }>() promises to its routes. If a guard adds it, list that guard in route.with({
  //   guards }) instead
  setup({ handlers: [route.with<{ [name: string]: unknown; user: Reader }>().get("/", { resolve: (c) => id(c.locals.user) })] });
  // Any key does not meet the need of one.
  // @ts-expect-error at `setup({ handlers: [route.with<{ user: Re…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [route.with<{ user: Reader }>().get("/", { resolve: (c) => id(c.locals.user) })], onRequest: () => noKey });
  // @ts-expect-error at `keyed`: No guard before this one adds the local "any string". If onRequest returns it, use
  //   route.with<{ any string: … }>()
  setup({ handlers: [route.get("/", { guards: [keyed, (_c: Context<Record<string, Admin>>) => allow()], resolve: ok })] });
  // a key beside an index signature
  setup({ handlers: [route.with<{ [name: string]: unknown; user: Reader }>().get("/", { resolve: ok })], onRequest: () => ({ user: { id: "", kind: "reader" } as const }) });
  // any key, which may be undefined
  setup({ handlers: [route.get("/", { guards: [(c: Context<Record<string, unknown>>) => c.locals["user"] ? allow() : deny(ok())], resolve: ok })] });
  const renamed = [{ onRequest: () => ({ user: 1 }) }];
  // @ts-expect-error at `setup({ ...compose({ onRequest: () => ({…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ ...compose({ onRequest: () => ({ user: "ada" }) }, ...renamed), handlers: [route.with<{ user: string }>().get("/", { resolve: ok })] });
  // any number of later concerns
  setup({ ...compose({ onRequest: () => ({ user: "ada" }) }, ...renamed), handlers: [route.with<{ user: string | number }>().get("/", { resolve: ok })] });
  const a = endpoint.with<{ user: unknown }>().get("/a", { responses: { 204: {} } });
  const b = endpoint.get("/b", { responses: { 204: {} } });
  const api = { a, b };
  // @ts-expect-error at `e`: The endpoint demands the local "user": list a guard that adds it. If onRequest returns it,
  //   use route.with<{ user: … }>()
  setup({ handlers: Object.values(api).map((e) => route.on(e, { resolve: no })) });
  // union of endpoints, demand met
  setup({ handlers: Object.values(api).map((e) => route.on(e, { guards: [reader], resolve: no })) });
  const c2 = endpoint.get("/c", { responses: { 204: {}, 404: {} } });
  // @ts-expect-error at `404`: Argument of type '404' is not assignable to parameter of type '204'.
  Object.values({ b, c2 }).map((e) => route.on(e, { resolve: () => reply(404) }));
  // union of endpoints, common status
  Object.values({ b, c2 }).map((e) => route.on(e, { resolve: () => reply(204) }));
  // @ts-expect-error at `404`: Argument of type '404' is not assignable to parameter of type '204'.
  route.on(flag ? b : c2, { resolve: () => reply(404) });
  // @ts-expect-error at `e`: 404 must be declared, with the body that a guard denies with
  Object.values({ b, c2 }).map((e) => route.on(e, { guards: [() => flag ? allow() : deny(reply(404))], resolve: () => reply(204) }));
  // @ts-expect-error at `flag ? b : route.get("/r", { responses:…`: This is a route, whose guards and handler would be
  //   dropped: implement its endpoint
  route.on(flag ? b : route.get("/r", { responses: { 204: {} }, resolve: no }), { resolve: no });
}
