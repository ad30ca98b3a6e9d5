import type { AnyInput, InvalidInput } from "../input/input.ts";
import type { RawParams } from "../routing/pattern.ts";
import { requireFunction } from "../values/assert.ts";
import { isPromise, type MaybePromise } from "../values/maybe_promise.ts";
import type { Context, NoLocals } from "./context.ts";
import { type Allow, type BeforeBody, type DenyOrValid, runsBeforeBody } from "./guard.ts";
import { HEADERS, mergeHeaders } from "./guard_headers.ts";
import type { AddsOf, Fold, FoldGuards, Merge, Unmarked } from "./guard_list.ts";
import type { Simplify } from "../values/types.ts";
import { applyGuardResult, type GuardedContext } from "./guard_result.ts";

/**
 * Makes one guard of several. They run in order, and the first one that denies ends the request. The guard needs all
 * locals that they read, except those that an earlier one of them adds. It adds the locals of all of them. Use it like
 * a single guard: in a route, in a scope, or in another `every`.
 *
 * To run all of them before the body is read, mark the whole: `beforeBody(every(signedIn, isAdmin))`.
 *
 * @typeParam Guards The guards, as a tuple. TypeScript infers it.
 * @param guards The guards, at least one.
 * @returns The guard.
 * @throws A `TypeError` if there are no guards, if one is not a function, or if one is marked by `beforeBody`.
 *
 * @example Guards that belong together
 * ```ts
 * import { allow, type Context, deny, every, reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const signedIn = (c: Context) => {
 *   const user = c.request.headers.get("authorization")?.replace("Bearer ", "");
 *   return user ? allow({ user }) : deny(reply(401));
 * };
 * const isAda = (c: Context<{ user: string }>) => c.locals.user === "ada" ? allow({ admin: true }) : deny(reply(403));
 *
 * const admin = every(signedIn, isAda);
 * const deleteBook = route.delete("/books/:id", {
 *   responses: { 204: {}, 401: {}, 403: {} }, // those of both guards, too
 *   guards: [admin],
 *   resolve: (c) => reply(c.locals.admin ? 204 : 403),
 * });
 *
 * const app = setup({ handlers: [deleteBook] });
 * const statusFor = async (headers: HeadersInit) =>
 *   (await app.fetch(new Request("http://localhost/books/7", { method: "DELETE", headers }))).status;
 * assertEquals(await statusFor({}), 401);
 * assertEquals(await statusFor({ authorization: "Bearer grace" }), 403);
 * assertEquals(await statusFor({ authorization: "Bearer ada" }), 204);
 * ```
 */
export function every<const Guards extends readonly PossibleGuard[]>(
  ...guards: Guards & CheckEvery<Guards>
): GuardOfAll<Guards> {
  if (guards.length === 0) throw new TypeError("every must be given guards: without any, it would let everybody in");
  for (const [index, guard] of guards.entries()) {
    const name = `Guard ${index + 1} of every`;
    if (runsBeforeBody(requireFunction(name, guard))) {
      throw new TypeError(`${name} has beforeBody: mark the whole, as in beforeBody(every(…))`);
    }
  }
  return guardOf(guards) as GuardOfAll<Guards>;
}

/** The guard, whose types the compiler has computed. */
function guardOf(guards: readonly PossibleGuard[]): unknown {
  return (c: GuardedContext, ...extra: readonly unknown[]) => runEvery(guards, c, extra);
}

