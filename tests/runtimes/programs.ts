import { ROOT } from "../server_process.ts";

/** The version of Bun that the tests run on. */
export const BUN = "bun@1.4.5";

/**
 * Finds the program that a package of npm brings, fetching the package if need be.
 *
 * @param spec The package with its version.
 * @param name The program's name.
 * @returns The path of the program, to be run without npx in between, which does not pass signals on.
 */
export async function findProgram(spec: string, name: string): Promise<string> {
  const output = await run("npx", ["-y", "-p", spec, "which", name]);
  return output.trim();
}

/**
 * Makes one JavaScript module of a module and all that it imports, but for what comes with a runtime.
 *
 * @param entry The module, from the root of the repository.
 * @param directory Where the result goes.
 * @returns The path of the result.
 */
export async function bundle(entry: string, directory: string, ...flags: readonly string[]): Promise<string> {
  const output = `${directory}/${entry.replace(/^.*\//, "").replace(/\.ts$/, ".test.mjs")}`;
  const map = flags.some((flag) => flag.startsWith("--import-map")) ? [] : ["--import-map=tests/import_map.json"];
  const lock = ["--lock=tests/deno.lock", "--frozen"];
  await run(Deno.execPath(), ["bundle", "--quiet", ...map, ...lock, ...flags, `--output=${output}`, entry]);
  return output;
}

/**
 * Runs a program to its end.
 *
 * @param program The program.
 * @param args Its arguments.
 * @param cwd Where it runs; the root of the repository unless told.
 * @returns What it printed.
 * @throws With all that it printed, if it failed.
 */
export async function run(program: string, args: readonly string[], cwd: string | URL = ROOT): Promise<string> {
  const output = await new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" }, stdin: "null" })
    .output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!output.success) throw new Error(`${program} ${args.join(" ")} failed: ${stdout}${stderr}`);
  return stdout ?? "";
}
