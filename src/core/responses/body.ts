/** Which bodies fit a declared response: values, and keys. Types only. */

import type { AnyFunction, Flat } from "../values/types.ts";

/**
 * @internal What `reply` takes as the body where `Declared` is declared. An array may be read-only, since a body is
 * only serialized. A key of `Body` that the schema lacks has the message of the compiler as its type. If a body does
 * not fit anyway, it is left to the compiler, whose messages are better.
 */
export type ExactBody<Body, Declared> = [Declared] extends [readonly unknown[]] ? ExactNested<Body, Declared>
  // Fast path: most bodies are flat, and of a type that has no hidden members.
  : [KeysIn<Body>, Declared[keyof Declared], Flat<Body>] extends [keyof Declared, Leaf, Body] ? Declared
  : ExactNested<Body, Declared>;

/** What `reply` takes as the body where `Declared` has arrays or objects, or where `Body` has other keys. */
type ExactNested<Body, Declared> = [Body] extends [ReadonlyArraysIn<Declared>] ? WithoutOtherKeys<Body, Declared>
  : [Extract<Body, PromiseLike<unknown>>] extends [never]
    ? [OtherKeysIn<Body, Declared>] extends [never] ? ReadonlyArraysIn<Declared>
      // The type of a literal in a ternary is wider here, and TypeScript compares it again, as a literal.
    : [Body] extends [WithWiderLiterals<Declared>] ? WithoutOtherKeys<Body, Declared>
    : ReadonlyArraysIn<Declared>
  : NotAwaited;

/** The message for a body that is a promise. */
type NotAwaited = "The body is a promise: write await before it";

/** `Declared`, with a message as the type of each key that `Body` has beyond it, level by level. */
type WithoutOtherKeys<Body, Declared> = Declared extends Leaf ? Declared
  // `unknown`, `object` and `{}` accept all keys.
  : [keyof Declared] extends [never] ? Declared
  : [UnsafeInstance<Body, Declared>] extends [never] ? WithoutOtherKeysIn<Exclude<Body, WithToJson>, Declared>
  : UnsafeInstance<Body, Declared>;

/** {@linkcode WithoutOtherKeys} for a list or an object. */
type WithoutOtherKeysIn<Body, Declared> = Declared extends readonly unknown[]
  ? Declared[number][] extends Declared ? readonly WithoutOtherKeys<ItemsIn<Body>, Declared[number]>[]
  : { readonly [Key in keyof Declared]: WithoutOtherKeys<ItemsIn<Body>, Declared[Key]> }
  :
    & { readonly [Key in keyof Declared]: WithoutOtherKeys<ValuesIn<Body, Key>, Declared[Key]> }
    & {
      readonly [Key in Exclude<KeysIn<Body>, keyof Declared | symbol>]?:
        | (Key extends "toJSON" ? never : Extract<ValuesIn<Body, Key>, Unsent>)
        | `The schema has no key "${Key & (string | number)}": name the keys to send, or add it to the schema`;
    };

/** The message for a body whose JSON is not what its type says; `never` for every other body. */
type UnsafeInstance<Body, Declared> = Body extends Leaf | readonly unknown[] ? never
  : Body extends WithToJson<infer Sent> ? Declared extends WithToJson ? never
    : [Sent] extends [ExactNested<Sent, Declared>] ? never
    : "JSON has what toJSON() of the body returns, and the schema does not describe that: name the keys to send"
  : [HiddenIn<Body>] extends [never] ? never
  : "The body has private members, which JSON contains: name the keys to send";

/**
 * @internal {@linkcode PrivateMember} for a type with private or protected members, which are not among its keys. JSON
 * has them. Of members that are optional, TypeScript says nothing. It is not `Body extends PlainObject`, which is true
 * of an intersection of a class and a plain object.
 */
export type HiddenIn<Body> = Flat<Body> extends Body ? never : PrivateMember;

/** Stands for the names of private members. Its own name is what TypeScript prints. */
interface PrivateMember {
  /** Type-only. */
  readonly "name the keys to send": never;
}

/** A body that says itself what its JSON is. */
interface WithToJson<out Sent = unknown> {
  /** Makes what is sent. */
  toJSON(...args: never): Sent;
}

/** @internal The keys of all members of a union. */
export type KeysIn<Body> = Body extends Leaf ? never : keyof Body;

/** The items of an array. */
type ItemsIn<Body> = Body extends readonly (infer Item)[] ? Item : never;

/** The values of a key in all members of a union. */
type ValuesIn<Body, Key> = Body extends unknown
  ? Key extends keyof Body ? Body[Key] : string extends Key ? Body[keyof Body] : never
  : never;

/**
 * @internal The keys of a body that another body lacks, for a message: those of the outermost object that has such keys,
 * down to the fifth object or array.
 */
export type OtherKeysIn<Body, Other, Levels extends readonly unknown[] = [1, 2, 3, 4, 5]> = Levels extends
  readonly [unknown, ...infer Inner] ? Body extends Leaf ? never
  : unknown extends Other ? never
  : Body extends readonly (infer Item)[] ? OtherKeysIn<Item, ItemsIn<Other>, Inner>
  : Exclude<keyof Body, KeysIn<Other>> extends infer Key
    ? [Key] extends [never]
      ? { [Name in keyof Body]-?: OtherKeysIn<Body[Name], ValuesIn<Other, Name>, Inner> }[keyof Body]
    : Key
  : never
  : never;

/**
 * A type whose arrays may be read-only. Here and below, an array is no mapped type, unless it is a tuple: TypeScript
 * computes a mapped type of an array at once, so a type with arrays of itself, such as JSON, would be too deep.
 */
