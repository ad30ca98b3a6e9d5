/**
 * What handlers and guards get, in a scope, in a wrapper and behind other guards, and what they return.
 * Each type has a line that compiles and a line that must not. If a type changes, `deno check` fails, here or at an unused
 * `@ts-expect-error`. Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import {
  allow,
  type Context,
  deny,
  denyInvalid,
  type InvalidInput,
  type NoLocals,
  type RawParams,
  route,
  type RouteOptions,
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

/** Behind a guard that promises valid input, `c.input` is valid. */
export function validInputByGuard() {
  const body = z.object({ title: z.string() });
  const respond = (input: InvalidInput) => Response.json(input.issues, { status: 400 });

  route.post("/:id", {
    request: { body },
    guards: [denyInvalid(respond)],
    resolve(c) {
      assertType<IsExact<typeof c.input.body, { title: string }>>(true);
      // @ts-expect-error at `issues`: Property 'issues' does not exist on type 'ValidInput<…'.
      c.input.issues;
      return ok();
    },
  });
  route.post("/", {
    request: { body },
    guards: [
      authenticated,
      (c) => {
        // No earlier guard promises valid input.
        // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked,
        //   or denyInvalid is among the guards; put guards that a call returns into constants">'.
        c.input.body.title;
        return allow();
      },
      denyInvalid(({ issues }) => Response.json(issues)),
      // An inline guard sees the input as it is before the whole list.
      // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked,
      //   or denyInvalid is among the guards; put guards that a call returns into constants">'.
      (c) => allow({ title: c.input.body.title }),
      (c: Context<NoLocals, RawParams, ValidInput<{ readonly body: typeof body }>>) =>
        allow({ title: c.input.body.title }),
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
  api.with({ prefix: "/v1" }).post("", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  route.with({ guards: [authenticated] }).post("/", {
    request: { body },
    // This scope does not promise valid input.
    // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked, or
    //   denyInvalid is among the guards; put guards that a call returns into constants">'.
    resolve: (c) => new Response(c.input.body.title),
  });

  // A guard that needs valid input fits only after a guard that promises it.
  const titled = (c: Context<Record<never, never>, Record<never, never>, ValidInput<{ readonly body: typeof body }>>) =>
    allow({ title: c.input.body.title });
  route.post("/", { request: { body }, guards: [denyInvalid(respond), titled], resolve: ok });
  // @ts-expect-error at `titled`: Type 'InvalidInputUntil<"c.input.ok is checked, or denyInvalid is among the guards;
  //   put guards that a call returns into constants">' is missing the following properties from type 'ValidInput<…':
  //   params, query, headers, cookies, body
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
    // One allowing result does not promise valid input.
    // @ts-expect-error at `body`: Property 'body' does not exist on type 'InvalidInputUntil<"c.input.ok is checked, or
    //   denyInvalid is among the guards; put guards that a call returns into constants">'.
    resolve: (c) => new Response(c.input.body.title),
  });

  // The locals that `respond` reads must be there, as those of any guard.
  const traced = denyInvalid((input, c: Context<{ traceId: string }>) =>
    Response.json([c.locals.traceId, input.issues])
  );
  const open = route.with<{ traceId: string }>().post("/", {
    request: { body },
    guards: [traced],
    resolve: (c) => new Response(c.input.body.title),
  });
  setup({ handlers: [open], onRequest: () => ({ traceId: "1" }) });
  // @ts-expect-error at `setup({ handlers: [open] })`: onRequest must return the local "traceId", which route.with<{
  //   traceId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers: [open] });
  // @ts-expect-error at `"invalid"`: Type 'string' is not assignable to type 'Promise<Response> | Response'.
  denyInvalid(() => "invalid");
}

/** A function around a handler keeps the types of its context. */
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
      // @ts-expect-error at `ID`: Property 'ID' does not exist on type '{ readonly id: string; }'. Did you mean 'id'?
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
      // @ts-expect-error at `missing`: Property 'missing' does not exist on type 'Flat<{ user: User; } & { id: string;
      //   }>'.
      c.locals.missing;
      return await Promise.resolve(c.input.ok ? new Response(c.input.body.title) : new Response(env.KV));
    }),
  });
  // An inline guard without a parameter annotation is inferred after a wrapped handler. Annotate the parameter, or move the
  // guard into a scope.
  route.get("/:id", {
    guards: [(c) => allow({ id: c.raw.params.id })],
    // The guard is not inferred yet.
    // @ts-expect-error at `id`: Property 'id' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards that
    //   a call returns into constants">'.
    resolve: within(1000, (c) => new Response(c.locals.id)),
  });
  route.with({ prefix: "/:id", guards: [(c) => allow({ id: c.raw.params.id })] }).get("", {
    resolve: within(1000, (c) => new Response(c.locals.id)),
  });
  const app = setup({ handlers: [wrapped] });
  app.fetch(new Request("http://localhost/"), { KV: "kv" });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/"));
}

