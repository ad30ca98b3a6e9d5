/**
 * What guards add to the locals and need of them.
 * Each type has a line that compiles and a line that must not. If a type changes, `deno check` fails, here or at an unused
 * `@ts-expect-error`. Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { compose } from "../../src/hooks/mod.ts";
import {
  allow,
  type AnyRoute,
  type App,
  type Context,
  deny,
  type GuardFn,
  reply,
  type Route,
  route,
  setup,
} from "../../mod.ts";

interface User {
  readonly id: string;
  readonly role: "admin" | "member";
}
const ok = () => new Response();
const authenticated = (c: Context) =>
  c.request.headers.has("authorization")
    ? allow({ user: { id: "1", role: "admin" } as User })
    : deny(new Response(null, { status: 401 }));
const adminOnly = (c: Context<{ user: { role: string } }>) => c.locals.user.role === "admin" ? allow() : deny(ok());

/** Locals that are not there are an empty object, and a union stays one, although its members share no key. */
export function localsOfNoGuard() {
  const either = (c: Context) => c.request.url === "" ? allow({ a: 1 }) : allow({ b: 2 });
  const maybe = (c: Context) => c.request.url === "" ? allow({ a: 1 }) : allow();
  const log = (_locals: Record<string, unknown>) => {};
  route.get("/", {
    guards: [(c) => {
      log(c.locals);
      return allow();
    }],
    resolve(c) {
      log({ ...c.locals });
      log(c.locals);
      const none: Record<never, never> = c.locals;
      return Response.json(none);
    },
  });
  route.with({ guards: [either] }).get("/", {
    guards: [(c) => allow({ n: "a" in c.locals ? c.locals.a : c.locals.b })],
    resolve: (c) => new Response(c.locals.n.toFixed()),
  });
  route.get("/", {
    guards: [maybe],
    resolve: (c) => new Response("a" in c.locals ? c.locals.a.toFixed() : ""),
  });
  const logged = (c: Context<Record<string, unknown>>) => Response.json(c.locals);
  route.get("/", { resolve: logged });
}

/** `c.locals` has what the guards of the route add, the later ones over the earlier. */
export function localsFromGuards() {
  route.get("/:id", {
    guards: [
      (c) => allow({ first: c.raw.params.id, both: 1 }),
      authenticated,
      async (c) => {
        await c.request.text();
        return { allow: true, locals: { both: "text" } };
      },
      () => allow(),
      adminOnly,
    ],
    resolve(c) {
      assertType<IsExact<typeof c.locals.first, string>>(true);
      assertType<IsExact<typeof c.locals.user, User>>(true);
      assertType<IsExact<typeof c.locals.both, string>>(true);
      // @ts-expect-error at `missing`: Property 'missing' does not exist on type 'Flat<…'.
      c.locals.missing;
      return ok();
    },
  });
  route.get("/", {
    resolve(c) {
      // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put
      //   guards that a call returns into constants">'.
      c.locals.user;
      return ok();
    },
  });
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow({ b: 2 })],
    resolve(c) {
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // Only one branch of the guard adds it.
      // @ts-expect-error at `a`: Property 'a' does not exist on type '{ a: number; } | { b: number; }'.
      c.locals.a;
      return ok();
    },
  });
  route.get("/:id", {
    request: { params: z.object({ id: z.coerce.number() }) },
    guards: [(c) => {
      if (c.input.ok) assertType<IsExact<typeof c.input.params.id, number>>(true);
      // @ts-expect-error at `name`: Property 'name' does not exist on type '{ readonly id: string; }'.
      c.raw.params.name;
      return allow();
    }],
    resolve: ok,
  });
  // Locals are one plain object type, however many guards add to them.
  route.get("/", {
    guards: [
      () => allow({ a: 1 }),
      (c: Context<{ a: number }>) => allow({ b: String(c.locals.a) }),
      () => allow({ a: "x" }),
    ],
    resolve(c) {
      assertType<IsExact<typeof c.locals, { b: string; a: string }>>(true);
      // @ts-expect-error at `toFixed`: Property 'toFixed' does not exist on type 'string'. Did you mean 'fixed'?
      c.locals.a.toFixed();
      return ok();
    },
  });
  // If a guard adds a key on one branch only, the key is optional.
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow()],
    resolve(c) {
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // @ts-expect-error at `a`: Property 'a' does not exist on type 'NoLocals | { a: number; }'.
      c.locals.a.toFixed();
      return ok();
    },
  });
  route.get("/", {
    guards: [authenticated, (c) => c.request.url === "" ? allow({ user: 5 }) : allow()],
    resolve(c) {
      assertType<IsExact<typeof c.locals.user, User | number>>(true);
      // @ts-expect-error at `id`: Property 'id' does not exist on type 'User | number'.
      c.locals.user.id;
      return ok();
    },
  });
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow({ b: 2 }), () => allow({ c: 3 })],
    resolve(c) {
      assertType<IsExact<typeof c.locals.c, number>>(true);
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // Only one branch of the first guard adds it.
      // @ts-expect-error at `b`: Property 'b' does not exist on type 'Flat<…'.
      c.locals.b;
      return ok();
    },
  });

  const typed: GuardFn<{ user: User }, { name: string }> = (c) => allow({ name: c.locals.user.id });
  route.get("/", {
    guards: [authenticated, typed],
    resolve(c) {
      assertType<IsExact<typeof c.locals.name, string>>(true);
      // @ts-expect-error at `surname`: Property 'surname' does not exist on type 'Flat<{ user: User; } & { name:
      //   string; }>'.
      c.locals.surname;
      return ok();
    },
  });
}

