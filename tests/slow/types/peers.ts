import { fileURLToPath } from "node:url";
import { ROOT } from "../../support/server_process.ts";
import { run } from "../runtimes/programs.ts";

/** The packages of other frameworks, by project. ts-rest has its own: it needs Zod 3. */
const PACKAGES = {
  all: [
    "@elysiajs/eden@1.4.9",
    "@fastify/swagger@9.9.3", // a peer dependency of fastify-type-provider-zod
    "@hono/zod-openapi@1.6.3",
    "@hono/zod-validator@0.9.1",
    "@orpc/client@1.16.1",
    "@orpc/contract@1.16.1",
    "@orpc/server@1.16.1",
    "@trpc/client@11.25.2",
    "@trpc/server@11.25.2",
    "@types/express@5.0.6",
    "elysia@1.4.30",
    "express@5.3.0",
    "fastify@5.12.8",
    "fastify-type-provider-zod@7.0.0",
    "hono@4.13.19",
    "zod@4.6.7",
  ],
  "ts-rest": ["@ts-rest/core@3.52.1", "@ts-rest/serverless@3.52.1", "zod@3.25.76"],
} as const;
const TOOLS = ["typescript@5.9.3", "@types/node@24.19.2"];

/** A project with some of the packages. */
export type PeerProject = keyof typeof PACKAGES;

/** Creates a project, and installs its packages from npm. No script of a package runs. */
export async function installPeers(directory: string, name: PeerProject): Promise<string> {
  const project = `${directory}/${name}`;
  await Deno.mkdir(project);
  await Deno.writeTextFile(`${project}/package.json`, '{"private":true,"type":"module"}');
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await run("npm", ["install", ...flags, ...PACKAGES[name], ...TOOLS], project);
  return project;
}

/**
 * Compiles modules with the options of a strict project, which can import this module, too.
 *
 * @param project The folder of the project.
 * @param modules The modules, by their names without `.ts`.
 * @returns What TypeScript prints about each module: nothing if it compiles.
 */
export async function compile(
  project: string,
  modules: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  for (const [name, code] of Object.entries(modules)) await Deno.writeTextFile(`${project}/${name}.ts`, code);
  const paths = Object.fromEntries(Object.entries(OURS).map(([name, file]) => [name, [fileURLToPath(file)]]));
  const compilerOptions = { ...OPTIONS, paths };
  const files = Object.keys(modules).map((name) => `${name}.ts`);
  await Deno.writeTextFile(`${project}/tsconfig.json`, JSON.stringify({ compilerOptions, files }));
  const args = ["node_modules/typescript/bin/tsc", "--pretty", "false"];
  const { stdout } = await new Deno.Command("node", { args, cwd: project, stdin: "null" }).output();
  const printed = new TextDecoder().decode(stdout);
  const errors = new Map<string, string>();
  for (const [, name = "", error = ""] of printed.matchAll(/^(.+?)\.ts\(\d+,\d+\): (error [^]*?\n)(?=\S|$)/gm)) {
    if (!Object.hasOwn(modules, name)) throw new Error(printed);
    errors.set(name, (errors.get(name) ?? "") + error);
  }
  if (errors.size === 0 && printed !== "") throw new Error(printed);
  return errors;
}

/** This module, in place of the installed package. */
export const OURS = {
  "@fw/core": new URL("mod.ts", ROOT),
  "@fw/core/client": new URL("src/client/mod.ts", ROOT),
};

const OPTIONS = {
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: "es2024",
  types: ["node"],
};
