import type { MatchedRoute, RawInput } from "./context.ts";
import { after, type Eventual } from "./eventual.ts";
import { requireKnownKeys } from "./option.ts";
import type { BodyFault } from "./raw.ts";
import { describeRoute, isRecord, misshapen } from "./shape.ts";

/** The parts of a request that can have a schema, in the order in which they are validated and reported. */
export type Part = "params" | "query" | "body";

/** All parts, in the order of {@linkcode Part}. */
export const PARTS: readonly Part[] = ["params", "query", "body"];

/** One problem in one part of the input. */
export interface ValidationIssue {
  /** The part of the request that the issue is about. */
  readonly part: Part;
  /** The path to the problem, from the root of the part; empty at the root itself. */
  readonly path: readonly string[];
  /** The message of the schema library. */
  readonly message: string;
  /** The error code of the schema library, if it has one. */
  readonly code?: string;
}

/** What a {@linkcode Validator} returns for input that the schema accepts. */
export interface ValidationSuccess {
  /** The input is valid. */
  readonly ok: true;
  /** The validated value, with the transformations of the schema applied. */
  readonly value: unknown;
}

/** What a {@linkcode Validator} returns for input that the schema rejects. */
export interface ValidationFailure {
  /** The input is not valid. */
  readonly ok: false;
  /** The problems in the input. */
  readonly issues: readonly ValidationIssue[];
  /** The schema library's own error, unchanged. */
  readonly error?: unknown;
}

/** What a {@linkcode Validator} returns. */
export type ValidationResult = ValidationSuccess | ValidationFailure;

/**
 * The adapter between routes and a schema library. The framework contains none: the application passes one adapter to `setup`.
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
   * Runs one schema against one raw input. Returns the result or a promise of it; only a promise is awaited.
   *
   * @param schema The schema as the route declares it.
   * @param input The raw value: maps of strings without inherited keys for `params` and `query`, parsed JSON for `body`.
   * @param part Which part of the request the input is.
   * @param route The route, for error messages.
   * @returns The validated value, or the issues of the input.
   */
  validate(
    schema: unknown,
    input: unknown,
    part: Part,
    route?: MatchedRoute,
  ): ValidationResult | Promise<ValidationResult>;
  /**
   * Tells whether `validate` can run a schema. `setup` calls it once per schema of a route, and throws a `TypeError` that
   * names the route if it returns `false`. Without `accepts`, a schema that `validate` cannot run fails at the first request.
   *
   * @param schema The schema as the route declares it.
   * @param part Which part of the request the schema is for.
   * @returns Whether `validate` can run the schema.
   */
  accepts?(schema: unknown, part: Part): boolean;
}

/** The schemas of a route, one per part, of any library that the validator supports, and the bound of the body. */
export interface RequestSchemas {
  /** Schema for the path parameters. */
  readonly params?: unknown;
  /** Schema for the query. */
  readonly query?: unknown;
  /** Schema for the body. With it, the framework reads the body once, as JSON; without it, the body is not read. */
  readonly body?: unknown;
  /**
   * The largest body accepted, in bytes; `Infinity` removes the bound given to `setup`. A larger body produces the issue
   * `body_too_large`. Bytes are always counted: as they arrive, or after reading if `content-length` is at most a third of the
   * bound. If you rebuild a `Request` with another body, delete its `content-length`.
   */
  readonly maxBodyBytes?: number;
}

/**
 * The output type of a schema: the output of a Standard Schema, the data of a successful `safeParse`, the type that a type
 * predicate asserts, else `unknown`.
 *
 * @example The output of a type predicate
 * ```ts
 * import type { Output } from "@fw/core";
 *
 * const isYear = (value: unknown): value is number => Number.isInteger(value);
 * const year: Output<typeof isYear> = 1984;
 * ```
 */
export type Output<Schema> = Schema extends
  { readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined } } ? Value
  : Schema extends { safeParse(input: unknown): infer Result }
    ? Extract<Awaited<Result>, { readonly success: true }> extends { readonly data: infer Value } ? Value : unknown
  : Schema extends TypePredicate<infer Value> ? Value
  : unknown;

/** A function that tells whether a value is a `Value`. */
export type TypePredicate<Value extends Received, Received = unknown> = (value: Received) => value is Value;

/** The outcome of validation if every part that has a schema is valid. At run time only those parts have a key. */
export interface ValidInput<Schemas> {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters; `undefined` without a schema. */
  readonly params: OutputOf<Schemas, "params">;
  /** The validated query; `undefined` without a schema. */
  readonly query: OutputOf<Schemas, "query">;
  /** The validated body; `undefined` without a schema. */
  readonly body: OutputOf<Schemas, "body">;
}

/** The output type of the schema for one part; `undefined` without a schema, included if the schema may be absent. */
export type OutputOf<Schemas, Name extends Part> = Schemas extends { readonly [Key in Name]: infer Schema }
  ? Output<Schema>
  : Name extends keyof Schemas ? Output<Exclude<Schemas[Name], undefined>> | undefined
  : undefined;

