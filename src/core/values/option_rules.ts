import { requireOptions, requireThat } from "./assert.ts";

/**
 * What an option must be, as a message says it, and the test of it. An option that may be absent passes as
 * `undefined`.
 */
export type OptionRule = readonly [expected: string, holds: (value: unknown) => boolean];

/**
 * Rejects options that are not an object, have an unknown key, or break a rule.
 *
 * @param options The options.
 * @param owner The function that takes the options, as messages name it.
 * @param rules The rule of each option.
 * @throws If the options are rejected. The message names the option.
 */
export function requireRules(options: object, owner: string, rules: { readonly [option: string]: OptionRule }): void {
  requireOptions(options, owner, [], Object.keys(rules));
  const given: { readonly [option: string]: unknown } = { ...options };
  for (const [key, [expected, holds]] of Object.entries(rules)) {
    requireThat(holds(given[key]), `Option ${key} of ${owner}`, expected, given[key]);
  }
}

/** A function. */
export const FUNCTION: OptionRule = ["a function", (value) => typeof value === "function"];

/** The name of a header, without the characters that have a meaning in lists of names, such as `*`. */
export const NAME: OptionRule = [
  "a name in letters, digits, - and _",
  (value) => typeof value === "string" && /^[\w-]+$/.test(value),
];

/** The rule for an option that may be absent. */
export function optionalRule([expected, holds]: OptionRule): OptionRule {
  return [expected, (value) => value === undefined || holds(value)];
}
