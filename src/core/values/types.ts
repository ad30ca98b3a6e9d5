/** Helpers for types. Types only. */

/** The keys of all members of a union. */
export type KeysOf<T> = T extends unknown ? keyof T : never;

/** The keys whose values are of type `never`. */
export type NeverKeys<T> = { [Key in keyof T]-?: [T[Key]] extends [never] ? Key : never }[keyof T];

/** Any function. */
export type AnyFunction = (...args: never) => unknown;
