/**
 * Two packages of a monorepo. The first exports values of each kind, with `declaration: true` and without an annotation. The
 * second compiles against the declarations of the first, and emits its own.
 */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { run } from "../runtimes/programs.ts";
import { ROOT } from "../../support/server_process.ts";
import { pack } from "../../tools/pack.ts";
import { TYPESCRIPTS } from "./consumers.ts";

const OPTIONS = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  declaration: true,
  emitDeclarationOnly: true,
  skipDefaultLibCheck: true,
};

/** The modules that stand in `tests/types/declarations`, by the name of their package. */
const MODULES = { first: ["values.ts", "derived.ts"], second: ["uses.ts"] };

const granted = (["env", "net", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("the declarations of two packages", () => {
  let directory = "";
  before(async () => {
    directory = await Deno.makeTempDir();
    const packed = await pack(`${directory}/npm`);
    const { specifiers } = JSON.parse(await Deno.readTextFile(new URL("tests/deno.lock", ROOT)));
    await Deno.writeTextFile(`${directory}/package.json`, '{"private":true,"type":"module"}');
    const compilers = TYPESCRIPTS.map((version) => `typescript-${version}@npm:typescript@${version}`);
    const packages = [packed, `zod@${specifiers["npm:zod@4"]}`, "@types/node@20", ...compilers];
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], directory);
    for (const [name, modules] of Object.entries(MODULES)) {
      await Deno.mkdir(`${directory}/${name}`);
      for (const module of modules) {
        const text = await Deno.readTextFile(new URL(`tests/types/declarations/${module}`, ROOT));
        const imported = name === "first" ? '"./$1.js"' : '"first/$1"';
        await Deno.writeTextFile(`${directory}/${name}/${module}`, text.replaceAll(/"\.\/(\w+)\.ts"/g, imported));
      }
    }
  });
  after(() => Deno.remove(directory, { recursive: true }));

  /** Compiles a package, and returns what the compiler prints. */
  async function compile(
    version: string,
    name: keyof typeof MODULES,
    outDir: string,
    options: object,
  ): Promise<string> {
    const config = `${directory}/${name}/tsconfig.json`;
    const compilerOptions = { ...OPTIONS, ...options, outDir, rootDir: "." };
    await Deno.writeTextFile(config, JSON.stringify({ compilerOptions, files: MODULES[name] }));
    const args = [`node_modules/typescript-${version}/bin/tsc`, "--pretty", "false", "--project", name];
    const { stdout } = await new Deno.Command("node", { args, cwd: directory }).output();
    return new TextDecoder().decode(stdout);
  }

  for (const version of TYPESCRIPTS) {
    for (const skipLibCheck of [true, false]) {
      it(`need no annotations: TypeScript ${version}, skipLibCheck ${skipLibCheck}`, async () => {
        const installed = `${directory}/node_modules/first`;
        await Deno.remove(installed, { recursive: true }).catch(() => {});
        assertEquals(await compile(version, "first", installed, { skipLibCheck }), "");
        const manifest = { name: "first", type: "module", exports: { "./*": { types: "./*.d.ts" } } };
        await Deno.writeTextFile(`${installed}/package.json`, JSON.stringify(manifest));
        assertEquals(await compile(version, "second", `${directory}/out`, { skipLibCheck }), "");
        const files = [`${installed}/values.d.ts`, `${installed}/derived.d.ts`, `${directory}/out/uses.d.ts`];
        for (const file of files) {
          const text = await Deno.readTextFile(file);
          // No module of the package beside its entry points.
          assert(text.includes('import("@fw/core'), file);
          assertEquals(text.match(/@fw\/core\/(?:src|mod)[^"]*/g), null, file);
        }
      });
    }
  }
});