/** A scope gives its locals, its prefix and its guards to its routes. */
export function scopes() {
  const withLocals = route.with<{ requestId: string }>();
  const traced = withLocals.get("/", {
    guards: [(c) => {
      assertType<IsExact<typeof c.locals, { requestId: string }>>(true);
      return allow();
    }],
    resolve(c) {
      assertType<IsExact<typeof c.locals.requestId, string>>(true);
      // @ts-expect-error at `user`: Property 'user' does not exist on type '{ requestId: string; }'.
      c.locals.user;
      return ok();
    },
  });
  setup({ handlers: [traced], onRequest: () => ({ requestId: "1" }) });
  // @ts-expect-error at `setup({ handlers: [traced] })`: onRequest must return the local "requestId", which
  //   route.with<{ requestId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards
  //   }) instead
  setup({ handlers: [traced] });

  const members = withLocals
    .with({
      prefix: "/orgs/:orgId",
      guards: [authenticated, (c) => {
        assertType<IsExact<typeof c.raw.params, { readonly orgId: string }>>(true);
        // @ts-expect-error at `userId`: Property 'userId' does not exist on type '{ readonly orgId: string; }'.
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
        // @ts-expect-error at `missing`: Property 'missing' does not exist on type 'Flat<…'.
        c.locals.missing;
        return ok();
      },
    });
  setup({ handlers: [members], onRequest: () => ({ requestId: "1" }) });
  // The need of the outer scope remains.
  // @ts-expect-error at `setup({ handlers: [members], onRequest:…`: onRequest must return the local "requestId", which
  //   route.with<{ requestId: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards
  //   }) instead
  setup({ handlers: [members], onRequest: () => ({ user: 1 }) });

  // A prefix begins with a slash and does not end with one.
  route.with({ prefix: "" });
  route.with({ prefix: "/a" + String(1) });
  route.with({ prefix: Math.random() > 0.5 ? "/a" : "/b" });
  // @ts-expect-error at `prefix`: A prefix must not end with a slash: write "/v1"
  route.with({ prefix: "/v1/" });
  // @ts-expect-error at `prefix`: A prefix must not end with a slash: write ""
  route.with({ prefix: "/" });
  // @ts-expect-error at `prefix`: A prefix must begin with a slash: write "/v1"
  route.with({ prefix: "v1" });

  // A guard of a scope finds its locals before it, too.
  // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  route.with({ guards: [adminOnly] }).get("/", { resolve: ok });
}

/** Handlers, guards and hooks return what they must. */
export function whatMustBeReturned() {
  route.get("/", { resolve: ok });
  route.get("/", { resolve: async () => await Promise.resolve(ok()) });
  // @ts-expect-error at `"text"`: Type 'string' is not assignable to type 'Promise<Response> | Response'.
  route.get("/", { resolve: () => "text" });
  // @ts-expect-error at `c.request.url ? ok() : undefined`: Type 'undefined' is not assignable to type
  //   'Promise<Response> | Response'.
  route.get("/", { resolve: (c) => c.request.url ? ok() : undefined });
  // @ts-expect-error at `{}`: Property 'resolve' is missing in type '{}' but required in type 'OptionsOfRoute<…'.
  route.get("/", {});

  route.get("/", {
    guards: [() => allow(), () => deny(ok()), () => ({ allow: true }), () => ({ deny: ok() })],
    resolve: ok,
  });
  // @ts-expect-error at `(_c) => undefined`: A guard must return allow(), allow(locals) or deny(response), or a promise
  //   of it
  route.get("/", { guards: [(_c) => undefined], resolve: ok });
  // @ts-expect-error at `() => {}`: A guard must return allow(), allow(locals) or deny(response), or a promise of it
  route.get("/", { guards: [() => {}], resolve: ok });
  // @ts-expect-error at `(_c) => ({ allow: false })`: A guard must return allow(), allow(locals) or deny(response), or
  //   a promise of it
  route.get("/", { guards: [(_c) => ({ allow: false })], resolve: ok });
  // A Response alone is not a denial.
  // @ts-expect-error at `() => ok()`: A guard must return allow(), allow(locals) or deny(response), or a promise of it
  route.get("/", { guards: [() => ok()], resolve: ok });
  // @ts-expect-error at `(c) => c.request.url === ""`: A guard must return allow(), allow(locals) or deny(response), or
  //   a promise of it
  route.get("/", { guards: [(c) => c.request.url === ""], resolve: ok });
  // Headers for the response, with locals or without, and beside a result without headers.
  const headers: HeadersInit = { "x-a": "1" };
  route.get("/", {
    guards: [
      (c) => c.request.url === "" ? allow({ a: 1 }, { headers }) : allow({ a: 2 }),
      async () => await Promise.resolve(allow(undefined, { headers })),
      () => ({ allow: true, locals: { b: 1 }, headers: [["x-a", "1"]] }),
    ],
    resolve(c) {
      assertType<IsExact<typeof c.locals, { a: number; b: number }>>(true);
      return ok();
    },
  });
  // @ts-expect-error at `allow`: Type 'number' is not assignable to type 'string'.
  allow({ a: 1 }, { headers: { "x-a": 1 } });
  // @ts-expect-error at `allow`: Object literal may only specify known properties, but 'header' does not exist in type
  //   'AllowInit'. Did you mean to write 'headers'?
  allow({ a: 1 }, { header: { "x-a": "1" } });
  // @ts-expect-error at `() => ({ allow: true, headers: "x-a: 1"…`: A guard must return allow(), allow(locals) or
  //   deny(response), or a promise of it
  route.get("/", { guards: [() => ({ allow: true, headers: "x-a: 1" })], resolve: ok });
  // A key that a guard's result does not have would be ignored.
  route.get("/", { guards: [() => ({ allow: true, locals: { a: 1 }, valid: true })], resolve: ok });
  route.get("/", { guards: [async () => await Promise.resolve(JSON.parse("")), () => JSON.parse("")], resolve: ok });
  // @ts-expect-error at `() => ({ allow: true, local: { a: 1 } })`: A guard's result has no key "local": it may have
  //   allow, headers, locals and valid, or deny
  route.get("/", { guards: [() => ({ allow: true, local: { a: 1 } })], resolve: ok });
  // @ts-expect-error at `async () => await Promise.resolve({ allo…`: A guard's result has no key "local": it may have
  //   allow, headers, locals and valid, or deny
  route.get("/", { guards: [async () => await Promise.resolve({ allow: true, local: 1 })], resolve: ok });
  // @ts-expect-error at `(c) => c.request.url ? allow() : { deny:…`: A guard's result has no key "message": it may have
  //   allow, headers, locals and valid, or deny
  route.get("/", { guards: [(c) => c.request.url ? allow() : { deny: ok(), message: "no" }], resolve: ok });
  const stray = () => ({ allow: true, local: { a: 1 } }) as const;
  // @ts-expect-error at `stray`: A guard's result has no key "local": it may have allow, headers, locals and valid, or
  //   deny
  route.get("/", { guards: [stray], resolve: ok });
  // @ts-expect-error at `stray`: A guard's result has no key "local": it may have allow, headers, locals and valid, or
  //   deny
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
      // The other guard is not awaited, so nothing denies.
      // @ts-expect-error at `(c) => {`: A guard must await the promise whose result it reads
      (c) => {
        const result = later(c);
        return "deny" in result ? result : allow();
      },
    ],
    resolve: ok,
  });
  // @ts-expect-error at `3`: Type '3' is not assignable to type '(…'.
  route.get("/", { guards: [authenticated, 3], resolve: ok });
  // @ts-expect-error at `"text"`: Argument of type 'string' is not assignable to parameter of type 'object'.
  allow("text");
  // @ts-expect-error at `{ status: 401 }`: Type '{ status: number; }' is missing the following properties from type
  //   'Response': headers, ok, redirected, statusText, and 12 more.
  deny({ status: 401 });

  setup({ handlers: [], onRequest: () => ({ a: 1 }), onResponse: ({ response }) => response, onError: () => ok() });
  setup({ handlers: [], onRequest: () => {}, onResponse: () => {} });
  // @ts-expect-error at `onRequest`: onRequest must return an object of locals, nothing, or a promise of either
  setup({ handlers: [], onRequest: () => 1 });
  // A promise of locals is a promise of an object.
  // @ts-expect-error at `onRequest`: onRequest must return an object of locals, nothing, or a promise of either
  setup({ handlers: [], onRequest: async () => await Promise.resolve(1) });
  setup({ handlers: [], onRequest: () => Math.random() > 0.5 ? { a: 1 } : Promise.reject(new Error("late")) });
  // onRequest does not deny: the locals would have a denial, and everybody would be let in.
  // @ts-expect-error at `onRequest`: onRequest cannot deny: write a guard, and list it in route.with({ guards })
  setup({ handlers: [], onRequest: () => deny(ok()) });
  // @ts-expect-error at `onRequest`: onRequest cannot deny: write a guard, and list it in route.with({ guards })
  setup({ handlers: [], onRequest: async () => await Promise.resolve(Math.random() > 0.5 ? { a: 1 } : deny(ok())) });
  setup({ handlers: [], onRequest: () => ({ deny: "a local like any other" }) });
  // @ts-expect-error at `onResponse`: Type 'string' is not assignable to type 'Promise<… | Response | void'.
  setup({ handlers: [], onResponse: () => "text" });
  // @ts-expect-error at `onError`: Type 'void' is not assignable to type 'Promise<Response> | Response'.
  setup({ handlers: [], onError: () => {} });
}

