/**
 * What the compiler knows of a list of guards: what it needs, what it adds, and whether each guard fits in its place. Types
 * only. One fold answers all of it, so that a route costs the same however many others there are.
 */

import type { Context, NoLocals } from "./context.ts";
import type { DenyOrValid, GuardResult } from "./guard.ts";
import type { MergePlatforms } from "./platform.ts";

/**
 * What `guards` accepts. The list is inferred as a tuple. An inline guard sees the params, the input and the locals of its
 * scope; every guard is checked against the locals that are added before it.
 *
 * A guard returned by a generic function must be assigned to a `const` first: inline, its type is inferred too late and is
 * not checked.
 *
 * @typeParam Guards The list.
 * @typeParam Inline What inline guards look like, position by position.
 * @typeParam Folded The result of the fold over the list.
 */
export type GuardList<Guards, Inline, Folded extends Fold> = (Guards | Inline) & Folded["misfit"];

/**
 * Contextual types for inline guards. Behind a guard that lets only valid input pass, `c.input` is the valid case. The first
 * three guards are inferred one by one, since the type of a later inline guard depends on them.
 */
export type InlineGuards<C, First, Second, Third> = readonly [
  First | InlineGuard<C>,
  Second | InlineGuard<ContextBehind<First, C>>,
  Third | InlineGuard<ContextBehind<Second, ContextBehind<First, C>>>,
  ...InlineGuard<ContextBehind<Third, ContextBehind<Second, ContextBehind<First, C>>>>[],
];

/** The context behind a guard: the input is valid if every allowing result has `valid: true`. */
export type ContextBehind<Guard, C> = Guard extends (...args: never[]) => DenyOrValid | Promise<DenyOrValid>
  ? C extends Context<infer Locals, infer Params, infer Outcome>
    ? Context<Locals, Params, Extract<Outcome, { readonly ok: true }>>
  : never
  : C;

/** Contextual type for an inline guard. */
export type InlineGuard<C> = (c: C, ...platform: readonly unknown[]) => GuardResult | Promise<GuardResult>;

/** The type that a guard given this context has to have. */
export type ExpectedGuard<C> = (c: C, ...platform: never[]) => GuardResult | Promise<GuardResult>;

/** What a list of guards comes to. */
export interface Fold {
  /** The locals that `onRequest` has to provide: what a guard reads and none before has added. */
  readonly needs: object;
  /** The locals that the guards add; later keys override. */
  readonly added: object;
  /** What has to follow the request in `app.fetch`. */
  readonly platform: readonly unknown[];
  /** The outcome of validation behind the list. */
  readonly outcome: unknown;
  /** Nothing if each guard fits in its place; else what the list should have been, for the compiler to report. */
  readonly misfit: unknown;
}

/** Folds over a list of guards. */
export type FoldGuards<
  Guards,
  Needs extends object,
  Added extends object,
  Platform extends readonly unknown[],
  Params,
  Outcome,
  Before extends readonly unknown[] = [],
> = Guards extends readonly [infer Guard, ...infer Rest]
  ? [Guard] extends [(c: infer C, ...platform: infer Handed) => infer Result]
    ? NeedsWith<C, Needs, Added> extends infer NextNeeds extends object
      ? [Context<Merge<NextNeeds, Added>, Params, Outcome>, Result] extends [C, GuardResult | Promise<GuardResult>]
        ? FoldGuards<
          Rest,
          NextNeeds,
          Merge<Added, AddsOf<Result>>,
          MergePlatforms<Platform, Handed>,
          Params,
          [Result] extends [DenyOrValid | Promise<DenyOrValid>] ? Extract<Outcome, { readonly ok: true }> : Outcome,
          [...Before, unknown]
        >
      : Misfit<Before, Context<Merge<NextNeeds, Added>, Params, Outcome>>
    : never
  : Misfit<Before, Context<Merge<Needs, Added>, Params, Outcome>>
  : Guards extends readonly (infer Guard)[] ? unknown extends Guard ? Fit<Needs, Added, Platform, Outcome>
    : Guards extends readonly [] ? Fit<Needs, Added, Platform, Outcome>
      // A list of unknown length may be empty: it adds nothing for certain, but its needs count.
    : KeepAdded<FoldGuards<readonly [Guard], Needs, Added, Platform, Params, Outcome, Before>, Added, Outcome>
  : Fit<Needs, Added, Platform, Outcome>;

/** A list in which each guard fits. */
export interface Fit<Needs extends object, Added extends object, Platform extends readonly unknown[], Outcome> {
  /** As in {@linkcode Fold}. */
  readonly needs: Needs;
  /** As in {@linkcode Fold}. */
  readonly added: Added;
  /** As in {@linkcode Fold}. */
  readonly platform: Platform;
  /** As in {@linkcode Fold}. */
  readonly outcome: Outcome;
  /** Nothing to report. */
  readonly misfit: unknown;
}

/** A list in which the guard behind those `Before` does not fit: it does not take `C`, or returns no guard result. */
export interface Misfit<Before extends readonly unknown[], C> {
  /** Not known. */
  readonly needs: NoLocals;
  /** Not known. */
  readonly added: NoLocals;
  /** Not known. */
  readonly platform: [];
  /** Not known. */
  readonly outcome: unknown;
  /** What the list should have been. */
  readonly misfit: readonly [...Before, ExpectedGuard<C>, ...unknown[]];
}

/** `Folded`, but nothing more is added or promised. */
export interface KeepAdded<Folded extends Fold, Added extends object, Outcome> extends Fold {
  /** As in {@linkcode Fold}. */
  readonly needs: Folded["needs"];
  /** As in {@linkcode Fold}. */
  readonly added: Added;
  /** As in {@linkcode Fold}. */
  readonly platform: Folded["platform"];
  /** As before the list. */
  readonly outcome: Outcome;
  /** As in {@linkcode Fold}. */
  readonly misfit: Folded["misfit"];
}

/** `Needs`, and what a guard that takes `C` reads of the locals that nobody has added. */
export type NeedsWith<C, Needs extends object, Added extends object> = C extends
  { readonly locals: infer Read extends object } ? Both<Needs, Without<Read, Added>>
  : Needs;

/** The locals that one result of a guard adds; `never` if it denies. */
export type AddsOf<Result> = Result extends { readonly allow: true }
  ? Result extends { readonly locals: infer Locals extends object } ? Locals : NoLocals
  : Result extends Promise<infer Settled> ? AddsOf<Settled>
  : never;

/** `Base` with the keys of `Over` added or replaced. Where either is a union, so is the result. */
export type Merge<Base extends object, Over extends object> = [Over] extends [never] ? Base
  : Over extends unknown ? Base extends unknown ? keyof Over extends never ? Base
      : keyof Base extends never ? Over
      : Simplify<Without<Base, Over> & Over>
    : never
  : never;

/** `Base` without the keys that `Taken` has. */
export type Without<Base extends object, Taken extends object> = keyof Base & keyof Taken extends never ? Base
  : { [Key in keyof Base as Key extends keyof Taken ? never : Key]: Base[Key] };

/** What satisfies both. */
export type Both<A extends object, B extends object> = keyof B extends never ? A
  : keyof A extends never ? B
  : A extends B ? B extends A ? A : Simplify<A & B>
  : Simplify<A & B>;

/** An intersection, written out as one object type. */
export type Simplify<T> = { [Key in keyof T]: T[Key] };
