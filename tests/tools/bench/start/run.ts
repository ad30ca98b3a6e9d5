/**
 * Measures how long frameworks take from the first declaration to the first response, how much heap they keep, and how
 * many bytes their bundle has. Processes of all frameworks take turns; the figures are medians.
 *
 * Usage: deno task bench start [--quick] [--runtime=deno|bun|node]
 */
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { BUN, bundle, findProgram, run } from "../../../slow/runtimes/programs.ts";
import type { Start } from "./measure.ts";

const FRAMEWORKS = ["ours", "hono", "elysia", "fastify", "h3"];
const ROUTES = [25, 1000];

const { values: { runtime: runtimes, quick } } = parseArgs({
  args: Deno.args,
  options: {
    runtime: { type: "string", multiple: true, default: ["deno", "bun", "node"] },
    quick: { type: "boolean", default: false },
  },
});
const rounds = quick ? 3 : 11;

Deno.env.set("NODE_ENV", "production");
const directory = await Deno.makeTempDir();
try {
  const programs: Record<string, string> = {};
  for (const framework of FRAMEWORKS) {
    const entry = `${directory}/${framework}.ts`;
    const [app, measure] = [`apps/${framework}.ts`, "measure.ts"].map((file) => new URL(file, import.meta.url));
    await Deno.writeTextFile(
      entry,
      `import create from "${app}";\nimport { measureStart } from "${measure}";\nawait measureStart(create);\n`,
    );
    programs[framework] = await bundle(entry, directory, "--minify");
    const { byteLength } = gzipSync(await Deno.readFile(programs[framework] ?? ""), { level: 9 });
    console.log(`${framework}: ${(byteLength / 1024).toFixed(1)} KB with its validator, minified and gzipped`);
  }
  for (const runtime of runtimes) {
    const [program, ...flags] = await commandOf(runtime);
    for (const routes of ROUTES) {
      const starts: Record<string, Start[]> = {};
      for (let round = 0; round < rounds; round++) {
        for (const framework of FRAMEWORKS) {
          const printed = await run(program, [...flags, programs[framework] ?? "", String(routes)]);
          (starts[framework] ??= []).push(JSON.parse(printed));
        }
      }
      console.log(
        `\n${runtime}, ${routes} routes: ms to the first response, MB of heap then, and after 100,000 requests`,
      );
      for (const [framework, all] of Object.entries(starts)) {
        const medianOf = (key: keyof Start) => median(all.map((one) => one[key]));
        const time = medianOf("time").toFixed(1).padStart(7);
        console.log(`  ${framework.padEnd(8)} ${time} ${megabytes(medianOf("heap"))} ${megabytes(medianOf("later"))}`);
      }
    }
  }
} finally {
  await Deno.remove(directory, { recursive: true });
}

/** The program of a runtime and its arguments. */
async function commandOf(runtime: string): Promise<readonly [string, ...string[]]> {
  if (runtime === "bun") return [await findProgram(BUN, "bun"), "--expose-gc", "run"];
  if (runtime === "node") return ["node", "--expose-gc"];
  return [Deno.execPath(), "run", "--no-check", "--allow-all", "--v8-flags=--expose-gc"];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).padStart(6);
}
