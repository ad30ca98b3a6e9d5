import { FLAGS } from "../support/flags.ts";
import { readDeno, runTestsWithDots } from "./run_deno.ts";

/** The tests of types start compilers, which need as long as all others together. */
const TYPES = "tests/types";

/** What runs beside them: directories of tests, and the tests beside the examples. */
const OTHERS = [
  ...["core", "entry_points", "files", "network", "stores", "telemetry", "create", "lint", "documents", "repository"]
    .map((name) => `tests/${name}`),
  "examples",
];

/** What `deno task test` runs. */
export const PRODUCT: readonly string[] = [...OTHERS, TYPES];

/** Where there is code in doc comments and in Markdown files. `tests/documents/samples_test.ts` runs it. */
export const DOCUMENTED: readonly string[] = ["mod.ts", "src", "README.md", ".github", "examples"];

const COVERAGE = ["--coverage=.coverage", "--coverage-raw-data-only", "--clean"];

/**
 * Runs the tests and the code in documentation while another process checks types, and fails below 100 % coverage of
 * `src/`. Prints what failed, the files that are not covered, and how to run the other tests.
 */
export async function testProduct(): Promise<void> {
  // Neither of the two uses more than a core and a half.
  const checking = checkTypes();
  const code = await runTestsWithDots([
    "test",
    "--no-check",
    "--parallel",
    "--allow-all",
    ...FLAGS,
    ...COVERAGE,
    ...OTHERS,
  ]);
  const failures = await checking;
  if (failures !== "") console.log(failures);
  if (code !== 0 || failures !== "") Deno.exit(1);

  const covered = await readDeno(["coverage", "--threshold=100", "--include=/src/", ".coverage"]);
  const rows = covered.printed.trimEnd().split("\n");
  console.log(rows.filter((row) => row.includes("All files") || !/(?:100\.0.*){3}/.test(row)).join("\n"));
  console.log("\nThese were the tests of what is published. The others: npx -y deno@2.9.6 task slow");
  if (covered.code !== 0) Deno.exit(1);
}

/** Checks the types of all tests and samples, and then tests what the compiler accepts and prints. Returns what failed. */
async function checkTypes(): Promise<string> {
  const checked = await readDeno(["test", "--no-run", "--doc", ...FLAGS, ...DOCUMENTED, ...PRODUCT]);
  const tested = await readDeno(["test", "--no-check", "--allow-all", ...FLAGS, TYPES]);
  return [checked, tested].filter(({ code }) => code !== 0).map(({ printed }) => printed).join("\n");
}
