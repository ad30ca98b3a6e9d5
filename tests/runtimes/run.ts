/**
 * Runs the tests of the core that need no server, unchanged, on Deno, Bun, Node.js and workerd, and prints a table.
 *
 * Usage: deno task test:runtimes
 */
import { Miniflare } from "miniflare";
import workerd from "workerd";
import { ROOT } from "../server_process.ts";
import { BUN, bundle, findProgram } from "./programs.ts";

/** Tests that start processes or servers of Deno, run the compiler, or read the repository. They test other runtimes themselves. */
const DENO_ALONE = [
  "client_browser_test.ts",
  "client_editor_test.ts",
  "client_http_test.ts",
  "hover_test.ts",
  "links_test.ts",
  "mistakes_test.ts",
  "packed_test.ts",
  "readme_test.ts",
  "runtimes_test.ts",
  "types_scale_test.ts",
  "wire_test.ts",
  "wire_url_test.ts",
];
/** Tests for the compiler only. */
const TYPES = /types_test\.ts$/;

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
const suites = [...Deno.readDirSync(new URL("tests/", ROOT))]
  .map(({ name }) => name)
  .filter((name) => name.endsWith("_test.ts") && !TYPES.test(name) && !DENO_ALONE.includes(name))
  .toSorted();
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

async function onDeno(...flags: readonly string[]): Promise<Outcome> {
  const junit = `${directory}/deno.xml`;
  const files = suites.map((name) => `tests/${name}`);
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
    ...files,
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
  return await Promise.all(suites.map((name) => bundle(`tests/${name}`, directory)));
}

/** Workers have no test runner. The bundle contains a small one, which runs the tests on request. */
async function onWorkerd(): Promise<Outcome> {
  const bdd = new URL("worker_bdd.ts", import.meta.url).href;
  const mapUrl = new URL("../import_map.json", import.meta.url);
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
    ${suites.map((name) => `import "${new URL(`tests/${name}`, ROOT)}";`).join("\n")}
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
