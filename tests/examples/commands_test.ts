import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT, startServer } from "./serve.ts";

(granted("read") ? describe : describe.skip)("the documented commands", () => {
  it("the documented commands serve on the loopback interface only", async () => {
    const commands = await Array.fromAsync(findCommands());
    assert(commands.length > 30, `Only ${commands.length} commands found`);
    assertEquals(commands.filter((command) => !/ serve --host 127\.0\.0\.1 /.test(command)), []);
  });
});

(granted("net", "read", "run") ? describe : describe.skip)("the first command of README.md", () => {
  it("the first command of README.md serves the books on the loopback interface only", async () => {
    const readme = await Deno.readTextFile(new URL("README.md", ROOT));
    const [command = ""] = /(?<=npx -y deno@\S+ serve ).*/.exec(readme) ?? [];
    // Before the script: after it, the flag is an argument of the script, and the test needs port 8000.
    await using served = await startServer(Deno.execPath(), ["serve", "--port", "0", ...command.split(" ")]);
    assertMatch(await (await fetch(`${served.origin}/books?limit=1`)).text(), /"data"/);
  });
});

/** Yields each `deno serve` command of the documentation and the comments, on one line. */
async function* findCommands(): AsyncGenerator<string> {
  for await (const file of findFiles(["README.md", "mod.ts", "deno.json", "examples", "src", ".github"])) {
    const text = await Deno.readTextFile(new URL(file, ROOT));
    for (const [command] of text.replaceAll(/\\\n(?:\/\/ )?/g, "").matchAll(/deno(?:@\S+)? serve .*\.ts\b/g)) {
      yield `${file}: ${command}`;
    }
  }
}

async function* findFiles(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    if (path === "examples/public") continue; // another test makes links there, and removes them
    const url = new URL(path, ROOT);
    if ((await Deno.stat(url)).isFile) yield path;
    else yield* findFiles((await Array.fromAsync(Deno.readDir(url))).map(({ name }) => `${path}/${name}`));
  }
}
