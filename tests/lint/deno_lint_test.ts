/** The plugin of `@fw/core/lint` in `deno lint` itself, as users run it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

const FILE = `import { allow, deny, reply } from "@fw/core";

export function signedIn(ok: boolean) {
  if (!ok) deny(reply(401));
  return allow();
}

export function ignored(ok: boolean) {
  // deno-lint-ignore fw/no-dropped-result
  if (!ok) deny(reply(401));
  return allow();
}
`;

/** Runs `deno lint` with the plugin alone: on the file, or on other paths. */
async function lint(...paths: readonly string[]): Promise<{ readonly code: number; readonly printed: string }> {
  const directory = await Deno.makeTempDir();
  try {
    const plugins = [new URL("src/lint/mod.ts", ROOT).pathname];
    await Deno.writeTextFile(`${directory}/deno.json`, JSON.stringify({ lint: { plugins, rules: { tags: [] } } }));
    await Deno.writeTextFile(`${directory}/guard.ts`, FILE);
    const args = ["lint", "--config=deno.json", ...paths];
    const command = new Deno.Command(Deno.execPath(), { args, cwd: directory, env: { NO_COLOR: "1" } });
    const { code, stderr, stdout } = await command.output();
    return { code, printed: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

(granted("read", "run", "write") ? describe : describe.skip)("deno lint with the plugin", () => {
  it("fails at a denial that is not returned, unless a comment ignores it", async () => {
    const { code, printed } = await lint();
    assertEquals([code, printed.match(/guard\.ts:\d+:\d+/g)], [1, ["guard.ts:4:12"]]);
    assertStringIncludes(printed, "error[fw/no-dropped-result]");
    assertStringIncludes(printed, "write `return deny(…)`");
    assertStringIncludes(printed, "Found 1 problem");
  });

  // Not by deno.json: before 2.2, `deno lint` rejects its key for plugins.
  it("finds no result in this repository that is dropped", async () => {
    const paths = ["mod.ts", "src", "examples", "tests"].map((path) => new URL(path, ROOT).pathname);
    const { code, printed } = await lint(...paths);
    assertEquals([code, printed.match(/Checked \d{3,} files/)?.length], [0, 1], printed);
  });
});
