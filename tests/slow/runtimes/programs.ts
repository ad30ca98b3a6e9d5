import { ROOT } from "../../support/server_process.ts";
import { FLAGS, LOCKED } from "../../support/flags.ts";

/** The version of Bun that the tests run on. */
export const BUN = "bun@1.4.5";

/**
 * Finds a program in an npm package. Downloads the package if necessary.
 *
 * @param spec The package with its version.
 * @param name The program's name.
 * @returns The path of the program. Run it directly: npx does not pass signals on.
 */
export async function findProgram(spec: string, name: string): Promise<string> {
  const output = await run("npx", ["-y", "-p", spec, "which", name]);
  return output.trim();
}

/**
 * Bundles a module and its imports, except built-in modules, into one JavaScript module.
 *
 * @param entry The module, relative to the root of the repository.
 * @param directory The directory for the bundle.
 * @returns The path of the bundle.
 */
export async function bundle(entry: string, directory: string, ...flags: readonly string[]): Promise<string> {
  const output = `${directory}/${entry.replace(/^.*\//, "").replace(/\.ts$/, ".test.mjs")}`;
  const fixed = flags.some((flag) => flag.startsWith("--import-map")) ? LOCKED : FLAGS;
  await run(Deno.execPath(), ["bundle", "--quiet", ...fixed, ...flags, `--output=${output}`, entry]);
  return output;
}

/**
 * Runs a program to its end.
 *
 * @param program The program.
 * @param args Its arguments.
 * @param cwd The working directory; the root of the repository by default.
 * @returns What it printed.
 * @throws If it fails, or if it does not end within ten minutes; the message contains its output.
 */
export async function run(program: string, args: readonly string[], cwd: string | URL = ROOT): Promise<string> {
  const signal = AbortSignal.timeout(10 * 60_000);
  const options: Deno.CommandOptions = { args: [...args], cwd, env: { NO_COLOR: "1" }, stdin: "null", signal };
  const output = await new Deno.Command(program, options).output();
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!output.success) throw new Error(`${program} ${args.join(" ")} failed: ${stdout}${stderr}`);
  return stdout ?? "";
}
