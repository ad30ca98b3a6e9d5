/**
 * Installs what `task pack` makes for npm into empty projects. There it must run and keep its types. JSR has a package for npm
 * too, which `deno pack` makes nearly as JSR does.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { dirname, join } from "node:path/posix";
import { Miniflare } from "miniflare";
import config from "../../../deno.json" with { type: "json" };
import { createQueue } from "../../../examples/shared/queue.ts";
import { assertReported, MISTAKES, moduleOf } from "../types/mistakes.ts";
import { pack } from "../../tools/pack.ts";
import { packDocument } from "../../tools/packed_documents.ts";
import { FLAGS } from "../../support/flags.ts";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";
import { assertQuoted, README_MISTAKES, readmeModules } from "../../support/readme_sample.ts";
import { ROOT } from "../../support/server_process.ts";
import { BUNDLE, CLIENT, CONSUMER, LINTED, PRINTED, PROGRAM, ROUTES, TYPESCRIPTS, WORKER } from "./consumers.ts";
import { granted } from "../../support/granted.ts";

const TYPESCRIPT = "typescript@6.0.3";
/** Its compiler, in the project that has it. */
const COMPILER = "node_modules/typescript/bin/tsc";
/** The versions of Node.js, beside the one that is installed: the oldest of each line that the manual promises. */
const NODES = ["20.12.0", "22.0.0", "24.0.0"];
/** What bundles a package, and what checks how it is made. */
const TOOLS = [
  ...["esbuild@0.28.2", "rollup@4.68.8", "@rollup/plugin-node-resolve@16.0.3", "webpack@5.113.0"],
  ...["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"],
];
/** The tests of types. Those of stores import the drivers of databases, whose types are of Node.js. */
const TYPE_TESTS = [...Deno.readDirSync(new URL("tests/types", ROOT))].map(({ name }) => name)
  .filter((name) => name.endsWith("_types.ts") && name !== "stores_types.ts");
/** What the tests of types import beside the package and libraries. They are copied next to them. */
const IMPORTED = ["tests/entry_points/client/client_api.ts", "tests/support/accepting.ts"];
/** What these tests, and the mistakes, import of the repository, and what they import in its place. */
const PACKED: Readonly<Record<string, string>> = {
  "./mod.ts": "@fw/core",
  "../../mod.ts": "@fw/core",
  "../../../mod.ts": "@fw/core",
  "../../src/core/responses/json_of.ts": "./node_modules/@fw/core/src/core/responses/json_of.js",
  "../entry_points/client/client_api.ts": "./client_api.js",
  "../support/accepting.ts": "./accepting.js",
  "@std/testing/types": "./testing_types.js",
  ...Object.fromEntries(
    Object.entries(config.exports).map(([path, file]) => [`../.${file}`, path.replace(".", config.name)]),
  ),
};

/** An error that `tsc` prints: the number of the mistake, line, column and text. */
const ERROR = /^mistake(\d+)\.ts\((\d+),(\d+)\): error TS\d+: ([^]*)/;

/** The text of a module that imports the installed package in place of the checkout. */
const ofPackage = (text: string) => text.replace(/(?<= from )"(.*)"/g, (_, module) => `"${PACKED[module] ?? module}"`);

