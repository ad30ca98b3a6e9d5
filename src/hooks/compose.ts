import type { Composed } from "../core/composed.ts";
import type { HookContext, NoLocals } from "../core/guards/context.ts";
import type { ExtraOfAll } from "../core/guards/extra.ts";
import type { Merge } from "../core/guards/guard_list.ts";
import type { Simplify } from "../core/values/types.ts";
import type { OnRequestArgs, OnResponseArgs, ReturnedLocals } from "../core/setup_options.ts";
import { describeLocals, isPlain, isResponse, requireThat } from "../core/values/assert.ts";
import { andThen, type MaybePromise } from "../core/values/maybe_promise.ts";
import { copyResponse } from "../core/values/copy_response.ts";
import { FUNCTION, optionalRule, requireRules } from "../core/values/option_rules.ts";

/**
 * Makes the hooks of `setup` from a list of concerns. Spread them into the options.
 *
 * The options then cannot have another `onRequest` or `onResponse`, nor the hooks of a second `compose`, since one hook
 * would replace the other. Pass all concerns to one call, also your own.
 *
 * A response passes three phases, whatever the order of the list: first each `replace`, then each `headers`, on one
 * copy that they share, then each `observe`. So no header is missing on a response that another concern has made, and a
 * log shows what is really sent. The order of the list decides which of two `replace` runs first. If two `headers` set
 * the same header, the later one wins; but `Vary` and `Set-Cookie` of objects add up.
 *
 * If a concern throws, `onError` makes the response, as for any error in a hook.
 *
 * On Bun, `new Response("text")` has no `content-type` until it is sent, so the copy has none. Set one: `reply` does.
 *
 * Each function of a concern also receives the extra arguments of `app.fetch`, such as the environment of a Worker, as
 * guards and handlers do. `app.fetch` requires each extra argument that one of them reads.
 *
 * @typeParam Concerns The concerns, as a tuple.
 * @param concerns The concerns.
 * @returns `onRequest` and `onResponse`, for `setup`.
 * @throws A `TypeError` if a concern has an unknown key, or a value of another type, or invalid headers.
 *
 * @example Concerns of the module, and one of your own
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { compose, requestId, securityHeaders, unmatched } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [route.get("/", { resolve: () => new Response("It works") })],
 *   ...compose(
 *     requestId(),
 *     securityHeaders({ "x-content-type-options": "nosniff" }),
 *     unmatched({
 *       notFound: () => reply(404, { error: "Not found" }),
 *       methodNotAllowed: () => reply(405, { error: "Method not allowed" }),
 *     }),
 *     { headers: { "x-api-version": "1" } },
 *   ),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/", { method: "DELETE" }));
 * assertEquals(response.status, 405);
 * assertEquals(response.headers.get("allow"), "GET");
 * assertEquals(response.headers.get("x-api-version"), "1");
 * assertEquals(response.headers.get("x-request-id")?.length, 36);
 * ```
 */
export function compose<const Concerns extends readonly Concern<readonly unknown[]>[]>(
  ...concerns: Concerns
): Hooks<AddedBy<Concerns>, ExtraOf<Concerns>> {
  concerns.forEach((concern, index) => requireRules(concern, `concern ${index + 1} of compose`, RULES));
  const starts = concerns.flatMap((concern) => concern.onRequest ?? []);
  const replacers = concerns.flatMap((concern) => concern.replace ?? []);
  const setters = concerns.flatMap(({ headers }) => typeof headers === "object" ? setAll(headers) : headers ?? []);
  const observers = concerns.flatMap((concern) => concern.observe ?? []);

  function finish(response: Response, context: HookContext, extra: readonly unknown[]): MaybePromise<Response> {
    const settable = response.status === 101 ? [] : setters;
    const sent = settable.length === 0 ? response : copyResponse(response);
    // Promises are awaited, so an error reaches `onError`.
    const steps = [
      ...settable.map((set) => () => set(sent.headers, context, ...extra)),
      ...observers.map((observe) => () => observe(sent, context, ...extra)),
    ];
    return andThen(steps.reduce<unknown>(andThen, undefined), () => sent);
  }

  const hooks = {
    onRequest: (args, ...extra) =>
      starts.reduce<MaybePromise<AddedBy<Concerns>>>(
        (locals, start) =>
          andThen(locals, (locals) =>
            andThen(start(args, ...extra), (added) => ({ ...locals, ...requireLocals(added) }))),
        {} as AddedBy<Concerns>,
      ),
    onResponse: ({ context, response }, ...extra) =>
      andThen(
        replacers.reduce<MaybePromise<Response>>(
          (response, replace) =>
            andThen(response, (response) =>
              andThen(replace(response, context, ...extra), (other) => requireOther(other, response))),
          response,
        ),
        (response) =>
          finish(response, context, extra),
      ),
  } as Hooks<AddedBy<Concerns>, ExtraOf<Concerns>>;
  return { ...hooks, [Symbol("compose")]: hooks };
}

