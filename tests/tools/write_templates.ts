/**
 * Writes `src/create/templates.ts`: the folders of `examples/templates/` as texts, since a package of JSR has no files to read,
 * and npm leaves some out.
 *
 * Usage: deno run --allow-read --allow-write tests/tools/write_templates.ts
 */

const ROOT = new URL("../../", import.meta.url);

/** The module. A test compares it with the one that is written. */
export async function templatesModule(): Promise<string> {
  const lines: string[] = [];
  for (const runtime of await namesIn("examples/templates/")) {
    lines.push(`  ${runtime}: {`);
    for (const file of await namesIn(`examples/templates/${runtime}/`)) {
      const text = await Deno.readTextFile(new URL(`examples/templates/${runtime}/${file}`, ROOT));
      lines.push(`    ${JSON.stringify(file)}: ${JSON.stringify(text)},`);
    }
    lines.push("  },");
  }
  return `// Written by tests/tools/write_templates.ts: change the folders of examples/templates/ instead.
// deno-fmt-ignore-file

/** The files of each template, by runtime and by name. */
export const TEMPLATES: {
  readonly [Runtime in "bun" | "deno" | "node" | "workers"]: { readonly [file: string]: string };
} = {
${lines.join("\n")}
};
`;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(folder, ROOT)));
  return entries.map(({ name }) => name).toSorted();
}

if (import.meta.main) await Deno.writeTextFile(new URL("src/create/templates.ts", ROOT), await templatesModule());
