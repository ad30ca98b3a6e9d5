/**
 * A value, or the promise of one. What can be had at once is had at once: a route that awaits nothing answers without a
 * promise, which is what makes it fast.
 */
export type Eventual<T> = T | Promise<T>;

/** Whether `value` has to be awaited: a promise, or anything else with a `then`. */
export function isPromise<T>(value: Eventual<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** `next(value)`: at once, or as soon as the promise is fulfilled. */
export function after<T, R>(value: Eventual<T>, next: (value: T) => Eventual<R>): Eventual<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