/**
 * A set of hooks for one purpose, such as a log, as a plain object with any of these functions. Pass it to {@linkcode
 * compose}.
 *
 * To read locals, annotate the context: `HookContext<{ user: User }>`. Each of them may be missing, since the request
 * may have failed before it was set.
 *
 * @example A cache policy for every response, and a counter
 * ```ts
 * import { type Concern, compose } from "@fw/core/hooks";
 *
 * const statuses = new Map<number, number>();
 * const counted: Concern = {
 *   headers: (headers) => headers.has("cache-control") || headers.set("cache-control", "no-store"),
 *   observe: ({ status }) => statuses.set(status, 1 + (statuses.get(status) ?? 0)),
 * };
 * const hooks = compose(counted);
 * ```
 *
 * @example Work after the response, on Cloudflare Workers
 * ```ts
 * import { compose, type Concern } from "@fw/core/hooks";
 *
 * interface Env {
 *   readonly count: (status: number) => Promise<void>;
 * }
 * interface ExecutionContext {
 *   waitUntil(work: Promise<unknown>): void;
 * }
 *
 * const counted: Concern<[Env, ExecutionContext]> = {
 *   observe: ({ status }, _context, env, ctx) => ctx.waitUntil(env.count(status)),
 * };
 * const hooks = compose(counted);
 * ```
 *
 * @typeParam Extra The extra arguments of `app.fetch` that the functions read.
 */
export interface Concern<Extra extends readonly unknown[] = []> {
  /**
   * Runs on every request, before a route is matched. Concerns run one after another, in the order of the list.
   *
   * @param args The request.
   * @param extra The extra arguments of `app.fetch`.
   * @returns Locals to add, or nothing, or a promise of either.
   */
  onRequest?(args: OnRequestArgs, ...extra: Extra): object | void | Promise<object | void>;
  /**
   * Replaces the response.
   *
   * @param response The response, as the concerns before this one have left it.
   * @param context The request, its locals and its route, as far as processing got.
   * @param extra The extra arguments of `app.fetch`.
   * @returns The response to send instead, or nothing to keep this one, or a promise of either.
   */
  replace?(response: Response, context: HookContext, ...extra: Extra): Response | void | Promise<Response | void>;
  /**
   * Sets headers: a function, or an object of names and values, of which `Set-Cookie` and `Vary` are added to those of
   * the response. Not for the status 101, whose headers cannot be changed.
   */
  readonly headers?: SetHeaders<Extra>["set"] | { readonly [name: string]: string } | undefined;
  /**
   * Sees the response that is sent. Its body must not be read.
   *
   * @param response The response to send.
   * @param context The request, its locals and its route, as far as processing got.
   * @param extra The extra arguments of `app.fetch`.
   * @returns Anything. It is ignored: a promise must not reject.
   */
  observe?(response: Response, context: HookContext, ...extra: Extra): unknown;
}

/**
 * How a {@linkcode Concern} sets headers.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that it reads.
 */
export interface SetHeaders<Extra extends readonly unknown[] = []> {
  /**
   * Changes the headers of a response.
   *
   * @param headers The headers of the response to send. They can be changed.
   * @param context The request, its locals and its route, as far as processing got.
   * @param extra The extra arguments of `app.fetch`.
   * @returns Nothing. It is ignored, so an object of headers does not compile. A promise must not reject.
   */
  set(headers: Headers, context: HookContext, ...extra: Extra): Ignored | Promise<Ignored>;
}

/** @internal What a function returns that returns nothing, or the last value of `&&` and `||`. */
type Ignored = void | boolean | string | number | null | undefined;

/**
 * The hooks that {@linkcode compose} makes.
 *
 * @typeParam Locals What the concerns add to the locals.
 * @typeParam Extra The extra arguments of `app.fetch` that the concerns read.
 */
