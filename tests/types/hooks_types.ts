/**
 * What hooks and concerns read of the extra arguments of `app.fetch`, and the handlers of `route.with<Locals, Extra>()`.
 * Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import {
  allow,
  type App,
  type Context,
  endpoint,
  type HookContext,
  type NoLocals,
  reply,
  route,
  setup,
} from "../../mod.ts";
import { accessLog, compose, type Concern, type ExtraOf, requestId } from "../../src/hooks/mod.ts";

interface Env {
  readonly DB: string;
}
interface Execution {
  waitUntil(promise: Promise<unknown>): void;
}
const ok = () => new Response();
const handlers = [route.get("/", { resolve: ok })];
const request = new Request("http://localhost/");
const execution: Execution = { waitUntil: () => {} };

/** `fetch` requires what any hook reads. */
export function hooks() {
  const response = setup({
    handlers,
    onResponse: ({ response }, env: Env, ctx: Execution) => {
      assertType<IsExact<typeof response, Response>>(true);
      ctx.waitUntil(Promise.resolve(env.DB));
    },
  });
  assertType<IsExact<typeof response, App<[Env, Execution], never>>>(true);
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 1.
  response.fetch(request);
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 2.
  response.fetch(request, { DB: "db" });
  response.fetch(request, { DB: "db" }, execution);

  const several = setup({
    handlers: [route.get("/", { resolve: (_c, env: { readonly KV: number }) => new Response(`${env.KV}`) })],
    onRequest: (_args, env: Env) => ({ db: env.DB }),
    onResponse: ({ locals }) => {
      assertType<IsExact<typeof locals.db, string | undefined>>(true);
    },
    onError: ({ error }, _env: unknown, ctx: Execution) => {
      ctx.waitUntil(Promise.reject(error));
      return ok();
    },
  });
  // @ts-expect-error at `{ DB: "db" }`: Property 'KV' is missing in type '{ DB: string; }' but required in type '{
  //   readonly KV: number; }'.
  several.fetch(request, { DB: "db" }, execution);
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 2.
  several.fetch(request, { DB: "db", KV: 1 });
  several.fetch(request, { DB: "db", KV: 1 }, execution);

  const optional = setup({ handlers, onError: (_args, env?: Env) => new Response(env?.DB) });
  optional.fetch(request);
  // @ts-expect-error at `DB`: Type 'number' is not assignable to type 'string'.
  optional.fetch(request, { DB: 1 });

  // Without an annotation, it is unknown and not required.
  const unannotated = setup({
    handlers,
    onError: (_args, env) => {
      assertType<IsExact<typeof env, unknown>>(true);
      return ok();
    },
  });
  assertType<IsExact<typeof unannotated, App<[], never>>>(true);
  const none = setup({ handlers, onRequest: () => ({ id: 1 }), onResponse: () => {}, onError: ok });
  assertType<IsExact<typeof none, App<[], never>>>(true);

  setup({
    handlers: [
      // @ts-expect-error at `route.get("/", { resolve: (_c, env: { re…`: A hook declares "DB" in an extra argument of
      //   app.fetch with a type that excludes the type here: give both the same type
      route.get("/", { resolve: (_c, env: { readonly DB: number }) => new Response(`${env.DB}`) }),
    ],
    onRequest: (_args, env: Env) => ({ db: env.DB }),
  });
  setup({
    handlers,
    onRequest: (_args, env: Env) => ({ db: env.DB }),
    // @ts-expect-error at `onError`: Another hook declares "DB" in an extra argument of app.fetch with a type that
    //   excludes the type here: give both the same type
    onError: (_args, env: { readonly DB: number }) => new Response(`${env.DB}`),
  });
}

