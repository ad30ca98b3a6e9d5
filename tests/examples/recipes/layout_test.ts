/** What holds for every recipe: what it imports can be copied, and the modules in its folder can be imported. */
import { assert, assertEquals } from "@std/assert";
import { pathToFileURL as toFileUrl } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { run } from "../../slow/runtimes/programs.ts";
import { granted } from "../../support/granted.ts";
import { makeTempDirectory } from "../../support/temp_directory.ts";
import { importsOfClone } from "../imports_of_clone.ts";
import { ROOT, serve } from "../serve.ts";
import { LOCKED } from "../../support/flags.ts";

const RECIPES = "examples/recipes";

/** A file of a recipe: `jwt.ts`, which is run, or `jwt/fetch_keys.ts`, which is copied. */
interface RecipeFile {
  /** The name of the recipe, and of its folder. */
  readonly recipe: string;
  /** The path within `examples/recipes/`. */
  readonly path: string;
  readonly text: string;
  /** The command on its first line, if it is run. A file without a command is a module. */
  readonly command: string | undefined;
}

async function findFiles(): Promise<readonly RecipeFile[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(RECIPES, ROOT)));
  const folders = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  const files: RecipeFile[] = [];
  const add = async (recipe: string, path: string) => {
    const text = await Deno.readTextFile(new URL(`${RECIPES}/${path}`, ROOT));
    files.push({ recipe, path, text, command: /^\/\/ npx -y deno@\S+ (\w+) /.exec(text)?.[1] });
  };
  for (const { name, isFile } of entries) {
    if (!isFile) continue;
    // `mounting_express.ts` belongs to `mounting/`.
    const recipe = folders.find((folder) => name === `${folder}.ts`) ?? folders.find((it) => name.startsWith(`${it}_`));
    await add(recipe ?? name.replace(/\.ts$/, ""), name);
  }
  for (const folder of folders) {
    for await (const { name } of Deno.readDir(new URL(`${RECIPES}/${folder}`, ROOT))) {
      await add(folder, `${folder}/${name}`);
    }
  }
  return files.toSorted((one, other) => one.path < other.path ? -1 : 1);
}

