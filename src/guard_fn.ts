/** What a guard is, and what it returns. Types only. */

import type { Context, NoLocals } from "./context.ts";

/**
 * A guard ends the request or lets it continue. Guards run after validation and before the handler, in declared order.
 *
 * @typeParam Needs The locals that the guard reads.
 * @typeParam Adds The locals that the guard adds.
 * @typeParam Platform The extra arguments of `app.fetch` that the guard reads.
 * @typeParam Denial The response that the guard denies with. If it is a `Reply`, routes with `responses` must declare it.
 */
export type GuardFn<
  Needs extends object = NoLocals,
  Adds extends object = NoLocals,
  Platform extends readonly unknown[] = [],
  Denial extends Response = Response,
> = (c: Context<Needs>, ...platform: Platform) => GuardResult<Adds, Denial> | Promise<GuardResult<Adds, Denial>>;

/**
 * What a guard returns: `{ allow: true, locals? }` or `{ deny: Response }`. If it has both, `deny` wins. Anything else is an
 * error: the request does not continue.
 *
 * @typeParam Locals The locals that the guard adds.
 * @typeParam Denial The response that the guard denies with.
 */
export type GuardResult<Locals extends object = NoLocals, Denial extends Response = Response> =
  | Allow<Locals>
  | Deny<Denial>;

/**
 * The result of a guard that lets the request continue. `locals` adds keys to `c.locals` for later guards and the handler.
 * `valid: true` promises that the input is valid.
 *
 * @typeParam Locals The locals that the guard adds.
 */
export type Allow<Locals extends object = NoLocals> = NoLocals extends Locals ? {
    /** Must be exactly `true`. */
    readonly allow: true;
    /** Keys to add to `c.locals`; existing keys are replaced. */
    readonly locals?: Locals;
    /** Promises that the input is valid. Checked at run time: `c.input.ok` must be `true`. */
    readonly valid?: true;
  }
  : {
    /** Must be exactly `true`. */
    readonly allow: true;
    /** Keys to add to `c.locals`; existing keys are replaced. */
    readonly locals: Locals;
    /** Promises that the input is valid. Checked at run time: `c.input.ok` must be `true`. */
    readonly valid?: true;
  };

/**
 * The result of a guard that ends the request.
 *
 * @typeParam Denial The response. If it is a `Reply`, routes that declare `responses` must declare it.
 */
export interface Deny<out Denial extends Response = Response> {
  /** The response to send. Later guards and the handler do not run. */
  readonly deny: Denial;
}

/**
 * Any guard, whatever locals it needs and adds.
 *
 * @internal
 */
export type AnyGuard = (c: never, ...platform: never[]) => GuardResult | Promise<GuardResult>;

/**
 * A guard that lets only valid input pass, such as one made by `denyInvalid`.
 *
 * The type is an intersection with `name`, which every function has. Without it, TypeScript would infer the result of a generic
 * function such as `denyInvalid` too late for the later guards and the handler.
 *
 * @typeParam Locals The locals that the guard reads.
 * @typeParam Denial The response that the guard denies with.
 */
export type ValidInputGuard<Locals extends object = NoLocals, Denial extends Response = Response> =
  & ((c: Context<Locals>) => DenyOrValid<Denial> | Promise<DenyOrValid<Denial>>)
  & { readonly name: string };

/**
 * The results of a guard that lets only valid input pass.
 *
 * @internal
 */
export type DenyOrValid<Denial extends Response = Response> = Deny<Denial> | {
  /** Must be exactly `true`. */
  readonly allow: true;
  /** The input is valid. */
  readonly valid: true;
};

/**
 * The mark of a guard that `beforeBody` returns. The key is a string, not a symbol: two installed copies of the module recognize
 * each other's guards.
 */
export interface BeforeBody {
  /** Marks the guard. */
  readonly "~beforeBody": true;
}

/**
 * `unknown`, or the message for a guard that lets only valid input pass.
 *
 * @internal
 */
export type CheckBeforeBody<Result> = [Extract<Awaited<Result>, { readonly allow: true }>] extends [never] ? unknown
  : [Awaited<Result>] extends [DenyOrValid]
    ? "A guard before the body cannot require valid input: nothing has been validated yet"
  : unknown;