/** What a guard needs is met by an earlier guard, or by `onRequest` if the scope says so. */
export function needsOfGuards() {
  // An earlier guard meets the need.
  const settled = route.get("/", { guards: [authenticated, adminOnly], resolve: ok });
  setup({ handlers: [settled] });

  // `onRequest` meets the need, if the scope says so.
  const open = route.with<{ user: { role: string } }>().get("/", {
    guards: [adminOnly],
    resolve: (c) => new Response(c.locals.user.role),
  });
  setup({ handlers: [open], onRequest: () => ({ user: { role: "admin" }, more: 1 }) });
  setup({ handlers: [open], onRequest: async () => ({ user: await Promise.resolve({ role: "admin" }) }) });
  // @ts-expect-error at `setup({ handlers: [open] })`: onRequest must return the local "user", which route.with<{ user:
  //   … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [open] });
  // @ts-expect-error at `setup({ handlers: [open], onRequest: ()…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [open], onRequest: () => ({ person: { role: "admin" } }) });
  // @ts-expect-error at `setup({ handlers: [open], onRequest: ()…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [open], onRequest: () => ({ user: "admin" }) });
  // @ts-expect-error at `setup({ handlers: [open], onRequest: ({…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [open], onRequest: ({ request }) => request.url ? { user: { role: "admin" } } : undefined });

  // Order matters: a guard does not see the locals of a later guard.
  const disordered = route.get("/", {
    // @ts-expect-error at `adminOnly`: The guard that adds the local "user" must come before this one
    guards: [adminOnly, authenticated],
    resolve: (c) => new Response(c.locals.user.id),
  });
  setup({ handlers: [disordered] });
  // @ts-expect-error at `adminOnly`: The guard that adds the local "user" must come before this one
  route.with({ guards: [adminOnly, authenticated] });
  route.with<{ user: { role: string } }>().get("/", {
    guards: [adminOnly, authenticated],
    resolve: (c) => new Response(c.locals.user.id),
  });

  // Nobody meets the need: one error, at the guard.
  // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  const unmet = route.get("/", { guards: [adminOnly], resolve: ok });
  setup({ handlers: [unmet] });
  setup({ handlers: [unmet], onRequest: () => ({ user: { role: "admin" } }) });
  route.with({ prefix: "/v1" }).get("", {
    // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
    //   route.with<{ user: … }>()
    guards: [adminOnly, () => allow({ x: 1 })],
    resolve: (c) => new Response(`${c.locals.x}`),
  });
  // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  route.with({ guards: [adminOnly] });
  // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  route.get("/", { guards: [() => ok().ok ? allow({ user: { role: "" } }) : allow(), adminOnly], resolve: ok });
  // @ts-expect-error at `adminOnly`: The local "user" has another type than this guard reads
  route.with<{ user: string }>().get("/", { guards: [adminOnly], resolve: ok });
  const needsTwo = (_c: Context<{ user: { role: string }; tenant: string }>) => allow();
  // @ts-expect-error at `needsTwo`: No guard before this one adds the local "tenant". If onRequest returns it, use
  //   route.with<{ tenant: … }>()
  route.get("/", { guards: [authenticated, needsTwo], resolve: ok });
  // @ts-expect-error at `(_c: Context<Record<string, string>>) =>…`: No guard before this one adds the local "any
  //   string". If onRequest returns it, use route.with<{ any string: … }>()
  route.get("/", { guards: [(_c: Context<Record<string, string>>) => allow()], resolve: ok });

  // An earlier guard adds the key with another type. onRequest cannot change that.
  // @ts-expect-error at `adminOnly`: The local "user" has another type than this guard reads
  route.get("/", { guards: [() => allow({ user: 1 }), adminOnly], resolve: ok });

  // The needs of several routes are combined.
  const other = route.with<{ traceId: string }>().get("/x", {
    guards: [(_c: Context<{ traceId: string }>) => allow()],
    resolve: ok,
  });
  setup({ handlers: [open, other], onRequest: () => ({ user: { role: "x" }, traceId: "y" }) });
  // @ts-expect-error at `setup({ handlers: [open, other], onReque…`: onRequest must return the local "traceId", which
  //   route.with<{ traceId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards
  //   }) instead
  setup({ handlers: [open, other], onRequest: () => ({ user: { role: "x" } }) });

  // A list of unknown length still has needs.
  const list: readonly ((c: Context<{ traceId: string }>) => { readonly allow: true })[] = [];
  const listed = route.with<{ traceId: string }>().get("/", { guards: list, resolve: ok });
  // @ts-expect-error at `guards`: No guard before this one adds the local "traceId". If onRequest returns it, use
  //   route.with<{ traceId: … }>()
  route.get("/", { guards: list, resolve: ok });
  setup({ handlers: [listed], onRequest: () => ({ traceId: "y" }) });
  const unordered = [authenticated, adminOnly];
  // @ts-expect-error at `guards`: Write as const after the list: its guards have no order
  route.get("/", { guards: unordered, resolve: ok });
  const maybeEmpty = [authenticated];
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocals | { user: User; }'.
  route.get("/", { guards: maybeEmpty, resolve: (c) => new Response(c.locals.user.role) });
  const ordered = [authenticated, adminOnly] as const;
  route.get("/", { guards: ordered, resolve: (c) => new Response(c.locals.user.role) });
  // @ts-expect-error at `setup({ handlers: [listed] })`: onRequest must return the local "traceId", which route.with<{
  //   traceId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [listed] });

  // An optional need still has a type.
  const readsUser = (_c: Context<{ user?: User }>) => allow();
  setup({ handlers: [route.get("/", { guards: [readsUser], resolve: ok })] });
  // @ts-expect-error at `readsUser`: The local "user" has another type than this guard reads
  route.get("/", { guards: [() => allow({ user: 1 }), readsUser], resolve: ok });
  const optional = route.with<{ user?: User }>().get("/", { guards: [readsUser], resolve: ok });
  setup({ handlers: [optional] });
  setup({ handlers: [optional], onRequest: () => ({ user: { id: "1", role: "admin" } as User }) });
  // @ts-expect-error at `setup({ handlers: [optional], onRequest:…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [optional], onRequest: () => ({ user: 1 }) });
  const optionalScope = route.with<{ user?: User }>().get("/", {
    resolve(c) {
      assertType<IsExact<typeof c.locals.user, User | undefined>>(true);
      return ok();
    },
  });
  // @ts-expect-error at `setup({ handlers: [optionalScope], onReq…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [optionalScope], onRequest: () => ({ user: 1 }) });

  // A function may return a guard. Assign a guard from a generic function to a constant first.
  const requireRole = (role: string) => (c: Context<{ user: { role: string } }>) =>
    c.locals.user.role === role ? allow({ role }) : deny(ok());
  route.get("/", { guards: [authenticated, requireRole("admin")], resolve: (c) => new Response(c.locals.role) });
  const requireExactly = <const Role extends string>(role: Role) => (c: Context<{ user: { role: string } }>) =>
    c.locals.user.role === role ? allow({ role }) : deny(ok());
  const admin = requireExactly("admin");
  route.get("/", {
    guards: [authenticated, admin],
    resolve(c) {
      assertType<IsExact<typeof c.locals.role, "admin">>(true);
      return ok();
    },
  });
  // A guard that reads params fits only routes that have them.
  const ownerOnly = (_c: Context<Record<never, never>, { readonly ownerId: string }>) => allow();
  route.get("/:ownerId", { guards: [ownerOnly], resolve: ok });
  // @ts-expect-error at `ownerOnly`: Property 'ownerId' is missing in type '{ readonly id: string; }' but required in
  //   type '{ readonly ownerId: string; }'.
  route.get("/:id", { guards: [ownerOnly], resolve: ok });
}

