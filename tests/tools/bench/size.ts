/**
 * Prints how large each entry point is: files and lines of its directory, and the bytes of a bundle of it, minified and
 * gzipped. Nothing asserts these sizes.
 *
 * Usage: deno task bench size
 */
import { gzipSync } from "node:zlib";
import config from "../../../deno.json" with { type: "json" };
import { bundle } from "../../slow/runtimes/programs.ts";
import { ROOT } from "../../support/server_process.ts";
import { table } from "./table.ts";

const CORE = "mod.ts";

const directory = await Deno.makeTempDir();
try {
  const core = await gzippedSize([CORE]);
  const rows = [];
  for (const [subpath, path] of Object.entries(config.exports)) {
    const module = path.replace("./", "");
    const files = sourcesBelow(module === CORE ? "src/core" : module.replace("/mod.ts", ""));
    const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
    const beside = module === CORE ? "" : inKilobytes(await gzippedSize([CORE, module]) - core);
    const alone = inKilobytes(module === CORE ? core : await gzippedSize([module]));
    rows.push([subpath.replace(".", config.name), `${files.length}`, `${lines}`, alone, beside]);
  }
  console.log(table(["entry point", "files", "lines", "KB alone", "KB beside the core"], rows));
  const all = sourcesBelow("src");
  console.log(`\nsrc/: ${all.length} files, ${all.reduce((sum, file) => sum + linesOf(file), 0)} lines`);
} finally {
  await Deno.remove(directory, { recursive: true });
}

/** The bytes of a bundle of all that these modules export, minified and gzipped. */
async function gzippedSize(modules: readonly string[]): Promise<number> {
  const entry = `${directory}/entry.ts`;
  const lines = modules.map((module, index) => `export * as m${index} from "${new URL(module, ROOT)}";\n`);
  await Deno.writeTextFile(entry, lines.join(""));
  return gzipSync(await Deno.readFile(await bundle(entry, directory, "--minify")), { level: 9 }).byteLength;
}

function inKilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(2);
}

function sourcesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? sourcesBelow(`${folder}/${name}`) : name.endsWith(".ts") ? [`${folder}/${name}`] : []
  );
}

function linesOf(file: string): number {
  return Deno.readTextFileSync(new URL(file, ROOT)).split("\n").length - 1;
}