export interface Hooks<Locals extends object, Extra extends readonly unknown[] = []> extends Composed {
  /** Returns the locals of all concerns, for `setup`: a promise only if one of the concerns does. */
  readonly onRequest: Composed["onRequest"] & ((args: OnRequestArgs, ...extra: Extra) => Locals | Promise<Locals>);
  /** Returns the response after all concerns, for `setup`: a promise only if one of the concerns does. */
  readonly onResponse:
    & Composed["onResponse"]
    & ((args: OnResponseArgs<Locals>, ...extra: Extra) => Response | Promise<Response>);
}

/**
 * The locals that a list of concerns adds.
 *
 * @typeParam Concerns The concerns, as a tuple.
 */
export type AddedBy<Concerns extends readonly Concern<readonly unknown[]>[]> = Simplify<AddedIn<Concerns>>;

/** @internal The locals that a list of concerns adds to others. Of a key that two of them add, the later one wins. */
export type AddedIn<Concerns, Earlier extends object = NoLocals> = Concerns extends
  readonly [infer First, ...infer Rest] ? AddedIn<Rest, WithAdded<First, Earlier>>
  // Any number of these.
  : Concerns extends readonly (infer Each)[] ? Earlier | WithAdded<Each, Earlier>
  : Earlier;

/** The locals after a concern. */
type WithAdded<Each, Earlier extends object> = Each extends
  { readonly onRequest: (args: OnRequestArgs, ...extra: never) => infer Added } ? Merge<Earlier, ReturnedLocals<Added>>
  : Earlier;

/**
 * The extra arguments of `app.fetch` that a list of concerns reads.
 *
 * @typeParam Concerns The concerns, as a tuple.
 */
export type ExtraOf<Concerns extends readonly Concern<readonly unknown[]>[]> = ExtraOfAll<
  ExtraOfEach<Concerns[number]>
>;

/** @internal The extra arguments that a concern reads, as a union of those of its functions. */
export type ExtraOfEach<Each> = Each extends {
  readonly onRequest?: infer Start;
  readonly replace?: infer Replace;
  readonly headers?: infer Set;
  readonly observe?: infer Observe;
} ? ExtraAfterOne<Start> | ExtraAfterTwo<Replace | Set | Observe>
  : [];

/** The parameters after the first one. A list of unknown length requires nothing. */
type ExtraAfterOne<Run> = Run extends (args: never, ...extra: infer Extra) => unknown ? Known<Extra> : [];

/** The parameters after the first two. */
type ExtraAfterTwo<Run> = Run extends (given: never, context: never, ...extra: infer Extra) => unknown ? Known<Extra>
  : [];

type Known<Extra extends readonly unknown[]> = number extends Extra["length"] ? [] : Extra;

function setAll(values: { readonly [name: string]: string }): SetHeaders["set"] {
  for (const [name, value] of Object.entries(values)) {
    requireThat(typeof value === "string", `Header ${JSON.stringify(name)} of compose`, "a string", value);
  }
  // The names are in lower case. Those of a list add up: the `Vary` of `cors` must not get lost.
  const pairs = [...new Headers(values)];
  return (headers) =>
    pairs.forEach(([name, value]) => headers[/^(set-cookie|vary)$/.test(name) ? "append" : "set"](name, value));
}

function requireLocals(added: unknown): object | undefined {
  if (added === undefined || isPlain(added)) return added;
  throw new TypeError(
    `Result of onRequest of a concern must be an object of locals, or nothing: received ${describeLocals(added)}`,
  );
}

function requireOther(other: unknown, response: Response): Response {
  requireThat(
    other === undefined || isResponse(other),
    "Result of replace of a concern",
    "a Response, or nothing",
    other,
  );
  return other ?? response;
}

const OPTIONAL_FUNCTION = /* @__PURE__ */ optionalRule(FUNCTION);

/** `preflights` is that of a policy of `cors`. */
const RULES = {
  onRequest: OPTIONAL_FUNCTION,
  replace: OPTIONAL_FUNCTION,
  // An object, too, whose values `setAll` checks.
  headers: /* @__PURE__ */ optionalRule([
    "a function, or an object of headers",
    (given) => typeof given === "function" || isPlain(given),
  ]),
  observe: OPTIONAL_FUNCTION,
  preflights: OPTIONAL_FUNCTION,
};
