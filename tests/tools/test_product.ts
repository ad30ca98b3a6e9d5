import { FLAGS } from "../support/flags.ts";
import { readDeno, ROOT, runTestsWithDots } from "./run_deno.ts";

/**
 * Workerd runs all of these in one program. Here, they share a few workers: each worker loads all packages once more, and
 * covers them.
 */
const TOGETHER = ["tests/core", "tests/entry_points"];
const WORKERS = 3;

/** What covers `src/` beside them. They begin first: those with sockets and files wait more than they work. */
const APART = ["files", "network", "stores", "telemetry", "lint"].map((name) => `tests/${name}`);

/** What runs without coverage, the longest first: types of all tests, documents, and tests beside the examples. */
const UNCOVERED = [...["types", "documents", "repository", "create"].map((name) => `tests/${name}`), "examples"];

/** What `deno task test` runs. */
export const PRODUCT: readonly string[] = [...TOGETHER, ...APART, ...UNCOVERED];

/**
 * Where there is code in doc comments and in Markdown files. `tests/types/messages_test.ts` checks its types, and
 * `tests/documents/samples_test.ts` runs it.
 */
export const DOCUMENTED: readonly string[] = ["mod.ts", "src", "README.md", ".github", "examples"];

const COVERAGE = ["--coverage=.coverage", "--coverage-raw-data-only", "--clean"];

/**
 * Runs the tests that cover `src/`, and fails below 100 %. Another process runs the other tests, which check types, and the
 * code in documentation. Prints what failed, the files that are not covered, and how to run the other tests.
 */
export async function testProduct(): Promise<void> {
  // Neither of the two uses more than a core and a half.
  const others = testOthers();
  const folder = await Deno.makeTempDir();
  const code = await runTestsWithDots([
    "test",
    "--no-check",
    "--parallel",
    "--allow-all",
    // The modules of the workers are elsewhere.
    "--config=deno.json",
    ...FLAGS,
    ...COVERAGE,
    ...APART,
    ...await writeWorkers(folder),
  ]);
  await Deno.remove(folder, { recursive: true });
  const failures = await others;
  if (failures !== "") console.log(failures);
  if (code !== 0 || failures !== "") Deno.exit(1);

  const covered = await readDeno(["coverage", "--threshold=100", "--include=/src/", ".coverage"]);
  const rows = covered.printed.trimEnd().split("\n");
  console.log(rows.filter((row) => row.includes("All files") || !/(?:100\.0.*){3}/.test(row)).join("\n"));
  console.log("\nThese were the tests of what is published. The others: npx -y deno@2.9.6 task slow");
  if (covered.code !== 0) Deno.exit(1);
}

/** Writes a module for each worker, which imports its part of the tests. Those of one directory go to different workers. */
async function writeWorkers(folder: string): Promise<readonly string[]> {
  const tests = TOGETHER.flatMap(testsIn);
  return await Promise.all(Array.from({ length: WORKERS }, async (_, worker) => {
    const path = `${folder}/${worker}_test.ts`;
    const imported = tests.filter((_, index) => index % WORKERS === worker);
    await Deno.writeTextFile(path, imported.map((test) => `import "${new URL(test, ROOT)}";\n`).join(""));
    return path;
  }));
}

function testsIn(directory: string): readonly string[] {
  return [...Deno.readDirSync(new URL(directory, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return testsIn(path);
    return name.endsWith("_test.ts") ? [path] : [];
  }).toSorted();
}

/** Runs the tests that cover nothing. One of them checks the types of all tests and samples. Returns what failed. */
async function testOthers(): Promise<string> {
  const flags = ["--no-check", "--parallel", "--allow-all", ...FLAGS];
  const { code, printed } = await readDeno(["test", ...flags, ...UNCOVERED]);
  return code === 0 ? "" : printed;
}
