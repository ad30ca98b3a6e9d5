/** The pages of the manual have one shape, and quote messages that exist. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

const MANUAL = new URL(".github/manual/", ROOT);

/** Messages of other programs. */
const OF_OTHERS = [
  "connect ECONNREFUSED",
  "curl: (7)",
  "Cannot use import statement outside a module",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "TS2590",
  "TypeError",
];

(granted("read") ? describe : describe.skip)("the manual", () => {
  const names = granted("read") ? [...Deno.readDirSync(MANUAL)].map(({ name }) => name).toSorted() : [];
  const pages = names.filter((name) => name !== "README.md");
  const read = (name: string) => Deno.readTextFileSync(new URL(name, MANUAL));

  it("lists each page, and names each import", () => {
    const index = read("README.md");
    const linked = new Set([...index.matchAll(/\]\(([\w-]+\.md)/g)].map(([, page]) => page));
    assertEquals([...linked].toSorted(), pages);
    const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
    const imports = [...index.matchAll(/^\| \[`@fw\/core(\/[\w-]+)?`\]/gm)].map(([, path = ""]) => `.${path}`);
    assertEquals(imports.toSorted(), Object.keys(exports).toSorted());
  });

  for (const name of pages) {
    it(`begins ${name} with the task and a program, and then says what goes wrong`, () => {
      const page = read(name);
      const [, intro = ""] = /^# .+\n\n([^]*?)\n\n/.exec(page) ?? [];
      assert(intro.split(" ").length > 5, `The task is missing: ${intro}`);
      const [beginning = ""] = page.split(/^## (?!Install|An endpoint)/m);
      assert(beginning.includes("```ts\n"), "The program is missing");
      const wrong = page.indexOf("\n## What goes wrong\n");
      assert(wrong > 0 && page.includes("| You see "), "The table of messages is missing");
      assert(name === "getting-started.md" || page.indexOf("\n## Limits\n") > wrong, "The limits are missing");
    });
  }

  it("quotes messages that the framework, its types or TypeScript have", async () => {
    const texts: string[] = [];
    for (const folder of ["src/", "tests/types/", "tests/core/", "tests/entry_points/"]) {
      for await (const text of textsBelow(new URL(folder, ROOT))) texts.push(text);
    }
    const known = texts.join("\n").replaceAll(/\n\s*(?:\/\/|\*)?\s*/g, " ").replaceAll(/\\(["'])/g, "$1");
    const unknown: string[] = [];
    for (const name of pages) {
      for (const message of messagesOf(read(name))) {
        if (fragmentsOf(message).some((fragment) => !known.includes(fragment))) unknown.push(`${name}: ${message}`);
      }
    }
    assertEquals(unknown, []);
  });
});

/** The messages in the first column of "You see". */
function messagesOf(page: string): readonly string[] {
  const [, table = ""] = /^\| You see .*\n.*\n([^]*?)\n\n/m.exec(`${page}\n\n`) ?? [];
  const cells = table.split("\n").map((row) => row.split(/(?<!\\)\|/)[1]?.replaceAll("\\|", "|") ?? "");
  const quoted = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message));
  return quoted.filter((message) => !OF_OTHERS.some((other) => message.startsWith(other)));
}

/** The parts of a message that do not depend on the app: what is between ellipses, names in quotes and statuses. */
function fragmentsOf(message: string): readonly string[] {
  return message.split(/…|"[^"\s]*"|\b\d+\b| must be /).map((part) => part.replace(/^: |:? *$/g, "").trim())
    .filter((part) => part.length > 3);
}

async function* textsBelow(folder: URL): AsyncGenerator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* textsBelow(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(new URL(name, folder));
  }
}
