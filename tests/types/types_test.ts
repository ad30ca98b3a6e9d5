/**
 * The types that the core infers. Each has a line that compiles and a line that must not. If a type changes, `deno check` fails,
 * here or at an unused `@ts-expect-error`. Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  allow,
  type AnyRoute,
  type App,
  type Context,
  deny,
  denyInvalid,
  type GuardFn,
  type InferOutput,
  type InvalidInput,
  type PathParams,
  type RawQuery,
  type Route,
  route,
  setup,
  type ValidInput,
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

export function paramsFromPatternAndPrefix() {
  route.get("/orgs/:orgId/users/:userId", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly userId: string }>>(true);
      // @ts-expect-error: a misspelt name
      c.raw.params.userid;
      // @ts-expect-error: the context is read-only
      c.raw.params.orgId = "x";
      return ok();
    },
  });
  route.get("/orgs/:orgId/*", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly "*": string }>>(true);
      return ok();
    },
  });
  route.get("/plain", {
    resolve(c) {
      // @ts-expect-error: no parameter in the pattern
      c.raw.params.id;
      return ok();
    },
  });
  route.with({ prefix: "/orgs/:orgId" }).with({ prefix: "/users" }).get("/:userId", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly userId: string }>>(true);
      // @ts-expect-error: no segment of the path declares it
      c.raw.params.id;
      return ok();
    },
  });
  route.on(["GET", "HEAD"], "/:a", {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params, { readonly a: string }>>(true);
      // @ts-expect-error: a misspelt name
      c.raw.params.b;
      return ok();
    },
  });
  route.get("/built/" + String(1), {
    resolve(c) {
      assertType<IsExact<typeof c.raw.params[string], string | undefined>>(true);
      assertType<IsExact<typeof c.raw.query, RawQuery>>(true);
      // @ts-expect-error: with a path of type string any parameter may be absent
      c.raw.params.id.length;
      return ok();
    },
  });
  assertType<IsExact<PathParams<"/:a/x" | "/:b">, { readonly a: string } | { readonly b: string }>>(true);
  assertType<IsExact<PathParams<"/:a/b/:c">, { readonly a: string; readonly c: string }>>(true);
}

export function inputsFromSchemas() {
  const isYear = (value: unknown): value is number => typeof value === "number";
  const parser = { safeParse: (_input: unknown) => ({ success: true as const, data: { n: 1 } }) };

  route.post("/:id", {
    request: {
      params: z.object({ id: z.coerce.number() }),
      query: v.object({ tag: v.array(v.string()) }),
      body: type({ title: "string", "year?": "number" }),
    },
    resolve(c) {
      // @ts-expect-error: `ok` is not checked yet
      c.input.params;
      if (!c.input.ok) {
        assertType<IsExact<typeof c.input, InvalidInput>>(true);
        // @ts-expect-error: invalid input has no values
        c.input.body;
        return ok();
      }
      assertType<IsExact<typeof c.input.params, { id: number }>>(true);
      assertType<IsExact<typeof c.input.query, { tag: string[] }>>(true);
      assertType<IsExact<typeof c.input.body, { title: string; year?: number }>>(true);
      // @ts-expect-error: no such key
      c.input.body.name;
      // @ts-expect-error: valid input has no issues
      c.input.issues;
      return ok();
    },
  });
  route.post("/", {
    request: { query: parser, body: isYear },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.query, { n: number }>>(true);
      assertType<IsExact<typeof c.input.body, number>>(true);
      // @ts-expect-error: no schema for params
      c.input.params.id;
      return ok();
    },
  });
  route.post("/", {
    request: { body: { any: "object" } },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.body, unknown>>(true);
      // @ts-expect-error: the output type of the schema is unknown
      c.input.body.any;
      return ok();
    },
  });
  // Without schemas, valid input has no values.
  route.get("/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error: no schemas
      c.input.body.title;
      return ok();
    },
  });
  route.on("GET", "/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error: no schemas
      c.input.body.title;
      return ok();
    },
  });
  route.post("/", {
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.params, undefined>>(true);
      assertType<IsExact<typeof c.input.body, undefined>>(true);
      // @ts-expect-error: no schemas
      c.input.body.title;
      return ok();
    },
  });
  const flag = Math.random() > 0.5;
  route.post("/", {
    request: { query: parser, ...(flag ? { body: isYear } : {}) },
    resolve(c) {
      if (!c.input.ok) return ok();
      assertType<IsExact<typeof c.input.body, number | undefined>>(true);
      // @ts-expect-error: the schema may be absent
      c.input.body.toFixed();
      return ok();
    },
  });
  const transformed = z.string().transform((text) => text.length);
  assertType<IsExact<InferOutput<typeof transformed>, number>>(true);
}

export function schemasThatCanNeverAccept() {
  const isText = (_value: unknown): _value is { readonly q: string } => true;
  const isNumber = (_value: unknown): _value is { readonly n: number } => true;

  // Texts, lists of texts, what converts them, and what may be absent.
  const zod = z.object({
    text: z.string(),
    list: z.array(z.string()),
    either: z.union([z.number(), z.string()]),
    kind: z.enum(["a", "b"]).nullable(),
    limit: z.coerce.number().default(20),
    transformed: z.string().transform(Number).optional(),
    preprocessed: z.preprocess(Number, z.number()),
    forbidden: z.undefined().optional(),
  });
  route.get("/", {
    request: { query: zod },
    resolve(c) {
      if (c.input.ok) assertType<IsExact<typeof c.input.query.limit, number>>(true);
      // @ts-expect-error: `ok` is not checked yet
      c.input.query;
      return ok();
    },
  });
  for (
    const query of [
      z.looseObject({ a: z.string() }),
      z.record(z.string(), z.string()),
      z.object({ a: z.string() }).optional(),
      z.union([z.object({ n: z.number() }), z.object({ n: z.string() })]),
      z.any(),
      isText,
      { of: "another library" },
    ]
  ) route.get("/", { request: { query }, resolve: ok });
  route.get("/", { request: { query: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }, resolve: ok });
  route.get("/", { request: { query: type({ "n?": "string.integer.parse", "list?": "string[]" }) }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/", { request: { query: z.object({ n: z.number() }) }, resolve: ok });
  // @ts-expect-error: nor if it may be absent
  route.get("/", { request: { query: z.object({ text: z.string(), n: z.boolean().optional() }) }, resolve: ok });
  // @ts-expect-error: nor in a list
  route.get("/", { request: { query: z.object({ n: z.array(z.number()) }) }, resolve: ok });
  // @ts-expect-error: nor under keys that are not known
  route.get("/", { request: { query: z.record(z.string(), z.number()) }, resolve: ok });
  const numbers = z.union([z.object({ n: z.number() }), z.object({ m: z.null() })]);
  // @ts-expect-error: no member of the union accepts texts
  route.get("/", { request: { query: numbers }, resolve: ok });
  // @ts-expect-error: the query is an object
  route.get("/", { request: { query: z.string() }, resolve: ok });
  // @ts-expect-error: the query is no array
  route.get("/", { request: { query: z.array(z.string()) }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/", { request: { query: v.object({ n: v.optional(v.number()) }) }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/", { request: { query: type({ n: "number" }) }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/", { request: { query: isNumber }, resolve: ok });

  // Headers and cookies are texts too.
  route.get("/", { request: { headers: z.object({ "x-limit": z.coerce.number() }) }, resolve: ok });
  route.get("/", { request: { cookies: v.object({ session: v.optional(v.string()) }) }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/", { request: { headers: z.object({ "x-limit": z.number() }) }, resolve: ok });
  // @ts-expect-error: a text is not a boolean
  route.get("/", { request: { cookies: v.object({ dark: v.boolean() }) }, resolve: ok });

  // The keys of the schema for params are in the path.
  const id = z.object({ id: z.string() });
  route.get("/:id/:other", { request: { params: id }, resolve: ok });
  route.get("/built/" + String(1), { request: { params: id }, resolve: ok });
  route.get("/:id", { request: { params: z.record(z.string(), z.string()) }, resolve: ok });
  route.get("/*", { request: { params: z.object({ "*": z.string() }) }, resolve: ok });
  route.with({ prefix: "/:id" }).get("/x", { request: { params: id }, resolve: ok });
  // @ts-expect-error: no such parameter
  route.get("/:ID", { request: { params: id }, resolve: ok });
  // @ts-expect-error: no such parameter
  route.get("/:id", { request: { params: v.object({ id: v.string(), name: v.optional(v.string()) }) }, resolve: ok });
  // @ts-expect-error: no such parameter in prefix and path
  route.with({ prefix: "/:org" }).get("/:user", { request: { params: id }, resolve: ok });
  // @ts-expect-error: a text is not a number
  route.get("/:id", { request: { params: type({ id: "number" }) }, resolve: ok });

  // GET and HEAD have no body.
  const request = { body: z.object({ n: z.number() }) };
  route.all("/", { request, resolve: (c) => new Response(c.input.ok ? c.input.body.n.toFixed() : "") });
  route.on(["POST", "PUT"], "/", { request, resolve: (c) => new Response(c.input.ok ? c.input.body.n.toFixed() : "") });
  route.on("DELETE", "/", { request, resolve: ok });
  // @ts-expect-error: no body
  route.get("/", { request, resolve: ok });
  // @ts-expect-error: no body
  route.head("/", { request, resolve: ok });
  // @ts-expect-error: no body
  route.on("GET", "/", { request, resolve: ok });
  // @ts-expect-error: no body with HEAD
  route.on(["POST", "HEAD"], "/", { request, resolve: ok });
}

export function schemasOfGenericFunctions() {
  const byOutput = <Out extends { readonly id: string }>(params: z.ZodType<Out, { id: string }>) =>
    route.get("/:id", { request: { params }, resolve: (c) => new Response(c.input.ok ? c.input.params.id : "") });
  setup({ handlers: [byOutput(z.object({ id: z.uuid() }))] });
  const bySchema = <S extends z.ZodType<{ id: string }, { id: string }>>(params: S) =>
    // @ts-expect-error: not known whether the schema accepts text
    route.get("/:id", { request: { params }, resolve: ok });
  return bySchema;
}

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

export function validInputByGuard() {
  const body = z.object({ title: z.string() });
  const respond = (input: InvalidInput) => Response.json(input.issues, { status: 400 });

  route.post("/:id", {
    request: { body },
    guards: [denyInvalid(respond)],
    resolve(c) {
      assertType<IsExact<typeof c.input.body, { title: string }>>(true);
      // @ts-expect-error: valid input has no issues
      c.input.issues;
      return ok();
    },
  });
  route.post("/", {
    request: { body },
    guards: [
      authenticated,
      (c) => {
        // @ts-expect-error: no earlier guard promises valid input
        c.input.body.title;
        return allow();
      },
      denyInvalid(({ issues }) => Response.json(issues)),
      (c) => allow({ title: c.input.body.title }),
    ],
    resolve(c) {
      assertType<IsExact<typeof c.locals.title, string>>(true);
      assertType<IsExact<typeof c.locals.user, User>>(true);
      assertType<IsExact<typeof c.input.body.title, string>>(true);
      return ok();
    },
  });

  // A scope carries the promise to its routes, their inline guards and the scopes in it.
  const api = route.with({ guards: [denyInvalid(respond)] });
  api.post("/", {
    request: { body },
    guards: [(c) => allow({ title: c.input.body.title })],
    resolve: (c) => new Response(c.locals.title + c.input.body.title),
  });
  api.with({ prefix: "/v1" }).post("/", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  route.with({ guards: [authenticated] }).post("/", {
    request: { body },
    // @ts-expect-error: this scope does not promise valid input
    resolve: (c) => new Response(c.input.body.title),
  });

  // A guard that needs valid input fits only after a guard that promises it.
  const titled = (c: Context<Record<never, never>, Record<never, never>, ValidInput<{ readonly body: typeof body }>>) =>
    allow({ title: c.input.body.title });
  route.post("/", { request: { body }, guards: [denyInvalid(respond), titled], resolve: ok });
  // @ts-expect-error: the input may be invalid
  route.post("/", { request: { body }, guards: [titled], resolve: ok });

  // A guard makes the promise in each allowing result, synchronous or asynchronous.
  route.post("/", {
    request: { body },
    guards: [async (c) => {
      await Promise.resolve();
      return c.input.ok ? { allow: true, valid: true } : deny(respond(c.input));
    }],
    resolve: (c) => new Response(c.input.body.title),
  });
  route.post("/", {
    request: { body },
    guards: [(c) => c.request.url === "" ? { allow: true } : { allow: true, valid: true }],
    // @ts-expect-error: one allowing result does not promise valid input
    resolve: (c) => new Response(c.input.body.title),
  });

  // The locals that `respond` reads are needs like any other.
  const traced = denyInvalid((input, c: Context<{ traceId: string }>) =>
    Response.json([c.locals.traceId, input.issues])
  );
  const open = route.post("/", {
    request: { body },
    guards: [traced],
    resolve: (c) => new Response(c.input.body.title),
  });
  setup({ handlers: [open], onRequest: () => ({ traceId: "1" }) });
  // @ts-expect-error: `traceId` is missing
  setup({ handlers: [open] });
  // @ts-expect-error: respond returns a Response
  denyInvalid(() => "invalid");
}

export function wrappers() {
  function within<C, Extra extends readonly unknown[]>(
    _milliseconds: number,
    handler: (c: C, ...extra: Extra) => Response | Promise<Response>,
  ): (c: C, ...extra: Extra) => Response | Promise<Response> {
    return handler;
  }

  // A generic function around a handler keeps its types.
  route.get("/:id", {
    resolve: within(1000, (c) => {
      assertType<IsExact<typeof c.raw.params, { readonly id: string }>>(true);
      // @ts-expect-error: a misspelt name
      c.raw.params.ID;
      return ok();
    }),
  });
  const wrapped = route.with({ guards: [authenticated] }).post("/:id", {
    request: { body: z.object({ title: z.string() }) },
    guards: [(c: Context) => allow({ id: c.request.url })],
    resolve: within(1000, async (c, env: { readonly KV: string }) => {
      assertType<IsExact<typeof c.locals.user, User>>(true);
      assertType<IsExact<typeof c.locals.id, string>>(true);
      // @ts-expect-error: no guard adds it
      c.locals.missing;
      return await Promise.resolve(c.input.ok ? new Response(c.input.body.title) : new Response(env.KV));
    }),
  });
  // An inline guard without a parameter annotation is inferred after a wrapped handler. Annotate the parameter, or move the
  // guard into a scope.
  route.get("/:id", {
    guards: [(c) => allow({ id: c.raw.params.id })],
    // @ts-expect-error: the guard is not inferred yet
    resolve: within(1000, (c) => new Response(c.locals.id)),
  });
  route.with({ prefix: "/:id", guards: [(c) => allow({ id: c.raw.params.id })] }).get("", {
    resolve: within(1000, (c) => new Response(c.locals.id)),
  });
  const app = setup({ handlers: [wrapped] });
  app.fetch(new Request("http://localhost/"), { KV: "kv" });
  // @ts-expect-error: the handler reads the environment
  app.fetch(new Request("http://localhost/"));
}

export function scopes() {
  const withLocals = route.with<{ requestId: string }>();
  const traced = withLocals.get("/", {
    guards: [(c) => {
      assertType<IsExact<typeof c.locals, { requestId: string }>>(true);
      return allow();
    }],
    resolve(c) {
      assertType<IsExact<typeof c.locals.requestId, string>>(true);
      // @ts-expect-error: the scope does not declare it
      c.locals.user;
      return ok();
    },
  });
  setup({ handlers: [traced], onRequest: () => ({ requestId: "1" }) });
  // @ts-expect-error: onRequest is missing
  setup({ handlers: [traced] });

  const members = withLocals
    .with({
      prefix: "/orgs/:orgId",
      guards: [authenticated, (c) => {
        assertType<IsExact<typeof c.raw.params, { readonly orgId: string }>>(true);
        // @ts-expect-error: not in the prefix
        c.raw.params.userId;
        return allow({ org: c.locals.requestId + c.raw.params.orgId });
      }],
    })
    .with({ guards: [adminOnly] })
    .get("/:userId", {
      guards: [(c) => allow({ name: c.locals.user.id + c.locals.org })],
      resolve(c) {
        assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly userId: string }>>(true);
        assertType<IsExact<typeof c.locals.user, User>>(true);
        assertType<IsExact<typeof c.locals.name, string>>(true);
        assertType<IsExact<typeof c.locals.requestId, string>>(true);
        // @ts-expect-error: no scope adds it
        c.locals.missing;
        return ok();
      },
    });
  setup({ handlers: [members], onRequest: () => ({ requestId: "1" }) });
  // @ts-expect-error: the need of the outer scope remains
  setup({ handlers: [members], onRequest: () => ({ user: 1 }) });

  // A prefix begins with a slash and does not end with one.
  route.with({ prefix: "" });
  route.with({ prefix: "/a" + String(1) });
  route.with({ prefix: Math.random() > 0.5 ? "/a" : "/b" });
  // @ts-expect-error: it ends with a slash
  route.with({ prefix: "/v1/" });
  // @ts-expect-error: it is a slash
  route.with({ prefix: "/" });
  // @ts-expect-error: it begins with no slash
  route.with({ prefix: "v1" });

  const needing = route.with({ guards: [adminOnly] }).get("/", { resolve: ok });
  // @ts-expect-error: the need of the scope's guards remains
  setup({ handlers: [needing] });
}

export function environments() {
  interface Bindings {
    readonly KV: string;
  }
  interface Database {
    readonly DB: string;
  }
  interface Execution {
    waitUntil(promise: Promise<unknown>): void;
  }
  const request = new Request("http://localhost/");

  const none = setup({ handlers: [route.get("/", { resolve: ok })] });
  assertType<IsExact<typeof none, App<[], never>>>(true);
  none.fetch(request);
  // @ts-expect-error: no route reads another argument
  none.fetch(request, {});

  const bound = setup({ handlers: [route.get("/", { resolve: (_c, env: Bindings) => new Response(env.KV) })] });
  bound.fetch(request, { KV: "kv" });
  // @ts-expect-error: the environment is missing
  bound.fetch(request);
  // @ts-expect-error: it has another shape
  bound.fetch(request, { DB: "db" });

  const several = setup({
    handlers: [
      route.get("/a", { resolve: ok }),
      route.get("/b", { resolve: (c, env: Bindings) => new Response(c.route.path + env.KV) }),
      route.get("/c", {
        guards: [(_c: Context, env: Database) => env.DB ? allow() : deny(ok())],
        resolve: (_c, _env: unknown, ctx: Execution) => {
          ctx.waitUntil(Promise.resolve());
          return ok();
        },
      }),
      route.with({ guards: [(_c, env: { readonly LOG: number }) => allow({ log: env.LOG })] }).get("/d", {
        resolve: ok,
      }),
    ],
  });
  several.fetch(request, { KV: "kv", DB: "db", LOG: 1 }, { waitUntil: () => {} });
  // @ts-expect-error: an argument that one of the routes reads is missing
  several.fetch(request, { KV: "kv", DB: "db" }, { waitUntil: () => {} });
  // @ts-expect-error: the second position is missing
  several.fetch(request, { KV: "kv", DB: "db", LOG: 1 });

  // A parameter without an annotation has an unknown type and requires nothing.
  const unannotated = setup({
    handlers: [route.get("/", {
      guards: [(_c: Context, env: Bindings) => allow({ kv: env.KV })],
      resolve: (_c, env) => {
        assertType<IsExact<typeof env, unknown>>(true);
        return ok();
      },
    })],
  });
  assertType<IsExact<typeof unannotated, App<[Bindings], never>>>(true);
  // @ts-expect-error: the guard reads it
  unannotated.fetch(request);

  // An argument that is optional for all may be omitted.
  const optional = setup({
    handlers: [
      route.get("/a", { resolve: (_c, env?: Bindings) => new Response(env?.KV) }),
      route.get("/b", { resolve: (_c, _env?: Database, ctx?: Execution) => ctx ? ok() : ok() }),
    ],
  });
  optional.fetch(request);
  optional.fetch(request, { KV: "kv", DB: "db" });
  optional.fetch(request, { KV: "kv", DB: "db" }, { waitUntil: () => {} });
  // @ts-expect-error: it has another shape
  optional.fetch(request, { KV: 1 });
  const half = setup({
    handlers: [route.get("/", { resolve: (_c, _env: unknown, ctx?: Execution) => ctx ? ok() : ok() })],
  });
  half.fetch(request, 1);
  half.fetch(request, 1, { waitUntil: () => {} });
  // @ts-expect-error: the second one has another shape
  half.fetch(request, 1, 5);

  // Routes whose types exclude each other are reported in `setup`, not in `fetch`.
  const text = route.get("/a", { resolve: (_c, env: Bindings) => new Response(env.KV) });
  const wide = route.get("/b", { resolve: (_c, env: { readonly KV: unknown }) => new Response(String(env.KV)) });
  const count = route.get("/c", { resolve: (_c, env: { readonly KV: number }) => new Response(String(env.KV)) });
  const own = route.get("/d", { resolve: (_c, env: { readonly none?: never }) => env.none ?? ok() });
  setup({ handlers: [text, wide, own, route.get("/", { resolve: ok })] }).fetch(request, { KV: "kv" });
  setup({
    handlers: [
      route.get("/", { resolve: ok }),
      own,
      // @ts-expect-error: `KV` is a number in another route
      text,
      // @ts-expect-error: `KV` is a string in another route
      count,
    ],
  });
  const both = [text, count];
  // @ts-expect-error: `KV` is a string in one route and a number in another
  setup({ handlers: [route.get("/", { resolve: ok }), ...both] });
  setup({
    handlers: [
      // @ts-expect-error: the argument is a string in another route
      route.get("/", { resolve: (_c, port: number) => new Response(port.toFixed()) }),
      // @ts-expect-error: it is a number in another route
      route.get("/", { resolve: (_c, env: string) => new Response(env) }),
    ],
  });

  // An inline guard and a handler agree on the arguments after the request.
  route.get("/", {
    guards: [(_c, env: Bindings) => allow({ kv: env.KV })],
    resolve(c, env: Database) {
      assertType<IsExact<typeof c.locals.kv, string>>(true);
      // @ts-expect-error: the handler declares another type
      env.KV;
      return ok();
    },
  });
}

export function whatMustBeReturned() {
  route.get("/", { resolve: ok });
  route.get("/", { resolve: async () => await Promise.resolve(ok()) });
  // @ts-expect-error: a handler returns a Response
  route.get("/", { resolve: () => "text" });
  // @ts-expect-error: a handler returns a Response on every path
  route.get("/", { resolve: (c) => c.request.url ? ok() : undefined });
  // @ts-expect-error: the handler is missing
  route.get("/", {});

  route.get("/", {
    guards: [() => allow(), () => deny(ok()), () => ({ allow: true }), () => ({ deny: ok() })],
    resolve: ok,
  });
  // @ts-expect-error: a guard returns allow or deny
  route.get("/", { guards: [(_c) => undefined], resolve: ok });
  // @ts-expect-error: a guard returns allow or deny
  route.get("/", { guards: [() => {}], resolve: ok });
  // @ts-expect-error: `allow` is true or absent
  route.get("/", { guards: [(_c) => ({ allow: false })], resolve: ok });
  // @ts-expect-error: a Response alone is not a denial
  route.get("/", { guards: [() => ok()], resolve: ok });
  // @ts-expect-error: a boolean is no guard result
  route.get("/", { guards: [(c) => c.request.url === ""], resolve: ok });
  // A key that a guard's result does not have would be ignored.
  route.get("/", { guards: [() => ({ allow: true, locals: { a: 1 }, valid: true })], resolve: ok });
  route.get("/", { guards: [async () => await Promise.resolve(JSON.parse("")), () => JSON.parse("")], resolve: ok });
  // @ts-expect-error: `local` for `locals`
  route.get("/", { guards: [() => ({ allow: true, local: { a: 1 } })], resolve: ok });
  // @ts-expect-error: `local` for `locals`
  route.get("/", { guards: [async () => await Promise.resolve({ allow: true, local: 1 })], resolve: ok });
  // @ts-expect-error: one branch has `message`
  route.get("/", { guards: [(c) => c.request.url ? allow() : { deny: ok(), message: "no" }], resolve: ok });
  const stray = () => ({ allow: true, local: { a: 1 } }) as const;
  // @ts-expect-error: `local` for `locals`, in a guard that is declared elsewhere
  route.get("/", { guards: [stray], resolve: ok });
  // @ts-expect-error: `local` for `locals`, in a scope
  route.with({ guards: [stray] });
  // A promise has no result yet.
  const later = async (c: Context) => await Promise.resolve(authenticated(c));
  route.get("/", {
    guards: [async (c) => {
      const result = await later(c);
      return "deny" in result ? result : allow();
    }],
    resolve: ok,
  });
  route.get("/", {
    guards: [
      // @ts-expect-error: the other guard is not awaited, so nothing denies
      (c) => {
        const result = later(c);
        return "deny" in result ? result : allow();
      },
    ],
    resolve: ok,
  });
  // @ts-expect-error: a guard is a function
  route.get("/", { guards: [authenticated, 3], resolve: ok });
  // @ts-expect-error: locals are an object
  allow("text");
  // @ts-expect-error: a denial is a Response
  deny({ status: 401 });

  setup({ handlers: [], onRequest: () => ({ a: 1 }), onResponse: ({ response }) => response, onError: () => ok() });
  setup({ handlers: [], onRequest: () => {}, onResponse: () => {} });
  // @ts-expect-error: locals are an object
  setup({ handlers: [], onRequest: () => 1 });
  // @ts-expect-error: a promise of locals is a promise of an object
  setup({ handlers: [], onRequest: async () => await Promise.resolve(1) });
  setup({ handlers: [], onRequest: () => Math.random() > 0.5 ? { a: 1 } : Promise.reject(new Error("late")) });
  // @ts-expect-error: onResponse returns a Response or nothing
  setup({ handlers: [], onResponse: () => "text" });
  // @ts-expect-error: onError returns a Response
  setup({ handlers: [], onError: () => {} });
}

export function setupAndItsHooks() {
  setup({ routes: [route.get("/", { resolve: ok })] });
  // @ts-expect-error: only one of the two names
  setup({ handlers: [], routes: [] });
  // @ts-expect-error: the routes are missing
  setup({});
  // @ts-expect-error: a misspelt option
  setup({ handlers: [], onErorr: ok });
  // @ts-expect-error: a handler is a route
  setup({ handlers: [ok] });

  setup({
    handlers: [],
    onRequest: () => ({ requestId: "1" }),
    onResponse({ context, locals }) {
      // If onRequest failed, there are no locals.
      assertType<IsExact<typeof locals.requestId, string | undefined>>(true);
      assertType<IsExact<typeof context.locals.requestId, string | undefined>>(true);
      // @ts-expect-error: onRequest returns no such key
      locals.user;
      return undefined;
    },
    onError({ error }) {
      assertType<IsExact<typeof error, unknown>>(true);
      // @ts-expect-error: anything can be thrown
      error.message;
      return ok();
    },
  });

  // `Route` without type arguments has no needs, so a list of them can always be served.
  const list: Route[] = [route.get("/", { resolve: ok })];
  setup({ handlers: [...list, ...list] });
  setup({ handlers: list });
  // @ts-expect-error: this route needs a user
  list.push(route.get("/", { guards: [adminOnly], resolve: ok }));
  // @ts-expect-error: this route needs an environment
  list.push(route.get("/", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) }));

  const { routes } = setup({ handlers: [route.get("/", { resolve: ok })] });
  routes satisfies readonly AnyRoute[];
  // @ts-expect-error: the list is read-only
  routes.push(route.get("/", { resolve: ok }));
}
