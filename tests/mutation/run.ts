/**
 * Changes the sources in many small ways, one at a time, and counts how many of these mutants the tests notice. It runs Stryker
 * in a temporary directory, on a bundle of the tests for Node.js.
 *
 * Usage: deno task test:mutation [core|standard_schema|openapi] [file of src/]
 */
import { ROOT } from "../server_process.ts";

const STRYKER = "@stryker-mutator/core@9.6.1"; // the last that runs on Node.js 20

/** The files of each part, and the score below which the run fails, in percent. */
const PARTS = {
  core: { files: ["src/*.ts", "!src/standard_schema.ts"], least: 95 },
  standard_schema: { files: ["src/standard_schema.ts"], least: 95 },
  openapi: { files: ["src/openapi/*.ts"], least: 85 },
};

const [chosen, file] = Deno.args;
for (const [part, { files, least }] of Object.entries(PARTS)) {
  if (chosen !== undefined && chosen !== part) continue;
  const directory = await Deno.makeTempDir();
  try {
    await copyProject(directory);
    const bundle =
      `${Deno.execPath()} bundle --quiet --import-map=tests/import_map.json --lock=tests/deno.lock --frozen`;
    const options = {
      mutate: file === undefined ? files : [file],
      testRunner: "command",
      buildCommand: `${bundle} --output=tests.mjs tests/mutation/${part}.ts`,
      commandRunner: { command: "node tests.mjs" },
      reporters: ["clear-text"],
      clearTextReporter: { reportTests: false, allowColor: false },
      thresholds: { high: 100, low: least, break: least },
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
    if (!success) Deno.exitCode = 1;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Copies what the tests import, with a test runner that needs nothing from the runtime. */
async function copyProject(directory: string): Promise<void> {
  const output = await new Deno.Command("git", { args: ["ls-files", "-co", "--exclude-standard"], cwd: ROOT }).output();
  for (const name of new TextDecoder().decode(output.stdout).trim().split("\n")) {
    if (!/^(src|tests|examples\/shared)\/|^(mod\.ts|deno\.json)$/.test(name)) continue;
    await Deno.mkdir(`${directory}/${name}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(new URL(name, ROOT), `${directory}/${name}`);
  }
  const map = `${directory}/tests/import_map.json`;
  const { imports } = JSON.parse(await Deno.readTextFile(map));
  imports["@std/testing/bdd"] = "./runtimes/worker_bdd.ts";
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
}
