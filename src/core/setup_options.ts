/** The options of `setup`. Types only. */

import type { HookContext, NoLocals } from "./guards/context.ts";
import type { Validator } from "./input/validator.ts";

/**
 * The options of {@linkcode setup}, except `handlers`. TypeScript infers the type arguments.
 *
 * @typeParam Returned What `onRequest` returns.
 * @typeParam RequestExtra The extra arguments of `app.fetch` that `onRequest` reads.
 * @typeParam ResponseExtra The extra arguments of `app.fetch` that `onResponse` reads.
 * @typeParam ErrorExtra The extra arguments of `app.fetch` that `onError` reads.
 */
export interface SetupOptions<
  Returned,
  RequestExtra extends readonly unknown[] = readonly unknown[],
  ResponseExtra extends readonly unknown[] = readonly unknown[],
  ErrorExtra extends readonly unknown[] = readonly unknown[],
> {
  /**
   * The adapter to the schema library. Required if a route has a schema. `standardSchema` of `@fw/core/standard-schema`
   * runs schemas of Zod, Valibot, ArkType and of other libraries that implement Standard Schema. For another library,
   * write a {@linkcode Validator}.
   *
   * @example Schemas of Zod
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const app = setup({
   *   validator: standardSchema,
   *   handlers: [
   *     route.get("/books/:id", {
   *       request: { params: z.object({ id: z.coerce.number() }) },
   *       resolve: ({ input }) => Response.json(input.ok ? input.params.id : input.issues),
   *     }),
   *   ],
   * });
   *
   * const response = await app.fetch(new Request("http://localhost/books/7"));
   * assertEquals(await response.json(), 7);
   * ```
   */
  readonly validator?: Validator | undefined;
  /**
   * Runs first, on every request, before a route is matched. Use it for what every request needs, such as a request
   * identifier or the start of a measurement. It returns an object with the initial locals, or nothing, or a promise of
   * either. The object is copied. It must have all locals that the routes need.
   *
   * @param args The request.
   * @param extra The extra arguments of `app.fetch`. Annotate those that you read: `fetch` then requires them.
   * @returns The initial locals, or nothing.
   *
   * @example An identifier for each request
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const identified = route.with<{ requestId: string }>();
   * const app = setup({
   *   onRequest: () => ({ requestId: crypto.randomUUID() }),
   *   handlers: [
   *     identified.get("/", { resolve: (c) => new Response(c.locals.requestId) }),
   *   ],
   * });
   *
   * const response = await app.fetch(new Request("http://localhost/"));
   * assertEquals((await response.text()).length, 36);
   * ```
   */
  readonly onRequest?: ((args: OnRequestArgs, ...extra: [...RequestExtra]) => Returned) | undefined;
  /**
   * Runs last, exactly once for every response: of a handler, of a guard, of the router (404), or of `onError`. Use it
   * for headers that every response has, and for the access log. It returns the response to send instead, or nothing to
   * send the given one. If it throws, `onError` makes the response, and `onResponse` does not run again.
   *
   * Some responses have immutable headers, such as those of `Response.redirect` and of `fetch`. Change a copy instead:
   * `new Response(response.body, response)`. A copy works for every response except the 101 of a WebSocket.
   *
   * @param args The response and the context of the request.
   * @param extra The extra arguments of `app.fetch`. Annotate those that you read: `fetch` then requires them.
   * @returns The response to send instead, or nothing to send the given one.
   *
   * @example A header on every response, the 404 included
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const app = setup({
   *   handlers: [route.get("/", { resolve: () => new Response("It works") })],
   *   onResponse: ({ response }) => {
   *     const copy = new Response(response.body, response);
   *     copy.headers.set("x-content-type-options", "nosniff");
   *     return copy;
   *   },
   * });
   *
   * const missing = await app.fetch(new Request("http://localhost/nowhere"));
   * assertEquals(missing.status, 404);
   * assertEquals(missing.headers.get("x-content-type-options"), "nosniff");
   * ```
   *
   * @example Work after the response, on Cloudflare Workers
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * interface Env {
   *   readonly count: (path: string) => Promise<void>;
   * }
   * interface ExecutionContext {
   *   waitUntil(work: Promise<unknown>): void;
   * }
   *
   * const app = setup({
   *   handlers: [route.get("/", { resolve: () => new Response("It works") })],
   *   onResponse: ({ context }, env: Env, ctx: ExecutionContext) => {
   *     ctx.waitUntil(env.count(context.route?.path ?? "none"));
   *   },
   * });
   *
   * // `fetch` requires both, since a hook reads them. A Worker passes them.
   * const counted: string[] = [];
   * const env: Env = { count: async (path) => void counted.push(path) };
   * await app.fetch(new Request("http://localhost/"), env, { waitUntil: () => {} });
   * assertEquals(counted, ["/"]);
   * ```
   */
  readonly onResponse?:
    | ((
      args: OnResponseArgs<ReturnedLocals<Returned>>,
      ...extra: [...ResponseExtra]
    ) => Response | void | Promise<Response | void>)
    | undefined;
  /**
   * Turns an error into a response. Use it to log the error and to respond with 500, without the error's text. It
   * receives each error that another hook, the validator, a guard or a handler throws. It also receives the error of a
   * body that was already read. Without `onError`, the promise of `fetch` is rejected with the error: servers respond
   * with 500, and most of them log it. If `onError` itself throws, the promise is rejected with the new error.
   *
   * @param args The error and the context of the request.
   * @param extra The extra arguments of `app.fetch`. Annotate those that you read: `fetch` then requires them.
   * @returns The response to send.
   *
   * @example A log entry, and a response that does not leak the error
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const log: string[] = [];
   * const app = setup({
   *   handlers: [
   *     route.get("/books", {
   *       resolve: () => {
   *         throw new Error("no connection to 10.0.0.7");
   *       },
   *     }),
   *   ],
   *   onError: ({ error, context: { route, stage } }) => {
   *     log.push(`${stage} of ${route?.path}: ${error}`);
   *     return Response.json({ error: "Internal error" }, { status: 500 });
   *   },
   * });
   *
   * const response = await app.fetch(new Request("http://localhost/books"));
   * assertEquals(response.status, 500);
   * assertEquals(await response.json(), { error: "Internal error" });
   * assertEquals(log, ["resolve of /books: Error: no connection to 10.0.0.7"]);
   * ```
   */
  readonly onError?:
    | ((args: OnErrorArgs<ReturnedLocals<Returned>>, ...extra: [...ErrorExtra]) => Response | Promise<Response>)
    | undefined;
  /**
   * The largest body that routes with a body schema accept, in bytes: a whole number from 0, or `Infinity`, the
   * default. Set it in every app that is open to the internet. A route may override it.
   *
   * Bytes are counted, whatever `Content-Length` says. Beyond the bound, reading stops, the validator is not called for
   * the body, and `c.input` has the issue `body_too_large`. A guard or the handler decides on the response. The status
   * for it is 413 (RFC 9110, 15.5.14). The bound does not apply to a body that a handler reads itself.
   *
   * @example 413 for a body that is too large
   * ```ts
   * import { denyInvalid, route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const validInput = denyInvalid(({ issues }) => {
   *   const isTooLarge = issues.some(({ code }) => code === "body_too_large");
   *   return Response.json({ issues }, { status: isTooLarge ? 413 : 400 });
   * });
   *
   * const app = setup({
   *   validator: standardSchema,
   *   maxBodyBytes: 64 * 1024,
   *   handlers: [
   *     route.post("/notes", {
   *       request: { body: z.string() },
   *       guards: [validInput],
   *       resolve: (c) => new Response(c.input.body, { status: 201 }),
   *     }),
   *   ],
   * });
   *
   * const post = (note: string) =>
   *   app.fetch(new Request("http://localhost/notes", { method: "POST", body: JSON.stringify(note) }));
   * assertEquals((await post("Buy milk")).status, 201);
   * assertEquals((await post("milk ".repeat(20_000))).status, 413);
   * ```
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Whether to trust `request.url`; `false` by default. Set `true` if no proxy makes decisions by the path, or if the
   * proxy forwards the path exactly as it checked it. The page on deployment in the repository lists servers and
   * proxies of which this is true.
   *
   * By default, a request matches no route if a proxy may have read another path in it: its `Host` header is invalid,
   * its url has a `#`, a parameter contains a dot segment once it is decoded, or the path is that of another route
   * without its needless escapes, such as `/%61dmin` for `/admin`. With `true`, the `Host` header is not read, a `#`
   * ends the path, the other route matches, and handlers receive such parameters. A handler that opens files must then
   * check where a parameter leads.
   *
   * @example A parameter with a dot segment
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const handlers = [
   *   route.get("/files/*", { resolve: (c) => new Response(c.raw.params["*"]) }),
   * ];
   * const request = new Request("http://localhost/files/..%2Fpasswords");
   *
   * const refused = await setup({ handlers }).fetch(request);
   * assertEquals(refused.status, 404);
   *
   * const trusted = await setup({ handlers, trustUrl: true }).fetch(request);
   * assertEquals(await trusted.text(), "../passwords");
   * ```
   */
  readonly trustUrl?: boolean | undefined;
}

/** @internal The locals that `onRequest` provides: no known keys if it may return nothing. */
export type ReturnedLocals<Returned> = unknown extends Returned ? NoLocals
  : Awaited<Returned> extends infer Locals ? Locals extends object ? Locals : NoLocals
  : never;

/** What `onRequest` is called with. */
export interface OnRequestArgs {
  /** The incoming request. */
  readonly request: Request;
}

/**
 * What `onResponse` is called with.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface OnResponseArgs<Locals extends object = NoLocals> {
  /** The request, its locals and its route, as far as processing got. */
  readonly context: HookContext<Locals>;
  /** The response about to be sent. */
  readonly response: Response;
  /** Same as `context.locals`. */
  readonly locals: Partial<Locals>;
}

/**
 * What `onError` is called with.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface OnErrorArgs<Locals extends object = NoLocals> {
  /** The thrown value, of any type, unchanged. */
  readonly error: unknown;
  /** The request, its locals and its route, as far as processing got. */
  readonly context: HookContext<Locals>;
}
