import { describeRoute, isRecord, isResponse, requireThat, typeError } from "./assert.ts";
import type { Context, MatchedRoute, NoLocals } from "./context.ts";
import type { BeforeBody, CheckBeforeBody, Deny, GuardResult, ValidInputGuard } from "./guard_fn.ts";
import type { AnyInput, InvalidInput } from "./input.ts";
import { andThen } from "./maybe_promise.ts";

/**
 * Lets the request continue.
 *
 * @returns A guard result.
 */
export function allow(): { readonly allow: true; readonly locals?: never };

/**
 * Lets the request continue and adds these keys to `c.locals`; existing keys are replaced.
 *
 * @typeParam Locals The locals to add.
 * @param locals The keys to add.
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
 */
export function allow<Locals extends object>(locals: Locals): { readonly allow: true; readonly locals: Locals };

export function allow(locals?: object): { readonly allow: true; readonly locals?: object } {
  return locals === undefined ? { allow: true } : { allow: true, locals };
}

/**
 * Ends the request: later guards and the handler do not run.
 *
 * @typeParam Denial The response.
 * @param response The response to send. If `reply` makes it, TypeScript checks that routes that declare `responses` declare it. Any
 * other response is not checked.
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
 * Makes a guard that denies invalid input. After it, `c.input` has the type of valid input for later guards and the handler.
 *
 * @typeParam Locals The locals that `respond` reads.
 * @typeParam Denial The response. If `reply` makes it, routes that declare `responses` must declare it.
 * @param respond Builds the response from the invalid input and the context.
 * @returns A guard, for a route or a scope.
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
  return (c) => c.input.ok ? { allow: true, valid: true } : andThen(respond(c.input, c), deny<Denial>);
}

/**
 * Marks a guard to run before the body is read. Use it for authentication and rate limits: the body of a denied request is
 * neither read nor validated. The server may still receive and drop it.
 *
 * The guard runs after matching. It reads headers and `c.raw`, without `c.raw.body`. For it `c.input.ok` is `false`, with no
 * issues, as nothing has been validated.
 *
 * The type of an inline guard's parameter is {@linkcode Context}. Annotate it to read locals.
 *
 * Marked guards come first in the whole list of a route, the guards of its scopes included. `setup` rejects a marked guard
 * behind an unmarked one.
 *
 * @typeParam C The context that the guard reads.
 * @typeParam Platform The extra arguments of `app.fetch` that the guard reads.
 * @typeParam Result What the guard returns.
 * @param guard The guard. It is not changed. One that lets only valid input pass, such as one of {@linkcode denyInvalid}, does not
 * compile: it would deny every request.
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
  Platform extends readonly unknown[] = [],
  Result extends GuardResult | Promise<GuardResult> = GuardResult,
>(
  guard: ((c: C, ...platform: Platform) => Result) & CheckBeforeBody<Result>,
): ((c: C, ...platform: Platform) => Result) & BeforeBody {
  requireThat(typeof guard === "function", "Guard of beforeBody", "a function", guard);
  const run: (c: C, ...platform: Platform) => Result = guard;
  return Object.assign(run.bind(undefined), { "~beforeBody": true } as const);
}

/** Whether {@linkcode beforeBody} has marked a guard. Only an own property counts, as in the result of a guard. */
export function runsBeforeBody(guard: object): boolean {
  return Object.hasOwn(guard, "~beforeBody");
}

/**
 * Applies the result of a guard. It fails closed: without an own `deny`, only an own `allow` that is `true` continues.
 *
 * @param result What the guard returned.
 * @param c The context. If the guard adds locals, `c.locals` becomes a new object that contains them.
 * @param position The guard's position in the route, from 1, for the error message.
 * @returns The response that ends the request, or `undefined` to continue.
 * @throws If the result is neither `{ allow: true }` nor `{ deny: Response }`, or if it promises valid input and the input is
 * invalid.
 */
export function applyGuardResult(
  result: unknown,
  c: { locals: object; readonly input: AnyInput | undefined; readonly route: MatchedRoute },
  position: number,
): Response | undefined {
  if (!isRecord(result)) return fail(c, position, result);
  const given: { readonly [Key in OwnKey]?: unknown } = result;
  const deny = ownValue(given, "deny", given.deny);
  if (deny !== undefined) return isResponse(deny) ? deny : fail(c, position, deny, "deny");
  const allow = ownValue(given, "allow", given.allow);
  if (allow !== true) return fail(c, position, allow, "allow");
  const valid = ownValue(given, "valid", given.valid);
  if (valid !== undefined && valid !== true) return fail(c, position, valid, "valid");
  if (valid && c.input?.ok !== true) return fail(c, position, false, "valid` with `c.input.ok");
  const locals = ownValue(given, "locals", given.locals);
  if (locals !== undefined) {
    if (!isRecord(locals)) return fail(c, position, locals, "locals");
    c.locals = { ...c.locals, ...locals };
  }
  return undefined;
}

/**
 * The value of an own property only: a polluted `Object.prototype` must not grant access. The caller reads the value:
 * `object[key]` for several keys costs 100 ns for two guards on V8.
 */
function ownValue(object: object, key: OwnKey, value: unknown): unknown {
  return value === undefined || Object.hasOwn(object, key) ? value : undefined;
}

type OwnKey = "allow" | "deny" | "locals" | "valid";

function fail(c: { route: MatchedRoute }, position: number, received: unknown, key?: string): never {
  const rule = `Guard ${position} of route ${describeRoute(c.route)} must return { allow: true } or { deny: Response }`;
  throw typeError(rule, received, key && `\`${key}\` as `);
}
