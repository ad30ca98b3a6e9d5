/**
 * Changes the sources in many small ways, one at a time, and counts how many of these mutants the tests notice. It runs Stryker
 * in a temporary directory, on a bundle of the tests for Node.js.
 *
 * Usage: deno task slow mutation [core|body|client|…] [file or directory of src/]
 */
import { ROOT } from "../../support/server_process.ts";
import { FLAGS } from "../../support/flags.ts";

const STRYKER = "@stryker-mutator/core@9.6.1"; // the last that runs on Node.js 20

/** The parts, which are directories of src/, each with the score below which the run fails, in percent. */
const LEAST_SCORES = {
  core: 95,
  body: 95,
  standard_schema: 95,
  client: 90,
  events: 95,
  idempotency: 95,
  memory: 95,
  openapi: 85,
  hooks: 95,
  rate_limit: 95,
  session: 95,
  testing: 95,
  lint: 95,
};
type Part = keyof typeof LEAST_SCORES;

/** How many mutants a file has, and how many of them the tests notice. */
interface Count {
  readonly mutants: number;
  readonly killed: number;
}

const [chosen, path = "src"] = Deno.args;
for (const part of Object.keys(LEAST_SCORES) as readonly Part[]) {
  if (chosen !== undefined && chosen !== part) continue;
  const sources = filesBelow(`src/${part}`).filter((file) => `${file}/`.startsWith(`${path}/`));
  const directory = await Deno.makeTempDir();
  try {
    await copyProject(directory);
    await writeTests(part, directory);
    const counts: Record<string, Count> = {};
    // One file at a time: the code is slow where mutants are.
    for (const file of sources) counts[file] = await count(part, file, directory);
    const total = Object.values(counts).reduce(add);
    console.table(
      Object.fromEntries(Object.entries({ ...counts, total }).map(([name, count]) => [name, rowOf(count)])),
    );
    if (scoreOf(total) < LEAST_SCORES[part]) Deno.exitCode = 1;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function filesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : name.endsWith(".ts") ? [`${folder}/${name}`] : []
  ).toSorted();
}

/** Copies what the tests import, with a test runner that needs nothing from the runtime. */
async function copyProject(directory: string): Promise<void> {
  const output = await new Deno.Command("git", { args: ["ls-files", "-co", "--exclude-standard"], cwd: ROOT }).output();
  for (const name of new TextDecoder().decode(output.stdout).trim().split("\n")) {
    if (!/^(src|tests|examples\/(?:recipes|shared))\/|^(mod\.ts|deno\.json)$/.test(name)) continue;
    await Deno.mkdir(`${directory}/${name}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(new URL(name, ROOT), `${directory}/${name}`);
  }
  const map = `${directory}/tests/import_map.json`;
  const { imports } = JSON.parse(await Deno.readTextFile(map));
  imports["@std/testing/bdd"] = "./slow/runtimes/worker_bdd.ts";
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
}

/** Writes the program of the tests that the mutants of a part have to fail: those of its own directory. */
async function writeTests(part: Part, directory: string): Promise<void> {
  const tests = filesBelow(part === "core" || part === "lint" ? `tests/${part}` : `tests/entry_points/${part}`);
  const program = [
    ...tests.filter((file) => file.endsWith("_test.ts")).map((file) => `import "./${file}";`),
    'import { runUntilFailure } from "./tests/slow/mutation/run_until_failure.ts";',
    "await runUntilFailure();",
  ];
  await Deno.writeTextFile(`${directory}/run_tests.ts`, program.join("\n"));
}

/** Counts the mutants of a file, and prints those that survive. */
async function count(part: Part, file: string, directory: string): Promise<Count> {
  const bundle = `${Deno.execPath()} bundle --quiet ${FLAGS.join(" ")}`;
  const report = `${directory}/report.json`;
  const options = {
    mutate: [file],
    testRunner: "command",
    buildCommand: `${bundle} --output=tests.mjs run_tests.ts`,
    // Only `deno test` has `Deno.lint`.
    commandRunner: {
      command: part === "lint" ? `${Deno.execPath()} test -A --quiet --no-config tests.mjs` : "node tests.mjs",
    },
    reporters: ["clear-text", "json"],
    clearTextReporter: { reportTests: false, reportScoreTable: false, allowColor: false },
    jsonReporter: { fileName: report },
    dryRunTimeoutMinutes: 20, // the tests of the fuzzer take minutes
    concurrency: navigator.hardwareConcurrency,
    // Of the first run's time: an endless loop takes longer, and a busy machine does not.
    timeoutFactor: 4,
  };
  await Deno.writeTextFile(`${directory}/stryker.config.json`, JSON.stringify(options));
  const { success } = await new Deno.Command("npx", {
    args: ["-y", "-p", STRYKER, "stryker", "run"],
    cwd: directory,
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error(`Stryker failed on ${file}`);
  const { files }: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
    await Deno.readTextFile(report),
  );
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  return { mutants: statuses.length, killed: statuses.filter((status) => /Killed|Timeout/.test(status)).length };
}

function add(a: Count, b: Count): Count {
  return { mutants: a.mutants + b.mutants, killed: a.killed + b.killed };
}

function rowOf(count: Count) {
  return { ...count, survived: count.mutants - count.killed, score: scoreOf(count).toFixed(1) };
}

/** The score in percent; all of it for a file of types, which has no mutants. */
function scoreOf({ mutants, killed }: Count): number {
  return mutants === 0 ? 100 : 100 * killed / mutants;
}
