import type { InvalidInput } from "../input/input.ts";
import { requireFunction, requireNoDenial, requireOptions } from "../values/assert.ts";
import { andThen } from "../values/maybe_promise.ts";
import type { Context, NoLocals } from "./context.ts";

/**
 * Lets the request continue.
 *
 * @param locals No keys to add.
 * @param init Headers for the response.
 * @returns A guard result.
 */
export function allow(
  locals?: NoKeys,
  init?: AllowInit,
): { readonly allow: true; readonly locals?: never; readonly headers?: RequestInit["headers"] | undefined };
/**
 * Lets the request continue and adds these keys to `c.locals`; existing keys are replaced.
 *
 * Name the keys: `allow({ page: c.input.query.page })`. Never pass a whole input on, as in `allow(c.input.body)`. Some
 * schemas keep keys that they do not declare, so a client could set any local, such as `user`.
 *
 * @typeParam Locals The locals to add.
 * @param locals The keys to add.
 * @param init Headers for the response.
 * @returns A guard result.
 *
 * @example A guard that adds a user
 * ```ts
 * import { allow, type Context, deny } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "ada" })
 *     : deny(new Response(null, { status: 401 }));
 *
 * assertEquals(allow({ user: "ada" }), { allow: true, locals: { user: "ada" } });
 * ```
 *
 * @example A guard that adds headers to each response after it
 * ```ts
 * import { allow, deny, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * let remaining = 2;
 * const counted = () => allow({}, { headers: { "ratelimit-remaining": String(--remaining) } });
 * const limited = () => remaining < 1 ? deny(new Response(null, { status: 429 })) : allow();
 *
 * const app = setup({
 *   handlers: [route.get("/", { guards: [counted, limited], resolve: () => new Response("It works") })],
 * });
 *
 * const first = await app.fetch(new Request("http://localhost/"));
 * assertEquals([first.status, first.headers.get("ratelimit-remaining")], [200, "1"]);
 * const second = await app.fetch(new Request("http://localhost/"));
 * assertEquals([second.status, second.headers.get("ratelimit-remaining")], [429, "0"]);
 * ```
 */
export function allow<Locals extends object>(
  locals: Locals & NoResult<Locals>,
  init?: AllowInit,
): { readonly allow: true; readonly locals: Locals; readonly headers?: RequestInit["headers"] | undefined };
export function allow(
  locals?: object,
  init?: AllowInit,
): { readonly allow: true; readonly locals?: object; readonly headers?: RequestInit["headers"] | undefined } {
  const result = locals === undefined
    ? { allow: true } as const
    : { allow: true, locals: requireNoDenial(locals) } as const;
  // Spreading `undefined` takes 10 to 30 ns on Bun and Node.js.
  if (init === undefined) return result;
  for (const key in init) if (key !== "headers") requireOptions(init, "allow", [], ["headers"]);
  return { ...init, ...result };
}

/**
 * @internal No keys. If they were the locals of a result, TypeScript would reduce `flag ? allow({ user }) : allow({})`
 * to a result without a user.
 */
export type NoKeys = Record<PropertyKey, never> | undefined;

/**
 * @internal `unknown`, or the message for the result of a guard among locals, which would let everybody in, and for an
 * object that is not plain. If one of a union is such, all of it is.
 */
export type NoResult<Locals> = [Locals extends NoLocalsAtAll ? true : never] extends [never] ? unknown
  : "These are no locals: return a guard's result without allow(), and name the keys of locals, as in allow({ user })";

/** The results of guards, and objects that are not plain. */
type NoLocalsAtAll =
  | { readonly deny: Response }
  | { readonly allow: true }
  | Response
  | PromiseLike<unknown>
  | readonly unknown[]
  | ((...args: never) => unknown)
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Date;

/** What {@linkcode allow} takes besides locals. */
export interface AllowInit {
  /**
   * Headers for every response after this guard: that of the handler, of a later guard that denies, or of `onError`.
   * `Set-Cookie` and `Vary` add up. For any other header, the response's own value wins, then the value of the later
   * guard. `onResponse` sees the headers. A response with the status 101 is sent without them. Invalid names and values
   * are an error.
   */
  readonly headers?: RequestInit["headers"] | undefined;
}

/**
 * Ends the request: later guards and the handler do not run.
 *
 * @typeParam Denial The response.
 * @param response The response to send. If `reply` makes it, TypeScript checks that routes that declare `responses`
 * declare it. Any other response is not checked.
 * @returns A guard result.
 *
 * @example A guard that denies
 * ```ts
 * import { deny } from "@fw/core";
 *
 * const closed = () => deny(new Response("Back on Monday", { status: 503 }));
 * ```
 */
export function deny<Denial extends Response>(response: Denial): Deny<Denial> {
  return { deny: response };
}