type ReadonlyArraysIn<T> = unknown extends T ? T
  : T extends Leaf ? T
  : T extends readonly unknown[] ? T[number][] extends T ? readonly ReadonlyArraysIn<T[number]>[]
    : { readonly [Key in keyof T]: ReadonlyArraysIn<T[Key]> }
  : { readonly [Key in keyof T]: ReadonlyArraysIn<T[Key]> };

/** As {@linkcode ReadonlyArraysIn}, with `string` in place of texts that are listed, and so on. */
type WithWiderLiterals<T> = unknown extends T ? T
  : T extends string ? string
  : T extends number ? number
  : T extends Leaf ? T
  : T extends readonly unknown[] ? T[number][] extends T ? readonly WithWiderLiterals<T[number]>[]
    : { readonly [Key in keyof T]: WithWiderLiterals<T[Key]> }
  : { readonly [Key in keyof T]: WithWiderLiterals<T[Key]> };

/** @internal Types without arrays and without keys. */
export type Leaf = string | number | boolean | bigint | symbol | null | undefined | Date | AnyFunction;

/** What `JSON.stringify` leaves out of an object. */
type Unsent = undefined | symbol | AnyFunction;

/**
 * @internal A body in a form that TypeScript compares. A ready `Response` is sent where there is no schema. A promise
 * fits no schema.
 */
export type SentBody<Body> = Body extends Response | PromiseLike<unknown>
  ? Body extends Response ? undefined : { readonly [Message in NotAwaited]: unknown }
  : SentValue<Body>;

/** What JSON is made of, with arrays that may be read-only: of an object with `toJSON`, what that returns. */
type SentValue<T> = unknown extends T ? T
  : T extends Leaf ? T
  : T extends readonly unknown[] ? T[number][] extends T ? readonly SentValue<T[number]>[]
    : { readonly [Key in keyof T]: SentValue<T[Key]> }
  : T extends WithToJson<infer Sent> ? { readonly [Key in keyof Sent]: Sent[Key] }
  : { readonly [Key in keyof T]: SentValue<T[Key]> };

/**
 * @internal The keys of a body, level by level, in a form that TypeScript compares: one body fits another only if its
 * keys are among those of the other. There are three types in turn, and three for the names, since TypeScript compares
 * three levels of one type and accepts the rest, as if the type were recursive.
 */
export type SentKeys<T> = T extends Keyless ? never : T extends Leaf ? "a value"
: T extends WithToJson<infer Sent> ? Sent extends WithToJson ? "a value" : SentKeys2<Sent>
: string extends keyof T
  ? { readonly [name: string]: SentKeys2<T[keyof T]> | AnyNames | undefined; readonly "~keys"?: AnyNames }
: [keyof T] extends [never] ? AnyKeys
: T extends readonly unknown[]
  ? T[number][] extends T ? readonly SentKeys2<T[number]>[] : { readonly [Key in keyof T]: SentKeys2<T[Key]> }
: { readonly [Key in keyof T]?: SentKeys2<T[Key]> } & KeyNames<T>;

/** The second level. */
type SentKeys2<T> = T extends Keyless ? never : T extends Leaf ? "a value"
: T extends WithToJson<infer Sent> ? Sent extends WithToJson ? "a value" : SentKeys3<Sent>
: string extends keyof T
  ? { readonly [name: string]: SentKeys3<T[keyof T]> | AnyNames | undefined; readonly "~keys"?: AnyNames }
: [keyof T] extends [never] ? AnyKeys
: T extends readonly unknown[]
  ? T[number][] extends T ? readonly SentKeys3<T[number]>[] : { readonly [Key in keyof T]: SentKeys3<T[Key]> }
: { readonly [Key in keyof T]?: SentKeys3<T[Key]> } & KeyNames2<T>;

/** The third level. */
type SentKeys3<T> = T extends Keyless ? never : T extends Leaf ? "a value"
: T extends WithToJson<infer Sent> ? Sent extends WithToJson ? "a value" : SentKeys<Sent>
: string extends keyof T
  ? { readonly [name: string]: SentKeys<T[keyof T]> | AnyNames | undefined; readonly "~keys"?: AnyNames }
: [keyof T] extends [never] ? AnyKeys
: T extends readonly unknown[]
  ? T[number][] extends T ? readonly SentKeys<T[number]>[] : { readonly [Key in keyof T]: SentKeys<T[Key]> }
: { readonly [Key in keyof T]?: SentKeys<T[Key]> } & KeyNames3<T>;

/** Types whose keys are not compared. */
type Keyless = null | undefined | Response;

/** Any keys, as of `unknown`. */
type AnyKeys = Record<never, never>;

/**
 * The names of the keys that `JSON.stringify` sends. Not an interface: a record accepts only types with an implicit
 * index signature.
 */
type KeyNames<T> = {
  /** The names. */
  readonly "~keys"?: SentNames<T>;
};

/** As {@linkcode KeyNames}, of the second level. */
type KeyNames2<T> = {
  /** The names. */
  readonly "~keys"?: SentNames<T>;
};

/** As {@linkcode KeyNames}, of the third level. */
type KeyNames3<T> = {
  /** The names. */
  readonly "~keys"?: SentNames<T>;
};

/** The names, in a tuple, since TypeScript would compare them one by one with the members of a union. */
type SentNames<T> = readonly [
  | { [Key in keyof T]-?: Key extends symbol ? never : T[Key] extends Unsent ? Key & "toJSON" : Key }[keyof T]
  | HiddenIn<T>,
];

/** The names of any object. */
type AnyNames = readonly [PropertyKey];
