/** The tutorial of the manual. */
import { assert } from "@std/assert";
import { ROOT } from "./server_process.ts";

/** Its page. */
export const TUTORIAL: URL = new URL(".github/manual/getting-started.md", ROOT);

/** The files that the tutorial has, in the order of the page: those of one name replace each other. */
export async function tutorialFiles(): Promise<readonly (readonly [name: string, text: string])[]> {
  const page = await Deno.readTextFile(TUTORIAL);
  return [...page.matchAll(/^```ts.*\n\/\/ ([\w.]+)\n([^]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text]);
}

/** The last of the files with each name, and `broken.ts`: the second version of the app, which leaves a route out. */
export async function tutorialModules(): Promise<Readonly<Record<string, string>>> {
  const files = await tutorialFiles();
  const [, app = ""] = files.filter(([name]) => name === "app.ts")[1] ?? [];
  const broken = app.replace("handlers: [addNote, showNote]", "handlers: [addNote]");
  assert(broken !== app);
  return { ...Object.fromEntries(files), "broken.ts": broken };
}
