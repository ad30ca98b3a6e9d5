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
      // @ts-expect-error: no guard adds it
      c.locals.missing;
      return ok();
    },
  });
  route.get("/", {
    resolve(c) {
      // @ts-expect-error: no guard, no locals
      c.locals.user;
      return ok();
    },
  });
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow({ b: 2 })],
    resolve(c) {
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // @ts-expect-error: only one branch of the guard adds it
      c.locals.a;
      return ok();
    },
  });
  route.get("/:id", {
    request: { params: z.object({ id: z.coerce.number() }) },
    guards: [(c) => {
      if (c.input.ok) assertType<IsExact<typeof c.input.params.id, number>>(true);
      // @ts-expect-error: an inline guard knows the route's params
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
      // @ts-expect-error: the last guard makes it a string
      c.locals.a.toFixed();
      return ok();
    },
  });
  // If a guard adds a key on one branch only, the key is optional.
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow()],
    resolve(c) {
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // @ts-expect-error: it may be absent
      c.locals.a.toFixed();
      return ok();
    },
  });
  route.get("/", {
    guards: [authenticated, (c) => c.request.url === "" ? allow({ user: 5 }) : allow()],
    resolve(c) {
      assertType<IsExact<typeof c.locals.user, User | number>>(true);
      // @ts-expect-error: it may be a number
      c.locals.user.id;
      return ok();
    },
  });
  route.get("/", {
    guards: [(c) => c.request.url === "" ? allow({ a: 1 }) : allow({ b: 2 }), () => allow({ c: 3 })],
    resolve(c) {
      assertType<IsExact<typeof c.locals.c, number>>(true);
      if ("a" in c.locals) assertType<IsExact<typeof c.locals.a, number>>(true);
      // @ts-expect-error: only one branch of the first guard adds it
      c.locals.b;
      return ok();
    },
  });

  const typed: GuardFn<{ user: User }, { name: string }> = (c) => allow({ name: c.locals.user.id });
  route.get("/", {
    guards: [authenticated, typed],
    resolve(c) {
      assertType<IsExact<typeof c.locals.name, string>>(true);
      // @ts-expect-error: the guard adds another type
      c.locals.surname;
      return ok();
    },
  });
}

/** What a guard needs is met by an earlier guard, or by `onRequest`. */
export function needsOfGuards() {
  // An earlier guard meets the need.
  const settled = route.get("/", { guards: [authenticated, adminOnly], resolve: ok });
  setup({ handlers: [settled] });

  // onRequest meets the need.
  const open = route.get("/", { guards: [adminOnly], resolve: (c) => new Response(c.locals.user.role) });
  setup({ handlers: [open], onRequest: () => ({ user: { role: "admin" }, more: 1 }) });
  setup({ handlers: [open], onRequest: async () => ({ user: await Promise.resolve({ role: "admin" }) }) });
  // @ts-expect-error: not met, onRequest is missing
  setup({ handlers: [open] });
  // @ts-expect-error: not met, onRequest returns another key
  setup({ handlers: [open], onRequest: () => ({ person: { role: "admin" } }) });
  // @ts-expect-error: onRequest returns another type
  setup({ handlers: [open], onRequest: () => ({ user: "admin" }) });
  // @ts-expect-error: onRequest may return nothing
  setup({ handlers: [open], onRequest: ({ request }) => request.url ? { user: { role: "admin" } } : undefined });

  // Order matters: a guard does not see the locals of a later guard.
  const disordered = route.get("/", { guards: [adminOnly, authenticated], resolve: ok });
  // @ts-expect-error: `user` is added too late
  setup({ handlers: [disordered] });
  setup({ handlers: [disordered], onRequest: () => ({ user: { role: "admin" } }) });
  assertType<IsExact<typeof disordered["~late"], "user" | undefined>>(true);
  // @ts-expect-error: nothing is added too late
  settled["~late"];

  // An earlier guard adds the key with another type. onRequest cannot change that.
  // @ts-expect-error: `user` is a number there
  route.get("/", { guards: [() => allow({ user: 1 }), adminOnly], resolve: ok });

  // The needs of several routes are combined.
  const other = route.get("/x", { guards: [(_c: Context<{ traceId: string }>) => allow()], resolve: ok });
  setup({ handlers: [open, other], onRequest: () => ({ user: { role: "x" }, traceId: "y" }) });
  // @ts-expect-error: `traceId` is missing
  setup({ handlers: [open, other], onRequest: () => ({ user: { role: "x" } }) });

  // A list of unknown length still has needs.
  const list: readonly ((c: Context<{ traceId: string }>) => { readonly allow: true })[] = [];
  const listed = route.get("/", { guards: list, resolve: ok });
  setup({ handlers: [listed], onRequest: () => ({ traceId: "y" }) });
  // @ts-expect-error: `traceId` is missing
  setup({ handlers: [listed] });

  // An optional need still has a type.
  const optional = route.get("/", { guards: [(_c: Context<{ user?: User }>) => allow()], resolve: ok });
  setup({ handlers: [optional] });
  setup({ handlers: [optional], onRequest: () => ({ user: { id: "1", role: "admin" } as User }) });
  // @ts-expect-error: another type than the guard reads
  setup({ handlers: [optional], onRequest: () => ({ user: 1 }) });
  const optionalScope = route.with<{ user?: User }>().get("/", {
    resolve(c) {
      assertType<IsExact<typeof c.locals.user, User | undefined>>(true);
      return ok();
    },
  });
  // @ts-expect-error: another type than the handlers of the scope read
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
  // @ts-expect-error: the pattern has no `ownerId`
  route.get("/:id", { guards: [ownerOnly], resolve: ok });
}

