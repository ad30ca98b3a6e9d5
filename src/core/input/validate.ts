import type { MatchedRoute } from "../routing/matched_route.ts";
import { describeRoute, isRecord, typeError } from "../values/assert.ts";
import { isPromise, type MaybePromise } from "../values/maybe_promise.ts";
import type { BodyReading } from "./body.ts";
import type { AnyInput, RawInput, ValidationIssue } from "./input.ts";
import { type InputPart, PARTS } from "./request_schemas.ts";
import type { ValidationResult } from "./validator.ts";

/**
 * Validates every part that has a schema, in order, even if an earlier one failed. It has a loop and no inner function,
 * for which a POST of JSON would take 4 % longer on Deno and Bun.
 *
 * @param schemas The parts that have a schema, in the order of {@linkcode InputPart}.
 * @param raw The raw inputs.
 * @param body The body, if it was read. If it has an issue, that is reported, and the validator is not called for the
 * body.
 * @param route The route, for error messages.
 * @param outcome What earlier parts were found to be.
 * @param index The first part to validate.
 * @returns The input after validation; a promise of it only if the validator returns a promise.
 * @throws If the validator throws, or returns anything but a {@linkcode ValidationResult}.
 */
export function validate(
  schemas: readonly BoundSchema[],
  raw: RawInput,
  body: BodyReading | undefined,
  route: MatchedRoute,
  outcome: Outcome = { valid: { ok: true } },
  index = 0,
): MaybePromise<AnyInput> {
  for (;; index++) {
    const schema = schemas[index];
    if (schema === undefined) return outcome.invalid ?? outcome.valid;
    const { part, run } = schema;
    const issue = part === "body" ? body?.issue : undefined;
    const received = issue ? body?.text : raw[part];
    const result = issue ? { ok: false, issues: [{ ...issue, part, path: [] }] } as const : run(received, part, route);
    if (isPromise(result)) {
      return Promise.resolve(result).then((result) => {
        addResult(result, outcome, part, received, route);
        return validate(schemas, raw, body, route, outcome, index + 1);
      });
    }
    addResult(result, outcome, part, received, route);
  }
}

function addResult(
  result: ValidationResult,
  outcome: Outcome,
  part: InputPart,
  received: unknown,
  route: MatchedRoute,
): void {
  requireResult(result, part, route);
  if (result.ok) {
    outcome.valid[part] = result.value;
    return;
  }
  const invalid = outcome.invalid ??= { ok: false, failed: [], issues: [], received: {} };
  invalid.failed.push(part);
  for (const issue of result.issues) invalid.issues.push(issue);
  if (received !== undefined) invalid.received[part] = received;
  if (result.error !== undefined) (invalid.errors ??= {})[part] = result.error;
}

/**
 * Rejects what a validator must not return: nobody may take it for valid input.
 *
 * @param result What the validator returned.
 * @param part The part that it validated.
 * @param route The route, for the message.
 * @throws If it is not a {@linkcode ValidationResult}.
 */
export function requireResult(result: ValidationResult, part: InputPart, route: MatchedRoute): void {
  if (isValidationResult(result)) return;
  throw typeError(
    `Validator must return { ok: true, value } or { ok: false, issues: { part, path, message }[] } for the ` +
      `${part} of route ${describeRoute(route)}`,
    result,
  );
}

/** A part of a route that has a schema. */
export interface BoundSchema {
  /** The part. */
  readonly part: InputPart;
  /** The validator's `validate` for the schema of the part. */
  readonly run: (input: unknown, part: InputPart, route: MatchedRoute) => MaybePromise<ValidationResult>;
}

type Values = { [Name in InputPart]?: unknown };

interface Outcome {
  readonly valid: { ok: true } & Values;
  invalid?: Failures;
}

interface Failures {
  ok: false;
  failed: InputPart[];
  issues: ValidationIssue[];
  received: Values;
  errors?: Values;
}

/** Whether a validator has returned what it must. */
export function isValidationResult(result: unknown): result is ValidationResult {
  if (!isRecord(result)) return false;
  const { ok, issues }: { ok?: unknown; issues?: unknown } = result;
  return ok === true ? "value" in result : ok === false && Array.isArray(issues) && issues.every(isIssue);
}

function isIssue(issue: unknown): issue is ValidationIssue {
  if (!isRecord(issue)) return false;
  const { part, path, message, code = "" }: { part?: unknown; path?: unknown; message?: unknown; code?: unknown } =
    issue;
  return PARTS.includes(part as InputPart) && typeof message === "string" &&
    typeof code === "string" && Array.isArray(path) && path.every((element) => typeof element === "string");
}
