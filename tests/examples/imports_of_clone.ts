import { ROOT } from "./serve.ts";

/** What a copy of an example imports: `@fw/core` from this clone, and packages as its tests do. */
export async function importsOfClone(): Promise<Readonly<Record<string, string>>> {
  const read = async (file: string) => JSON.parse(await Deno.readTextFile(new URL(file, ROOT)));
  const imports: Record<string, string> = {};
  for (const [name, target] of Object.entries<string>((await read("tests/import_map.json")).imports)) {
    imports[name] = target.startsWith("./") ? new URL(target, new URL("tests/", ROOT)).href : target;
  }
  for (const [subpath, file] of Object.entries<string>((await read("deno.json")).exports)) {
    imports[`@fw/core${subpath.slice(1)}`] = new URL(file, ROOT).href;
  }
  return imports;
}