/** Concerns read extra arguments, and `compose` keeps what they read. */
export function concerns() {
  const none = setup({ handlers, ...compose(requestId(), accessLog({ log: () => {} })) });
  assertType<IsExact<typeof none, App<[], never>>>(true);

  const waits = {
    observe: ({ status }: Response, _context: HookContext, env: Env, ctx: Execution) =>
      ctx.waitUntil(Promise.resolve(`${env.DB} ${status}`)),
  };
  const composed = compose(requestId(), waits, {
    onRequest: (_args, env: { readonly KV: number }) => ({ kv: env.KV }),
    headers: (headers, _context, env: { readonly VERSION: string }) => headers.set("x-version", env.VERSION),
    replace: (response, _context, _env: unknown, ctx: Execution) => ctx ? response : undefined,
  });
  const app = setup({
    handlers: [
      route.with<{ requestId: string; kv: number }>().get("/", {
        resolve: (c) => new Response(`${c.locals.requestId}${c.locals.kv}`),
      }),
    ],
    ...composed,
  });
  // @ts-expect-error at `{ DB: "db", KV: 1 }`: Property 'VERSION' is missing in type '{ DB: string; KV: number; }' but
  //   required in type '{ readonly VERSION: string; }'.
  app.fetch(request, { DB: "db", KV: 1 }, execution);
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 2.
  app.fetch(request, { DB: "db", KV: 1, VERSION: "1" });
  app.fetch(request, { DB: "db", KV: 1, VERSION: "1" }, execution);

  const annotated: Concern<[Env]> = { observe: (_response, _context, env) => env.DB };
  assertType<IsExact<ExtraOf<[typeof annotated]>, [Env]>>(true);
  // @ts-expect-error at `observe`: Target signature provides too few arguments. Expected 3 or more, but got 2.
  const plain: Concern = { observe: (_response: Response, _context: HookContext, env: Env) => env.DB };
  compose(plain);

  const required = [
    compose(annotated),
    compose(...[annotated]),
    // One that may be absent, a class, and a union.
    compose({} as { readonly onRequest?: (args: object, env: Env) => { readonly a: 1 } }),
    compose(
      new class {
        observe(_response: Response, _context: HookContext, env: Env) {
          return env.DB;
        }
      }(),
    ),
    compose(null as unknown as typeof annotated | ReturnType<typeof requestId>),
  ] as const;
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, ...required[0] }).fetch(request);
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, ...required[1] }).fetch(request);
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, ...required[2] }).fetch(request);
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, ...required[3] }).fetch(request);
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, ...required[4] }).fetch(request);
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  setup({ handlers, onRequest: () => ({ a: 1 }), onResponse: compose(annotated).onResponse }).fetch(request);
  // @ts-expect-error at `{ handlers, ...compose(annotated, { obse…`: Another hook declares "DB" in an extra argument of
  //   app.fetch with a type that excludes the type here: give both the same type
  setup({ handlers, ...compose(annotated, { observe: (_response, _context, env: { readonly DB: number }) => env }) });
}

/** A hook beside those of `compose` would replace one of them. */
export function replacedHooks() {
  const hooks = compose(requestId());
  setup({ handlers, ...hooks, onError: ok });
  // @ts-expect-error at `onRequest`: Type '() => { start: number; }' is not assignable to type 'MadeByCompose<"pass
  //   yours to compose, as { onRequest }">'.
  setup({ handlers, ...hooks, onRequest: () => ({ start: 1 }) });
  // @ts-expect-error at `onResponse`: Type '(…' is not assignable to type 'MadeByCompose<"pass yours to compose, as {
  //   replace }, { headers } or { observe }">'.
  setup({ handlers, ...hooks, onResponse: ({ response }) => response });
  // One of them alone says what is left out.
  setup({ handlers, onRequest: () => ({ requestId: "" }), onResponse: hooks.onResponse });
  setup({ handlers, onRequest: hooks.onRequest });
}

/** A scope says once what its handlers receive. */
export function scopes() {
  const worker = route.with<NoLocals, [Env, Execution]>();
  const listed = [
    worker.get("/1", {
      resolve: (c, env, ctx) => {
        assertType<IsExact<typeof env, Env>>(true);
        ctx.waitUntil(Promise.resolve());
        return new Response(c.request.url + env.DB);
      },
    }),
    worker.get("/2", {
      responses: { 200: {} },
      guards: [() => allow({ user: "ada" })],
      resolve: async ({ locals: { user } }, env) => {
        assertType<IsExact<typeof user, string>>(true);
        await Promise.resolve(env.DB);
        return reply(200);
      },
    }),
    worker.on(["GET", "HEAD"], "/3", { resolve: (_c, env) => new Response(env.DB) }),
    worker.on(endpoint.get("/4", { responses: { 200: {} } }), {
      resolve: (_c, env) => env.DB === "" ? reply(200, undefined) : reply(200),
    }),
    worker.with({ prefix: "/5" }).get("", { resolve: (_c, env) => new Response(env.DB) }),
    // An annotation may ask for more.
    worker.get("/6", { resolve: (_c, env: Env & { readonly KV: number }) => new Response(`${env.KV}`) }),
  ];
  const app = setup({ handlers: listed });
  // @ts-expect-error at `{ DB: "db" }`: Property 'KV' is missing in type '{ DB: string; }' but required in type '{
  //   readonly KV: number; }'.
  app.fetch(request, { DB: "db" }, execution);
  app.fetch(request, { DB: "db", KV: 1 }, execution);
  // @ts-expect-error at `NOPE`: Property 'NOPE' does not exist on type 'Env'.
  worker.get("/", { resolve: (_c, env) => new Response(env.NOPE) });

  // What the guards of a scope read, its handlers receive, too.
  const guarded = route.with({ guards: [(_c: Context, env: Env) => allow({ db: env.DB })] });
  guarded.get("/", { resolve: (c, env) => new Response(c.locals.db + env.DB) });

  // The scope requires it, also of a handler that does not read it.
  const silent = setup({ handlers: [worker.get("/", { resolve: ok })] });
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 1.
  silent.fetch(request);

  const both = route.with<{ user: string }, [Env]>();
  const handlers = [both.get("/", { resolve: (c, env) => new Response(c.locals.user + env.DB) })];
  setup({ handlers, onRequest: (_args, env: Env) => ({ user: env.DB }) }).fetch(request, { DB: "db" });
  // @ts-expect-error at `setup({ handlers })`: onRequest must return the local "user", which route.with<{ user: … }>()
  //   promises to its routes. If a guard adds it, list that guard in route.with({ guards }) instead
  setup({ handlers });
}
