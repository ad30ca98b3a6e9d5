/**
 * Schemas that can never accept what HTTP sends are compile errors. Path parameters, the query, headers and cookies are
 * strings, so a schema that accepts no string rejects every request. JSON has no files. A form has only strings and
 * files. Types only.
 */

import type { NameTwice, PathParams } from "../routing/pattern.ts";
import type { InferInput } from "./input.ts";
import type { CheckJoined } from "./scope_schemas.ts";
import type { RequestSchemas } from "./request_schemas.ts";

/**
 * A second type that the schemas of a route must have. For a schema that can never accept its part of a request, that
 * type is a message, and TypeScript reports it at the schema. This is an interface, since TypeScript checks a mapped
 * type more slowly.
 *
 * @typeParam Schemas The schemas.
 * @typeParam InScope The scope.
 * @typeParam Path The path pattern, without the prefix of the scope.
 */
export interface PossibleSchemas<
  Schemas extends RequestSchemas,
  InScope extends SchemaScope,
  Path extends string,
> {
  /** The path parameters. */
  readonly params?: PossibleSchema<"params", Schemas["params"], InScope, Path>;
  /** The query. */
  readonly query?: PossibleSchema<"query", Schemas["query"], InScope, Path>;
  /** The headers. */
  readonly headers?: PossibleSchema<"headers", Schemas["headers"], InScope, Path>;
  /** The cookies. */
  readonly cookies?: PossibleSchema<"cookies", Schemas["cookies"], InScope, Path>;
  /** The body: JSON, or what a reader returns. */
  readonly body?: Schemas extends { readonly bodyReader: infer Reader }
    ? PossibleBody<InferInput<Schemas["body"]>, Reader, Schemas["body"]>
    : Schemas["body"] extends { readonly "~reader": unknown } ? unknown
    : PossibleBody<InferInput<Schemas["body"]>, ReadAsJson>;
  /** Reads a body that is not JSON. Listed here so that editors complete the name. */
  readonly bodyReader?: unknown;
  /** The largest body accepted, in bytes. */
  readonly maxBodyBytes?: unknown;
}

/** @internal What the schemas of a route are checked against: its scope. */
export interface SchemaScope {
  /** The prefix of each path. */
  readonly prefix: string;
  /** The schemas of the scope; `never` if it has none. */
  readonly request: object;
  /** The schemas whose outputs the guards of the scope read; `never` if there are none. */
  readonly promised: object;
}

/** The parts of a request that consist of named strings. */
type PartOfStrings = "params" | "query" | "headers" | "cookies";

/**
 * @internal `unknown` if the schema can accept some request, else the message. The accepted values are the input of a Standard
 * Schema and what a type predicate asserts; of other schemas they are not known.
 */
type PossibleSchema<
  Part extends PartOfStrings,
  Schema,
  InScope extends SchemaScope,
  Path extends string,
> =
  & PossibleInput<Part, InferInput<Schema>, AllowedKeys<Part, InScope, Path>, InScope, Path>
  & (Part extends "query" | "cookies" ? KnownLists<Part, Schema, InferInput<Schema>>
    : NoLists<Part, InferInput<Schema>>)
  & ([InScope["request"]] extends [never] ? unknown : PossibleBesideScope<Part, Schema, InScope, Path>);

/** `unknown` if a schema that can accept some request can do so beside that of its scope, else the message. */
type PossibleBesideScope<Part extends PartOfStrings, Schema, InScope extends SchemaScope, Path extends string> =
  unknown extends PossibleInput<Part, InferInput<Schema>, AllowedKeys<Part, InScope, Path>, InScope, Path>
    ? CheckJoined<Part, InScope["request"], InScope["promised"], Schema>
    : unknown;

/** `unknown`, or the message for a key of the path or the headers that can only be a list. */
type NoLists<Part extends string, Value> = unknown extends Value ? unknown
  : [ListsIn<Value>] extends [never] ? unknown
  : `"${ListsIn<Value> & string}" of the ${Part} arrives as one string, which this schema ${Hint}`;

/**
 * `unknown` if `setup` can learn which keys are lists, or if there are none. Else the message: a key that comes once would
 * arrive as a text. `standardSchema` learns it from the JSON Schema.
 */