/** A function that takes the options of a route accepts any number of guards, inline and declared elsewhere. */
export function optionsOfWrappers() {
  function deprecated<Path extends string>(path: Path, options: RouteOptions<Path>) {
    // TypeScript 5.4 needs the annotation.
    const all: RouteOptions<Path> = { ...options, docs: { ...options.docs, deprecated: true } };
    return route.get(path, all);
  }
  const added = (c: Context) => allow({ id: c.raw.params.id });
  const routes = [
    deprecated("/:id", { resolve: (c) => new Response(c.raw.params.id) }),
    deprecated("/:id", { guards: [], resolve: ok }),
    deprecated("/:id", { guards: [authenticated], resolve: ok }),
    deprecated("/:id", { guards: [(c) => c.raw.params.id === "7" ? allow() : deny(ok()), added], resolve: ok }),
    deprecated("/:id", { guards: [authenticated, added, () => deny(ok())], resolve: ok }),
    deprecated("/:id", { guards: [authenticated, added, () => deny(ok()), added], resolve: ok }),
  ];
  setup({ handlers: routes });
  // @ts-expect-error at `adminOnly`: Property 'user' is missing in type 'NoLocalsUntil<"the parameter is annotated: (c:
  //   Context<{ user: User }>) => …">' but required in type '{ user: { role: string; }; }'.
  deprecated("/:id", { guards: [adminOnly], resolve: ok });
  // @ts-expect-error at `true`: Type 'boolean' is not assignable to type 'GuardResult<…'.
  deprecated("/:id", { guards: [() => true], resolve: ok });
  // @ts-expect-error at `ID`: Property 'ID' does not exist on type '{ readonly id: string; }'. Did you mean 'id'?
  deprecated("/:id", { guards: [(c) => c.raw.params.ID ? allow() : allow()], resolve: ok });
  // The wrapper does not know what the guards add.
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards
  //   that a call returns into constants">'.
  deprecated("/:id", { guards: [authenticated], resolve: (c) => new Response(c.locals.user.id) });
}
