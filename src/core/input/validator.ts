/** The adapter to a schema library. Types only. */

import type { MatchedRoute } from "../routing/matched_route.ts";
import type { ValidationIssue } from "./input.ts";
import type { InputPart } from "./request_schemas.ts";

/**
 * The adapter between routes and a schema library. The framework contains none: the application passes one adapter to
 * `setup`.
 *
 * @example An adapter for schemas that are type predicates
 * ```ts
 * import type { Validator } from "@fw/core";
 *
 * const predicates: Validator = {
 *   validate(schema, input, part) {
 *     if (typeof schema !== "function") throw new TypeError("A schema here is a function");
 *     return schema(input)
 *       ? { ok: true, value: input }
 *       : { ok: false, issues: [{ part, path: [], message: "Not accepted" }] };
 *   },
 * };
 * ```
 */
export interface Validator {
  /**
   * Runs one schema against one raw input. Returns the result or a promise of it; only a promise is awaited. Input that
   * the schema rejects is a result. An error that `validate` throws goes to `onError`.
   *
   * @param schema The schema as the route declares it.
   * @param input The raw value of the part, such as `c.raw.query`; for the body, the parsed JSON or the value of
   * `bodyReader`.
   * @param part The part of the request that the input comes from.
   * @param route The route, for error messages.
   * @returns The validated value, or the issues of the input.
   */
  validate(
    schema: unknown,
    input: unknown,
    part: InputPart,
    route?: MatchedRoute,
  ): ValidationResult | Promise<ValidationResult>;
  /**
   * Tells whether `validate` can run a schema. `setup` calls it once per schema of a route. If it returns `false`,
   * `setup` throws a `TypeError` that names the route. Without `accepts`, a schema that `validate` cannot run fails at
   * the first request.
   *
   * @param schema The schema as the route declares it.
   * @param part The part of the request that the schema is for.
   * @returns Whether `validate` can run the schema.
   */
  accepts?(schema: unknown, part: InputPart): boolean;
  /**
   * Names the keys of a query, of cookies or of a form whose schema accepts a list and no text. `setup` asks once for
   * each schema. `validate` then always gets a list for such a key: with one element if the key comes once, and an
   * empty one if a required key is missing. `c.raw` has the received values. Without `lists`, the value of a key that
   * comes once is a string.
   *
   * @param schema The schema as the route declares it.
   * @param part The part of the request that the schema is for: `query`, `cookies`, or `body` for a form.
   * @param required Whether to name only those keys that must be there: they get the empty list if they are absent.
   * @returns The keys.
   */
  lists?(schema: unknown, part: InputPart, required?: boolean): readonly string[];
  /**
   * Names the keys that the schema of an object declares. `setup` asks for a schema whose scope has one for the same
   * part, too: of the two outputs, only these keys replace those of the scope. Without `keys`, or if it returns
   * `undefined`, the keys whose values the schema has changed replace them.
   *
   * @param schema The schema as the route declares it.
   * @param part The part of the request that the schema is for.
   * @returns The keys; `undefined` if they are not known.
   */
  keys?(schema: unknown, part: InputPart): readonly string[] | undefined;
}

/** What a {@linkcode Validator} returns: the validated value, or the issues of the input. */
export type ValidationResult = {
  /** The schema accepts the input. */
  readonly ok: true;
  /** The validated value, with the transformations of the schema applied. */
  readonly value: unknown;
} | {
  /** The schema rejects the input. */
  readonly ok: false;
  /** The problems in the input. */
  readonly issues: readonly ValidationIssue[];
  /** The schema library's own error, unchanged. */
  readonly error?: unknown;
};