type KnownLists<Part extends string, Schema, Value> = Schema extends
  { readonly "~standard": { readonly jsonSchema: unknown } } ? unknown
  : unknown extends Value ? unknown
  : [ListsIn<Value>] extends [never] ? unknown
  : `"${
    & ListsIn<Value>
    & string}" of the ${Part} is a list, which setup reads from "~standard".jsonSchema, and this schema has none: convert it, as toStandardJsonSchema of Valibot does, or let it accept a string, too`;

/** The keys whose value can only be a list. A key that must be absent does not count. */
type ListsIn<Value> = Value extends object ? {
    [Key in keyof Value]-?: unknown extends Value[Key] ? never
      : [Exclude<Value[Key], undefined | null>] extends [never] ? never
      : [Exclude<Value[Key], undefined | null>] extends [readonly unknown[]] ? Key
      : never;
  }[keyof Value]
  : never;

/** `unknown` if a request can have such a part, else the message. */
type PossibleInput<
  Part extends PartOfStrings,
  Value,
  Allowed,
  InScope extends SchemaScope,
  Path extends string,
> = unknown extends Value ? unknown
  : true extends IsPossible<Value, Allowed> ? unknown
  : MessageFor<Part, Value, Allowed, InScope, Path>;

/**
 * The keys that a part can have: the path parameters, and header names in lower case. `never` for the query and
 * cookies.
 */
type AllowedKeys<Part extends PartOfStrings, InScope extends SchemaScope, Path extends string> = Part extends "params"
  ? PathParams<`${InScope["prefix"]}${Path}`>
  : Part extends "headers" ? { readonly [name: Lowercase<string>]: string }
  : never;

/**
 * Whether one of the accepted values is an object of strings, without keys that the part cannot have. `Value` is the
 * union of these values.
 */
type IsPossible<Value, Allowed> = Value extends object ? Value extends readonly unknown[] ? false
  : [KeysWithoutString<Value> | KeysNotIn<Value, Allowed>] extends [never] ? true
  : false
  : false;

/** The keys whose value can be neither a string nor a list of strings. A key that must be absent does not count. */
type KeysWithoutString<Value> = Value extends unknown ? {
    [Key in keyof Value]-?: [Exclude<Value[Key], undefined>] extends [never] ? never
      : [StringIn<Value[Key]>] extends [never] ? Key
      : never;
  }[keyof Value]
  : never;

/** The members of a union that accept a string or a list of strings. */
type StringIn<Value> = Value extends string ? Value
  : Value extends readonly (infer Item)[] ? StringIn<Item>
  : string extends Value ? Value
  : string[] extends Value ? Value
  : never;

/**
 * The keys of a value that the part cannot have. `Allowed` has the keys that it can have; it is `never` if it can have
 * any.
 */
type KeysNotIn<Value, Allowed> = [Allowed] extends [never] ? never
  : Value extends unknown ? string extends keyof Value | keyof Allowed ? never : Exclude<keyof Value, keyof Allowed>
  : never;

/** The message for a schema whose accepted values are of type `Value`. */
type MessageFor<
  Part extends PartOfStrings,
  Value,
  Allowed,
  InScope extends SchemaScope,
  Path extends string,
> = [ObjectIn<Value>] extends [never] ? `The ${Part} is an object of strings, which this schema never accepts`
  : [KeysNotIn<ObjectIn<Value>, Allowed>] extends [never] ? StringMessage<Part, KeysWithoutString<ObjectIn<Value>>>
  : Part extends "headers"
    ? `Header names are in lower case: write "${Lowercase<KeysNotIn<ObjectIn<Value>, Allowed> & string>}"`
  : [keyof Allowed & NameTwice<string>] extends [never]
    ? `The path ${InScope["prefix"]}${Path} has no parameter "${KeysNotIn<ObjectIn<Value>, Allowed> & string}"`
  : keyof Allowed & NameTwice<string>;

/** The members of a union that are objects with keys. */
type ObjectIn<Value> = Exclude<Extract<Value, object>, readonly unknown[]>;

