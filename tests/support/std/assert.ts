/**
 * The functions of `@std/assert` that the tests use, for networks that reach npm but not JSR. `deno-std` publishes the same code
 * on npm without types. This file adds the types, as strict as those of `@std`.
 */
import * as std from "npm:deno-std@1.4.0/assert/mod.js";

// deno-lint-ignore no-explicit-any
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

export const assert: (condition: unknown, message?: string) => asserts condition = std.assert;
export const assertEquals: <T>(actual: T, expected: T, message?: string) => void = std.assertEquals;
export const assertStrictEquals: <T>(actual: unknown, expected: T, message?: string) => asserts actual is T =
  std.assertStrictEquals;
export const assertNotStrictEquals: <T>(actual: T, expected: T, message?: string) => void = std.assertNotStrictEquals;
// deno-lint-ignore no-explicit-any
export const assertInstanceOf: <Class extends abstract new (...args: any[]) => any>(
  actual: unknown,
  expected: Class,
  message?: string,
) => asserts actual is InstanceType<Class> = std.assertInstanceOf;
export const assertMatch: (actual: string, expected: RegExp, message?: string) => void = std.assertMatch;
export const assertStringIncludes: (actual: string, expected: string, message?: string) => void =
  std.assertStringIncludes;
export const assertThrows: {
  (action: () => unknown, message?: string): unknown;
  <E extends Error = Error>(
    action: () => unknown,
    expected: ErrorClass<E>,
    messageIncludes?: string,
    message?: string,
  ): E;
} = std.assertThrows;
export const assertRejects: {
  (action: () => PromiseLike<unknown>, message?: string): Promise<unknown>;
  <E extends Error = Error>(
    action: () => PromiseLike<unknown>,
    expected: ErrorClass<E>,
    messageIncludes?: string,
    message?: string,
  ): Promise<E>;
} = std.assertRejects;
