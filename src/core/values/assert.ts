/**
 * Checks the values that application code gives to the framework, and describes values in error messages. A value that
 * derives from a request is described by its type only, so no error message contains client input.
 */

import { isPromise } from "./maybe_promise.ts";

/** Whether `value` is a `Response`, of this realm or of another one. An adapter may use its own class. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || ({}).toString.call(value) === "[object Response]";
}

/**
 * Whether `value` is an object to read keys of: not an array, not a `Response`, and not a promise that was not awaited.
 */
export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null &&
    // Fast path: plain objects. `Object.getPrototypeOf` takes 30 to 50 ns more on V8.
    (value.constructor === Object || !(Array.isArray(value) || isResponse(value) || isPromise(value)));
}

/**
 * Whether `value` is a record without a class, of this realm or of another: `{ a: 1 }` or `Object.create(null)`. Only
 * such an object can be merged by own keys: an instance would lose its getters and methods.
 */
export function isPlain(value: unknown): value is object {
  return isRecord(value) &&
    (value.constructor === Object || !Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype));
}

/**
 * Rejects a denial in place of locals: `allow(deny(response))` must not let everybody in.
 *
 * @param locals The locals. No client can send a response, so its input may be under `deny`.
 * @returns The locals.
 * @throws If they are what `deny` returns.
 */
export function requireNoDenial<Locals extends { readonly deny?: unknown } | undefined>(locals: Locals): Locals {
  // The comparison first: most locals have no such key, and `isResponse` takes 10 ns.
  if (locals?.deny && isResponse(locals.deny)) {
    throw new TypeError("Locals must not be { deny: Response }: let a guard return the denial itself");
  }
  return locals;
}

/** What messages say of locals that are not a plain object. */
export function describeLocals(locals: unknown): string {
  return isRecord(locals) ? "an instance of a class: put it under a key, as in { user }" : describeKind(locals);
}

/** Whether `value` can be a schema, or a part of one: an object, or a function as ArkType's schemas are. */
export function hasProperties(value: unknown): value is { readonly [key: string]: unknown } {
  return (typeof value === "object" && value !== null) || typeof value === "function";
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
 * @param prefix Text for the message, before the received value, such as "`deny` as ".
 * @param options The cause, if there is one.
 * @returns The error.
 */
export function typeError(rule: string, received: unknown, prefix = "", options?: ErrorOptions): TypeError {
  return new TypeError(`${rule}: received ${prefix}${describeKind(received)}`, options);
}

/** The name of a route in messages, such as `GET "/u/:id"`. */
export function describeRoute(route: { readonly method: string | readonly string[]; readonly path: string }): string {
  return `${route.method} ${JSON.stringify(route.path)}`;
}

/**
 * Rejects an option of the wrong shape. All messages have the same wording.
 *
 * @param holds Whether the option has the right shape.
 * @param name The option as messages name it: `Option guards of route GET "/"`.
 * @param expected What the option must be.
 * @param received The value of the option.
 * @throws If `holds` is false.
 */
export function requireThat(holds: boolean, name: string, expected: string, received: unknown): asserts holds {
  if (!holds) throw typeError(`${name} must be ${expected}`, received);
}

/**
 * Rejects what is not a validator.
 *
 * @param name The option as messages name it: `Option validator`.
 * @param value The value of the option.
 * @throws If it has no function `validate`.
 */
export function requireValidator(name: string, value: unknown): void {
  const expected = "a validator, such as standardSchema of @fw/core/standard-schema";
  requireThat(typeof Object(value).validate === "function", name, expected, value);
}

/**
 * Rejects options that are not an object, or have an unknown key: a misspelt `guards` must not serve an unguarded
 * route. Also rejects an explicit `undefined` for a required key, as an import cycle produces: a missing schema or
 * guard must not be ignored.
 *
 * @param options The options.
 * @param owner The owner of the options, as messages name it: `route GET "/"`.
 * @param defined The allowed keys whose value must not be `undefined`.
 * @param others The other allowed keys.
 * @param example What messages say after "an object", such as an example.
 * @param pattern Also allows the keys that it matches.
 * @throws If the options are rejected. The message names the key. For an unknown key, it also names the known key with
 * a similar name, or, if there is none, all known keys.
 */
export function requireOptions(
  options: unknown,
  owner: string,
  defined: readonly string[],
  others: readonly string[],
  example = "",
  pattern: RegExp = STREAM,
): asserts options is object {
  requireThat(isRecord(options), `Options of ${owner}`, `an object${example}`, options);
  // Not `Object.entries`: its pairs are the most of what a declaration allocates.
  for (const key of Object.keys(options)) {
    const isDefined = defined.includes(key);
    if (isDefined ? options[key as never] !== undefined : others.includes(key) || pattern.test(key)) continue;
    const known = [...defined, ...others];
    const near = known.find((name) => isNear(key.toLowerCase(), name.toLowerCase(), name.length / 3));
    const hint = near === undefined ? `the options are ${known.join(", ")}` : `did you mean ${near}?`;
    throw new TypeError(`Option "${key}" of ${owner} is ${isDefined ? `undefined${CYCLE}` : `unknown: ${hint}`}`);
  }
}

/**
 * Rejects what is not a function. `undefined` often is the work of an import cycle, which the message says.
 *
 * @param name The function as messages name it: `Handler (resolve) of route GET "/"`.
 * @param value The value.
 * @returns The value.
 * @throws If it is not a function.
 */
export function requireFunction(name: string, value: unknown): UntypedFunction {
  if (typeof value === "function") return value as UntypedFunction;
  throw new TypeError(`${name} must be a function: received ${describeKind(value)}${value === undefined ? CYCLE : ""}`);
}

/** Deliberately loose: the compiler checked the argument types where the function was declared. */
type UntypedFunction = (...args: readonly unknown[]) => unknown;

/** What to do about a value that is `undefined`. */
const CYCLE = ". If you import it, break the import cycle";

/** What `events` and `lines` set, beside the keys that messages list. */
const STREAM = /^~stream$/;

/** Whether `a` becomes `b` if at most this many letters are added, removed or replaced. */
function isNear(a: string, b: string, edits: number): boolean {
  return a === b || (a[0] === b[0] ? isNear(a.slice(1), b.slice(1), edits) : edits >= 1 &&
    (isNear(a.slice(1), b.slice(1), edits - 1) || isNear(a.slice(1), b, edits - 1) ||
      isNear(a, b.slice(1), edits - 1)));
}
