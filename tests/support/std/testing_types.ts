/** The two types of `@std/testing/types` that the tests use, for networks that reach npm but not JSR. */

/** Whether two types are identical. `any` is identical only to `any`. */
export type IsExact<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** Fails to compile unless `Expectation` is `true`. */
export function assertType<Expectation extends true>(_expectation: Expectation): void {}
