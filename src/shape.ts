/**
 * Checks the values that application code returns, and describes values in error messages. A value that derives from a request
 * is described by its type only, so no error message contains client input.
 */

import { isPromise } from "./eventual.ts";

/** The runtime's `Response`. A constant can be inlined: a check takes 3 ns, with the global 10 ns. */
export const NativeResponse: typeof Response = Response;

/** Whether `value` is a `Response`, of this realm or of another one. An adapter may use its own class. */
export function isResponse(value: unknown): value is Response {
  return value instanceof NativeResponse || ({}).toString.call(value) === "[object Response]";
}

/** Whether `value` is an object to read keys of: not an array, not a `Response`, and not a promise that was not awaited. */
export function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  // Fast path: plain objects.
  return Object.getPrototypeOf(value) === Object.prototype ||
    (!Array.isArray(value) && !isResponse(value) && !isPromise(value));
}

/** The kind of a value, such as `undefined`, `a string`, `an array` or `a Response`. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "an array";
  if (isResponse(value)) return "a Response";
  if (isPromise(value)) return "a promise";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * The error for a value of the wrong shape. The message says what the value must be, then what was received.
 *
 * @param rule The rule that the value breaks.
 * @param received The value.
 * @param place Prefix for the received value, such as "`deny` as ".
 * @param options The cause, if there is one.
 * @returns The error.
 */
export function misshapen(rule: string, received: unknown, place = "", options?: ErrorOptions): TypeError {
  return new TypeError(`${rule}: received ${place}${describeKind(received)}`, options);
}

/** The name of a route in messages, such as `GET "/u/:id"`. */
export function describeRoute(route: { readonly method: string | readonly string[]; readonly path: string }): string {
  return `${[route.method].flat().join("|")} ${JSON.stringify(route.path)}`;
}