/** What a scope says to come from `onRequest`, and does not, is one error, at the call of `setup`. */
export function unmetNeeds() {
  const open = route.with<{ user: { role: string }; traceId: string }>().get("/", {
    guards: [(_c: Context<{ user: { role: string }; traceId: string }>) => allow()],
    resolve: ok,
  });
  const met = { user: { role: "admin" }, traceId: "1" };

  // With or without other routes, with or without onRequest.
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: [
      route.get("/other", { resolve: ok }),
      open,
      route.get("/another", { resolve: ok }),
    ],
  });
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: [
      route.get("/other", { resolve: ok }),
      open,
    ],
    onRequest: () => ({ user: { role: "admin" } }),
  });
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    routes: [
      open,
    ],
    onRequest: ({ request }) => ({ user: { role: request.method } }),
  });
  setup({ handlers: [open], onRequest: () => met });
  setup({ handlers: [open], onRequest: ({ request }) => ({ user: { role: request.method }, traceId: request.url }) });

  const maybe = Math.random() > 0.5 ? { onRequest: () => met } : {};
  // @ts-expect-error at `{ handlers: [open], ...maybe }`: Property 'onRequest' is optional in type '{…' but required in
  //   type '{ readonly onRequest: object; }'.
  setup({ handlers: [open], ...maybe });
  setup({ handlers: [route.get("/", { resolve: ok })], ...maybe });

  // A list from another file, as a tuple and as an array.
  const tuple = [route.get("/other", { resolve: ok }), open] as const;
  const array = [open, open];
  setup({ handlers: [...tuple, ...array], onRequest: ({ request }) => ({ ...met, url: request.url }) });
  setup({ handlers: array, onRequest: () => met });
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: [...tuple],
  });
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: array,
  });

  // The routes of an app have the same needs in another app.
  const inner = setup({
    handlers: [open, route.get("/env", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) })],
    onRequest: () => met,
  });
  const outer = setup({ handlers: [...inner.routes], onRequest: () => met });
  outer.fetch(new Request("http://localhost/"), { KV: "kv" });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  outer.fetch(new Request("http://localhost/"));
  // @ts-expect-error at `setup({`: onRequest must return the local "…", which route.with<{ … }>() promises to its
  //   routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: [...inner.routes],
  });
  const plain = setup({ handlers: [route.get("/", { resolve: ok })] });
  setup({ handlers: [...plain.routes, ...plain.routes] });
  const annotated: App = setup({ handlers: [open], onRequest: () => met });
  setup({ handlers: [...annotated.routes] });

  // `satisfies` limits what a route may need. A route may need less.
  interface Locals {
    readonly user: { readonly role: string };
    readonly traceId: string;
  }
  type Env = { readonly KV: string };
  route.get("/", { resolve: ok }) satisfies Route<Locals, [Env]>;
  route.get("/", { resolve: (_c, env: Env) => new Response(env.KV) }) satisfies Route<Locals, [Env]>;
  [open, route.get("/", { resolve: ok })] satisfies Route<Locals, [Env]>[];
  // @ts-expect-error at `satisfies`: Property 'session' is missing in type 'Locals' but required in type '{ session:
  //   string; }'.
  route.with<{ session: string }>().get("/", { resolve: ok }) satisfies Route<Locals, [Env]>;
  // @ts-expect-error at `satisfies`: Property 'DB' is missing in type 'Env' but required in type '{ readonly DB:
  //   string; }'.
  route.get("/", { resolve: (_c, env: { readonly DB: string }) => new Response(env.DB) }) satisfies Route<
    Locals,
    [Env]
  >;
  // @ts-expect-error at `satisfies`: Target signature provides too few arguments. Expected 3 or more, but got 2.
  route.get("/", { resolve: (_c, _env: Env, ctx: Date) => new Response(ctx.toJSON()) }) satisfies Route<Locals, [Env]>;
}

