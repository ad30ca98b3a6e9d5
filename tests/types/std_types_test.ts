/**
 * The modules under `tests/std/` must be as strict as those of `@std`, or code that compiles with the import map fails where JSR
 * is in reach. Nothing here runs: the compiler is the test, with the import map and without.
 */
import * as assertions from "@std/assert";
import * as etag from "@std/http/etag";
import * as negotiation from "@std/http/negotiation";
import * as mediaTypes from "@std/media-types";
import * as path from "@std/path";
import * as bdd from "@std/testing/bdd";

/** Without the import map: code that compiles with one of our types compiles with that of `@std`. */
export const STD = { assertions, bdd, etag, mediaTypes, negotiation, path } satisfies {
  readonly assertions: typeof import("../support/std/assert.ts");
  readonly bdd: typeof import("../support/std/testing_bdd.ts");
  readonly etag: typeof import("../support/std/http_etag.ts");
  readonly mediaTypes: typeof import("../support/std/media_types.ts");
  readonly negotiation: typeof import("../support/std/http_negotiation.ts");
  readonly path: typeof import("../support/std/path.ts");
};

/** With the import map: what `@std` rejects is rejected. */
export const rejected = [
  // @ts-expect-error: a hook returns nothing, or a promise of nothing
  () => bdd.after(() => Promise.resolve(1)),
  // @ts-expect-error: no other kind of promise
  () => bdd.before((): PromiseLike<void> => Promise.resolve()),
  // @ts-expect-error: a test returns nothing
  () => bdd.it("returns a number", () => 1),
  // @ts-expect-error: a suite is not asynchronous
  () => bdd.describe("a suite", async () => {}),
  // @ts-expect-error: without a class, the error is unknown
  () => assertions.assertThrows(() => {}).message,
  // @ts-expect-error: without a class, the error is unknown
  async () => (await assertions.assertRejects(() => Promise.reject())).message,
  // @ts-expect-error: a class has no message before it
  () => assertions.assertThrows(() => {}, "a message", TypeError),
  // @ts-expect-error: without types, the result is a list
  (request: Request): string | undefined => negotiation.accepts(request),
  // @ts-expect-error: bytes of a shared buffer have no ETag
  (bytes: Uint8Array<SharedArrayBuffer>) => etag.eTag(bytes),
];
