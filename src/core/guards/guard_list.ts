/**
 * The types of a list of guards: the locals that it adds, and whether each guard fits its position. Types only. They are computed in one recursive type per route, so type-checking stays linear in the number
 * of routes.
 */

import type { Flat, KeysOf, NeverKeys, OptionalKeys, Simplify } from "../values/types.ts";
import type { Named } from "../values/named.ts";
import type { Context, NoLocals } from "./context.ts";
import type { UnmetNeeds } from "./unmet_needs.ts";
import type { BeforeBody, DenyOrValid, GuardResult } from "./guard.ts";
import type { MergeExtras } from "./extra.ts";

/**
 * @internal
 * What `guards` accepts. TypeScript infers the list as a tuple. An inline guard without annotations sees the context
 * before the whole list: the params, the input and the locals of its scope. Each guard is checked against the locals
 * that are added before it.
 *
 * If a generic function returns a guard, put the guard into a `const` first. Inline, TypeScript infers its type too
 * late to check it.
 *
 * @typeParam Guards The list.
 * @typeParam Inline The type that gives inline guards their context.
 * @typeParam Folded The result of the fold over the list.
 */
export type GuardList<Guards, Inline, Folded extends Fold> =
  & (Guards | (readonly Inline[] & NoList))
  & Folded["expected"];

/**
 * Which no list is: an arm of `GuardList` with it gives inline guards their context, and accepts nothing. If a list may
 * be empty, TypeScript would else infer the guards that it may have, and accept the empty list by that arm.
 */
type NoList = { readonly [Message in AbsentGuards]: never };

/** @internal The message for guards that may be absent. */
export type AbsentGuards = "These guards may be absent: write one list, without a condition";

/** @internal The message for guards of type `unknown[]`. */
export type UnknownGuards =
  "What these guards need is not known: give the list the type of its guards, such as GuardFn[]";

/**
 * @internal The list of a route without guards. While TypeScript infers the guards of a route, its items stand for
 * them: so it accepts any object, and it is no list that somebody writes.
 */
export type NoGuards = readonly (object & { readonly "~none"?: never })[];

/**
 * A guard that is written inline.
 *
 * @typeParam Locals The locals before the whole list.
 * @typeParam Params The path parameters.
 * @typeParam Input The input after validation.
 */
export type InlineGuard<Locals, Params, Input> = (
  c: Context<Locals, Params, Input>,
  ...extra: readonly unknown[]
) => GuardReturns["any"];

/**
 * @internal What guards return. Properties of an interface: TypeScript instantiates a union with `Promise` that stands in a type
 * alias anew for each route.
 */
interface GuardReturns {
  /** Any guard. */
  readonly any: GuardResult<NoLocals, Response> | Promise<GuardResult<NoLocals, Response>>;
  /** A guard that lets only valid input pass. */
  readonly valid: DenyOrValid<Response> | Promise<DenyOrValid<Response>>;
}

/**
 * The type that a guard must have to accept this context. If it does not return the result of a guard, it is the
 * message.
 */
type ExpectedGuard<C, Result> = [Result] extends [GuardReturns["any"]]
  ? [StrayKeys<Result>] extends [never] ? (c: C, ...extra: never[]) => GuardReturns["any"]
  : "then" extends StrayKeys<Result> ? "A guard must await the promise whose result it reads"
  : `A guard's result has no key "${
    & Exclude<
      StrayKeys<Result>,
      "allow" | "deny" | "headers" | "locals" | "valid"
    >
    & string}": it may have allow, headers, locals and valid, or deny`
  : "A guard must return allow(), allow(locals) or deny(response), or a promise of it";

/** @internal The result of the fold over a list of guards. */
export interface Fold<
  Added extends object = object,
  Extra extends readonly unknown[] = readonly unknown[],
  Input = unknown,
  Expected = unknown,
> {
  /** The locals that the guards add; later keys override. */
  readonly added: Added;
  /** The extra arguments that `app.fetch` must receive after the request. */
  readonly extra: Extra;
  /** The input after validation, as it is after the list. */
  readonly input: Input;
  /** `unknown` if each guard fits its position; else the expected list, which the compiler reports. */
  readonly expected: Expected;
}

/** @internal Folds over a list of guards. `Locals` are those before the list. */
export type FoldGuards<
  Guards,
  Locals extends object,
  Added extends object,
  Extra extends readonly unknown[],
  Params,
  Input,
  Before extends readonly unknown[] = [],
