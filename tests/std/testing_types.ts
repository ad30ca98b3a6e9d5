/** The two of `@std/testing/types` that the tests use, for networks that reach npm and no JSR. */

/** Whether two types are the same, and neither is `any` beside another. */
export type IsExact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** Fails to compile unless `Expectation` is `true`. */
export function assertType<Expectation extends true>(_expectation: Expectation): void {}
