/** @internal A type after `JSON.stringify` and `JSON.parse`: a `Date` is a string, and what JSON drops is absent. */
export type JsonOf<T> = unknown extends T ? T
  : T extends string | number | boolean | null ? T
  : T extends { toJSON(): infer Json } ? JsonOf<Json>
  : T extends Dropped ? undefined
  // An array, unlike a mapped type of one, is computed only when it is read: a type may contain arrays of itself.
  : T extends readonly unknown[] ? T[number][] extends T ? JsonItem<JsonOf<T[number]>>[]
    : { -readonly [Index in keyof T]: JsonItem<JsonOf<T[Index]>> }
  : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> ? Record<never, never>
  : { -readonly [Key in keyof T as JsonKey<Key, T[Key]>]: JsonOf<Exclude<T[Key], undefined>> } extends infer Plain
    ? undefined extends T[keyof T] ? MaybeAbsent<T, Plain> : Plain
  : never;

/** What JSON drops. A `bigint` throws instead. */
type Dropped = bigint | symbol | undefined | ((...args: never) => unknown);

/** The item of an array. `JSON.stringify` writes `null` for an item that it would drop from an object. */
type JsonItem<Json> = Json extends undefined ? null : Json;

/** The keys that JSON keeps. */
type JsonKey<Key, Value> = Key extends symbol ? never : [Value] extends [Dropped] ? never : Key;

/** `Plain`, with the keys optional whose value in `T` may be `undefined`. */
type MaybeAbsent<T, Plain> =
  & { [Key in keyof Plain as Key extends keyof T ? undefined extends T[Key] ? never : Key : never]: Plain[Key] }
  & {
    [Key in keyof Plain as Key extends keyof T ? undefined extends T[Key] ? Key : never : never]?: Plain[Key];
  } extends infer Merged ? { [Key in keyof Merged]: Merged[Key] } : never;
