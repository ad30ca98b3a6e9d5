/**
 * A value, or the promise of one. What can be had at once is had at once: a route that awaits nothing answers without a
 * promise, which is what makes it fast.
 */
export type Eventual<T> = T | Promise<T>;

/** Whether `value` has to be awaited: a promise, or anything else with a `then`. */
export function isPromise<T>(value: Eventual<T>): value is Promise<T> {
  return value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value && typeof value.then === "function");
}

/** `next(value)`: at once, or as soon as the promise is fulfilled. */
export function after<T, R>(value: Eventual<T>, next: (value: T) => Eventual<R>): Eventual<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** `action()`; the error that it throws, or that its promise is rejected with, goes to `rescue`. */
export function attempt<T>(action: () => Eventual<T>, rescue: (error: unknown) => Eventual<T>): Eventual<T> {
  let result: Eventual<T>;
  try {
    result = action();
  } catch (error) {
    return rescue(error);
  }
  return isPromise(result) ? result.then(undefined, rescue) : result;
}