/** The outcome of validation if at least one part is not valid. No response is sent automatically. */
export interface InvalidInput {
  /** At least one part is not valid. */
  readonly ok: false;
  /** The parts that failed, in the order params, query, body. */
  readonly failed: readonly Part[];
  /** The issues of those parts, in the same order. */
  readonly issues: readonly ValidationIssue[];
  /** The raw values of the parts that failed; for a body that is not JSON, its text. */
  readonly received: { readonly [Name in Part]?: unknown };
  /** The schema library's own error per part, if the validator returned one. */
  readonly errors?: { readonly [Name in Part]?: unknown };
}

/** The outcome of validation: the output of the schemas if `ok` is `true`, the issues if it is `false`. */
export type Input<Schemas> = ValidInput<Schemas> | InvalidInput;

/** The outcome of validation for a guard that is used with any schemas: the output of a schema is `unknown`. */
export type AnyInput = InvalidInput | {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters. */
  readonly params?: unknown;
  /** The validated query. */
  readonly query?: unknown;
  /** The validated body. */
  readonly body?: unknown;
};

/** A part of a route that has a schema. */
export interface Check {
  /** The part. */
  readonly part: Part;
  /** Its schema, as the route declares it. */
  readonly schema: unknown;
}

/**
 * Rejects the `request` option of a route if it has an unknown key, or a schema that is `undefined`.
 *
 * @param request The schemas of the route.
 * @param owner The route, as messages name it: `route GET "/"`.
 * @throws If there is such a key; the message names it.
 */
export function requireSchemas(request: object, owner: string): void {
  requireKnownKeys(request, `request of ${owner}`, [...PARTS, "maxBodyBytes"], PARTS);
}

/**
 * Validates every part that has a schema, in order, even if an earlier one failed.
 *
 * @param run The validator's `validate`.
 * @param checks The parts that have a schema, in the order of {@linkcode Part}.
 * @param raw The raw inputs.
 * @param bodyFault Why there is no body to validate: its issue is reported and the validator is not called for the body.
 * @param route The route, for error messages.
 * @returns The outcome; a promise of it only if the validator returns a promise.
 * @throws If the validator throws, or returns anything but a {@linkcode ValidationResult}.
 */
export function validate(
  run: Validator["validate"],
  checks: readonly Check[],
  raw: RawInput,
  bodyFault: BodyFault | undefined,
  route: MatchedRoute,
): Eventual<AnyInput> {
  return validateFrom(0, { run, checks, raw, bodyFault, route, valid: { ok: true }, invalid: undefined });
}

/** Validates the parts from this index on. */
function validateFrom(index: number, validation: Validation): Eventual<AnyInput> {
  const { run, checks, raw, bodyFault } = validation;
  const check = checks[index];
  if (check === undefined) return validation.invalid ?? validation.valid;
  const { part, schema } = check;
  const result = part === "body" && bodyFault !== undefined
    ? { ok: false, issues: [bodyFault.issue] }
    : run(schema, raw[part], part, validation.route);
  return after(result, (settled) => {
    take(validation, part, settled);
    return validateFrom(index + 1, validation);
  });
}

/** Merges the result of one part into the outcome. */
function take(validation: Validation, part: Part, result: unknown): void {
  const { raw, bodyFault, route, valid } = validation;
  if (!isValidationResult(result)) {
    throw misshapen(
      `Validator must return { ok: true, value } or { ok: false, issues: { part, path, message }[] } for the ` +
        `${part} of route ${describeRoute(route)}`,
      result,
    );
  }
  if (result.ok) {
    valid[part] = result.value;
    return;
  }
  const invalid = validation.invalid ??= { ok: false, failed: [], issues: [], received: {} };
  invalid.failed.push(part);
  for (const issue of result.issues) invalid.issues.push(issue);
  const received = part === "body" && bodyFault !== undefined ? bodyFault.text : raw[part];
  if (received !== undefined) invalid.received[part] = received;
  if (result.error !== undefined) (invalid.errors ??= {})[part] = result.error;
}

/** A request being validated. */
interface Validation {
  readonly run: Validator["validate"];
  readonly checks: readonly Check[];
  readonly raw: RawInput;
  readonly bodyFault: BodyFault | undefined;
  readonly route: MatchedRoute;
  /** The outcome if no part fails. */
  readonly valid: { ok: true } & Values;
  /** The outcome once a part has failed. */
  invalid: Failures | undefined;
}

type Values = { [Name in Part]?: unknown };

interface Failures {
  ok: false;
  failed: Part[];
  issues: ValidationIssue[];
  received: Values;
  errors?: Values;
}

function isValidationResult(result: unknown): result is ValidationResult {
  if (!isRecord(result)) return false;
  const { ok, issues }: { ok?: unknown; issues?: unknown } = result;
  return ok === true ? "value" in result : ok === false && Array.isArray(issues) && issues.every(isIssue);
}

function isIssue(issue: unknown): issue is ValidationIssue {
  if (!isRecord(issue)) return false;
  const { part, path, message, code }: { part?: unknown; path?: unknown; message?: unknown; code?: unknown } = issue;
  return PARTS.includes(part as Part) && typeof message === "string" &&
    (code === undefined || typeof code === "string") &&
    Array.isArray(path) && path.every((element) => typeof element === "string");
}
