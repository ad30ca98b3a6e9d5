/**
 * The options of `setup`, and the extra arguments of `fetch`.
 * Each type has a line that compiles and a line that must not. If a type changes, `deno check` fails, here or at an unused
 * `@ts-expect-error`. Nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import {
  allow,
  type AnyRoute,
  type App,
  type Context,
  deny,
  type Endpoint,
  endpoint,
  reply,
  type Route,
  route,
  setup,
} from "../../mod.ts";
import { z } from "zod";
import { cors, withHead } from "../../src/hooks/mod.ts";
import * as api from "../entry_points/client/client_api.ts";

const ok = () => new Response();
const adminOnly = (c: Context<{ user: { role: string } }>) => c.locals.user.role === "admin" ? allow() : deny(ok());

/** `setup` takes its options, and its hooks get their types. */
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
  // Routes of type `any` are not checked.
  const unchecked = JSON.parse("[]");
  setup({ handlers: unchecked }).fetch(new Request("http://localhost/"), 1, 2);
  setup({ handlers: [unchecked, route.get("/", { resolve: ok })] });
  // @ts-expect-error: a misspelt option
  setup({ handlers: unchecked, trustURL: true });

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

/** Each endpoint of the option `endpoints` has a route. */
export function completeness() {
  const list = endpoint.get("/books");
  const both = endpoint.on(["GET", "HEAD"], "/both");
  const books = { list, both, version: 1, ok };
  const listed = route.on(list, { resolve: ok });
  const shown = route.on(both, { resolve: ok });
  const health = route.get("/health", { resolve: ok });

  setup({ endpoints: books, handlers: [listed, health, shown] });
  setup({ endpoints: books, routes: [shown, listed], onRequest: () => ({ a: 1 }) });
  const file = [listed, shown];
  setup({ endpoints: books, handlers: [...file, health] });
  // @ts-expect-error: no endpoints
  setup({ endpoints: {}, handlers: [] });
  // @ts-expect-error: no endpoints
  setup({ endpoints: new Map([["list", list]]), handlers: [listed] });
  // @ts-expect-error: a record within the record
  setup({ endpoints: { books }, handlers: [listed, shown] });
  // @ts-expect-error: a record within the record, beside an endpoint
  setup({ endpoints: { list, other: { both } }, handlers: [listed, shown] });
  // @ts-expect-error: a record within a record within the record
  setup({ endpoints: { list, other: { v1: { both } } }, handlers: [listed, shown] });
  // @ts-expect-error: a list within the record
  setup({ endpoints: { list, other: [both] }, handlers: [listed, shown] });
  // @ts-expect-error: a Map within the record
  setup({ endpoints: { list, other: new Map([["both", both]]) }, handlers: [listed, shown] });
  // @ts-expect-error: a Set within the record
  setup({ endpoints: { list, other: new Set([both]) }, handlers: [listed, shown] });
  setup({ endpoints: { list, both, all: [list, both], set: new Set([both]) }, handlers: [listed, shown] });
  const within = setup({ handlers: [listed] });
  setup({ endpoints: { list, within, names: ["list"], paths: new Map([["list", "/books"]]) }, handlers: [listed] });
  setup({ endpoints: { ...books, schema: z.object({ path: z.string() }), format: () => list }, handlers: file });
  // @ts-expect-error: no route implements `both`
  setup({ endpoints: books, handlers: [listed] });
  const half = [listed];
  // @ts-expect-error: no route implements `both`
  setup({ endpoints: books, handlers: [health, ...half, health] });
  // @ts-expect-error: no route implements `list` and `both`
  setup({ endpoints: books, handlers: [health] });
  // @ts-expect-error: one of two methods
  setup({ endpoints: books, handlers: [listed, route.on("GET", "/both", { responses: {}, resolve: ok })] });
  // @ts-expect-error: no route implements `both`, whatever the routes for HEAD and for preflights are
  setup({ endpoints: books, handlers: cors({ origins: "*" }).preflights(withHead(half)) });
  setup({ endpoints: books, handlers: cors({ origins: "*" }).preflights(withHead(file)) });
  // @ts-expect-error: a route at the path of `list` that is not made of it
  setup({ endpoints: { list }, handlers: [route.get("/books", { responses: {}, resolve: () => reply(204) })] });
  // @ts-expect-error: a route that is made of another endpoint, which demands something else
  setup({ endpoints: { list }, handlers: [route.on(endpoint.with<{ a: 1 }>().get("/books"), { resolve: ok })] });
  // @ts-expect-error: a copy with other guards
  setup({ endpoints: { list }, handlers: [{ ...listed, guards: [] }] });
  setup({ endpoints: { list }, handlers: [{ ...listed, docs: { summary: "Books" }, resolve: ok }] });
  // What may be in the record must have a route.
  const maybe = { list, ...(listed.path ? { both } : {}) };
  setup({ endpoints: maybe, handlers: [listed, ...(listed.path ? [shown] : [])] });
  // @ts-expect-error: no route implements `both`
  setup({ endpoints: maybe, handlers: [listed] });
  // @ts-expect-error: no route implements `both`
  setup({ endpoints: { list, both: listed.path ? both : undefined }, handlers: [listed] });
  const partial: Partial<typeof books> = books;
  // @ts-expect-error: no route implements `both`
  setup({ endpoints: partial, handlers: [listed] });
  setup({ endpoints: partial, handlers: [listed, shown] });
  const itself = route.get("/itself", { responses: { 204: {} }, resolve: () => reply(204) });
  setup({ endpoints: { list, itself }, handlers: [listed, itself] });
  // @ts-expect-error: no routes
  setup({ endpoints: api, handlers: [] });
  // @ts-expect-error: a list of endpoints has no names
  setup({ endpoints: [list, both], handlers: [] });

  // Only `setup` itself can tell which endpoints the routes of another app implement, and which routes a mixed list has.
  const inner = setup({ handlers: [listed, shown] });
  setup({ endpoints: books, handlers: [...inner.routes, health] });
  const mixed = [listed, shown, health];
  setup({ endpoints: books, handlers: mixed });
  const untyped: Endpoint = list;
  setup({ endpoints: { untyped }, handlers: [] });
}

/** A route is no endpoint to implement: its guards and its handler would be dropped. */
export function routesInPlaceOfEndpoints() {
  const guarded = route.get("/", { guards: [adminOnly], responses: { 204: {} }, resolve: () => reply(204) });
  // @ts-expect-error: it has guards and a handler
  route.on(guarded, { resolve: () => reply(204) });
  // @ts-expect-error: it has guards and a handler
  route.on(route.get("/", { resolve: ok }), { resolve: ok });
}

/** `fetch` requires the extra arguments that routes read. */
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