/** A need that nothing meets is found in lists, too, wherever the route stands. */
export function unmetNeedsInLists() {
  const needy = route.with<{ user: { role: string } }>().get("/needy", { guards: [adminOnly], resolve: ok });
  const traced = route.with<{ traceId: string }>().get("/traced", {
    guards: [(_c: Context<{ traceId: string }>) => allow()],
    resolve: ok,
  });
  const plain = route.get("/plain", { resolve: ok });
  const a = [needy];
  const b = [plain];
  const mixed = [plain, needy, traced];
  const onRequest = ({ request }: { request: Request }) => ({ user: { role: request.method }, traceId: request.url });

  // Whichever list has the need, and wherever a single route stands.
  setup({ handlers: [...a, ...b], onRequest });
  setup({ handlers: [...b, ...a], onRequest });
  setup({ handlers: [plain, ...b, needy, ...a, traced, ...mixed], onRequest });
  setup({ routes: [...b, ...b, plain] });
  // @ts-expect-error at `setup({ handlers: [...a, ...b] })`: onRequest must return the local "user", which route.with<{
  //   user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [...a, ...b] });
  // @ts-expect-error at `setup({ handlers: [...b, ...a] })`: onRequest must return the local "user", which route.with<{
  //   user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [...b, ...a] });
  // @ts-expect-error at `setup({ routes: [...b, ...a], onRequest:…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ routes: [...b, ...a], onRequest: () => ({ traceId: "1" }) });
  // @ts-expect-error at `setup({ handlers: [...b, ...a, traced],…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [...b, ...a, traced], onRequest: () => ({ user: { role: "admin" } }) });
  // @ts-expect-error at `setup({ handlers: [...b, needy] })`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, needy] });
  // @ts-expect-error at `setup({ handlers: [...b, ...b, needy, pl…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, ...b, needy, plain] });
  // @ts-expect-error at `setup({`: onRequest must return the local "user", which route.with<{ user: … }>() promises to
  //   its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({
    handlers: [
      plain,
      needy,
      ...b,
    ],
  });
  // @ts-expect-error at `setup({ handlers: mixed })`: onRequest must return the local "…", which route.with<{ … }>()
  //   promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: mixed });
  // @ts-expect-error at `setup({ handlers: [...b, ...mixed, plain…`: onRequest must return the local "…", which
  //   route.with<{ … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [...b, ...mixed, plain] });
  // The condition may choose `a`.
  // @ts-expect-error at `setup({ handlers: [...b, ...(Math.random…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, ...(Math.random() > 0.5 ? a : b)] });
  // The condition may choose `needy`.
  // @ts-expect-error at `setup({ handlers: [plain, Math.random()…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [plain, Math.random() > 0.5 ? needy : plain] });

  // Routes of other apps, with known needs, without needs, and with needs that are not known, hide none of the others.
  const inner = setup({ handlers: [...b, ...a], onRequest });
  const settled = setup({ handlers: b });
  const unknown: readonly AnyRoute[] = b;
  const annotated: App = settled;
  setup({ handlers: [...inner.routes, ...settled.routes, ...unknown, ...annotated.routes, needy], onRequest });
  setup({ handlers: [...settled.routes, ...unknown, ...annotated.routes, plain] });
  // @ts-expect-error at `setup({ handlers: [...b, ...inner.routes…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, ...inner.routes] });
  // @ts-expect-error at `setup({ handlers: [...inner.routes, plai…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...inner.routes, plain] });
  // @ts-expect-error at `setup({ handlers: [...settled.routes, ne…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...settled.routes, needy] });
  // @ts-expect-error at `setup({ handlers: [...unknown, ...a] })`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...unknown, ...a] });
  // @ts-expect-error at `setup({ handlers: [...a, ...annotated.ro…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...a, ...annotated.routes] });
  const joined = [...settled.routes, needy];
  setup({ handlers: joined, onRequest });
  // @ts-expect-error at `setup({ handlers: joined })`: onRequest must return the local "user", which route.with<{ user:
  //   … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: joined });

  // Their environments likewise.
  const env = route.get("/env", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) });
  const bound = setup({ handlers: [...settled.routes, env] });
  bound.fetch(new Request("http://localhost/"), { KV: "kv" });
  const joinedEnv = [...settled.routes, env];
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers: joinedEnv }).fetch(new Request("http://localhost/"));

  // A type for a file of routes.
  const file = [plain, needy] satisfies Route<{ user: { role: string } }>[];
  const typed: Route<{ user: { role: string } }>[] = [plain, needy];
  setup({ handlers: [...b, ...file, ...typed], onRequest });
  // @ts-expect-error at `setup({ handlers: [...b, ...file] })`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, ...file] });
  // @ts-expect-error at `setup({ handlers: [...b, ...typed, plain…`: onRequest must return the local "user", which
  //   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
  //   instead
  setup({ handlers: [...b, ...typed, plain] });
}