/** Imports, exports and `import()` of other modules. */
const IMPORT = /(?:\bfrom|^import|\bimport\()\s*"([\w@.][^"]*)"/gm;

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("each recipe", () => {
  it("each recipe has a file to run by the command on its first line, and its modules are in its folder", async () => {
    const files = await findFiles();
    const recipes = Map.groupBy(files, ({ recipe }) => recipe);
    assert(recipes.size > 15, `Only ${recipes.size} recipes found`);
    for (const [recipe, its] of recipes) {
      const [run, modules] = [its.filter(({ command }) => command), its.filter(({ command }) => !command)];
      assert(run.length > 0, `${recipe} has no file to run`);
      for (const { path } of modules) assert(path.includes("/"), `${path} must begin with the command that runs it`);
    }
  });

  it("each recipe imports only packages, and modules of recipes", async () => {
    const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    const packages = new Set(["@fw/core", ...Object.keys(imports)]);
    const isPackage = (specifier: string) =>
      specifier.startsWith("node:") || packages.has(specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
    const strays: string[] = [];
    const files = await findFiles();
    const modules = files.map(({ path }) => path).filter((path) => path.includes("/"));
    for (const { path, text } of files) {
      for (const [, specifier = ""] of text.matchAll(IMPORT)) {
        const imported = new URL(specifier, `file:///${path}`).pathname.slice(1);
        if (!modules.includes(imported) && !isPackage(specifier)) strays.push(`${path}: ${specifier}`);
      }
    }
    assertEquals(strays, []);
  });

  it("each example says what an npm user imports in place of @std", async () => {
    const examples = await Array.fromAsync(Deno.readDir(new URL("examples", ROOT)));
    const modules = examples.filter(({ name }) => name.endsWith(".ts")).map(({ name }) => `../${name}`);
    const texts = [
      ...await findFiles(),
      ...await Promise.all(modules.map(async (path) => {
        return { path, text: await Deno.readTextFile(new URL(`${RECIPES}/${path}`, ROOT)) };
      })),
    ];
    const imports = texts.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/ from "(@std\/.*)$/gm), ([, line = ""]) => `${path}: ${line}`)
    );
    assert(imports.length > 10, `Only ${imports.length} imports found`);
    assertEquals(imports.filter((line) => !/ \/\/ npm: (?:npx jsr add @std\/|"node:)/.test(line)), []);
  });

  it("each module of a recipe can be imported without permissions, and starts nothing", async () => {
    const modules = (await findFiles()).filter(({ command, path }) => command === undefined && !path.endsWith(".d.ts"));
    await using directory = await makeTempDirectory();
    const entry = `${directory.path}/import_all.ts`;
    // Static imports need no permission to read. The first one reports what a module starts when it is imported.
    await Deno.writeTextFile(`${directory.path}/watch.ts`, WATCH);
    const imports = ["./watch.ts", ...modules.map(({ path }) => new URL(`${RECIPES}/${path}`, ROOT).href)];
    const lines = imports.map((url) => `import ${JSON.stringify(url)};`);
    await Deno.writeTextFile(entry, [...lines, 'console.log("end");'].join("\n"));
    const flags = ["--no-check", "--no-prompt", ...LOCKED];
    // Without timers, sockets and workers, the process ends by itself.
    const map = `--import-map=${new URL("tests/import_map.json", ROOT).pathname}`;
    const config = `--config=${new URL("deno.json", ROOT).pathname}`;
    assertEquals(await run(Deno.execPath(), ["run", map, config, ...flags, entry]), "end\n");
  });

  it("each recipe that is an app is served by the command on its first line", async () => {
    for (const { path, command } of await findFiles()) {
      // The others have tests of their own, as has forms.ts: a second process could remove the upload of that test.
      if (command !== "serve" || path === "forms.ts") continue;
      await using served = await serve(`${RECIPES}/${path}`);
      const response = await fetch(`${served.origin}/nowhere`);
      await response.body?.cancel();
      assertEquals([path, response.status], [path, 404]);
    }
  });

  it("each recipe that is a test passes by the command on its first line", async () => {
    for (const { text, command } of await findFiles()) {
      if (command !== "test") continue;
      const [, args = ""] = /^\/\/ npx -y deno@\S+ (test .*)$/m.exec(text) ?? [];
      await run(Deno.execPath(), [...args.split(" "), "--no-check", ...LOCKED]);
    }
  });

  it("each recipe type-checks when it is copied elsewhere with the modules that it imports", async () => {
    await using directory = await makeTempDirectory();
    const copies: string[] = [];
    for (const { path, text } of await findFiles()) {
      const copy = `${directory.path}/${path}`;
      await Deno.mkdir(new URL(".", toFileUrl(copy)), { recursive: true });
      await Deno.writeTextFile(copy, text);
      if (!copy.endsWith(".d.ts")) copies.push(copy);
    }
    const { compilerOptions } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    const imports = await importsOfClone();
    const config = `${directory.path}/deno.json`;
    await Deno.writeTextFile(config, JSON.stringify({ imports, compilerOptions }));
    await Deno.copyFile(new URL("tests/deno.lock", ROOT), `${directory.path}/deno.lock`); // the same versions
    await run(Deno.execPath(), ["check", "--quiet", `--config=${config}`, ...copies], directory.path);
  });
});

/** Reports what a module starts while it is imported. */
const WATCH = `
  const report = (name) => () => {
    console.log("started by an import: " + name, new Error().stack);
    Deno.exit(1);
  };
  for (const name of ["fetch", "setTimeout", "setInterval", "addEventListener", "Worker", "WebSocket"]) {
    globalThis[name] = report(name);
  }
  for (const name of ["serve", "listen", "addSignalListener", "cron"]) Deno[name] = report(name);
  const { log } = console;
  for (const name of ["log", "info", "warn", "error"]) {
    console[name] = (...args) => args[0] === "end" || String(args[0]).startsWith("started") ? log(...args) : report(name)();
  }
`;