/**
 * Makes a guard that denies invalid input. After it, `c.input` has the type of valid input for later guards and the
 * handler.
 *
 * @typeParam Locals The locals that `respond` reads.
 * @typeParam Denial The response. If `reply` makes it, routes that declare `responses` must declare it.
 * @param respond Builds the response from the invalid input and the context.
 * @returns A guard, for a route or a scope.
 * @throws A `TypeError` if `respond` is not a function.
 *
 * @example One response to invalid input for all routes of a scope
 * ```ts
 * import { denyInvalid, route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = route.with({
 *   guards: [denyInvalid(({ issues }) => Response.json({ issues }, { status: 400 }))],
 * });
 *
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     api.post("/books", {
 *       request: { body: z.object({ title: z.string() }) },
 *       resolve: (c) => Response.json(c.input.body.title, { status: 201 }),
 *     }),
 *   ],
 * });
 *
 * const url = "http://localhost/books";
 * const post = (body: string) => app.fetch(new Request(url, { method: "POST", body }));
 * assertEquals((await post('{"title":"Emma"}')).status, 201);
 * assertEquals((await post("{}")).status, 400);
 * ```
 */
export function denyInvalid<Locals extends object = NoLocals, Denial extends Response = Response>(
  respond: (input: InvalidInput, c: Context<Locals>) => Denial | Promise<Denial>,
): ValidInputGuard<Locals, Denial> {
  requireFunction("Argument of denyInvalid", respond);
  return (c) => c.input.ok ? { allow: true, valid: true } : andThen(respond(c.input, c), deny<Denial>);
}

/**
 * Marks a guard to run before the body is read. Use it for authentication and rate limits: the body of a denied request
 * is neither read nor validated. The server may still receive and drop it.
 *
 * The guard runs after matching. It reads headers and `c.raw`, without `c.raw.body`. For it `c.input.ok` is `false`,
 * with no issues, as nothing has been validated.
 *
 * The type of an inline guard's parameter is {@linkcode Context}. Annotate it to read locals.
 *
 * Marked guards must come before all other guards of a route, including the guards of its scopes. `setup` rejects a
 * marked guard behind an unmarked one.
 *
 * @typeParam C The context that the guard reads.
 * @typeParam Extra The extra arguments of `app.fetch` that the guard reads.
 * @typeParam Result What the guard returns.
 * @param guard The guard. It is not changed. One that lets only valid input pass, such as one of {@linkcode
 * denyInvalid}, does not compile: it would deny every request.
 * @returns A guard with the same types, for a route or a scope.
 * @throws A `TypeError` if the guard is not a function.
 *
 * @example Authentication before the body is read
 * ```ts
 * import { allow, beforeBody, type Context, deny, route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "ada" })
 *     : deny(new Response(null, { status: 401 }));
 *
 * const members = route.with({ guards: [beforeBody(authenticated)] });
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     members.post("/notes", {
 *       request: { body: z.string() },
 *       resolve: (c) => Response.json([c.locals.user, c.input.ok]),
 *     }),
 *   ],
 * });
 *
 * const post = (headers: HeadersInit) =>
 *   new Request("http://localhost/notes", { method: "POST", body: '"Buy milk"', headers });
 * const stranger = post({});
 * assertEquals((await app.fetch(stranger)).status, 401);
 * assertEquals(stranger.bodyUsed, false);
 * const welcome = await app.fetch(post({ authorization: "Bearer ada" }));
 * assertEquals(await welcome.json(), ["ada", true]);
 * ```
 */
export function beforeBody<
  C = Context,
  Extra extends readonly unknown[] = [],
  Result extends GuardResult<NoLocals, Response> | Promise<GuardResult<NoLocals, Response>> = GuardResult,
>(
  guard: ((c: C, ...extra: Extra) => Result) & CheckBeforeBody<Result>,
): ((c: C, ...extra: Extra) => Result) & BeforeBody {
  requireFunction("Guard of beforeBody", guard);
  const run: (c: C, ...extra: Extra) => Result = guard;
  return Object.assign(run.bind(undefined), { "~beforeBody": true } as const);
}

/** Whether {@linkcode beforeBody} has marked a guard. Only an own property counts, as in the result of a guard. */
export function runsBeforeBody(guard: object): boolean {
  return Object.hasOwn(guard, "~beforeBody");
}

/**
 * A guard ends the request or lets it continue. Guards run after validation and before the handler, in declared order.
 *
 * @typeParam Needs The locals that the guard reads.
 * @typeParam Adds The locals that the guard adds.
 * @typeParam Extra The extra arguments of `app.fetch` that the guard reads.
 * @typeParam Denial The response that the guard denies with. If it is a `Reply`, routes with `responses` must declare
 * it. By default, any response but a `Reply`.
 */
export type GuardFn<
  Needs extends object = NoLocals,
  Adds extends object = NoLocals,
  Extra extends readonly unknown[] = [],
  Denial extends Response = UntypedResponse,
> = (c: Context<Needs>, ...extra: Extra) => GuardResult<Adds, Denial> | Promise<GuardResult<Adds, Denial>>;