/** The result of a guard is no locals: it would let everybody in. */
export function resultsAmongLocals() {
  // @ts-expect-error at `deny(ok())`: These are no locals: return a guard's result without allow(), and name the keys
  //   of locals, as in allow({ user })
  allow(deny(ok()));
  // @ts-expect-error at `authenticated(c)`: These are no locals: return a guard's result without allow(), and name the
  //   keys of locals, as in allow({ user })
  const nested = (c: Context) => allow(authenticated(c));
  // @ts-expect-error at `allow({ user: 1 })`: These are no locals: return a guard's result without allow(), and name
  //   the keys of locals, as in allow({ user })
  allow(allow({ user: 1 }));
  const some = (c: Context) => {
    // @ts-expect-error at `c.request.url ? { user: 1 } : deny(ok())`: These are no locals: return a guard's result
    //   without allow(), and name the keys of locals, as in allow({ user })
    return allow(c.request.url ? { user: 1 } : deny(ok()));
  };
  // @ts-expect-error at `Promise.resolve(deny(ok()))`: These are no locals: return a guard's result without allow(),
  //   and name the keys of locals, as in allow({ user })
  allow(Promise.resolve(deny(ok())));
  // @ts-expect-error at `ok()`: These are no locals: return a guard's result without allow(), and name the keys of
  //   locals, as in allow({ user })
  allow(ok());
  // @ts-expect-error at `reply(401)`: These are no locals: return a guard's result without allow(), and name the keys
  //   of locals, as in allow({ user })
  allow(reply(401));
  // @ts-expect-error at `1`: These are no locals: return a guard's result without allow(), and name the keys of locals,
  //   as in allow({ user })
  allow([1]);
  // @ts-expect-error at `new Map([["user", 1]])`: These are no locals: return a guard's result without allow(), and
  //   name the keys of locals, as in allow({ user })
  allow(new Map([["user", 1]]));
  // @ts-expect-error at `() => ({ user: 1 })`: These are no locals: return a guard's result without allow(), and name
  //   the keys of locals, as in allow({ user })
  allow(() => ({ user: 1 }));
  const either = (c: Context) => allow(c.request.url ? { user: 1 } : { guest: true });
  allow({ name: "ada", length: 1, size: 2, headers: new Headers(), deny: false, allow: "GET" });
  const generic = <Value extends object>(value: Value) => allow({ value });
  const record = (locals: Record<string, unknown>) => allow(locals);
  allow({ denied: true });
  return [nested, some, either, generic, record];
}

