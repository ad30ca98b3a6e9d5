import { FLAGS } from "../support/flags.ts";
import { readDeno, runTestsWithDots } from "./run_deno.ts";

/** The directories of tests that `deno task test` runs. Those of the examples are in `examples/` itself. */
export const PRODUCT: readonly string[] = [
  "examples",
  ...[
    "core",
    "entry_points",
    "files",
    "network",
    "stores",
    "telemetry",
    "create",
    "lint",
    "types",
    "documents",
    "repository",
  ].map((
    name,
  ) => `tests/${name}`),
];

/** Where there is code in doc comments and in Markdown files. `tests/documents/samples_test.ts` runs it. */
export const DOCUMENTED: readonly string[] = ["mod.ts", "src", "README.md", ".github", "examples"];

const COVERAGE = ["--coverage=.coverage", "--coverage-raw-data-only", "--clean"];

/**
 * Runs the tests and the code in documentation while another process checks their types, and fails below 100 % coverage of
 * `src/`. Prints what failed, the files that are not covered, and how to run the other tests.
 */
export async function testProduct(): Promise<void> {
  // Neither of the two uses more than a core and a half.
  const checking = readDeno(["test", "--no-run", "--doc", ...FLAGS, ...DOCUMENTED, ...PRODUCT]);
  const run = ["test", "--no-check", "--parallel", "--allow-all", ...FLAGS, ...COVERAGE, ...PRODUCT];
  const code = await runTestsWithDots(run);
  const checked = await checking;
  if (checked.code !== 0) console.log(checked.printed);
  if (code !== 0 || checked.code !== 0) Deno.exit(1);

  const covered = await readDeno(["coverage", "--threshold=100", "--include=/src/", ".coverage"]);
  const rows = covered.printed.trimEnd().split("\n");
  console.log(rows.filter((row) => row.includes("All files") || !/(?:100\.0.*){3}/.test(row)).join("\n"));
  console.log("\nThese were the tests of what is published. The others: npx -y deno@2.9.6 task slow");
  if (covered.code !== 0) Deno.exit(1);
}