/**
 * What a guard returns: `{ allow: true, locals?, headers? }` or `{ deny: Response }`. If it has both, `deny` wins.
 * Anything else is an error: the request does not continue.
 *
 * @typeParam Locals The locals that the guard adds.
 * @typeParam Denial The response that the guard denies with.
 */
export type GuardResult<Locals extends object = NoLocals, Denial extends Response = UntypedResponse> =
  | Allow<Locals>
  | Deny<Denial>;

/**
 * The result of a guard that lets the request continue. `locals` adds keys to `c.locals` for later guards and the
 * handler. `headers` are for the response. `valid: true` promises that the input is valid.
 *
 * @typeParam Locals The locals that the guard adds.
 */
export type Allow<Locals extends object = NoLocals> =
  // First, and without a condition: it fits locals whose type is a type parameter.
  | {
    /** Must be exactly `true`. */
    readonly allow: true;
    /** Keys to add to `c.locals`; existing keys are replaced. */
    readonly locals: Locals;
    /** Headers for the response, as {@linkcode AllowInit} describes. */
    readonly headers?: RequestInit["headers"] | undefined;
    /** Promises that the input is valid. Checked at run time: `c.input.ok` must be `true`. */
    readonly valid?: true;
  }
  | (NoLocals extends Locals ? {
      /** Must be exactly `true`. */
      readonly allow: true;
      /** Keys to add to `c.locals`; existing keys are replaced. */
      readonly locals?: Locals;
      /** Headers for the response, as {@linkcode AllowInit} describes. */
      readonly headers?: RequestInit["headers"] | undefined;
      /** Promises that the input is valid. Checked at run time: `c.input.ok` must be `true`. */
      readonly valid?: true;
    }
    : never);

/**
 * The result of a guard that ends the request.
 *
 * @typeParam Denial The response. If it is a `Reply`, routes that declare `responses` must declare it.
 */
export interface Deny<out Denial extends Response = UntypedResponse> {
  /** The response to send. Later guards and the handler do not run. */
  readonly deny: Denial;
}

/** Any guard, whatever locals it needs and adds. */
export type AnyGuard = (
  c: never,
  ...extra: never[]
) => GuardResult<NoLocals, Response> | Promise<GuardResult<NoLocals, Response>>;

/**
 * A response of which TypeScript knows nothing: any but a `Reply`. It is the default of `Denial` in the types of
 * guards, so that a guard with an annotation cannot deny with a `reply` that its routes need not declare. Name the
 * reply in the annotation, or do not annotate the guard.
 *
 * @example The annotation of a guard that denies with a reply
 * ```ts
 * import { allow, type Answer, type Context, deny, type GuardResult, type Reply, reply } from "@fw/core";
 *
 * type SignedIn = GuardResult<{ user: string }, Reply<Answer<401, undefined>>>;
 *
 * const signedIn = (c: Context): SignedIn =>
 *   c.request.headers.get("authorization") === "Bearer ada" ? allow({ user: "ada" }) : deny(reply(401));
 * ```
 */
export interface UntypedResponse extends Response {
  /** Type-only, absent at run time. A reply has it, with another type. */
  readonly "return reply(status, body)"?: UnnamedDenial;
}

/** @internal The message for a reply where the annotation of a guard names none. */
type UnnamedDenial =
  "Name this reply in the annotation, as in GuardResult<{ user: User }, Reply<Answer<401, undefined>>>, or write no annotation";

/**
 * A guard that lets only valid input pass, such as one made by `denyInvalid`.
 *
 * The type is an intersection with `name`, which every function has. Without it, TypeScript would infer the result of a
 * generic function such as `denyInvalid` too late for the later guards and the handler.
 *
 * @typeParam Locals The locals that the guard reads.
 * @typeParam Denial The response that the guard denies with.
 */
export type ValidInputGuard<Locals extends object = NoLocals, Denial extends Response = UntypedResponse> =
  & ((c: Context<Locals>) => DenyOrValid<Denial> | Promise<DenyOrValid<Denial>>)
  & { readonly name: string };

/** @internal The results of a guard that lets only valid input pass. */
export type DenyOrValid<Denial extends Response = UntypedResponse> = Deny<Denial> | {
  /** Must be exactly `true`. */
  readonly allow: true;
  /** The input is valid. */
  readonly valid: true;
};

/**
 * The mark of a guard that `beforeBody` returns. The key is a string, not a symbol: two installed copies of the module
 * recognize each other's guards.
 */
export interface BeforeBody {
  /** Marks the guard. */
  readonly "~beforeBody": true;
}

/** @internal `unknown`, or the message for a guard that lets only valid input pass. */
export type CheckBeforeBody<Result> = [Extract<Awaited<Result>, { readonly allow: true }>] extends [never] ? unknown
  : [Awaited<Result>] extends [DenyOrValid<Response>]
    ? "A guard before the body cannot require valid input: nothing has been validated yet"
  : unknown;
