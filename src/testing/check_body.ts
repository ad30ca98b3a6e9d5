import type { ValidationResult } from "../input/validator.ts";
import type { MaybePromise } from "../values/maybe_promise.ts";

/**
 * Checks that a body fits its schema exactly.
 *
 * @param text The body.
 * @param isJson Whether it must be JSON. Otherwise the schema is for the string.
 * @param validate Validates the body.
 * @param mustBe Creates the error, which says what the response must be.
 * @throws The error.
 */
export async function checkBody(
  text: string,
  isJson: boolean,
  validate: (body: unknown) => MaybePromise<ValidationResult>,
  mustBe: (rule: string, cause?: unknown) => Error,
): Promise<void> {
  let body: unknown = text;
  try {
    if (isJson) body = JSON.parse(text);
  } catch {
    throw mustBe("be JSON: received a body that is not"); // without the error: the engine quotes the body in it
  }
  const result = await validate(body);
  if (!result.ok) {
    const faults = result.issues.map(({ path, message }) => [...path, message].join(": "));
    throw mustBe(`fit its schema: ${faults.join("; ")}`, result);
  }
  const extra = findExtraKey(body, result.value);
  if (extra !== undefined) throw mustBe(`not have the key ${extra.join(".")}: its schema does not have it`);
}

/** The path to a key that the schema has removed from a value. */
function findExtraKey(sent: unknown, validated: unknown): readonly string[] | undefined {
  if (!isTree(sent) || !isTree(validated)) return undefined;
  for (const [key, item] of Object.entries(sent)) {
    const below = Object.hasOwn(validated, key) ? findExtraKey(item, validated[key]) : [];
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

/** Whether a value is an array or a plain object. A schema may make anything else of them, such as a `Map`. */
function isTree(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && (Array.isArray(value) || value.constructor === Object);
}