> = Guards extends readonly [infer Guard, ...infer Rest]
  ? [Guard] extends [(c: infer C, ...extra: infer GuardExtra) => infer Result] ? [
      Context<Merge<Locals, Added>, Params, Input>,
      Result,
      StrayKeys<Result> | UnmetByGuard<C, Merge<Locals, Added>>,
    ] extends [C, GuardReturns["any"], never] ? FoldGuards<
        Rest,
        Locals,
        Merge<Added, AddsOf<Result>>,
        // Of a union of guards, TypeScript infers an intersection of their tuples, which may be `never`.
        [readonly [], GuardExtra] extends [GuardExtra, readonly []] ? Extra : MergeExtras<Extra, ExtraOfGuard<Guard>>,
        Params,
        [Result] extends [GuardReturns["valid"]] ? Extract<Input, { readonly ok: true }> : Input,
        [...Before, unknown]
      >
    : FoldMisfit<
      FoldGuards<Rest, Locals, Merge<Added, AddsOf<Result>>, Extra, Params, Input>,
      Before,
      GuardMessage<C, Merge<Locals, Added>, Rest, ExpectedGuard<Context<Merge<Locals, Added>, Params, Input>, Result>>
    >
  : Misfit<Before, ExpectedGuard<Context<Merge<Locals, Added>, Params, Input>, never>>
  : Guards extends readonly (infer Guard)[] ? Guards extends readonly [] ? Fold<Added, Extra, Input>
    : "~none" extends keyof Guard ? Fold<Added, Extra, Input>
    : Guards extends readonly [...infer Front, infer Last]
      ? unknown extends Front[number] ? Misfit<Before, UnknownGuards>
      : FoldGuards<Front, Locals, Added, Extra, Params, Input, Before> extends
        Fold<infer AllAdded, infer AllExtra, infer AllInput, infer Expected>
        ? unknown extends Expected ? FoldGuards<readonly [Last], Locals, AllAdded, AllExtra, Params, AllInput>
        : Fold<AllAdded, AllExtra, AllInput, Expected>
      : never
      // Of the whole list, the message stands among the options: here, TypeScript would print the type of an inline guard.
    : unknown extends Guard ? Before extends readonly [] ? Fold<Added, Extra, Input> : Misfit<Before, UnknownGuards>
      // A non-tuple list may be empty, so its guards may add locals or not.
    : FoldGuards<readonly [Guard], Locals, Added, Extra, Params, Input, Before> extends
      Fold<infer AllAdded, infer AllExtra, unknown, infer Expected> ? Fold<
        Added | AllAdded,
        AllExtra,
        Input,
        ExpectedInAnyOrder<Guard, Before, Expected>
      >
    : never
  : Fold<Added, Extra, Input>;

/**
 * The fold over a list in which the guard after those in `Before` does not fit. The guards after it are folded, too, so
 * that the handler is not reported as well.
 */
type FoldMisfit<Folded extends Fold, Before extends readonly unknown[], Message> = Fold<
  Folded["added"],
  Folded["extra"],
  Folded["input"],
  readonly [...Before, Message, ...unknown[]]
>;

/**
 * What is expected of a list of which TypeScript does not know the order: `as const`, if a guard of the list reads what
 * another one adds.
 */
type ExpectedInAnyOrder<Guard, Before extends readonly unknown[], Expected> = unknown extends Expected ? Expected
  : [NamesReadBy<Guard> & NamesAddedBy<readonly Guard[]>] extends [never] ? Expected
  : readonly [...Before, "Write as const after the list: its guards have no order", ...unknown[]];

/** The names of the locals that the guards of a union read. */
type NamesReadBy<Guard> = Guard extends (c: infer C, ...extra: never[]) => unknown ? UnmetByGuard<C, NoLocals> : never;

/** The names of the locals that a guard of context `C` reads and that are not there, or have another type. */
type UnmetByGuard<C, Locals> = C extends { readonly locals: infer Read } ? UnmetNeeds<Read, Locals> : never;

/** The message for a guard that does not fit: for a local that it reads, or, if all of these are there, `Otherwise`. */
type GuardMessage<C, Locals, Rest, Otherwise> = [UnmetByGuard<C, Locals>] extends [infer Name extends string]
  ? [Name] extends [never] ? Otherwise : LocalMessage<Name, Locals, NamesAddedBy<Rest>>
  : Otherwise;

/** The message for a local. */
type LocalMessage<Name extends string, Locals, AddedLater> = Name extends keyof Locals
  ? `The local "${Name}" has another type than this guard reads`
  : Name extends AddedLater ? `The guard that adds the local "${Name}" must come before this one`
  : `No guard before this one adds the local "${Name}". If onRequest returns it, use route.with<{ ${Name}: … }>()`;

/** The names of the locals that the guards of a list add. */
type NamesAddedBy<Guards> = Guards extends readonly (infer Guard)[]
  ? Guard extends (c: never, ...extra: never[]) => infer Result ? KeysOf<AddsOf<Result>> : never
  : never;

/** The extra arguments of each of a union of guards, such as `isTest ? mock : real`. */
type ExtraOfGuard<Guard> = Guard extends (c: never, ...extra: infer Extra) => unknown
  ? number extends Extra["length"] ? [] : Extra
  : never;

