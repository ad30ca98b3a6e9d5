/**
 * The part of `@std/testing/bdd` that the tests use, for a runtime without a test runner. A Worker collects the tests when it
 * starts and runs them on request.
 */
type Work = () => unknown;

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly before: Work[];
  readonly after: Work[];
}

/** A test, with its suite and those around it in its name. */
export interface Test {
  readonly suite: Suite | undefined;
  readonly name: string;
  readonly run: Work;
}

/** The tests, as they are declared. */
export const tests: Test[] = [];
let current: Suite | undefined;

/** Groups the tests that `declare` declares. */
export function describe(name: string, declare: () => void): void {
  const parent = current;
  current = { name, parent, before: [], after: [] };
  declare();
  current = parent;
}
describe.skip = (_name: string, _declare: () => void): void => {};

/** Declares a test. */
export function it(name: string, run: Work): void {
  tests.push({ suite: current, name: [...ancestors(current).map(({ name }) => name), name].join(" > "), run });
}
it.skip = (_name: string, _run: Work): void => {};

/** Declares what runs before each test of a suite. */
export function beforeEach(work: Work): void {
  current?.before.push(work);
}

/** Declares what runs after each test of a suite. */
export function afterEach(work: Work): void {
  current?.after.push(work);
}

/** Runs all tests in sequence; with `bail`, up to the first failure. */
export async function runTests(
  chosen: readonly Test[] = tests,
  { bail = false } = {},
): Promise<{ readonly passed: number; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  let passed = 0;
  for (const { suite, name, run } of chosen) {
    if (bail && failures.length > 0) break;
    const suites = ancestors(suite);
    try {
      for (const { before } of suites) for (const work of before) await work();
      await run();
      for (const { after } of suites.toReversed()) for (const work of after) await work();
      passed++;
    } catch (error) {
      const stack = error instanceof Error ? error.stack : String(error);
      failures.push(`${name}: ${stack}`);
    }
  }
  return { passed, failures };
}

/** The suite and the suites that contain it, outermost first. */
function ancestors(suite: Suite | undefined): readonly Suite[] {
  return suite === undefined ? [] : [...ancestors(suite.parent), suite];
}
