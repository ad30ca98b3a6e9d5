/** Where files are, and which of them may import which. `src/README.md` and `tests/README.md` state the rules. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import config from "../../deno.json" with { type: "json" };
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";
import { SLOW } from "../tools/task.ts";
import { DOCUMENTED, PRODUCT } from "../tools/test_product.ts";

/** A file imports files of its own directory, and of directories in earlier lines. */
const ORDER = [
  ["src/core/values"],
  ["src/core/routing"],
  ["src/core/schemas"],
  ["src/core/input"],
  ["src/core/guards", "src/core/responses"],
  ["src/core/declare"],
  ["src/core"],
  ["src/stores"],
];

/**
 * Imports that are not files of `src/`. `serveFiles` and `publicSender` load them when an app calls them. `create` is a
 * program.
 */
const FROM_OUTSIDE = [
  ...["node:fs", "node:path"].map((module) => `src/create/create.ts -> ${module}`),
  "src/create/mod.ts -> node:process",
  "src/files/file_system.ts -> node:fs",
  ...["node:https", "node:http", "node:dns/promises", "node:net"].map((module) => {
    return `src/webhooks/public_sender.ts -> ${module}`;
  }),
];

(granted("read") ? describe : describe.skip)("a file of src/", () => {
  const imports = granted("read") ? importsOf(["mod.ts", ...filesBelow("src").filter(isModule)]) : new Map();
  const pairs = [...imports].flatMap(([from, all]) => all.map((to: string) => [from, to] as const));

  it("imports only its own directory and those before it, types included", () => {
    assert(pairs.length > 500, `Only ${pairs.length} imports found`);
    const wrong = pairs.filter(([from, to]) => !mayImport(from, to)).map(([from, to]) => `${from} -> ${to}`);
    assertEquals(wrong.toSorted(), FROM_OUTSIDE.toSorted()); // in whichever order a folder is read
  });

  it("is not in a circle of imports, types included", () => {
    assertEquals(circlesIn(new Map([["a", ["b", "c"]], ["b", ["d"]], ["c", []], ["d", ["a"]]])), [["a", "b", "d"]]);
    assertEquals(circlesIn(imports), []);
  });
});

(granted("read") ? describe : describe.skip)("a test of tests/core/ or tests/entry_points/", () => {
  it("is in the directory of src/ that it tests", () => {
    const names = (directory: string) =>
      [...Deno.readDirSync(new URL(directory, ROOT))].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    const [inCore, inSource] = [names("src/core"), names("src")];
    assertEquals(names("tests/core").filter((name) => !inCore.includes(name)), []);
    assertEquals(names("tests/entry_points").filter((name) => !inSource.includes(name)), []);
  });
});

(granted("read") ? describe : describe.skip)("a file of tests/types/", () => {
  it("has the name of the file or of the entry point whose types it tests", () => {
    const names = filesBelow("src").flatMap((path) => path.replace(/\.ts$/, "").split("/"));
    const types = filesBelow("tests/types").map((path) => /(\w+)_types\.ts$/.exec(path)?.[1]).filter((name) => !!name);
    assert(types.length > 20, `Only ${types.length} files found`);
    assertEquals(types.filter((name) => !names.includes(`${name}`)), []);
  });
});

(granted("read") ? describe : describe.skip)("a directory of tests/", () => {
  it("is run by `deno task test`, or has tasks of its own", () => {
    const directories = [...Deno.readDirSync(new URL("tests", ROOT))].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => `tests/${name}`);
    const others = ["tests/examples", "tests/slow", "tests/support", "tests/tools"];
    assertEquals(directories.filter((directory) => !PRODUCT.includes(directory)).toSorted(), others);
    assertEquals(config.test.include.filter((path) => !isCovered([...DOCUMENTED, ...PRODUCT], path)), []);
  });
});

(granted("read") ? describe : describe.skip)("tests/examples/, and a directory of tests/slow/,", () => {
  it("is run by `deno task slow`, and by .ci/run unless that would take too long or another task does", () => {
    const paths = Object.values(SLOW).flatMap(({ steps }) => steps.flat());
    const slow = [...Deno.readDirSync(new URL("tests/slow", ROOT))].map(({ name }) => `tests/slow/${name}`);
    const directories = ["tests/examples", ...slow];
    const isRun = (directory: string) => paths.some((path) => `${path}/`.startsWith(`${directory}/`));
    assertEquals(directories.filter((directory) => !isRun(directory)), []);
    const script = Deno.readTextFileSync(new URL(".ci/run", ROOT));
    const left = Object.keys(SLOW).filter((name) => !new RegExp(`task slow ${name}\\b`).test(script));
    assertEquals(left, ["proto", "uploads", "mutation", "openapi"]); // `runtimes` has all of `proto`
  });
});

/** The imports of each module: static and dynamic, of values and of types. A relative one becomes a path of the repository. */
function importsOf(modules: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(modules.map((module) => {
    const url = new URL(module, ROOT);
    const code = Deno.readTextFileSync(url).replaceAll(/^ *(?:\/\*\*|\*|\/\/).*$/gm, "");
    const specifiers = [...code.matchAll(IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");
    const paths = specifiers.map((to) => to.startsWith(".") ? new URL(to, url).href.replace(ROOT.href, "") : to);
    return [module, [...new Set(paths)]];
  }));
}

/** `import … from "x"`, `export … from "x"` and `import "x"`; and `import("x")`, also as a type. */
const IMPORT = /^(?:import|export)\b(?:[^;="]*? from)? "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Groups of modules each of which leads to each other one. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reached = new Map([...imports.keys()].map((module) => {
    const seen = new Set<string>();
    const pending = [module];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const to of imports.get(next) ?? []) {
        if (!seen.has(to)) {
          seen.add(to);
          pending.push(to);
        }
      }
    }
    return [module, seen];
  }));
  const circles = [...reached].filter(([module, seen]) => seen.has(module)).map(([module, seen]) =>
    [module, ...[...seen].filter((other) => other !== module && reached.get(other)?.has(module))].toSorted()
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

function isModule(file: string): boolean {
  return file.endsWith(".ts");
}

function filesBelow(directory: string): readonly string[] {
  return [...Deno.readDirSync(new URL(directory, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${directory}/${name}`) : [`${directory}/${name}`]
  );
}

function isCovered(paths: readonly string[], path: string): boolean {
  return paths.some((word) => path === word || path.startsWith(`${word}/`));
}

function directoryOf(file: string): string {
  return file.replace(/\/?[^/]*$/, "");
}

function mayImport(fromFile: string, toFile: string): boolean {
  const [from, to] = [directoryOf(fromFile), directoryOf(toFile)];
  // `mod.ts` of the repository is the only module outside of `src/`. It exports the core.
  if (from === to || from === "") return from === to || isCovered(["src/core"], to);
  // The directories of an entry point import each other.
  const entryPoint = (directory: string) => /^src\/(?!core|stores)[^/]+/.exec(directory)?.[0];
  if (entryPoint(from) !== undefined && entryPoint(from) === entryPoint(to)) return true;
  const rank = (directory: string) => ORDER.findIndex((directories) => directories.includes(directory));
  // What has no rank is an entry point: it imports the core and `stores/`, and nothing imports it.
  return rank(to) >= 0 && (rank(from) < 0 || rank(to) < rank(from));
}
