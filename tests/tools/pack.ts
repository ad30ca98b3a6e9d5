/**
 * Builds the package for npm in `.npm`: `deno task pack`. The folder `package` has JavaScript and declarations of each
 * module, so that bundlers leave out what a program does not use. The tarball beside it is published and tested.
 */
import { dirname, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { packDocument } from "./packed_documents.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The least versions that the manual promises. */
const ENGINES = { node: "^20.12.0 || >=22.0.0", bun: ">=1.1.45", deno: ">=1.46.0" };

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  declaration: true,
  // A type that is not written down is an error: what the declarations say does not depend on what is inferred.
  isolatedDeclarations: true,
  strict: true,
};

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => "\n",
};

if (import.meta.main) console.log(relative(Deno.cwd(), await pack(`${ROOT}.npm`)));

/**
 * Builds the package.
 *
 * @param directory Receives the folder `package`, and the tarball.
 * @returns The path of the tarball.
 * @throws If this is no clone: git lists the files that are packed.
 */
export async function pack(directory: string): Promise<string> {
  await Deno.stat(`${ROOT}.git`).catch((cause) => {
    throw new Error("deno task pack needs a clone of the repository: git lists the files that it packs", { cause });
  });
  await Deno.remove(directory, { recursive: true }).catch(() => {});
  const write = async (path: string, text: string) => {
    const file = `${directory}/package/${path}`;
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  };
  const config = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "mod.ts", "src"]);
  for (const module of listed.split("\n").filter((file) => file.endsWith(".ts"))) {
    const { code, declarations } = compile(module, await Deno.readTextFile(ROOT + module));
    await write(module.replace(/\.ts$/, ".js"), code);
    await write(module.replace(/\.ts$/, ".d.ts"), declarations);
  }
  const pages = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", ".github/manual"]);
  for (const file of ["README.md", ".github/SKILL.md", "LICENSE", ...pages.trim().split("\n")]) {
    const repository = Deno.env.get("GITHUB_REPOSITORY");
    const { path, text } = packDocument(file, await Deno.readTextFile(ROOT + file), config.version, repository);
    await write(path, text);
  }
  await write("package.json", JSON.stringify(describePackage(config), null, 2));
  const flags = ["--silent", "--ignore-scripts", `--pack-destination=${directory}`];
  return `${directory}/${(await run("npm", ["pack", ...flags, `${directory}/package`])).trim()}`;
}

/** Compiles one module. Doc comments stay in both texts. */
function compile(fileName: string, text: string): { readonly code: string; readonly declarations: string } {
  const source = withJavaScriptImports(text);
  const options = { fileName, compilerOptions: COMPILER_OPTIONS, reportDiagnostics: true };
  const { outputText: declarations, diagnostics = [] } = ts.transpileDeclaration(source, options);
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, FORMAT));
  return { code: ts.transpileModule(source, options).outputText, declarations };
}

/** Replaces `.ts` by `.js` in the names of modules. The compiler could do so in code, and not in declarations. */
function withJavaScriptImports(text: string): string {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.toReversed().reduce((left, { fileName, pos }) => {
    const start = pos + 1; // after the quote
    const end = start + fileName.length;
    return left.slice(0, start) + fileName.replace(/\.ts$/, ".js") + left.slice(end);
  }, text);
}

/** What `deno.json` says, as `package.json`. */
function describePackage(
  config: { readonly exports: Readonly<Record<string, string>>; readonly [key: string]: unknown },
): object {
  const { name, version, description, keywords, license } = config;
  const entryPoints = Object.entries(config.exports).map(([subpath, module]) => {
    const path = module.replace(/\.ts$/, "");
    return [subpath, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  // npm compares it with the repository that publishes, and resolves the links of README against it.
  const repository = Deno.env.get("GITHUB_REPOSITORY");
  return {
    ...{ name, version, description, keywords, license },
    ...repository && { repository: { type: "git", url: `git+https://github.com/${repository}.git` } },
    type: "module",
    sideEffects: false,
    // `npx @fw/core create my-app`
    bin: { core: "./src/create/mod.js" },
    exports: Object.fromEntries(entryPoints),
    engines: ENGINES,
  };
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command(program, { args: [...args], cwd: ROOT, stderr: "inherit" }).output();
  if (!output.success) throw new Error(`${program} ${args.join(" ")} failed`);
  return new TextDecoder().decode(output.stdout);
}
