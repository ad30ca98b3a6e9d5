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
  // @ts-expect-error at `{ handlers: [], routes: [] }`: Type '[]' is not assignable to type 'undefined'.
  setup({ handlers: [], routes: [] });
  // @ts-expect-error at `{}`: Argument of type '{}' is not assignable to parameter of type 'CheckedOptions<…'.
  setup({});
  // @ts-expect-error at `onErorr`: setup has no option "onErorr": did you mean onError?
  setup({ handlers: [], onErorr: ok });
  // @ts-expect-error at `ok`: Type '() => Response' is not assignable to type 'AnyRoute'.
  setup({ handlers: [ok] });
  // Routes of type `any` are not checked.
  const unchecked = JSON.parse("[]");
  setup({ handlers: unchecked }).fetch(new Request("http://localhost/"), 1, 2);
  setup({ handlers: [unchecked, route.get("/", { resolve: ok })] });
  // @ts-expect-error at `trustURL`: setup has no option "trustURL": did you mean trustUrl?
  setup({ handlers: unchecked, trustURL: true });
  // @ts-expect-error at `verbose`: setup has no option "verbose": the options are handlers, endpoints, validator,
  //   onRequest, onResponse, onError, maxBodyBytes and trustUrl
  setup({ handlers: unchecked, verbose: true });

  setup({
    handlers: [],
    onRequest: () => ({ requestId: "1" }),
    onResponse({ context, locals }) {
      // If onRequest failed, there are no locals.
      assertType<IsExact<typeof locals.requestId, string | undefined>>(true);
      assertType<IsExact<typeof context.locals.requestId, string | undefined>>(true);
      // @ts-expect-error at `user`: Property 'user' does not exist on type 'Partial<{ requestId: string; }>'.
      locals.user;
      return undefined;
    },
    onError({ error }) {
      assertType<IsExact<typeof error, unknown>>(true);
      // Anything can be thrown.
      // @ts-expect-error at `error`: 'error' is of type 'unknown'.
      error.message;
      return ok();
    },
  });

  // `Route` without type arguments has no needs, so a list of them can always be served.
  const list: Route[] = [route.get("/", { resolve: ok })];
  setup({ handlers: [...list, ...list] });
  setup({ handlers: list });
  // @ts-expect-error at `adminOnly`: No guard before this one adds the local "user". If onRequest returns it, use
  //   route.with<{ user: … }>()
  list.push(route.get("/", { guards: [adminOnly], resolve: ok }));
  // @ts-expect-error at `route.get("/", { resolve: (_c, env: { re…`: Target signature provides too few arguments.
  //   Expected 2 or more, but got 1.
  list.push(route.get("/", { resolve: (_c, env: { readonly KV: string }) => new Response(env.KV) }));

  const { routes } = setup({ handlers: [route.get("/", { resolve: ok })] });
  routes satisfies readonly AnyRoute[];
  // @ts-expect-error at `push`: Property 'push' does not exist on type 'readonly ServedRoute<never, []>[]'.
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
  // @ts-expect-error at `endpoints`: The record contains no endpoints
  setup({ endpoints: {}, handlers: [] });
  // @ts-expect-error at `endpoints`: The record contains no endpoints
  setup({ endpoints: new Map([["list", list]]), handlers: [listed] });
  // @ts-expect-error at `endpoints`: The record contains no endpoints
  setup({ endpoints: { books }, handlers: [listed, shown] });
  // @ts-expect-error at `endpoints`: Write "...other" in place of "other": a record of endpoints contains no other
  setup({ endpoints: { list, other: { both } }, handlers: [listed, shown] });
  // @ts-expect-error at `endpoints`: Write "...other" in place of "other": a record of endpoints contains no other
  setup({ endpoints: { list, other: { v1: { both } } }, handlers: [listed, shown] });
  // @ts-expect-error at `endpoints`: Write "...other" in place of "other": a record of endpoints contains no other
  setup({ endpoints: { list, other: [both] }, handlers: [listed, shown] });
  // @ts-expect-error at `endpoints`: Write "...other" in place of "other": a record of endpoints contains no other
  setup({ endpoints: { list, other: new Map([["both", both]]) }, handlers: [listed, shown] });
  // @ts-expect-error at `endpoints`: Write "...other" in place of "other": a record of endpoints contains no other
  setup({ endpoints: { list, other: new Set([both]) }, handlers: [listed, shown] });
  setup({ endpoints: { list, both, all: [list, both], set: new Set([both]) }, handlers: [listed, shown] });
  const within = setup({ handlers: [listed] });
  setup({ endpoints: { list, within, names: ["list"], paths: new Map([["list", "/books"]]) }, handlers: [listed] });
  setup({ endpoints: { ...books, schema: z.object({ path: z.string() }), format: () => list }, handlers: file });
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: books, handlers: [listed] });
  const half = [listed];
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: books, handlers: [health, ...half, health] });
  // @ts-expect-error at `endpoints`: No route of handlers implements "both" | No route of handlers implements "list"
  setup({ endpoints: books, handlers: [health] });
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: books, handlers: [listed, route.on("GET", "/both", { responses: {}, resolve: ok })] });
  // No route implements `both`, whatever the routes for HEAD and for preflights are.
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: books, handlers: cors({ origins: "*" }).preflights(withHead(half)) });
  setup({ endpoints: books, handlers: cors({ origins: "*" }).preflights(withHead(file)) });
  // @ts-expect-error at `endpoints`: Write route.on(api.list, …): a route at its path is not made of "list"
  setup({ endpoints: { list }, handlers: [route.get("/books", { responses: {}, resolve: () => reply(204) })] });
  // A route that is made of another endpoint, which demands something else.
  // @ts-expect-error at `endpoints`: Write route.on(api.list, …): a route at its path is not made of "list"
  //   at `endpoint.with<{ a: 1 }>().get("/books")`: The endpoint demands the local "a": list a guard that adds it. If
  //   onRequest returns it, use route.with<{ a: … }>()
  setup({ endpoints: { list }, handlers: [route.on(endpoint.with<{ a: 1 }>().get("/books"), { resolve: ok })] });
  // @ts-expect-error at `endpoints`: Write route.on(api.list, …): a route at its path is not made of "list"
  setup({ endpoints: { list }, handlers: [{ ...listed, guards: [] }] });
  setup({ endpoints: { list }, handlers: [{ ...listed, docs: { summary: "Books" }, resolve: ok }] });
  // What may be in the record must have a route.
  const maybe = { list, ...(listed.path ? { both } : {}) };
  setup({ endpoints: maybe, handlers: [listed, ...(listed.path ? [shown] : [])] });
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: maybe, handlers: [listed] });
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: { list, both: listed.path ? both : undefined }, handlers: [listed] });
  const partial: Partial<typeof books> = books;
  // @ts-expect-error at `endpoints`: No route of handlers implements "both"
  setup({ endpoints: partial, handlers: [listed] });
  setup({ endpoints: partial, handlers: [listed, shown] });
  const itself = route.get("/itself", { responses: { 204: {} }, resolve: () => reply(204) });
  setup({ endpoints: { list, itself }, handlers: [listed, itself] });
  // @ts-expect-error at `endpoints`: No route of handlers implements "…
  setup({ endpoints: api, handlers: [] });
  // A list of endpoints has no names.
  // @ts-expect-error at `endpoints`: Write a record of endpoints, { list, show }: messages name an endpoint by its key
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
  const guarded = route.with<{ user: { role: string } }>().get("/", {
    guards: [adminOnly],
    responses: { 204: {} },
    resolve: () => reply(204),
  });
  // @ts-expect-error at `guarded`: This is a route, whose guards and handler would be dropped: implement its endpoint
  route.on(guarded, { resolve: () => reply(204) });
  // @ts-expect-error at `route.get("/", { resolve: ok })`: This is a route, whose guards and handler would be dropped:
  //   implement its endpoint
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
  // @ts-expect-error at `{}`: Expected 1 arguments, but got 2.
  none.fetch(request, {});

  const bound = setup({ handlers: [route.get("/", { resolve: (_c, env: Bindings) => new Response(env.KV) })] });
  bound.fetch(request, { KV: "kv" });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  bound.fetch(request);
  // @ts-expect-error at `DB`: Object literal may only specify known properties, and 'DB' does not exist in type
  //   'Bindings'.
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
  // An argument that one of the routes reads is missing.
  // @ts-expect-error at `{ KV: "kv", DB: "db" }`: Property 'LOG' is missing in type '{ KV: string; DB: string; }' but
  //   required in type '{ readonly LOG: number; }'.
  several.fetch(request, { KV: "kv", DB: "db" }, { waitUntil: () => {} });
  // @ts-expect-error at `fetch`: Expected 3 arguments, but got 2.
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
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
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
  // @ts-expect-error at `KV`: Type 'number' is not assignable to type 'string'.
  optional.fetch(request, { KV: 1 });
  const half = setup({
    handlers: [route.get("/", { resolve: (_c, _env: unknown, ctx?: Execution) => ctx ? ok() : ok() })],
  });
  half.fetch(request, 1);
  half.fetch(request, 1, { waitUntil: () => {} });
  // @ts-expect-error at `5`: Argument of type 'number' is not assignable to parameter of type 'Execution'.
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
      // @ts-expect-error at `text`: Another route declares "KV" in an extra argument of app.fetch with a type that
      //   excludes the type here: give both the same type
      text,
      // @ts-expect-error at `count`: Another route declares "KV" in an extra argument of app.fetch with a type that
      //   excludes the type here: give both the same type
      count,
    ],
  });
  const both = [text, count];
  // @ts-expect-error at `...both`: Another route declares "KV" in an extra argument of app.fetch with a type that
  //   excludes the type here: give both the same type
  setup({ handlers: [route.get("/", { resolve: ok }), ...both] });
  setup({
    handlers: [
      // @ts-expect-error at `route.get("/", { resolve: (_c, port: num…`: Another route declares extra argument 0 of
      //   app.fetch with a type that excludes the type here: give both the same type
      route.get("/", { resolve: (_c, port: number) => new Response(port.toFixed()) }),
      // @ts-expect-error at `route.get("/", { resolve: (_c, env: stri…`: Another route declares extra argument 0 of
      //   app.fetch with a type that excludes the type here: give both the same type
      route.get("/", { resolve: (_c, env: string) => new Response(env) }),
    ],
  });

  // An inline guard and a handler agree on the arguments after the request.
  route.get("/", {
    guards: [(_c, env: Bindings) => allow({ kv: env.KV })],
    resolve(c, env: Database) {
      assertType<IsExact<typeof c.locals.kv, string>>(true);
      // @ts-expect-error at `KV`: Property 'KV' does not exist on type 'Database'.
      env.KV;
      return ok();
    },
  });
}
