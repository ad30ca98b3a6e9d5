/** The path parameters of a pattern. Types only. */

/**
 * The path parameters of a pattern: exactly the names that it declares, and `"*"` for the rest that a final wildcard matches.
 * For a path of type `string`, any name is allowed and its value may be `undefined`.
 *
 * @typeParam Path The pattern.
 *
 * @example The names of a pattern
 * ```ts
 * import type { PathParams } from "@fw/core";
 *
 * const params: PathParams<"/orgs/:orgId/*"> = { orgId: "deno", "*": "logo.svg" };
 * ```
 */
export type PathParams<Path extends string> = Path extends unknown
  ? string extends Path ? RawParams : { readonly [Name in NamesIn<Path>]: string }
  : never;

/** Path parameters before validation, percent-decoded once. */
export type RawParams = { readonly [name: string]: string | undefined };

/**
 * The names of all parameters of `Path`, as a union.
 *
 * @internal
 */
export type NamesIn<Path extends string> = Path extends `${infer Head}/${infer Rest}` ? NameIn<Head> | NamesIn<Rest>
  : NameIn<Path>;

/**
 * The name of the parameter that one segment declares, or `never` for a literal.
 *
 * @internal
 */
export type NameIn<Head extends string> = Head extends `:${infer Name}` ? Name
  : Head extends "*" ? "*"
  : never;