/** A list in which the guard after those in `Before` does not fit. What it adds is not known. */
type Misfit<Before extends readonly unknown[], Guard> = Fold<
  NoLocals,
  [],
  unknown,
  readonly [...Before, Guard, ...unknown[]]
>;

/** @internal A guard without the mark of `beforeBody`. If all guards of a list are such, there is no order to check. */
export interface Unmarked {
  /** The guard. */
  (...args: never): unknown;
  /** No mark. */
  readonly "~beforeBody"?: never;
}

/** @internal The result of the fold over a list that has marked guards: they must come first. */
export type FoldMarked<Guards, Folded> = [LateMarks<Guards>] extends [never] ? Folded
  : Folded extends Fold<infer Added, infer Extra, infer Input, infer Expected>
    ? Fold<Added, Extra, Input, Expected & LateMarks<Guards>>
  : never;

/** The expected list if a marked guard comes after one without the mark, else `never`. */
type LateMarks<Guards, Before extends readonly unknown[] = []> = Guards extends readonly [infer Guard, ...infer Rest]
  ? Guard extends BeforeBody ? LateMarks<Rest, [...Before, unknown]>
  : Rest extends readonly Unmarked[] ? never
  : readonly [...Before, unknown, ...UnmarkedIn<Rest>]
  : never;

/** The list, with a message in the place of each marked guard. */
type UnmarkedIn<Guards> = {
  readonly [Key in keyof Guards]: Guards[Key] extends BeforeBody
    ? "Put guards with beforeBody first: those without it run after the body is read"
    : unknown;
};

/**
 * All keys of a guard's result if one of them is unknown, else `never`. Written without `Exclude`, which TypeScript
 * checks more slowly.
 */
type StrayKeys<Result> = Result extends Promise<infer Settled>
  ? keyof Result extends keyof Promise<unknown> ? StrayKeys<Settled> : unknown extends Result ? never : keyof Result
  : keyof Result extends "allow" | "deny" | "headers" | "locals" | "valid" ? never
  : unknown extends Result ? never
  : keyof Result;

/** The locals that one result of a guard adds; `never` if it denies. */
export type AddsOf<Result> = Result extends { readonly deny: Response } ? never
  : Result extends { readonly allow: true; readonly locals: infer Locals extends object }
    ? number extends keyof Locals ? PossibleKeys<Locals> : NoLocals extends Locals ? PossibleKeys<Locals> : Locals
  : Result extends Promise<infer Settled> ? AddsOf<Settled>
  // They may be absent.
  : Result extends { readonly allow: true; readonly locals?: infer Locals extends object }
    ? NoLocals extends Locals ? Locals : NoLocals | Locals
  : Result extends { readonly allow: true } ? NoLocals
  : never;

/** Locals of which any key may be there: one that is not known by its name may be absent. */
type PossibleKeys<Locals> = {
  [Key in keyof Locals]: NoLocals extends Record<Key, unknown> ? Locals[Key] | undefined : Locals[Key];
};

/** @internal `Base` with the keys of `Over` added or replaced. If either is a union, so is the result. */
export type Merge<Base extends object, Over extends object> = [Over] extends [never] ? Base
  : Over extends unknown ? Base extends unknown ? keyof Over extends never ? Base
      : keyof Base extends never ? Over
      : keyof Base & keyof Over extends never ? Flat<Base & Over>
      : Overlay<Base, Over>
    : never
  : never;

/**
 * `Base` under `Over`, where they have keys in common. A key that is optional in `Over` may keep the value of `Base`.
 */
type Overlay<Base extends object, Over extends object> = Flat<
  & Without<Base, Over>
  & { [Key in keyof Over as Key extends keyof Base & OptionalKeys<Over> ? never : Key]: Over[Key] }
  & {
    [Key in keyof Base as Key extends OptionalKeys<Over> ? Key : never]: Base[Key] | Required<Over>[Key & keyof Over];
  }
>;

/** `Base` without the keys that `Taken` has. */
type Without<Base extends object, Taken extends object> = keyof Base & keyof Taken extends never ? Base
  : { [Key in keyof Base as Key extends keyof Taken ? never : Key]: Base[Key] };

/**
 * @internal The intersection of two needs, as one object type. If no value meets both, it is a need with a message,
 * which nothing provides: `never` would pass for no needs.
 */
export type NeedBoth<A extends object, B extends object> = [A & B] extends [never]
  ? NeedsExcludeEachOther<keyof A & keyof B>
  : [NeverKeys<A & B>] extends [never] ? Simplify<A & B>
  : NeedsExcludeEachOther<NeverKeys<A & B>>;

/** @internal A need that nothing provides. */
export type NeedsExcludeEachOther<Key> = {
  readonly [
    Message in [Key & string] extends [never] ? "No value fits all needed types"
      : `No value of "${Named<Key & string>}" fits what both scopes promise`
  ]: never;
};
