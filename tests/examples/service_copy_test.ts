/** A newcomer copies the folder of the service, and runs its tests and its server. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { run } from "../slow/runtimes/programs.ts";
import { granted } from "../support/granted.ts";
import { makeTempDirectory, type TempDirectory } from "../support/temp_directory.ts";
import { importsOfClone } from "./imports_of_clone.ts";
import { ROOT, startServer } from "./serve.ts";

/** Copies the folder. Its packages come from here: `@fw/core` from this clone, `@std` from npm. */
async function copyService(): Promise<TempDirectory> {
  const copy = await makeTempDirectory();
  const { path: project } = copy;
  await run("cp", ["-r", "examples/service/.", project]);
  const config: Config = await readJson(`${project}/deno.json`);
  const imports = { ...config.imports, ...await importsOfClone() };
  await Deno.copyFile(new URL("tests/deno.lock", ROOT), `${project}/deno.lock`); // the same versions
  await Deno.writeTextFile(`${project}/deno.json`, JSON.stringify({ ...config, imports }));
  const manifest: Manifest = await readJson(`${project}/package.json`);
  const { "@fw/core": _published, ...dependencies } = manifest.dependencies;
  await Deno.writeTextFile(`${project}/package.json`, JSON.stringify({ ...manifest, dependencies }));
  return copy;
}

interface Config {
  readonly imports: Readonly<Record<string, string>>;
  readonly tasks?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

async function readJson<Value>(file: string | URL): Promise<Value> {
  return JSON.parse(await Deno.readTextFile(file));
}

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the folder examples/service", () => {
  it("the copied folder type-checks, and its task test passes without a permission", async () => {
    await using copy = await copyService();
    await run(Deno.execPath(), ["check", "."], copy.path);
    assertStringIncludes(await run(Deno.execPath(), ["task", "test"], copy.path), "3 passed");
  });

  it("the copied folder is served by its task start", async () => {
    await using copy = await copyService();
    const { path: project } = copy;
    const { tasks }: Config = await readJson(`${project}/deno.json`);
    const [program, command, ...flags] = tasks?.start?.split(" ") ?? [];
    assertEquals([program, command], ["deno", "serve"]);
    const args = ["serve", "--port=0", `--config=${project}/deno.json`];
    // The paths of the task are relative to the folder.
    const within = flags.map((flag) => flag.replace(/(?<==)(?=\.data$)|^(?=main\.ts$)/, `${project}/`));
    const env = { DATA: `${project}/.data`, DATABASE_URL: "" };
    const served = await startServer(Deno.execPath(), [...args, ...within], env);
    const answer = await fetch(`${served.origin}/ready`).then((response) => response.text());
    await served.stop();
    assertEquals([answer, await served.exitCode], ["Ready", 0]);
  });

  it("each import of the folder is a file of it, or a package that its deno.json names", async () => {
    const { imports }: Config = await readJson(new URL("examples/service/deno.json", ROOT));
    const names = new Set<string>();
    const used = new Set<string>();
    for await (const { name } of Deno.readDir(new URL("examples/service", ROOT))) {
      names.add(`./${name}`);
      if (!name.endsWith(".ts")) continue;
      const text = await Deno.readTextFile(new URL(`examples/service/${name}`, ROOT));
      for (const [, target = ""] of text.matchAll(/ from "(?!node:)([^"]+)"/g)) used.add(target);
    }
    const packages = Object.keys(imports);
    const isNamed = (target: string) =>
      names.has(target) || packages.some((name) => `${target}/`.startsWith(`${name}/`));
    assertEquals([...used].filter((target) => !isNamed(target)), []);
    const isUsed = (name: string) => [...used].some((target) => `${target}/`.startsWith(`${name}/`));
    assertEquals(packages.filter((name) => !isUsed(name)), []);
    const { dependencies }: Manifest = await readJson(new URL("examples/service/package.json", ROOT));
    assertEquals(Object.keys(dependencies), packages);
  });
});