/** A need that nothing meets is an error at the route, in `setup`. */
export function unmetNeeds() {
  const open = route.get("/", {
    guards: [(_c: Context<{ user: { role: string }; traceId: string }>) => allow()],
    resolve: ok,
  });
  const met = { user: { role: "admin" }, traceId: "1" };

  // The error is reported on the route, with or without other routes, with or without onRequest.
  setup({
    handlers: [
      route.get("/other", { resolve: ok }),
      // @ts-expect-error: onRequest must return the locals user and traceId
      open,
      route.get("/another", { resolve: ok }),
    ],
  });
  setup({
    handlers: [
      route.get("/other", { resolve: ok }),
      // @ts-expect-error: onRequest must return the local traceId
      open,
    ],
    onRequest: () => ({ user: { role: "admin" } }),
  });
  setup({
    routes: [
      // @ts-expect-error: the same rule for the option `routes`
      open,
    ],
    onRequest: ({ request }) => ({ user: { role: request.method } }),
  });
  setup({ handlers: [open], onRequest: () => met });
  setup({ handlers: [open], onRequest: ({ request }) => ({ user: { role: request.method }, traceId: request.url }) });

  const maybe = Math.random() > 0.5 ? { onRequest: () => met } : {};
  // @ts-expect-error: onRequest may be missing
  setup({ handlers: [open], ...maybe });
  setup({ handlers: [route.get("/", { resolve: ok })], ...maybe });

  // A list from another file, as a tuple and as an array.
  const tuple = [route.get("/other", { resolve: ok }), open] as const;
  const array = [open, open];
  setup({ handlers: [...tuple, ...array], onRequest: ({ request }) => ({ ...met, url: request.url }) });
  setup({ handlers: array, onRequest: () => met });
  setup({
    // @ts-expect-error: onRequest must return the locals user and traceId
    handlers: [...tuple],
  });
  setup({
    // @ts-expect-error: onRequest must return the locals user and traceId
    handlers: array,
  });

  // The routes of an app have the same needs in another app.
  const inner = setup({
    handlers: [open, route.get("/env", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) })],
    onRequest: () => met,
  });
  const outer = setup({ handlers: [...inner.routes], onRequest: () => met });
  outer.fetch(new Request("http://localhost/"), { KV: "kv" });
  // @ts-expect-error: a route of the inner app reads it
  outer.fetch(new Request("http://localhost/"));
  setup({
    // @ts-expect-error: onRequest must return the locals user and traceId
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
  // @ts-expect-error: it needs a local that is not listed
  route.with<{ session: string }>().get("/", { resolve: ok }) satisfies Route<Locals, [Env]>;
  // @ts-expect-error: it reads another environment
  route.get("/", { resolve: (_c, env: { readonly DB: string }) => new Response(env.DB) }) satisfies Route<
    Locals,
    [Env]
  >;
  // @ts-expect-error: it reads more than the environment
  route.get("/", { resolve: (_c, _env: Env, ctx: Date) => new Response(ctx.toJSON()) }) satisfies Route<Locals, [Env]>;
}

/** A need that nothing meets is found in lists, too, wherever the route stands. */
export function unmetNeedsInLists() {
  const needy = route.get("/needy", { guards: [adminOnly], resolve: ok });
  const traced = route.get("/traced", { guards: [(_c: Context<{ traceId: string }>) => allow()], resolve: ok });
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
  // @ts-expect-error: no user
  setup({ handlers: [...a, ...b] });
  // @ts-expect-error: no user
  setup({ handlers: [...b, ...a] });
  // @ts-expect-error: no user
  setup({ routes: [...b, ...a], onRequest: () => ({ traceId: "1" }) });
  // @ts-expect-error: no traceId
  setup({ handlers: [...b, ...a, traced], onRequest: () => ({ user: { role: "admin" } }) });
  // @ts-expect-error: no user
  setup({ handlers: [...b, needy] });
  // @ts-expect-error: no user
  setup({ handlers: [...b, ...b, needy, plain] });
  setup({
    handlers: [
      plain,
      // @ts-expect-error: no user
      needy,
      ...b,
    ],
  });
  // @ts-expect-error: neither user nor traceId
  setup({ handlers: mixed });
  // @ts-expect-error: neither user nor traceId
  setup({ handlers: [...b, ...mixed, plain] });
  // @ts-expect-error: the condition may choose `a`
  setup({ handlers: [...b, ...(Math.random() > 0.5 ? a : b)] });
  // @ts-expect-error: the condition may choose `needy`
  setup({ handlers: [plain, Math.random() > 0.5 ? needy : plain] });

  // Routes of other apps, with known needs, without needs, and with needs that are not known, hide none of the others.
  const inner = setup({ handlers: [...b, ...a], onRequest });
  const settled = setup({ handlers: b });
  const unknown: readonly AnyRoute[] = b;
  const annotated: App = settled;
  setup({ handlers: [...inner.routes, ...settled.routes, ...unknown, ...annotated.routes, needy], onRequest });
  setup({ handlers: [...settled.routes, ...unknown, ...annotated.routes, plain] });
  // @ts-expect-error: no user
  setup({ handlers: [...b, ...inner.routes] });
  // @ts-expect-error: no user
  setup({ handlers: [...inner.routes, plain] });
  // @ts-expect-error: no user
  setup({ handlers: [...settled.routes, needy] });
  // @ts-expect-error: no user
  setup({ handlers: [...unknown, ...a] });
  // @ts-expect-error: no user
  setup({ handlers: [...a, ...annotated.routes] });
  const joined = [...settled.routes, needy];
  setup({ handlers: joined, onRequest });
  // @ts-expect-error: no user
  setup({ handlers: joined });

  // Their environments likewise.
  const env = route.get("/env", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) });
  const bound = setup({ handlers: [...settled.routes, env] });
  bound.fetch(new Request("http://localhost/"), { KV: "kv" });
  const joinedEnv = [...settled.routes, env];
  // @ts-expect-error: a route reads the environment
  setup({ handlers: joinedEnv }).fetch(new Request("http://localhost/"));

  // A type for a file of routes.
  const file = [plain, needy] satisfies Route<{ user: { role: string } }>[];
  const typed: Route<{ user: { role: string } }>[] = [plain, needy];
  setup({ handlers: [...b, ...file, ...typed], onRequest });
  // @ts-expect-error: no user
  setup({ handlers: [...b, ...file] });
  // @ts-expect-error: no user
  setup({ handlers: [...b, ...typed, plain] });
}

