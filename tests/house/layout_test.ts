/** Where files stand, and which of them may import which. `src/README.md` and `tests/README.md` state the rules. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import config from "../../deno.json" with { type: "json" };
import { granted } from "../examples/serve.ts";
import { ROOT } from "../support/server_process.ts";

/** A file imports its own folder, and folders of earlier lines. */
const FLOORS = [
  ["src/core/values"],
  ["src/core/routing"],
  ["src/core/schemas"],
  ["src/core/input"],
  ["src/core/guards", "src/core/responses"],
  ["src/core/declare"],
  ["src/core"],
  ["src/stores"],
];

(granted("read", "run") ? describe : describe.skip)("a file of src/", () => {
  it("imports only its own folder and those below it, types included", async () => {
    const wrong = new Set<string>();
    let count = 0;
    for (const door of ["mod.ts", ...doors().map((door) => `${door}/mod.ts`)]) {
      const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", door], cwd: ROOT })
        .output();
      const { modules }: { modules: readonly Module[] } = JSON.parse(new TextDecoder().decode(stdout));
      for (const { specifier, dependencies = [] } of modules) {
        for (const { code, type } of dependencies) {
          const url = (code ?? type)?.specifier ?? "";
          count++;
          if (!mayImport(folderOf(specifier), folderOf(url))) {
            wrong.add(`${specifier} -> ${url}`.replaceAll(ROOT.href, ""));
          }
        }
      }
    }
    assert(count > 150, `Only ${count} imports found`);
    // Loaded only by who calls `serveFiles`, where there are files.
    assertEquals([...wrong], ["src/files/file_system.ts -> node:fs"]);
  });
});

(granted("read") ? describe : describe.skip)("src/", () => {
  const files = granted("read") ? filesBelow("src").filter((file) => file.endsWith(".ts")) : [];

  it("has at most 10 files in a folder, and at most 12 entries in core/", () => {
    const folders = Object.groupBy(files, (file) => file.replace(/\/[^/]*$/, ""));
    const sizes = Object.entries(folders).map(([folder, files = []]) => [folder, files.length] as const);
    assertEquals(sizes.filter(([, size]) => size > 10), []);
    assert([...Deno.readDirSync(new URL("src/core", ROOT))].length <= 12);
  });

  it("has no file of more than 440 lines", () => {
    const lengths = files.map((file) =>
      [file, Deno.readTextFileSync(new URL(file, ROOT)).split("\n").length - 1] as const
    );
    assertEquals(lengths.filter(([, length]) => length > 440), []);
  });

  it("has no line of more than 120 characters", () => {
    const long = files.flatMap((file) =>
      Deno.readTextFileSync(new URL(file, ROOT)).split("\n")
        .flatMap((line, index) => line.length > 120 ? [`${file}:${index + 1}`] : [])
    );
    assertEquals(long, []);
  });
});

(granted("read") ? describe : describe.skip)("a test of tests/core/ or tests/entry_points/", () => {
  it("stands in the folder of src/ that it tests", () => {
    const names = (folder: string) =>
      [...Deno.readDirSync(new URL(folder, ROOT))].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    const [rooms, doors] = [names("src/core"), names("src")];
    assertEquals(names("tests/core").filter((folder) => !rooms.includes(folder)), []);
    assertEquals(names("tests/entry_points").filter((folder) => !doors.includes(folder)), []);
  });
});

(granted("read") ? describe : describe.skip)("a folder of tests/", () => {
  it("is run by `deno task test`, or has tasks of its own", () => {
    const folders = [...Deno.readDirSync(new URL("tests", ROOT))].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => `tests/${name}`);
    // `docs` runs the code that the task runs by `--doc`.
    const others = ["tests/docs", "tests/slow", "tests/support", "tests/tools"];
    const words = config.tasks.test.command.split(" ");
    assertEquals(folders.filter((folder) => !words.includes(folder)).toSorted(), others);
    assertEquals(config.test.include.filter((path) => path !== "tests/docs" && !covers(words, path)), []);
  });
});

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly { code?: { specifier: string }; type?: { specifier: string } }[];
}

/** The folders that are sub-paths of the package: those with a `mod.ts`. */
function doors(): readonly string[] {
  return filesBelow("src").filter((file) => file.endsWith("/mod.ts")).map((file) => file.replace("/mod.ts", ""));
}

function filesBelow(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

function covers(paths: readonly string[], path: string): boolean {
  return paths.some((word) => path === word || path.startsWith(`${word}/`));
}

function folderOf(url: string): string {
  return url.replace(ROOT.href, "").replace(/\/?[^/]*$/, "");
}

function mayImport(from: string, to: string): boolean {
  if (from === to || from === "") return true;
  // The folders of a door import each other.
  const door = (folder: string) => /^src\/(?!core|stores)[^/]+/.exec(folder)?.[0];
  if (door(from) !== undefined && door(from) === door(to)) return true;
  const floor = (folder: string) => FLOORS.findIndex((folders) => folders.includes(folder));
  // What is on no floor is a door: it imports the core, and nothing imports it.
  return floor(to) >= 0 && (floor(from) < 0 || floor(to) < floor(from));
}
