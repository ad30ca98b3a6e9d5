/**
 * Tests of a store, by what a store does.
 *
 * @typeParam Store The store.
 */
export type StoreCases<in Store> = { readonly [name: string]: (store: Store, pass: Pass) => Promise<void> };

/** Lets so many seconds pass for what a store contains. */
export type Pass = (seconds: number) => unknown;

/** Fails a test. */
export function fail(what: string): never {
  throw new Error(`The store ${what}`);
}
