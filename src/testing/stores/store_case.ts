/**
 * Tests of a store, named after what a store does.
 *
 * @typeParam Store The store.
 */
export type StoreCases<in Store> = { readonly [name: string]: (store: Store, pass: Pass) => Promise<void> };

/** Lets this many seconds pass for the contents of a store. */
export type Pass = (seconds: number) => unknown;

/** Fails a test. */
export function fail(what: string): never {
  throw new Error(`The store ${what}`);
}
