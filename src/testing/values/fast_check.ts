/** What is used of the module `fast-check`, by structure: nothing has to be installed for these types. Types only. */

/**
 * The module [`fast-check`](https://fast-check.dev), version 3 or later: `import fc from "fast-check"`. Only the
 * members that are used are listed. Its arbitraries are any objects here.
 */
export interface FastCheck {
  /** Generates values. */
  sample(arbitrary: object, parameters: { seed: number; numRuns: number }): unknown[];
  /** The values of an arbitrary, without more of those at bounds. */
  noBias(arbitrary: object): object;
  /** One value. */
  constant(value: unknown): object;
  /** One of several values. */
  constantFrom(...values: unknown[]): object;
  /** A value of one of several arbitraries. */
  oneof(...arbitraries: { arbitrary: object; weight: number }[]): object;
  /** An array with a value of each arbitrary. */
  tuple(...arbitraries: object[]): object;
  /** An object with these keys. */
  record(model: { [key: string]: object }, constraints: { requiredKeys: string[] }): object;
  /** An array. */
  array(arbitrary: object, constraints: { minLength: number; maxLength: number }): object;
  /** A string that matches a regular expression. */
  stringMatching(pattern: RegExp): object;
  /** A whole number. */
  integer(constraints: { min: number; max: number }): object;
  /** A number. */
  double(constraints: { min: number; max: number; noNaN: true }): object;
}
