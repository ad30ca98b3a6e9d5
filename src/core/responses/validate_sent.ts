import type { ValidationResult, Validator } from "../input/validator.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import { isPlain } from "../values/assert.ts";

/**
 * Validates a body as it was sent. The schema describes what the handler gives to `reply`, and JSON has a text in place
 * of each `Date`: where the schema rejects such a text, it is asked again with the `Date`.
 *
 * @param validator The validator.
 * @param schema The schema of the body.
 * @param body The body, parsed.
 * @param route The route, for the validator.
 * @returns What the validator returned; of several results, the one with fewer issues.
 */
export async function validateSent(
  validator: Validator,
  schema: unknown,
  body: unknown,
  route: MatchedRoute,
): Promise<ValidationResult> {
  const result = await validator.validate(schema, body, "body", route);
  if (result.ok) return result;
  const dated = result.issues.reduce((value, { path }) => withDates(value, path), body);
  if (dated === body) return result;
  const next = await validateSent(validator, schema, dated, route);
  return next.ok || next.issues.length <= result.issues.length ? next : result;
}

/** A copy with dates in place of the texts to which a path leads: of a union, of all texts within it. */
function withDates(value: unknown, [key, ...path]: readonly string[], depth = 0): unknown {
  if (typeof value === "string") return dateOf(value);
  if (depth > MAX_DEPTH || !Array.isArray(value) && !isPlain(value)) return value;
  const pairs = Object.entries(value).map(([name, item]) =>
    [name, item, key === undefined || key === name ? withDates(item, path, depth + 1) : item] as const
  );
  if (pairs.every(([, before, item]) => before === item)) return value;
  return Array.isArray(value)
    ? pairs.map(([, , item]) => item)
    : Object.fromEntries(pairs.map(([name, , item]) => [name, item]));
}

/** How deep dates are looked for. */
const MAX_DEPTH = 64;

function dateOf(text: string): unknown {
  const date = new Date(text);
  return /^[-+\d]\d{3,}-\d\d-\d\dT/.test(text) && !Number.isNaN(date.getTime()) ? date : text;
}
