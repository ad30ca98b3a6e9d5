/**
 * Runs the tests of the core that need no server, unchanged, on Deno, Bun, Node.js and workerd, and prints a table.
 *
 * Usage: deno task slow runtimes
 * With the paths of tests, `deno run … tests/slow/runtimes/run.ts tests/entry_points/client/client_test.ts` runs those alone.
 */
import { Miniflare } from "miniflare";
import workerd from "workerd";
import { ROOT } from "../../support/server_process.ts";
import { BUN, bundle, findProgram } from "./programs.ts";
import { FLAGS } from "../../support/flags.ts";

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
const suites = Deno.args.length > 0
  ? Deno.args
  : ["tests/core", "tests/entry_points"].flatMap((folder) =>
    filesIn(folder).filter((path) => path.endsWith("_test.ts"))
  )
    .toSorted();
console.log(`${suites.length} suites: ${suites.join(", ")}\n`);

try {
  const bundles = await bundleSuites();
  const worker = await bundleWithRunner(
    "worker",
    "export default { fetch: async () => Response.json(await runTests()) };",
  );
  const [node22, node20] = [await findProgram("node@22.0.0", "node"), await findProgram("node@20.12.0", "node")];
  const outcomes = await twoAtATime({
    "Deno": () => onDeno(),
    "Deno, __proto__": () => onDeno("--unstable-unsafe-proto"),
    // The oldest one that the manual promises. Its `node:test` has no suites.
    "Deno 1.46": () => onOldDeno("deno@1.46.0"),
    "Bun": () => onBun(bundles),
    "Node.js": () => onNode("node", bundles),
    // The oldest versions that the manual promises. They have no URL.parse.
    "Node.js 22.0": () => onNode(node22, bundles),
    "Node.js 20.12": () => onNode(node20, bundles),
    "workerd": () => onWorkerd(worker, "2026-01-01"),
    // The oldest compatibility date that the manual promises. Before it, a Request keeps a url that is not normalized.
    "workerd 2024-06-03": () => onWorkerd(worker, "2024-06-03"),
  });
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

/** The paths of all files below a folder, which is relative to the root of the repository, or absolute. */
function filesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

/** Runs the tests on two runtimes at a time, in the order of the keys. */
async function twoAtATime(runs: Readonly<Record<string, () => Promise<Outcome>>>): Promise<Record<string, Outcome>> {
  const outcomes = Object.fromEntries(Object.keys(runs).map((name) => [name, {} as Outcome]));
  const queue = Object.entries(runs).values();
  const work = async () => {
    for (const [name, run] of queue) outcomes[name] = await run();
  };
  await Promise.all([work(), work()]);
  return outcomes;
}

/** Bundles each suite by itself, in one process. */
async function bundleSuites(): Promise<readonly string[]> {
  const outdir = `${directory}/suites`;
  const output = await run(Deno.execPath(), ["bundle", "--quiet", ...FLAGS, `--outdir=${outdir}`, ...suites]);
  await Deno.writeTextFile(`${outdir}/package.json`, '{ "type": "module" }');
  const files = filesIn(outdir).filter((path) => path.endsWith("_test.js"));
  if (files.length !== suites.length) throw new Error(output);
  return files;
}

async function onDeno(...flags: readonly string[]): Promise<Outcome> {
  const junit = `${directory}/deno${flags.join("")}.xml`;
  const output = await run(Deno.execPath(), [
    "test",
    "--allow-all",
    "--no-check",
    ...FLAGS,
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

async function onNode(node: string, bundles: readonly string[]): Promise<Outcome> {
  const output = await run(node, ["--test", "--test-reporter=tap", ...bundles]);
  const count = (kind: string) => Number(new RegExp(`^# ${kind} (\\d+)$`, "m").exec(output)?.[1]);
  const version = (await run(node, ["--version"])).trim().slice(1);
  return { version, passed: count("pass"), failed: count("fail") + count("cancelled"), output };
}

async function onBun(bundles: readonly string[]): Promise<Outcome> {
  const bun = await findProgram(BUN, "bun");
  // Bun's default limit of 5 seconds per test is too short for a busy machine.
  const output = await run(bun, ["test", "--timeout=120000", ...bundles]);
  const count = (kind: string) => Number(new RegExp(`^ *(\\d+) ${kind}$`, "m").exec(output)?.[1] ?? 0);
  return { version: (await run(bun, ["--version"])).trim(), passed: count("pass"), failed: count("fail"), output };
}

/** Runs the tests by a small runner of ours. */
async function onOldDeno(spec: string): Promise<Outcome> {
  const deno = await findProgram(spec, "deno");
  const program = await bundleWithRunner("old_deno", "console.log(JSON.stringify(await runTests()));");
  const output = await run(deno, ["run", "--allow-all", program]);
  const { passed, failures } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '{ "passed": 0, "failures": [] }');
  const version = (await run(deno, ["--version"])).split(" ")[1] ?? "";
  return { version, passed, failed: failures.length, output: failures.join("\n") || output };
}

/**
 * Bundles all tests with a small runner, for runtimes whose own cannot run them.
 *
 * @param name The name of the bundle.
 * @param last The last line of the program, which calls `runTests`.
 * @returns The path of the bundle.
 */
async function bundleWithRunner(name: string, last: string): Promise<string> {
  const bdd = new URL("worker_bdd.ts", import.meta.url).href;
  const mapUrl = new URL("tests/import_map.json", ROOT);
  const { imports }: { imports: Record<string, string> } = JSON.parse(await Deno.readTextFile(mapUrl));
  for (const [name, target] of Object.entries(imports)) {
    if (target.startsWith("./")) imports[name] = new URL(target, mapUrl).href;
  }
  imports["@std/testing/bdd"] = bdd;
  const map = `${directory}/${name}_import_map.json`;
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const entry = `${directory}/${name}.ts`;
  await Deno.writeTextFile(
    entry,
    `
    ${suites.map((file) => `import "${new URL(file, ROOT)}";`).join("\n")}
    import { runTests } from "${bdd}";
    ${last}
  `,
  );
  return await bundle(entry, directory, `--import-map=${map}`);
}

/** Workers have no test runner. The bundle runs the tests on request. */
async function onWorkerd(scriptPath: string, compatibilityDate: string): Promise<Outcome> {
  const worker = new Miniflare({
    modules: true,
    scriptPath,
    modulesRoot: "/",
    compatibilityDate,
    // For node:process and node:fs, which one suite imports.
    compatibilityFlags: [
      "nodejs_compat",
      "nodejs_compat_v2",
      "enable_nodejs_fs_module",
      "enable_nodejs_process_v2",
      // Newer dates have it by default, and then the flag is an error.
      ...compatibilityDate < "2025-05-05" ? ["enable_weak_ref"] : [],
    ],
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
