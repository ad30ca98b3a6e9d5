import { run } from "../../../slow/runtimes/programs.ts";

/** What the compiler says of a project. */
export interface Cost {
  readonly instantiations: number;
  readonly seconds: number;
}

/**
 * Checks a project in a process of its own.
 *
 * @param directory Where the compilers are.
 * @param version The version of TypeScript.
 * @param config The `tsconfig.json` of the project.
 * @returns What it cost.
 * @throws If the project has errors.
 */
export async function check(directory: string, version: string, config: string): Promise<Cost> {
  const compiler = `${directory}/node_modules/typescript-${version}/bin/tsc`;
  const printed = await run("node", [
    "--max-old-space-size=8192",
    compiler,
    "--extendedDiagnostics",
    "--project",
    config,
  ]);
  const read = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(printed)?.[1] ?? NaN);
  return { instantiations: read("Instantiations"), seconds: read("Check time") };
}