/** A key that is not known by its name may be absent. */
export function keysWithoutNames(flags: Record<string, User>, byPattern: Record<`user_${string}`, User>) {
  const byNumber: Record<number, User> = {};
  const mixed: { user: User; [name: string]: User } = { user: { id: "1", role: "admin" } };
  route.get("/", {
    guards: [() => allow(flags)],
    resolve: (c) => new Response(c.locals.ada?.id),
  });
  route.get("/", {
    guards: [() => allow(byPattern)],
    resolve: (c) => new Response(c.locals.user_ada?.id),
  });
  route.get("/", {
    guards: [() => allow(byNumber)],
    resolve: (c) => new Response(c.locals[7]?.id),
  });
  route.get("/", {
    guards: [() => allow(mixed)],
    resolve: (c) => new Response(c.locals.user.id + c.locals.ada?.id),
  });
  // @ts-expect-error at `c.locals.ada`: 'c.locals.ada' is possibly 'undefined'.
  route.get("/", { guards: [() => allow(flags)], resolve: (c) => new Response(c.locals.ada.id) });
  // @ts-expect-error at `c.locals.user_ada`: 'c.locals.user_ada' is possibly 'undefined'.
  route.get("/", { guards: [() => allow(byPattern)], resolve: (c) => new Response(c.locals.user_ada.id) });
  // @ts-expect-error at `c.locals[7]`: Object is possibly 'undefined'.
  route.get("/", { guards: [() => allow(byNumber)], resolve: (c) => new Response(c.locals[7].id) });
  // @ts-expect-error at `c.locals.ada`: 'c.locals.ada' is possibly 'undefined'.
  route.get("/", { guards: [() => allow(mixed)], resolve: (c) => new Response(c.locals.ada.id) });
}

export function concernsThatAddTheSame() {
  const first = { onRequest: () => ({ user: "ada", start: 1 }) };
  const second = { onRequest: () => ({ user: 7 }) };
  const maybe = { onRequest: (): { user?: boolean } => ({}) };
  const { onRequest } = compose(first, second);
  onRequest satisfies (...args: never) => MaybePromise<{ user: number; start: number }>;
  // The later concern wins.
  // @ts-expect-error at `satisfies`: Type 'number' is not assignable to type 'string'.
  onRequest satisfies (...args: never) => MaybePromise<{ user: string }>;
  const { onRequest: either } = compose(first, maybe);
  either satisfies (...args: never) => MaybePromise<{ user: string | boolean; start: number }>;
  // The earlier one may be hidden.
  // @ts-expect-error at `satisfies`: Type 'boolean' is not assignable to type 'string'.
  either satisfies (...args: never) => MaybePromise<{ user: string }>;
}

type MaybePromise<Value> = Value | Promise<Value>;
