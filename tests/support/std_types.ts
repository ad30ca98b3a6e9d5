/**
 * The modules under `tests/support/std/` must be as strict as those of `@std`, or code that compiles with the import map fails where JSR
 * is in reach. Nothing here runs: the compiler is the test, with the import map and without.
 */
import * as assertions from "@std/assert";
import * as negotiation from "@std/http/negotiation";
import * as mediaTypes from "@std/media-types";
import * as path from "@std/path";
import * as bdd from "@std/testing/bdd";

/** Without the import map: code that compiles with one of our types compiles with that of `@std`. */
export const STD = { assertions, bdd, mediaTypes, negotiation, path } satisfies {
  readonly assertions: typeof import("../support/std/assert.ts");
  readonly bdd: typeof import("../support/std/testing_bdd.ts");
  readonly mediaTypes: typeof import("../support/std/media_types.ts");
  readonly negotiation: typeof import("../support/std/http_negotiation.ts");
  readonly path: typeof import("../support/std/path.ts");
};

/** With the import map: what `@std` rejects is rejected. */
export const rejected = [
  // @ts-expect-error at `Promise.resolve(1)`: Type 'number' is not assignable to type 'void'.
  () => bdd.after(() => Promise.resolve(1)),
  // @ts-expect-error at `Promise.resolve()`: Type 'PromiseLike<void>' is missing the following properties from type
  //   'Promise<void>': catch, finally, [Symbol.toStringTag]
  () => bdd.before((): PromiseLike<void> => Promise.resolve()),
  // @ts-expect-error at `1`: Type 'number' is not assignable to type 'Promise<void> | void'.
  () => bdd.it("returns a number", () => 1),
  // @ts-expect-error at `async () => {}`: Type 'Promise<void>' is not assignable to type 'void'.
  () => bdd.describe("a suite", async () => {}),
  // Without a class, the error is unknown.
  // @ts-expect-error at `assertions.assertThrows(() => {})`: Object is of type 'unknown'.
  () => assertions.assertThrows(() => {}).message,
  // Without a class, the error is unknown.
  // @ts-expect-error at `(await assertions.assertRejects(() => Pr…`: Object is of type 'unknown'.
  async () => (await assertions.assertRejects(() => Promise.reject())).message,
  // @ts-expect-error at `"a message"`: Argument of type 'string' is not assignable to parameter of type
  //   'ErrorClass<Error>'.
  () => assertions.assertThrows(() => {}, "a message", TypeError),
  // Without types, the result is a list.
  // @ts-expect-error at `negotiation.accepts(request)`: Type 'string[]' is not assignable to type 'string'.
  (request: Request): string | undefined => negotiation.accepts(request),
];
