import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { runTests, type Test, tests } from "../runtimes/worker_bdd.ts";

/** Stryker's instrumentation of `src/` keeps its state in this global. */
const { __stryker__: stryker = {} } = globalThis as { __stryker__?: Stryker };

interface Stryker {
  /** The test that runs. */
  currentTestId?: string;
  /** How often each mutant was reached, by id: while the modules were loaded, and in each test. */
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

/** What the first run, which is of no mutant, writes down for the others. */
interface FirstRun {
  readonly coverage: Stryker["mutantCoverage"];
  /** The time that each test took, in milliseconds. */
  readonly times: Readonly<Record<string, number>>;
}
const FIRST_RUN = "first_run.json";
/** All tests but the one that compares times: it fails now and then, as the instrumented code is slow. */
const judges = tests.filter(({ name }) =>
  !name.endsWith("takes at most five times what a well-formed query of the same length takes")
);

/**
 * Runs the tests up to the first that fails. The exit code tells whether one failed. A mutant runs only the tests that reach
 * it, the quickest first.
 */
export async function runUntilFailure(): Promise<void> {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  const { passed, failures } = mutant === undefined
    ? await runFirst()
    : await runTests(testsThatReach(mutant), { bail: true });
  console.log(`${passed} passed, ${failures.length} failed\n${failures.join("\n")}`);
  process.exit(failures.length > 0 || (mutant === undefined && passed === 0) ? 1 : 0);
}

async function runFirst(): ReturnType<typeof runTests> {
  const times: Record<string, number> = {};
  const watched = judges.map((test): Test => ({
    ...test,
    async run() {
      stryker.currentTestId = test.name;
      const start = performance.now();
      await test.run();
      times[test.name] = performance.now() - start;
    },
  }));
  const outcome = await runTests(watched, { bail: true });
  const first: FirstRun = { coverage: stryker.mutantCoverage, times };
  writeFileSync(FIRST_RUN, JSON.stringify(first));
  return outcome;
}

function testsThatReach(mutant: string): readonly Test[] {
  const { coverage, times }: FirstRun = JSON.parse(readFileSync(FIRST_RUN, "utf8"));
  const reached = (name: string) =>
    coverage === undefined || mutant in coverage.static || mutant in (coverage.perTest[name] ?? {});
  return judges.filter(({ name }) => reached(name)).toSorted((a, b) => (times[a.name] ?? 0) - (times[b.name] ?? 0));
}
