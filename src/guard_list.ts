/**
 * What the compiler knows of a list of guards: what it needs, what it adds, and whether each guard fits in its place. Types
 * only; each folds over the list once, so that a route costs the same however many others there are.
 */

import type { Context, NoLocals } from "./context.ts";
import type { GuardResult } from "./guard.ts";

/**
 * What the `guards` of a route accept. The list is inferred as a tuple; a guard written in place sees the params, the input
 * and the locals that its scope promises, and each guard is checked against what those before it have added.
 *
 * @typeParam Guards The list.
 * @typeParam Needs The locals promised by `onRequest`.
 * @typeParam Added The locals added by the guards of the scope.
 * @typeParam Params The path parameters.
 * @typeParam Outcome The outcome of validation.
 */
export type GuardList<Guards extends readonly unknown[], Needs extends object, Added extends object, Params, Outcome> =
  & (Guards | readonly InlineGuard<Context<Merge<Needs, Added>, Params, Outcome>>[])
  & Verdict<NoInfer<Guards>, ExpectedGuards<NoInfer<Guards>, Needs, Added, Params, Outcome>>;

/** Gives the parameters of a guard written in place their types. Its result is checked by {@linkcode ExpectedGuards}. */
export type InlineGuard<C> = (c: C, ...platform: readonly unknown[]) => GuardResult | Promise<GuardResult>;

/** Nothing to add where the list is as expected; where it is not, the expectation, for the compiler to report. */
export type Verdict<Guards, Expected> = Guards extends Expected ? unknown : Expected;

/** For each guard of a list the type that it must have, given what those before it have added. */
export type ExpectedGuards<
  Guards extends readonly unknown[],
  Needs extends object,
  Added extends object,
  Params,
  Outcome,
> = Guards extends readonly [infer Guard, ...infer Rest] ? readonly [
    ExpectedGuard<Guard, Needs, Added, Params, Outcome>,
    ...ExpectedGuards<Rest, NeedsWith<Guard, Needs, Added>, Merge<Added, AddsOf<Guard>>, Params, Outcome>,
  ]
  : Guards extends readonly [] ? readonly []
  : unknown extends Guards[number] ? readonly unknown[]
  : readonly ExpectedGuard<Guards[number], Needs, Added, Params, Outcome>[];

/** The type that `Guard` must have: it is given all it needs but for what conflicts with the locals added before it. */
export type ExpectedGuard<Guard, Needs extends object, Added extends object, Params, Outcome> = (
  c: Context<Merge<NeedsWith<Guard, Needs, Added>, Added>, Params, Outcome>,
  ...platform: never[]
) => GuardResult | Promise<GuardResult>;

/** What a list of guards needs of `onRequest`, on top of `Needs`: whatever no guard before has added. */
export type NeedsOfAll<Guards, Needs extends object, Added extends object> = Guards extends
  readonly [infer Guard, ...infer Rest] ? NeedsOfAll<Rest, NeedsWith<Guard, Needs, Added>, Merge<Added, AddsOf<Guard>>>
  : Guards extends readonly [] ? Needs
  : Guards extends readonly (infer Guard)[] ? NeedsWith<Guard, Needs, Added>
  : Needs;

/** What a list of guards adds to the locals, on top of `Added`; later keys override. */
export type AddsOfAll<Guards, Added extends object> = Guards extends readonly [infer Guard, ...infer Rest]
  ? AddsOfAll<Rest, Merge<Added, AddsOf<Guard>>>
  : Added;

/** What a list of guards needs to follow the request in `app.fetch`, on top of `Platform`. */
export type PlatformOfAll<Guards, Platform extends readonly unknown[]> = Guards extends
  readonly [infer Guard, ...infer Rest] ? PlatformOfAll<Rest, MergePlatforms<Platform, PlatformOf<Guard>>>
  : Guards extends readonly [] ? Platform
  : Guards extends readonly (infer Guard)[] ? MergePlatforms<Platform, PlatformOf<Guard>>
  : Platform;

/** `Needs`, and what `Guard` reads of the locals that nobody has added. */
export type NeedsWith<Guard, Needs extends object, Added extends object> = Both<
  Needs,
  keyof Added extends never ? NeedsOf<Guard> : Omit<NeedsOf<Guard>, keyof Added>
>;

/** The locals that a guard reads. */
export type NeedsOf<Guard> = [Guard] extends [(c: infer C, ...platform: never[]) => unknown]
  ? C extends { readonly locals: infer Needs extends object } ? Needs : NoLocals
  : NoLocals;

/** The locals that a guard adds; `never` if it always denies. */
export type AddsOf<Guard> = Guard extends (...args: never[]) => infer Result
  ? Awaited<Result> extends infer Settled
    ? Settled extends { readonly allow: true }
      ? Settled extends { readonly locals: infer Locals extends object } ? Locals
      : NoLocals
    : never
  : never
  : never;

/** What a guard or handler reads of what follows the request in `app.fetch`. */
export type PlatformOf<Guard> = Guard extends (c: never, ...platform: infer Platform) => unknown ? Platform : [];

/** What both ask for, position by position. A list of unknown length asks for nothing. */
export type MergePlatforms<A, B> = A extends readonly [infer X, ...infer Xs]
  ? B extends readonly [infer Y, ...infer Ys] ? [X & Y, ...MergePlatforms<Xs, Ys>] : A
  : B extends readonly [unknown, ...unknown[]] ? B
  : [];

/** `Base` with the keys of `Over` added or replaced. Where `Over` is a union, so is the result. */
export type Merge<Base extends object, Over extends object> = [Over] extends [never] ? Base
  : Over extends unknown ? keyof Over extends never ? Base
    : keyof Base extends never ? Over
    : Simplify<Omit<Base, keyof Over> & Over>
  : never;

/** What satisfies both, as one plain object type. */
export type Both<A extends object, B extends object> = A extends B ? A : B extends A ? B : Simplify<A & B>;

/** An intersection, written out as one object type. */
export type Simplify<T> = { [Key in keyof T]: T[Key] };