function runEvery(guards: readonly PossibleGuard[], c: GuardedContext, extra: readonly unknown[]): unknown {
  const sum: Sum = { locals: {}, input: c.input, route: c.route };
  /** The headers so far are on the response of `onError`, too. */
  const fail = (error: unknown): never => {
    if (sum[HEADERS] !== undefined) c[HEADERS] = mergeHeaders(c[HEADERS], sum[HEADERS]);
    throw error;
  };
  try {
    const result = runFrom(0, guards, c, extra, sum);
    return isPromise(result) ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** What the guards so far have added. */
interface Sum extends GuardedContext {
  /** Whether one of them has promised valid input. */
  valid?: true;
}

function runFrom(
  index: number,
  guards: readonly PossibleGuard[],
  c: GuardedContext,
  extra: readonly unknown[],
  sum: Sum,
): MaybePromise<object> {
  for (; index < guards.length; index++) {
    // A context for each guard: what it keeps does not change.
    const seen = { ...c, locals: { ...c.locals, ...sum.locals } };
    const result = (guards[index] as PossibleGuard)(seen as never, ...extra);
    if (isPromise(result)) {
      return Promise.resolve(result)
        .then((settled) => apply(settled, index, sum) ?? runFrom(index + 1, guards, c, extra, sum));
    }
    const denial = apply(result, index, sum);
    if (denial !== undefined) return denial;
  }
  const { locals, [HEADERS]: headers, valid } = sum;
  return { allow: true, locals, ...headers && { headers }, ...valid && { valid } };
}

/** Adds the result of a guard to those before it. Returns the denial, if it is one. */
function apply(result: unknown, index: number, sum: Sum): { readonly deny: Response } | undefined {
  const deny = applyGuardResult(result, sum, `${index + 1} of every()`);
  if (deny !== undefined) return { deny };
  // Only an own property counts, and has been checked.
  if (Object.hasOwn(result as object, "valid")) sum.valid = true;
  return undefined;
}

/**
 * @internal What may be a guard. A method, whose parameters TypeScript compares loosely: it gives inline guards their
 * context.
 */
export type PossibleGuard = { guard(c: Context, ...extra: readonly unknown[]): unknown }["guard"];

/**
 * A guard that `every` makes of several.
 *
 * @typeParam Needs The locals that these guards read, without those that an earlier one of them adds.
 * @typeParam Params The path parameters that they read.
 * @typeParam Input The input that they read.
 * @typeParam Extra The extra arguments of `app.fetch` that they read.
 * @typeParam Result The return type of the guards: the locals that all of them add, or one of their denials.
 */
export type EveryGuard<Needs, Params, Input, Extra extends readonly unknown[], Result> =
  & ((c: Context<Needs, Params, Input>, ...extra: Extra) => Result | Promise<Result>)
  // As of `ValidInputGuard`: without it, TypeScript infers the result of a call too late.
  & { readonly name: string };

/** @internal The guard that `every` makes of these; a message if their number is not known. */
export type GuardOfAll<Guards extends readonly unknown[]> = number extends Guards["length"]
  ? "Write the guards of every one by one: what a list of unknown length needs is not known"
  : FoldEvery<Guards> extends Fold<infer Added, infer Extra, infer Input> ? EveryGuard<
      NeedsOfAll<Guards>,
      ParamsOfAll<Guards>,
      InputOfAll<Guards>,
      Extra,
      | (Input extends { readonly ok: true } ? Allow<Simplify<Added>> & { readonly valid: true }
        : Allow<Simplify<Added>>)
      | DenialIn<Guards>
    >
  : never;

/** The results of guards that deny. */
type DenialIn<Guards> = Guards extends readonly (infer Guard)[]
  ? Guard extends (...args: never) => infer Result ? Extract<Awaited<Result>, { readonly deny: Response }> : never
  : never;

/** @internal `unknown` if the guards fit each other, else the expected list, which the compiler reports. */
export type CheckEvery<Guards extends readonly unknown[]> = number extends Guards["length"] ? unknown
  : Guards extends readonly [] ? readonly ["Give every at least one guard: without any, it would let everybody in"]
  : Guards extends readonly Unmarked[] ? FoldEvery<Guards>["expected"]
  : {
    readonly [Index in keyof Guards]: Guards[Index] extends BeforeBody
      ? "Mark the whole, not one of its guards: beforeBody(every(…))"
      : unknown;
  };

/** The fold over the guards, behind guards that provide what they need. */
type FoldEvery<Guards> = FoldGuards<
  Guards,
  NeedsOfAll<Guards>,
  NoLocals,
  [],
  ParamsOfAll<Guards>,
  InputOfAll<Guards>
>;

/** The locals that the guards read and that no earlier one of them adds. */
type NeedsOfAll<Guards, Needs extends object = NoLocals, Added extends object = NoLocals> = Guards extends
  readonly [(c: infer C, ...extra: never[]) => infer Result, ...infer Rest] ? NeedsOfAll<
    Rest,
    LocalsIn<C, Added> extends infer Read ? Simplify<Needs & Read> : never,
    Merge<Added, AddsOf<Result>>
  >
  : Needs;

/** The locals that a guard reads, without those that are added before it. */
type LocalsIn<C, Added> = C extends { readonly locals: infer Read } ? keyof Read & keyof Added extends never ? Read
  : { [Key in keyof Read as Key extends keyof Added ? never : Key]: Read[Key] }
  : NoLocals;

/** The path parameters that the guards read. */
type ParamsOfAll<Guards, Params = RawParams> = Guards extends
  readonly [(c: infer C, ...extra: never[]) => unknown, ...infer Rest] ? ParamsOfAll<
    Rest,
    C extends { readonly raw: { readonly params: infer Read } } ? NeedAlso<Params, Read, RawParams> : Params
  >
  : Params;

/** The input that the guards read. Behind a guard that lets only valid input pass, a guard may read valid input. */
type InputOfAll<Guards, Input = AnyInput, Invalid = never> = Guards extends
  readonly [(c: infer C, ...extra: never[]) => infer Result, ...infer Rest] ? InputOfAll<
    Rest,
    C extends { readonly input: infer Read } ? NeedAlso<Input, Read | Invalid, AnyInput> : Input,
    Awaited<Result> extends DenyOrValid<Response> ? InvalidInput : Invalid
  >
  : Input;

/** Both, where `Any` stands for no need. */
type NeedAlso<Needs, Read, Any> = [Any] extends [Read] ? Needs : [Any] extends [Needs] ? Read : Needs & Read;
