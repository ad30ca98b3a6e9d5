/**
 * A value or a promise of it. Synchronous values are never wrapped in a promise: a route without asynchronous work
 * answers synchronously, which makes it fast.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Whether `value` must be awaited: a promise, or any other value with a `then` method. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** Like `value.then(next)`, but calls `next` synchronously if `value` is not a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
