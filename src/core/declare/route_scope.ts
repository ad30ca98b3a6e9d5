/** What a scope adds to the types of its routes. Types only. */

import type { AcceptedByAll, KeysOf } from "../values/types.ts";
import type { NoLocals } from "../guards/context.ts";
import type { Fold, FoldGuards, FoldMarked, Merge, Unmarked } from "../guards/guard_list.ts";
import type { UnmetNeeds } from "../guards/unmet_needs.ts";
import type { AnyInput, Input } from "../input/input.ts";
import type { InputWith, JoinRequests } from "../input/scope_schemas.ts";
import type { NoSchemas } from "../input/request_schemas.ts";
import type { PathParams } from "../routing/pattern.ts";

/** The types that a scope gives to all its routes. */
export interface Scope {
  /** The prefix of each path. */
  readonly prefix: string;
  /** The locals that `onRequest` must provide: those of `route.with<Locals>()`. */
  readonly needs: object;
  /** The locals that the guards of the scope add. */
  readonly added: object;
  /** The extra arguments of `app.fetch` that the guards of the scope require. */
  readonly extra: readonly unknown[];
  /** Whether the guards of the scope let only valid input pass. */
  readonly valid: boolean;
  /** The schemas of the scope; `never` if it has none. */
  readonly request: object;
  /** The schemas whose outputs the guards of the scope read; `never` if there are none. */
  readonly promised: object;
  /** The responses of the scope; `never` if it has none. */
  readonly responses: object;
  /** The answers that the guards of the scope deny with by a `reply`. */
  readonly denied: unknown;
}

/** The scope of `route` itself. */
export interface RootScope extends Scope {
  /** None. */
  readonly prefix: "";
  /** None. */
  readonly needs: NoLocals;
  /** None. */
  readonly added: NoLocals;
  /** None. */
  readonly extra: [];
  /** No guards, so the input may be invalid. */
  readonly valid: false;
  /** None. */
  readonly request: never;
  /** None. */
  readonly promised: never;
  /** None. */
  readonly responses: never;
  /** None. */
  readonly denied: never;
}

/** @internal The extra arguments of a handler that does not annotate them; of unknown length if the scope has none. */
export type ExtraInScope<InScope extends Scope> = InScope["extra"] extends readonly [] ? readonly unknown[]
  : InScope["extra"];

/** @internal The result of the fold over the guards of a scope and of a route in it. */
export type FoldInScope<InScope extends Scope, Path extends string, Guards, RouteInput> = [Guards] extends [never]
  ? Fold<InScope["added"], InScope["extra"], InputInScope<InScope, RouteInput>>
  : Guards extends readonly Unmarked[] ? FoldOwn<InScope, Path, Guards, RouteInput>
  : FoldMarked<Guards, FoldOwn<InScope, Path, Guards, RouteInput>>;

/** The guards of a route, folded after those of the scope. */
type FoldOwn<InScope extends Scope, Path extends string, Guards, RouteInput> = FoldGuards<
  Guards,
  InScope["needs"],
  InScope["added"],
  InScope["extra"],
  ParamsInScope<InScope, Path>,
  InputInScope<InScope, RouteInput>
>;

/**
 * The locals, or, if there are none, a type whose name says what to do: TypeScript prints it where a handler or an
 * inline guard reads one.
 */
type HintedLocals<Locals extends object, Then extends string> = keyof Locals extends never
  // A union has no common keys either.
  ? [KeysOf<Locals>] extends [never] ? NoLocalsUntil<Then> : Locals
  : Locals;

/**
 * No locals.
 *
 * @typeParam Then What provides locals.
 */
// A mapped type, since an interface would not fit `Record<string, unknown>`.
type NoLocalsUntil<Then extends string> = { readonly [Key in Then as never]: unknown };

/** @internal The locals of a handler. */
export type HandlerLocals<InScope extends Scope, Folded extends Fold> = HintedLocals<
  Merge<InScope["needs"], Folded["added"]>,
  "a guard adds them; put guards that a call returns into constants"
>;

/** @internal The locals of a guard that is written inline: as before the whole list, of a route or of a scope. */
export type LocalsBefore<InScope extends Scope> = HintedLocals<
  Merge<InScope["needs"], InScope["added"]>,
  "the parameter is annotated: (c: Context<{ user: User }>) => …"
>;

/**
 * @internal The input after validation, of a route with these schemas. In `resolve: within(1000, (c) => …)`, TypeScript
 * first infers an absent option as `never`. There, `never` means that there are no schemas or no guards.
 */
export type InputFor<InScope extends Scope, Schemas> = [InScope["request"]] extends [never]
  ? [Schemas] extends [never] ? Input<NoSchemas> : Input<NoInfer<Schemas>>
  : Input<JoinRequests<InScope["request"], NoInfer<Schemas>>>;

/** @internal The input after validation, for the guards of a scope with these schemas: routes may have more of them. */
export type InputOfScope<InScope extends Scope, Schemas> = [InScope["request"] | NoInfer<Schemas>] extends [never]
  ? AnyInput
  : InputWith<JoinRequests<InScope["request"], NoInfer<Schemas>>>;

/**
 * @internal The input after validation, for the first guard of a route: valid input only if the guards of the scope
 * guarantee it.
 */
export type InputInScope<InScope extends Scope, RouteInput> = InScope["valid"] extends true
  ? Extract<RouteInput, { readonly ok: true }>
  : RouteInput;

/** @internal The path parameters of a path, including those in the prefix of its scope. */
export type ParamsInScope<InScope extends Scope, Path extends string> = PathParams<
  NoInfer<`${InScope["prefix"]}${Path}`>
>;

/** @internal What the type of an endpoint says about the locals that its routes need. Nothing if there are none. */
export type Demand<Needs extends object> = NoLocals extends Needs ? unknown : {
  /** Type-only, absent at run time: the locals that a route of the endpoint needs. */
  readonly "~needs"?: (locals: Needs) => void;
};

/** @internal Locals that are there: for `unknown`, neither `undefined` nor `null` will do. */
export type Present<Locals extends object> = {
  [Key in keyof Locals]: unknown extends Locals[Key] ? NonNullable<unknown> : Locals[Key];
};

/** @internal The names of the locals that an endpoint, or one of a union of endpoints, demands and that are not there. */
export type UnmetDemands<E, Locals> = KeysOf<E> & "~needs" extends never ? never : UnmetNeeds<DemandsOf<E>, Locals>;

/** The locals that an endpoint, or each of a union of endpoints, needs. */
type DemandsOf<E> = AcceptedByAll<
  E extends { readonly "~needs"?: (locals: infer Needs extends object) => void } ? (needs: Needs) => void
    : (needs: NoLocals) => void
>;
