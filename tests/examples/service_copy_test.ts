/** A newcomer copies what the README of the service lists, and runs its tests. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted, ROOT } from "./serve.ts";

const EXAMPLES = new URL("examples/", ROOT);

/** The code in the README: the command that copies the files, and `deno.json`. */
async function readCode(language: string): Promise<string> {
  const readme = await Deno.readTextFile(new URL("service/README.md", EXAMPLES));
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(readme)?.[1] ?? "";
}

async function run(program: string, args: readonly string[], cwd: string | URL): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
    env: { NO_COLOR: "1" },
  }).output();
  const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(success, true, printed);
  return printed;
}

(granted("net", "read", "run", "write") ? describe : describe.skip)("examples/service, in a project of its own", () => {
  it("the copied files are all that the service imports, and its tests pass without a permission", async () => {
    const project = await Deno.makeTempDir();
    try {
      const command = (await readCode("sh")).replace("/path/to/your/project", project);
      await run("bash", ["-c", command], EXAMPLES);

      const config: { imports: Record<string, string>; tasks: Record<string, string> } = JSON.parse(
        await readCode("json"),
      );
      const named = Object.keys(config.imports);
      // Here, this package comes from the clone, and `@std` from npm.
      const map: { imports: Record<string, string> } = JSON.parse(
        await Deno.readTextFile(new URL("tests/import_map.json", ROOT)),
      );
      const { exports }: { exports: Record<string, string> } = JSON.parse(
        await Deno.readTextFile(new URL("deno.json", ROOT)),
      );
      const imports = Object.fromEntries([
        ...Object.entries(exports).map(([door, file]) => [`@fw/core${door.slice(1)}`, new URL(file, ROOT).href]),
        ...Object.entries(map.imports).filter(([name]) => named.some((it) => name === it || name.startsWith(`${it}/`)))
          .map(([name, target]) => [
            name,
            target.startsWith(".") ? new URL(target, new URL("tests/", ROOT)).href : target,
          ]),
      ]);
      await Deno.writeTextFile(`${project}/deno.json`, JSON.stringify({ ...config, imports, lock: false }));
      await run(Deno.execPath(), ["check", "service/"], project);
      assertStringIncludes(await run(Deno.execPath(), ["task", "test"], project), "2 passed");
    } finally {
      await Deno.remove(project, { recursive: true });
    }
  });

  it("no file is copied that the service does not import", async () => {
    const command = await readCode("sh");
    const listed = [...command.matchAll(/^ {2}(\S+\/)(?:\{([^}]*)\}|(\w+))\.ts/gm)].flatMap(([, folder, many, one]) =>
      (many ?? one ?? "").split(",").map((name) => `${folder}${name}.ts`)
    );
    const imported = new Set<string>();
    const follow = async (file: URL): Promise<void> => {
      const text = await Deno.readTextFile(file);
      for (const [, target = ""] of text.matchAll(/ from "(\.[^"]+)"/g)) {
        const found = new URL(target, file);
        const path = found.href.slice(EXAMPLES.href.length);
        if (path.startsWith("service/") || imported.has(path)) continue;
        imported.add(path);
        await follow(found);
      }
    };
    for await (const { name } of Deno.readDir(new URL("service/", EXAMPLES))) {
      if (name.endsWith(".ts")) await follow(new URL(`service/${name}`, EXAMPLES));
    }
    assertEquals(listed.toSorted(), [...imported].toSorted());
  });
});
