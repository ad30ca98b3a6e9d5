import { run } from "../../../slow/runtimes/programs.ts";
import { pack } from "../../pack.ts";
import { type Contender, importSchemas, MISTAKES, schemas } from "./contender.ts";

/** The versions of TypeScript. An editor has the language service of the first. */
export const COMPILERS: readonly string[] = ["5.9.3", "7.0.2"];

/** The options of the projects: strict, with the modules of a bundler. */
export const COMPILER_OPTIONS = {
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: "es2024",
  types: [],
};

/** Installs this module, as it is packed for npm, the packages of all contenders, and the compilers. */
export async function installPackages(directory: string, contenders: readonly Contender[]): Promise<void> {
  await Deno.writeTextFile(`${directory}/package.json`, '{"private":true,"type":"module"}');
  const packed = await pack(`${directory}/npm`);
  const packages = contenders.flatMap((contender) => contender.packages);
  const compilers = COMPILERS.map((version) => `typescript-${version}@npm:typescript@${version}`);
  await run("npm", ["install", "--no-audit", "--no-fund", packed, "zod@4.6.7", ...packages, ...compilers], directory);
}

/**
 * Writes a project with an API of this many resources, and calls of all its endpoints.
 *
 * @param directory Where the packages are.
 * @param contender The contender.
 * @param resources The number of resources.
 * @returns The files of the project.
 */
export async function writeProject(directory: string, contender: Contender, resources: number): Promise<Project> {
  const numbers = Array.from({ length: resources }, (_, k) => k);
  const { name, api, client, calls, mistakes } = contender;
  const place = `${directory}/${resources}/${name.replaceAll(/\W+/g, "_")}`;
  await Deno.mkdir(place, { recursive: true });
  await Deno.writeTextFile(`${directory}/${resources}/things.ts`, schemas(numbers));
  await Deno.writeTextFile(
    `${place}/api.ts`,
    `${api.start}\n${importSchemas(numbers)}\n${numbers.map(api.resource).join("")}\n${api.end(numbers)}`,
  );
  const imports = `import { use } from "../things.ts";${client}\n`;
  await Deno.writeTextFile(
    `${place}/calls.ts`,
    `${imports}${numbers.map((k) => `export async function call${k}() {${calls(k)}\n}\n`).join("")}`,
  );
  // An unused `@ts-expect-error` is an error.
  await Deno.writeTextFile(
    `${place}/mistakes.ts`,
    `${imports}export function err() {\n${
      MISTAKES.map((mistake) => `// @ts-expect-error: ${mistake}\n${mistakes[mistake]}\n`).join("")
    }}\n`,
  );
  for (const name of ["calls", "mistakes"]) {
    await Deno.writeTextFile(
      `${place}/${name}.json`,
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [`${name}.ts`] }),
    );
  }
  return {
    calls: `${place}/calls.ts`,
    configOfCalls: `${place}/calls.json`,
    configOfMistakes: `${place}/mistakes.json`,
  };
}

/** The files of a project. */
export interface Project {
  /** The module with the calls. */
  readonly calls: string;
  readonly configOfCalls: string;
  readonly configOfMistakes: string;
}
