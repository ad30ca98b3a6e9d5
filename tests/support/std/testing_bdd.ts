/**
 * The functions of `@std/testing/bdd` that the tests use, for networks that reach npm but not JSR. They are those of `node:test`,
 * with the types of `@std`: a hook returns nothing or a promise of nothing, and a suite is not asynchronous.
 */
import * as test from "node:test";

type Suite = (name: string, declare: () => void | undefined) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;
type Hook = (run: () => void | Promise<void>) => void;

export const describe: Suite & { readonly skip: Suite } = test.describe;
export const it: Test & { readonly skip: Test } = test.it;
export const before: Hook = test.before;
export const after: Hook = test.after;
export const beforeEach: Hook = test.beforeEach;
export const afterEach: Hook = test.afterEach;
