import type { MatchedRoute } from "../routing/matched_route.ts";
import { schemasIn } from "../schemas/joined.ts";
import { describeRoute, isPlain, typeError } from "../values/assert.ts";
import { andThen, type MaybePromise } from "../values/maybe_promise.ts";
import type { BodyReader } from "./body_reader.ts";
import { runWithLists } from "./lists.ts";
import type { InputPart } from "./request_schemas.ts";
import { type BoundSchema, isValidationResult } from "./validate.ts";
import type { ValidationResult, Validator } from "./validator.ts";

/**
 * Makes the function that validates a part. If the scopes of a route have a schema for it, too, all schemas are run on
 * the same part, and their outputs are merged: the keys of the route replace those of its scope.
 *
 * @param validator The validator.
 * @param schema The schema, or several that are joined.
 * @param part The part.
 * @param reader The reader of the body.
 * @returns The function.
 */
export function bindSchema(
  validator: Validator,
  schema: unknown,
  part: InputPart,
  reader: BodyReader | undefined,
): BoundSchema["run"] {
  const [first, ...others] = schemasIn(schema);
  return others.reduce<BoundSchema["run"]>(
    (outer, own) => runBoth(outer, runWithLists(validator, own, part, reader), validator.keys?.(own, part)),
    runWithLists(validator, first, part, reader),
  );
}

/** Runs both schemas, the second one also if the first one has failed, so that a client sees all issues at once. */
function runBoth(
  outer: BoundSchema["run"],
  own: BoundSchema["run"],
  keys: readonly string[] | undefined,
): BoundSchema["run"] {
  return (input, part, route) =>
    andThen(
      outer(copyOf(input), part, route),
      (first) => andThen(own(copyOf(input), part, route), (second) => merge(first, second, input, keys, part, route)),
    );
}

/** A copy for each schema, since some validators write defaults into their input. */
function copyOf(input: unknown): object {
  return Object.assign(Object.create(Object.getPrototypeOf(input)), input);
}

function merge(
  outer: ValidationResult,
  own: ValidationResult,
  input: unknown,
  keys: readonly string[] | undefined,
  part: InputPart,
  route: MatchedRoute,
): MaybePromise<ValidationResult> {
  // A result of the wrong shape is an error, which `validate` reports.
  for (const result of [outer, own]) if (!isValidationResult(result)) return result;
  if (!outer.ok || !own.ok) {
    const failed = [outer, own].filter((result) => !result.ok);
    const error = failed.find((result) => result.error !== undefined)?.error;
    return { ok: false, issues: failed.flatMap(({ issues }) => issues), ...error !== undefined && { error } };
  }
  const [shared, replaced] = [outer, own].map(({ value }) => {
    if (isPlain(value)) return value;
    throw typeError(
      `Schemas of the ${part} of route ${
        describeRoute(route)
      } and of its scope must return plain objects, which are merged`,
      value,
    );
  }) as [object, { readonly [key: string]: unknown }];
  const received: { readonly [key: string]: unknown } = Object(input);
  // Some schemas let keys pass that they do not declare. Such a key must not replace one that the scope has converted.
  const isOwn = ([key, value]: [string, unknown]) => keys === undefined ? value !== received[key] : keys.includes(key);
  return {
    ok: true,
    value: { ...replaced, ...shared, ...Object.fromEntries(Object.entries(replaced).filter(isOwn)) },
  };
}