/** The result of a guard is no locals: it would let everybody in. */
export function resultsAmongLocals() {
  // @ts-expect-error: a denial
  allow(deny(ok()));
  // @ts-expect-error: a denial among the results
  const nested = (c: Context) => allow(authenticated(c));
  // @ts-expect-error: an allowance
  allow(allow({ user: 1 }));
  const some = (c: Context) => {
    // @ts-expect-error: a denial, or locals
    return allow(c.request.url ? { user: 1 } : deny(ok()));
  };
  // @ts-expect-error: the promise of a result
  allow(Promise.resolve(deny(ok())));
  // @ts-expect-error: a response
  allow(ok());
  // @ts-expect-error: a reply
  allow(reply(401));
  // @ts-expect-error: an array
  allow([1]);
  // @ts-expect-error: a Map
  allow(new Map([["user", 1]]));
  // @ts-expect-error: a function
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
  // @ts-expect-error: it may be absent
  route.get("/", { guards: [() => allow(flags)], resolve: (c) => new Response(c.locals.ada.id) });
  // @ts-expect-error: it may be absent, by a pattern
  route.get("/", { guards: [() => allow(byPattern)], resolve: (c) => new Response(c.locals.user_ada.id) });
  // @ts-expect-error: it may be absent, by a number
  route.get("/", { guards: [() => allow(byNumber)], resolve: (c) => new Response(c.locals[7].id) });
  // @ts-expect-error: it may be absent, beside a key that is there
  route.get("/", { guards: [() => allow(mixed)], resolve: (c) => new Response(c.locals.ada.id) });
}

export function concernsThatAddTheSame() {
  const first = { onRequest: () => ({ user: "ada", start: 1 }) };
  const second = { onRequest: () => ({ user: 7 }) };
  const maybe = { onRequest: (): { user?: boolean } => ({}) };
  const { onRequest } = compose(first, second);
  onRequest satisfies (...args: never) => MaybePromise<{ user: number; start: number }>;
  // @ts-expect-error: the later concern wins
  onRequest satisfies (...args: never) => MaybePromise<{ user: string }>;
  const { onRequest: either } = compose(first, maybe);
  either satisfies (...args: never) => MaybePromise<{ user: string | boolean; start: number }>;
  // @ts-expect-error: the earlier one may be hidden
  either satisfies (...args: never) => MaybePromise<{ user: string }>;
}

type MaybePromise<Value> = Value | Promise<Value>;
