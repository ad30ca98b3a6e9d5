import { run } from "../../slow/runtimes/programs.ts";

/** Installs packages of npm for modules in a directory, and prints their versions. */
export async function install(packages: readonly string[], directory: string): Promise<void> {
  await Deno.writeTextFile(`${directory}/package.json`, '{"private":true,"type":"module"}');
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], directory);
  console.log(await run("npm", ["ls", "--depth=0"], directory));
}
