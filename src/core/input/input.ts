/** The input of a request, before and after validation. Types only. */

import type { RawParams } from "../routing/pattern.ts";
import type { InputPart } from "./request_schemas.ts";

/**
 * The input of a request before validation.
 *
 * @typeParam Params The path parameters.
 */
export interface RawInput<Params = RawParams> {
  /** Path parameters, percent-decoded once. A value with a malformed escape is left undecoded. */
  readonly params: Params;
  /** Query values. */
  readonly query: RawQuery;
  /** The headers. Only on a route with a schema for them. */
  readonly headers?: RawHeaders;
  /** The cookies. Only on a route with a schema for them. */
  readonly cookies?: RawCookies;
  /**
   * The parsed JSON body, or what `bodyReader` made of the body; `undefined` without a body schema or with an issue.
   */
  readonly body: unknown;
}

/**
 * Query values as strings, decoded as `URLSearchParams` decodes them. A key that repeats has an array of its values, in
 * order of appearance. A null-prototype object.
 */
export type RawQuery = { readonly [key: string]: string | readonly string[] | undefined };

/**
 * Header values by name in lower case. The values of a repeated header are joined with `, `. A null-prototype object.
 */
export type RawHeaders = { readonly [name: string]: string | undefined };

/**
 * Cookie values by name, not decoded. A name that repeats has an array of its values, in order of appearance. A
 * null-prototype object.
 */
export type RawCookies = RawQuery;

/**
 * The output type of a schema: the output of a Standard Schema, the data of a successful `safeParse`, the type that a
 * type predicate asserts, else `unknown`.
 *
 * @typeParam Schema The type of the schema.
 *
 * @example The output of a type predicate
 * ```ts
 * import type { InferOutput } from "@fw/core";
 *
 * const isYear = (value: unknown): value is number => Number.isInteger(value);
 * const year: InferOutput<typeof isYear> = 1984;
 * ```
 */
export type InferOutput<Schema> = Schema extends
  { readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined } } ? Value
  : Schema extends { safeParse(input: unknown): infer Result }
    ? Extract<Awaited<Result>, { readonly success: true }> extends { readonly data: infer Value } ? Value : unknown
  : Schema extends TypePredicate<infer Value> ? Value
  : unknown;

/**
 * @internal The type of the values that a schema accepts: the input of a Standard Schema, the type that a type predicate
 * asserts, else `unknown`.
 */
export type InferInput<Schema> = Schema extends
  { readonly "~standard": { readonly types?: { readonly input: infer Value } | undefined } } ? Value
  : Schema extends TypePredicate<infer Value> ? Value
  : unknown;

/**
 * A function that tells whether a value is a `Value`, as a schema.
 *
 * @typeParam Value The type that it asserts.
 * @typeParam Received The type of its parameter.
 */
export type TypePredicate<Value extends Received, Received = unknown> = (value: Received) => value is Value;

/**
 * The input after validation, if every part that has a schema is valid. At run time only those parts have a key.
 *
 * @typeParam Schemas The schemas of the route.
 */
export interface ValidInput<Schemas> {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters; `undefined` without a schema. */
  readonly params: OutputOf<Schemas, "params">;
  /** The validated query; `undefined` without a schema. */
  readonly query: OutputOf<Schemas, "query">;
  /** The validated headers; `undefined` without a schema. */
  readonly headers: OutputOf<Schemas, "headers">;
  /** The validated cookies; `undefined` without a schema. */
  readonly cookies: OutputOf<Schemas, "cookies">;
  /** The validated body; `undefined` without a schema. */
  readonly body: OutputOf<Schemas, "body">;
}

/**
 * @internal The output type of the schema for one part: `undefined` without a schema, `… | undefined` if the key is
 * optional.
 */
export type OutputOf<Schemas, Name extends InputPart> = Schemas extends { readonly [Key in Name]: infer Schema }
  ? InferOutput<Schema>
  : Name extends keyof Schemas ? InferOutput<Exclude<Schemas[Name], undefined>> | undefined
  : undefined;

/** The input after validation, if at least one part is not valid. No response is sent automatically. */
export interface InvalidInput {
  /** At least one part is not valid. */
  readonly ok: false;
  /** The parts that failed, in the order params, query, headers, cookies, body. */
  readonly failed: readonly InputPart[];
  /** The issues of those parts, in the same order. */
  readonly issues: readonly ValidationIssue[];
  /**
   * The raw values of the parts that failed. For a body that is not JSON it is the string that was received. A body
   * that is too large, that the client cut off, or that `bodyReader` rejects, has no value.
   */
  readonly received: { readonly [Name in InputPart]?: unknown };
  /** The schema library's own error per part, if the validator returned one. */
  readonly errors?: { readonly [Name in InputPart]?: unknown };
}

/**
 * The {@linkcode InvalidInput} of a handler that may get valid input as well. If the handler reads `c.input.body` of
 * both, TypeScript prints this name, which says what to do.
 *
 * @typeParam Then What makes the input valid.
 */
export interface InvalidInputUntil<
  out Then = "c.input.ok is checked, or denyInvalid is among the guards; put guards that a call returns into constants",
> extends InvalidInput {}

/**
 * The input after validation: the output of the schemas if `ok` is `true`, the issues if it is `false`.
 *
 * @typeParam Schemas The schemas of the route.
 */
export type Input<Schemas> =
  | ValidInput<Schemas>
  // Its argument is written out: TypeScript instantiates a default anew for each route.
  | InvalidInputUntil<
    "c.input.ok is checked, or denyInvalid is among the guards; put guards that a call returns into constants"
  >;

/** The input after validation, for a guard that works with any schemas: the output of a schema is `unknown`. */
export type AnyInput = InvalidInputUntil | {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters. */
  readonly params?: unknown;
  /** The validated query. */
  readonly query?: unknown;
  /** The validated headers. */
  readonly headers?: unknown;
  /** The validated cookies. */
  readonly cookies?: unknown;
  /** The validated body. */
  readonly body?: unknown;
};

/** One problem in one part of the input. */
export interface ValidationIssue {
  /** The part of the request that the issue is about. */
  readonly part: InputPart;
  /** The path to the problem, from the root of the part; empty at the root itself. */
  readonly path: readonly string[];
  /**
   * The message of the schema library or of `bodyReader`; `Invalid JSON`, `Incomplete body` or `Body too large` for an
   * issue of the framework.
   */
  readonly message: string;
  /**
   * The error code of the schema library, if it has one, or of `bodyReader`; `invalid_json`, `incomplete_body` or
   * `body_too_large` for an issue of the framework.
   */
  readonly code?: string;
}