/** A module that imports each entry point, but for `create`: an import runs that program. */
const ENTRY_POINTS = Object.keys(config.exports).filter((path) => path !== "./create")
  .map((path, index) => `import * as entry${index} from "${path.replace(".", config.name)}";\n`).join("");

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the packed module", () => {
  let directory = "";
  let packed = "";
  /** As JSR packs it. */
  const ofJsr = () => `${directory}/jsr.tgz`;
  /** What each compiler prints of these tests and mistakes. They begin at once, because they take most of the time. */
  let compiled: ReturnType<typeof compileOnEach> | undefined;
  before(async () => {
    directory = await Deno.makeTempDir();
    packed = await pack(`${directory}/npm`);
    compiled = compileOnEach();
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", `--output=${ofJsr()}`]);
    await Promise.all([
      install("plain", packed),
      install("typed", packed, [TYPESCRIPT, "@types/node@20", "eslint@9", "@typescript-eslint/parser@8"]),
      install("tools", packed, TOOLS),
      install("of_jsr", ofJsr()),
    ]);
  });
  after(async () => {
    await Promise.allSettled(Object.values(compiled ?? {}).flatMap((each) => [...each.values()]));
    await Deno.remove(directory, { recursive: true });
  });

  /** Creates a project that contains only these files. In the folder of another one, it can import what that one has installed. */
  async function blankProject(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const project = `${directory}/${name}`;
    await Deno.mkdir(project);
    for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${project}/${file}`, text);
    return project;
  }

  /** Creates a project that contains these files, and installs the packed module and these packages there. */
  async function install(
    name: string,
    tarball: string,
    packages: readonly string[] = [],
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const project = await blankProject(name, { "package.json": '{"private":true,"type":"module"}', ...files });
    // What another project has installed is not asked for again.
    const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...flags, tarball, ...packages], project);
    return project;
  }

  /** Compiles the tests of types, the mistakes and a consumer with each version of TypeScript, one on each core. */
  function compileOnEach() {
    const project = installCompilers();
    // Each takes up to a gigabyte of memory.
    const running = Math.min(4, navigator.hardwareConcurrency);
    const inTurn = createQueue({ running, waiting: 100, maxWait: 3_600_000 });
    const compileEach = (config: string) =>
      new Map(TYPESCRIPTS.map((version) => {
        const output = inTurn(async () => {
          const compiler = `node_modules/typescript-${version}/bin/tsc`;
          const args = [compiler, "--pretty", "false", "--project", config];
          const { success, stdout } = await new Deno.Command("node", { args, cwd: await project }).output();
          return { success, printed: new TextDecoder().decode(stdout) };
        });
        output.catch(() => {}); // its test fails
        return [version, output];
      }));
    return {
      types: compileEach("types.json"),
      mistakes: compileEach("mistakes.json"),
      consumer: compileEach("consumer.json"),
    };
  }

  async function installCompilers(): Promise<string> {
    const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
    const { specifiers } = JSON.parse(await read("tests/deno.lock"));
    const names = ["@opentelemetry/api@1", "@valibot/to-json-schema@1", "arktype@2", "effect@4", "valibot@1", "zod@4"];
    const libraries = names.map((name) => name.replace(/@\d+$/, `@${specifiers[`npm:${name}`].replace(/_.*/, "")}`));
    const { compilerOptions: { erasableSyntaxOnly: _, ...strict } } = JSON.parse(await read("deno.json"));
    const options = { target: "es2022", lib: ["es2023", "dom", "dom.iterable"], types: [], noEmit: true };
    // Each of the three ways in which programs find a package.
    const nodenext = { ...strict, ...options, module: "nodenext", skipLibCheck: true };
    const bundler = { ...nodenext, module: "esnext", moduleResolution: "bundler" };
    // All declarations of the package are checked, and none of TypeScript.
    const node16 = { ...options, module: "node16", strict: true, skipDefaultLibCheck: true };
    const mistakes = Object.keys(MISTAKES).map((name, index) => [`mistake${index}.ts`, ofPackage(moduleOf(name))]);
    const samples = Object.entries(readmeModules(await read("README.md"))).map((
      [name, text],
    ) => [`readme_${name}`, text]);
    const files = [...TYPE_TESTS.map((name) => `tests/types/${name}`), ...IMPORTED];
    const tests = await Promise.all(files.map(async (file) => {
      return [file.replace(/^.*\//, ""), ofPackage(await read(file))];
    }));
    const compilers = TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`);
    return await install("typescripts", packed, [...libraries, ...compilers], {
      "consumer.ts": CONSUMER,
      "entry_points.ts": ENTRY_POINTS,
      "types.json": JSON.stringify({ compilerOptions: nodenext, files: TYPE_TESTS }),
      "mistakes.json": JSON.stringify({ compilerOptions: bundler, include: ["mistake*.ts", "readme_*.ts"] }),
      "consumer.json": JSON.stringify({ compilerOptions: node16, files: ["consumer.ts", "entry_points.ts"] }),
      "testing_types.ts": await read("tests/support/std/testing_types.ts"),
      ...Object.fromEntries([...tests, ...mistakes, ...samples]),
    });
  }

  it("contains JavaScript, declarations, README, SKILL, LICENSE and the manual, and nothing else", async () => {
    const files = (await run("tar", ["tzf", packed])).trim().split("\n");
    assert(files.includes("package/mod.js") && files.includes("package/mod.d.ts"));
    const others = files.filter((file) => !/^package\/(mod|src\/(\w+\/){0,3}\w+)\.(js|d\.ts)$/.test(file));
    const pages = [...Deno.readDirSync(new URL(".github/manual", ROOT))].map(({ name }) => `package/manual/${name}`);
    const expected = [
      ...["package/LICENSE", "package/README.md", "package/SKILL.md", "package/package.json"],
      ...pages,
    ];
    assertEquals(others.toSorted(), expected.toSorted());
  });

  it("has no link in README and the manual that leads nowhere", async () => {
    const files = (await run("tar", ["tzf", packed])).trim().split("\n").map((file) => file.replace("package/", ""));
    const missing: string[] = [];
    let links = 0;
    for (const file of files.filter((file) => file.endsWith(".md"))) {
      const text = await run("tar", ["xzOf", packed, `package/${file}`]);
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(?:https?:|#)/.test(target)) continue;
        links++;
        const linked = join(dirname(file), target.replace(/#.*/, ""));
        if (!files.includes(linked)) missing.push(`${file}: ${target}`);
      }
    }
    assertEquals(missing, []);
    assert(links > 60, `Only ${links} links found`);
  });

  it("is not made without a clone, and says so", async () => {
    const tools = `${directory}/no_clone/tests/tools`;
    await Deno.mkdir(tools, { recursive: true });
    for (const name of ["pack.ts", "packed_documents.ts"]) {
      await Deno.copyFile(new URL(`tests/tools/${name}`, ROOT), `${tools}/${name}`);
    }
    const args = ["run", "--allow-all", "--config=deno.json", ...FLAGS, `${tools}/pack.ts`];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
    assertEquals(success, false);
    assertMatch(
      new TextDecoder().decode(stderr),
      /deno task pack needs a clone of the repository: git lists the files/,
    );
  });

  it("links what it lacks at its repository, where that is known", () => {
    const text = "[a](../../examples/books.ts) [b](routes.md#c) [d](../../src/core/setup.ts) [e](https://deno.com)";
    const pack = (repository?: string) => packDocument(".github/manual/guards.md", text, "0.1.0", repository);
    const own = "[b](routes.md#c) [d](../src/core/setup.d.ts) [e](https://deno.com)";
    assertEquals(pack(), { path: "manual/guards.md", text: `a ${own}` });
    assertEquals(
      pack("fw/core").text,
      `[a](https://github.com/fw/core/blob/v0.1.0/examples/books.ts) ${own}`,
    );
  });

  it("has what deno.json says, the least versions that the manual promises, and no dependencies", async () => {
    const described = JSON.parse(await run("tar", ["xzOf", packed, "package/package.json"]));
    const { dependencies, peerDependencies, engines, sideEffects } = described;
    assertEquals([dependencies, peerDependencies, sideEffects], [undefined, undefined, false]);
    assertEquals(Object.keys(described.exports), Object.keys(config.exports));
    for (const key of ["name", "version", "description", "keywords", "license"] as const) {
      assertEquals(described[key], config[key]);
    }
    const manual = await Deno.readTextFile(new URL(".github/manual/deployment.md", ROOT));
    assertEquals(engines, { node: "^20.12.0 || >=22.0.0", bun: ">=1.1.45", deno: ">=1.46.0" });
    for (const row of [/Node\.js +\| 20\.12 or 22\.0;/, /Bun +\| 1\.1\.45 /, /Deno +\| 1\.46 /]) {
      assertMatch(manual, row);
    }
  });

  it("keeps each doc comment of what it exports", async () => {
    const files = (await run("tar", ["tzf", packed])).match(/(?<=package\/).*(?=\.d\.ts$)/gm) ?? [];
    let count = 0;
    for (const file of files) {
      const source = await Deno.readTextFile(new URL(`${file}.ts`, ROOT));
      const declarations = await Deno.readTextFile(`${directory}/npm/package/${file}.d.ts`);
      for (const [comment] of source.matchAll(/^\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=export )/gm)) {
        assert(declarations.includes(comment), `${file}: ${comment}`);
        count++;
      }
    }
    assert(count > 500, `${count} comments`);
  });

  it("is bundled without anything of an entry point", async () => {
    await Deno.writeTextFile(`${directory}/core.ts`, `export * from "${new URL("mod.ts", ROOT)}";`);
    const bundled = await Deno.readTextFile(await bundle(`${directory}/core.ts`, directory));
    const modules = [...bundled.matchAll(/^\/\/ .*?((?:src\/|mod\.ts).*)$/gm)].map(([, module = ""]) => module);
    assert(modules.includes("src/core/setup.ts"), `${modules}`);
    assertEquals(modules.filter((module) => !/^(?:mod\.ts|src\/core\/.*)$/.test(module)), []);
  });

  it("has conditional requests without node:fs", async () => {
    const program = `export { byteRange, preconditions, strongTag, weakTag } from "${new URL(
      "src/files/mod.ts",
      ROOT,
    )}";`;
    await Deno.writeTextFile(`${directory}/pure.ts`, program);
    const bundled = await Deno.readTextFile(await bundle(`${directory}/pure.ts`, directory));
    assertMatch(bundled, /strongTag/);
    assertEquals(bundled.includes("node:"), false);
  });

  it("leaves nothing behind in a bundle that uses none of it", async () => {
    // What JSR packs does not say that it has no side effects.
    const program = ENTRY_POINTS.replace(/^.*lint.*\n/m, ""); // a plugin is a value
    const project = await blankProject("of_jsr/unused", { "program.mjs": program });
    const bundled = await run(Deno.execPath(), ["bundle", "--quiet", "--minify", "program.mjs"], project);
    assertEquals(bundled.trim(), "");
  });

  it("is bundled by esbuild, Rollup and webpack: a program runs, and of unused entry points nothing is left", async () => {
    const project = await blankProject("tools/bundled", {
      "program.mjs": PROGRAM,
      "unused.mjs": ENTRY_POINTS,
      "bundle.mjs": BUNDLE,
    });
    await run("node", ["bundle.mjs"], project);
    for (const bundler of ["esbuild", "rollup", "webpack"]) {
      assertEquals((await run("node", [`dist/${bundler}/program.mjs`], project)).trim(), PRINTED, bundler);
      const unused = await Deno.readTextFile(`${project}/dist/${bundler}/unused.mjs`);
      assertEquals(unused.replaceAll(/^\/\/.*$/gm, "").trim(), "", bundler);
    }
  });

  it("has nothing that publint or Are The Types Wrong report", async () => {
    await run("npx", ["publint", "--strict", packed], `${directory}/tools`);
    // All modules are ECMAScript modules below `exports`. TypeScript's "node10" does not read them, and 7.0 has no "node10".
    await run("npx", ["attw", "--profile", "esm-only", packed], `${directory}/tools`);
  });

  it("runs in a Worker", async () => {
    const project = await blankProject("plain/worker", { "worker.mjs": WORKER });
    const script = await run(Deno.execPath(), ["bundle", "--quiet", "--platform=browser", "worker.mjs"], project);
    const worker = new Miniflare({ modules: true, script, compatibilityDate: "2024-06-03" });
    try {
      assertEquals(await (await worker.dispatchFetch("http://localhost/")).text(), PRINTED);
    } finally {
      await worker.dispose();
    }
  });

  for (const version of NODES) {
    it(`runs in an empty project of Node.js ${version}`, async () => {
      const node = await findProgram(`node@${version}`, "node");
      const project = await blankProject(`plain/node${version}`, { "program.mjs": PROGRAM });
      assertEquals((await run(node, ["program.mjs"], project)).trim(), PRINTED);
    });
  }

  for (const registry of ["npm", "JSR"]) {
    it(`runs in an empty project of Bun, packed as for ${registry}`, async () => {
      const bun = await findProgram(BUN, "bun");
      const project = await blankProject(`bun_${registry}`, {
        "package.json": '{"private":true}',
        "program.ts": `// @ts-nocheck\n${PROGRAM}`,
      });
      await run(bun, ["add", registry === "npm" ? packed : ofJsr()], project);
      assertEquals((await run(bun, ["run", "program.ts"], project)).trim(), PRINTED);
    });
  }

  it("keeps its types as JSR packs it", async () => {
    const options = { module: "nodenext", target: "es2024", lib: ["es2024", "dom", "dom.iterable"], types: [] };
    const compilerOptions = { ...options, strict: true, skipDefaultLibCheck: true, noEmit: true };
    const project = await blankProject("of_jsr/consumer", {
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "consumer.ts": CONSUMER,
      "entry_points.ts": ENTRY_POINTS,
    });
    await run("node", [`../../typed/${COMPILER}`, "--project", "."], project);
  });

  it("has declarations that need no types of browsers, only those of Node.js", async () => {
    const options = { module: "nodenext", target: "es2022", lib: ["es2022"], types: ["node"] };
    const compilerOptions = { ...options, strict: true, skipDefaultLibCheck: true, noEmit: true };
    const project = await blankProject("typed/node", {
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "consumer.ts": CONSUMER,
      "entry_points.ts": ENTRY_POINTS,
    });
    await run("node", [`../${COMPILER}`, "--project", "."], project);
  });

  it("appears in a consumer's declarations under its public names only", async () => {
    const project = await blankProject("typed/declarations", {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "nodenext", target: "es2024", types: [], strict: true, declaration: true },
      }),
      "routes.ts": ROUTES,
    });
    await run("node", [`../${COMPILER}`, "--project", "."], project);
    const declared = await Deno.readTextFile(`${project}/routes.d.ts`);
    assertMatch(declared, /const hello: import\("@fw\/core"\)\.Route<import\("@fw\/core"\)\.NoLocals, \[\]>;/);
    assertMatch(declared, /const orgs: import\("@fw\/core"\)\.RouteFactory<\{/);
    assertMatch(declared, /const showBook: import\("@fw\/core"\)\.TypedEndpoint<"GET", "\/books\/:id", \{/);
    assertMatch(declared, /const gone: \(\) => import\("@fw\/core"\)\.Reply<import\("@fw\/core"\)\.Answer<404, \{/);
    assertEquals(declared.match(/@fw\/core\/[^"]*/g), null);
  });

  it("has clients of published endpoints that need no schema library", async () => {
    const read = (name: string) => Deno.readTextFile(new URL(`examples/recipes/client/${name}.ts`, ROOT));
    const options = { module: "nodenext", target: "es2024", lib: ["es2024", "dom", "dom.iterable"], types: [] };
    const { specifiers } = JSON.parse(await Deno.readTextFile(new URL("tests/deno.lock", ROOT)));
    const publisher = await install("publisher", packed, [`zod@${specifiers["npm:zod@4"]}`], {
      "api.ts": await read("api"),
      "publish.mjs": await Deno.readTextFile(await bundle("examples/recipes/client/publish.ts", directory)),
    });
    const [, flags = ""] = /^\/\/ npx tsc (.*)$/m.exec(await read("publish")) ?? [];
    await run("node", [`../typed/${COMPILER}`, ...flags.split(" ")], publisher);
    await run(Deno.execPath(), ["run", "--no-prompt", "--allow-write=dist", "publish.mjs"], publisher);
    const published = await Promise.all(
      ["js", "d.ts"].map((end) => Deno.readTextFile(`${publisher}/dist/api.${end}`)),
    );
    for (const text of published) assert(!/zod/i.test(text), text);

    const project = await blankProject("typed/client", {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...options, strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
      }),
      "api.js": published[0] ?? "",
      "api.d.ts": published[1] ?? "",
      "client.ts": CLIENT,
    });
    await run("node", [`../${COMPILER}`, "--project", "."], project);
    assertEquals((await run("node", ["client.js"], project)).trim(), 'POST /books {"title":"Emma"}\nEmma');
    assertEquals((await run("ls", ["../node_modules"], project)).includes("zod"), false);
  });

  it("has a plugin for ESLint, with the configuration that the manual shows", async () => {
    const manual = await Deno.readTextFile(new URL(".github/manual/guards.md", ROOT));
    const [, config = ""] = /```js.*\n(import lint from [^]*?)```/.exec(manual) ?? [];
    const project = await blankProject("typed/linted", {
      "eslint.config.js": config,
      "guard.ts": LINTED,
    });
    const args = ["eslint", "--format", "json", "guard.ts"];
    const { stdout } = await new Deno.Command("npx", { args, cwd: project }).output();
    const [{ messages }] = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(
      messages.map(({ ruleId, line }: { ruleId: string; line: number }) => [ruleId, line]),
      [["fw/no-dropped-result", 4]],
    );
  });

  it("works in a project of Deno that maps the name to a checkout", async () => {
    const imports = {
      "@fw/core": new URL("mod.ts", ROOT).href,
      "@fw/core/client": new URL("src/client/mod.ts", ROOT).href,
      "@fw/core/openapi": new URL("src/openapi/mod.ts", ROOT).href,
      "@fw/core/standard-schema": new URL("src/standard_schema/mod.ts", ROOT).href,
    };
    const project = await blankProject("deno", {
      "deno.json": JSON.stringify({ imports }),
      "program.js": PROGRAM,
      "consumer.ts": CONSUMER,
    });
    assertEquals((await run(Deno.execPath(), ["run", "program.js"], project)).trim(), PRINTED);
    await run(Deno.execPath(), ["check", "consumer.ts"], project);
  });

  for (const version of TYPESCRIPTS) {
    it(`has declarations without an error in any entry point, with skipLibCheck off: TypeScript ${version}`, async () => {
      const { success, printed } = await compiled?.consumer.get(version) ?? {};
      assert(success, printed);
    });

    it(`passes the tests of its types: TypeScript ${version}`, async () => {
      const { success, printed } = await compiled?.types.get(version) ?? {};
      assert(success, printed);
    });

    it(`prints what README quotes of each mistake in its first sample: TypeScript ${version}`, async () => {
      const readme = await Deno.readTextFile(new URL("README.md", ROOT));
      const { printed = "" } = await compiled?.mistakes.get(version) ?? {};
      const errors = printed.split(/^(?=\S)/m);
      assertEquals(errors.filter((error) => error.startsWith("readme_correct.ts")), []);
      for (const name of README_MISTAKES) {
        assertQuoted(readme, name, errors.find((error) => error.startsWith(`readme_${name}`)) ?? "");
      }
    });

    it(`reports each mistake at its place, and says what to do: TypeScript ${version}`, async () => {
      const { printed = "" } = await compiled?.mistakes.get(version) ?? {};
      const errors = printed.split(/^(?=\S)/m).map((error) => ERROR.exec(error) ?? []);
      for (const [index, name] of Object.keys(MISTAKES).entries()) {
        const [, , line, column, text] = errors.find(([, module]) => Number(module) === index) ?? [];
        const lines = ofPackage(moduleOf(name)).split("\n").slice(Number(line) - 1);
        assertReported(
          name,
          text === undefined ? undefined : { rest: lines.join("\n").slice(Number(column) - 1), text },
        );
      }
    });
  }
});