/** @internal The message for keys that accept no string. */
export type StringMessage<Part extends string, Key> = `"${
  & Key
  & string}" of the ${Part} arrives as a string, which this schema ${Hint}`;

/** @internal What is known of the reader of a route that has none. */
interface ReadAsJson {
  /** JSON. */
  readonly format: "json";
}

/** @internal `unknown` if the body can be one of the accepted values, and `undefined` only if the reader gives it; else the message. */
type PossibleBody<Value, Reader, Schema = unknown> = unknown extends Value ? unknown
  : undefined extends Value
    ? true extends IsOptionalReader<Reader> ? PossibleAs<Reader, Exclude<Value, undefined>, Schema>
    : AbsenceMessage<Reader>
  : PossibleAs<Reader, Value, Schema>;

/** Whether a reader is `optional`. One whose type does not tell, such as `BodyReader`, may be. */
type IsOptionalReader<Reader> = Reader extends { readonly optional?: infer Optional }
  ? unknown extends Optional ? false : Optional
  : false;

/** The message for a schema that accepts `undefined`, with a reader that never returns it. */
type AbsenceMessage<Reader> =
  `This schema accepts undefined, and the body is required: write bodyReader: ${Reader extends {
    readonly "~content": unknown; // of `signed`: around it, an empty body would need no signature
  } ? "signed(scheme, optional(…))"
    : Reader extends { readonly format: infer Format extends string } ? `optional(${Format})`
    : "optional(…), around this reader"}`;

/** `unknown` if what a reader returns can be one of the accepted values, else the message. Of most readers, it is not known. */
type PossibleAs<Reader, Value, Schema> = Reader extends { readonly format: infer Format }
  ? Format extends "json" ? PossibleJson<Value>
  : Format extends "form" ? PossibleForm<Value> & KnownLists<"form", Schema, Value>
  : Format extends "text" ? PossibleText<Value>
  : Format extends "bytes" ? PossibleBytes<Value>
  : unknown
  : unknown;

/**
 * @internal `unknown` if JSON can be one of the accepted values, else the message. Only the keys of the body itself are checked.
 */
type PossibleJson<Value> = [Extract<Value[keyof Value], Blob>] extends [never] ? unknown
  : true extends (Value extends object ? [KeysOfFiles<Value>] extends [never] ? true : false : true) ? unknown
  : `"${KeysOfFiles<Value> & string}" of the body is a file, which JSON lacks: add bodyReader: form`;

/** @internal `unknown` if a form can be one of the accepted values, else the message. */
type PossibleForm<Value> = unknown extends Value ? unknown
  : true extends (Value extends object ? [KeysNotOfForm<Value>] extends [never] ? true : false : true) ? unknown
  : StringMessage<"form", KeysNotOfForm<Value>>;

/** `unknown` if a text can be one of the accepted values, else the message. */
type PossibleText<Value> = true extends (Value extends string ? true : string extends Value ? true : false) ? unknown
  : "The body arrives as a string, which this schema never accepts";

/**
 * `unknown` if bytes can be one of the accepted values, else the message. They are a `Uint8Array<ArrayBuffer>`, which is
 * not generic in TypeScript 5.4.
 */
type PossibleBytes<Value> = true extends
  (Value extends unknown ? ReturnType<Uint8Array["slice"]> extends Value ? true : false : never) ? unknown
  : "The body arrives as a Uint8Array, which this schema never accepts";

/** The keys whose value can only be a file. A key that must be absent does not count. */
type KeysOfFiles<Value> = Value extends unknown ? {
    [Key in keyof Value]-?: unknown extends Value[Key] ? never
      : [Exclude<Value[Key], undefined>] extends [never] ? never
      : [Exclude<Value[Key], undefined>] extends [Blob] ? Key
      : never;
  }[keyof Value]
  : never;

/** The keys whose value can be neither a string nor a file nor a list of either. */
type KeysNotOfForm<Value> = Value extends unknown ? {
    [Key in keyof Value]-?: [Extract<Value[Key], Blob | readonly Blob[]>] extends [never]
      ? KeysWithoutString<Pick<Value, Key>>
      : never;
  }[keyof Value]
  : never;

type Hint = "never accepts: let the schema convert it, as z.coerce.number() does";
