/** Helpers for types. Types only. */

/** The keys of all members of a union. */
export type KeysOf<T> = T extends unknown ? keyof T : never;

/** The keys whose values are of type `never`. */
export type NeverKeys<T> = { [Key in keyof T]-?: [T[Key]] extends [never] ? Key : never }[keyof T];

/** Any function. */
export type AnyFunction = (...args: never) => unknown;

/** @internal The keys that may be absent. */
export type OptionalKeys<T> = { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? Key : never }[keyof T];

/** @internal An intersection, written out as one object type. */
export type Flat<T> = { [Key in keyof T]: T[Key] };

/**
 * @internal As {@linkcode Flat}, for what declaration files of users name: they would name the alias of a mapped type,
 * which is not public. It costs more.
 */
export type Simplify<T> = T extends infer Each ? { [Key in keyof Each]: Each[Key] } : never;

/**
 * @internal What each function of a union accepts: the intersection of their arguments. A type that shall not be taken
 * apart, if it is a union itself, stands in a function for this.
 */
export type AcceptedByAll<Functions> = [Functions] extends [(each: infer All) => void] ? All : never;
