/**
 * The code in doc comments and Markdown files runs: each sample as a module of its own, all in one process. `deno test --doc`
 * starts a worker for each, which takes most of its time to load the same modules. `tests/types/messages_test.ts` checks types.
 */
import { assert, assertEquals } from "@std/assert";
import { after, describe, it } from "@std/testing/bdd";
import config from "../../deno.json" with { type: "json" };
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";
import { DOCUMENTED } from "../tools/test_product.ts";

const IN_COMMENT = /^( *\* )```ts(?! ignore)\b.*\n([^]*?)^ *\* ```$/gm;
const IN_MARKDOWN = /^( *)```ts(?! ignore)\b.*\n([^]*?)^ *```$/gm;

/** An import of the package, and not a line of a text in a sample, which is indented. */
const PACKAGE = /^((?:import|export|\})[^"\n]*)"@fw\/core(\/[^"]+)?"/gm;

interface Sample {
  /** Its file and the line before it: `README.md:12`. */
  readonly name: string;
  readonly code: string;
}

const isGranted = granted("env", "net", "read", "run", "write");
const samples = isGranted ? DOCUMENTED.flatMap(filesIn).flatMap(samplesIn) : [];

const folder = isGranted ? await Deno.makeTempDir() : "";
const runs = samples.map(({ name, code }, index) => {
  const module = `${folder}/sample_${index}.ts`;
  Deno.writeTextFileSync(module, code.replaceAll(PACKAGE, inClone));
  return { name, hasTests: /^Deno\.test\(/m.test(code), run: async (): Promise<void> => await import(module) };
});
// A test cannot declare tests.
for (const { run } of runs.filter(({ hasTests }) => hasTests)) await run();

(isGranted ? describe : describe.skip)("the sample at", () => {
  after(() => Deno.remove(folder, { recursive: true }));

  for (const { name, run } of runs.filter(({ hasTests }) => !hasTests)) it(`${name} runs`, run);
});

(isGranted ? describe : describe.skip)("samples", () => {
  it("are found in doc comments and in Markdown files", () => {
    const inSource = samples.filter(({ name }) => name.includes(".ts:")).length;
    assert(inSource > 50 && samples.length - inSource > 50, `${inSource} of ${samples.length}`);
    assertEquals(textsIn("a.md", "```ts\n1;\n```\n\n```ts ignore\n2;\n```\n```sh\nls\n```\n").map(({ code }) => code), [
      "1;\n",
    ]);
    assertEquals(textsIn("a.ts", " * ```ts\n * 1;\n *\n * 2;\n * ```\n */\n"), [{
      name: "a.ts:1",
      code: "1;\n\n2;\n",
    }]);
  });
});

function filesIn(path: string): readonly string[] {
  if (Deno.statSync(new URL(path, ROOT)).isFile) return /\.(?:ts|md)$/.test(path) ? [path] : [];
  return [...Deno.readDirSync(new URL(path, ROOT))].map(({ name }) => name).toSorted()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

function samplesIn(path: string): readonly Sample[] {
  return textsIn(path, Deno.readTextFileSync(new URL(path, ROOT)));
}

/** The samples of a text: in a module, those of its comments. */
function textsIn(path: string, text: string): readonly Sample[] {
  const samples: Sample[] = [];
  const inComment = path.endsWith(".ts");
  for (const { 0: all, 1: indent = "", 2: lines = "", index } of text.matchAll(inComment ? IN_COMMENT : IN_MARKDOWN)) {
    const code = inComment ? lines.replaceAll(/^ *\* ?/gm, "") : lines.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    samples.push({ name: `${path}:${text.slice(0, index + all.indexOf("```")).split("\n").length}`, code });
  }
  return samples;
}

/** Resolves the name of the package, of which the samples know no place. */
function inClone(_specifier: string, before: string, path = ""): string {
  const exported: Readonly<Record<string, string>> = config.exports;
  return `${before}"${new URL(exported[`.${path}`] ?? `no ${path}`, ROOT)}"`;
}
