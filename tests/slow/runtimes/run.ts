/**
 * Runs the tests of the core that need no server, unchanged, on Deno, Bun, Node.js and workerd, and prints a table.
 *
 * Usage: deno task test:runtimes
 */
import { Miniflare } from "miniflare";
import workerd from "workerd";
import { ROOT } from "../../support/server_process.ts";
import { BUN, bundle, findProgram } from "./programs.ts";

/** The results on one runtime. */
interface Outcome {
  readonly version: string;
  readonly passed: number;
  readonly failed: number;
  /** The output of the runtime, shown if anything failed. */
  readonly output: string;
}

// One test reads a file, which a Worker cannot. All runtimes must run the same tests, so all skip it.
Deno.env.delete("URL_TEST_DATA");
Deno.env.delete("NO_SKIPS");

const directory = await Deno.makeTempDir();
const suites = findTests("tests/core").toSorted();
console.log(`${suites.length} suites: ${suites.join(", ")}\n`);

try {
  const outcomes = {
    "Deno": await onDeno(),
    "Deno, __proto__": await onDeno("--unstable-unsafe-proto"),
    "Bun": await onBun(),
    "Node.js": await onNode("node"),
    // The oldest versions that README promises. They have no URL.parse.
    "Node.js 22.0": await onNode(await findProgram("node@22.0.0", "node")),
    "Node.js 20.9": await onNode(await findProgram("node@20.9.0", "node")),
    "workerd": await onWorkerd(),
  };
  for (const [runtime, { failed, passed, output }] of Object.entries(outcomes)) {
    if (failed > 0 || passed === 0) console.log(`${runtime}:\n${output}\n`);
  }
  console.table(
    Object.fromEntries(
      Object.entries(outcomes).map(([runtime, { version, passed, failed }]) => [runtime, { version, passed, failed }]),
    ),
  );
  const counts = Object.values(outcomes).map(({ passed }) => passed);
  const sound = Object.values(outcomes).every(({ failed }) => failed === 0) && new Set(counts).size === 1 && counts[0];
  if (!sound) console.error("Every runtime must pass every test, and the same number of tests");
  Deno.exitCode = sound ? 0 : 1;
} finally {
  await Deno.remove(directory, { recursive: true });
}

function findTests(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return findTests(`${folder}/${name}`);
    return name.endsWith("_test.ts") ? [`${folder}/${name}`] : [];
  });
}

async function onDeno(...flags: readonly string[]): Promise<Outcome> {
  const junit = `${directory}/deno.xml`;
  const map = "--import-map=tests/import_map.json";
  const output = await run(Deno.execPath(), [
    "test",
    "--allow-all",
    "--no-check",
    map,
    "--lock=tests/deno.lock",
    "--frozen",
    `--junit-path=${junit}`,
    ...flags,
    ...suites,
  ]);
  const cases = [...(await Deno.readTextFile(junit)).matchAll(/<testcase name="(.*?)" .*?>([^]*?)<\/testcase>/g)];
  const names = cases.map(([, name = ""]) => name);
  // The report also lists suites as test cases: those with other cases below them.
  const tests = cases.filter(([, name]) => !names.some((other) => other.startsWith(`${name} &gt; `)));
  const count = (mark: string) => tests.filter(([, , content]) => content?.includes(mark)).length;
  const failed = count("<failure");
  return { version: Deno.version.deno, passed: tests.length - failed - count("<skipped"), failed, output };
}

async function onNode(node: string): Promise<Outcome> {
  const output = await run(node, ["--test", "--test-reporter=tap", ...await bundles()]);
  const count = (kind: string) => Number(new RegExp(`^# ${kind} (\\d+)$`, "m").exec(output)?.[1]);
  const version = (await run(node, ["--version"])).trim().slice(1);
  return { version, passed: count("pass"), failed: count("fail") + count("cancelled"), output };
}

async function onBun(): Promise<Outcome> {
  const bun = await findProgram(BUN, "bun");
  // Bun's default limit of 5 seconds per test is too short for a busy machine.
  const output = await run(bun, ["test", "--timeout=120000", ...await bundles()]);
  const count = (kind: string) => Number(new RegExp(`^ *(\\d+) ${kind}$`, "m").exec(output)?.[1] ?? 0);
  return { version: (await run(bun, ["--version"])).trim(), passed: count("pass"), failed: count("fail"), output };
}

async function bundles(): Promise<readonly string[]> {
  return await Promise.all(suites.map((file) => bundle(file, directory)));
}

/** Workers have no test runner. The bundle contains a small one, which runs the tests on request. */
async function onWorkerd(): Promise<Outcome> {
  const bdd = new URL("worker_bdd.ts", import.meta.url).href;
  const mapUrl = new URL("tests/import_map.json", ROOT);
  const { imports }: { imports: Record<string, string> } = JSON.parse(await Deno.readTextFile(mapUrl));
  for (const [name, target] of Object.entries(imports)) {
    if (target.startsWith("./")) imports[name] = new URL(target, mapUrl).href;
  }
  imports["@std/testing/bdd"] = bdd;
  const map = `${directory}/worker_import_map.json`;
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const entry = `${directory}/worker.ts`;
  await Deno.writeTextFile(
    entry,
    `
    ${suites.map((file) => `import "${new URL(file, ROOT)}";`).join("\n")}
    import { runTests } from "${bdd}";
    export default { fetch: async () => Response.json(await runTests()) };
  `,
  );
  const scriptPath = await bundle(entry, directory, `--import-map=${map}`);

  const worker = new Miniflare({
    modules: true,
    scriptPath,
    modulesRoot: "/",
    compatibilityDate: "2026-01-01",
    compatibilityFlags: ["nodejs_compat"], // for node:process and node:fs, which one suite imports
  });
  try {
    const answer = await worker.dispatchFetch("http://localhost/");
    const { passed, failures } = await answer.json() as { passed: number; failures: readonly string[] };
    return { version: workerd.version, passed, failed: failures.length, output: failures.join("\n") };
  } finally {
    await worker.dispose();
  }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command(program, { args: [...args], cwd: ROOT, env: { NO_COLOR: "1" }, stdin: "null" })
    .output();
  return new TextDecoder().decode(output.stdout) + new TextDecoder().decode(output.stderr);
}
