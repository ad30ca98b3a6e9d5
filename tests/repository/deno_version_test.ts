/** The version of Deno is in `.dvmrc`. Commands that people copy name it too, since they work without a clone. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

/** Tests of other versions. */
const OTHERS = /^tests\/slow\/(?:runtimes|stores)\//;

(granted("read", "run") ? describe : describe.skip)("the version of Deno", () => {
  it("is that of .dvmrc in each command, and a number only there", async () => {
    const version = (await read(".dvmrc")).trim();
    const { stdout } = await new Deno.Command("git", { args: ["ls-files"], cwd: ROOT }).output();
    const files = new TextDecoder().decode(stdout).split("\n").filter((file) =>
      /\.(?:ts|md|yml|json)$|^\.ci|Dockerfile$/.test(file)
    );
    const different: string[] = [];
    let count = 0;
    for (const file of files.filter((file) => !OTHERS.test(file))) {
      for (const [mention, named] of (await read(file)).matchAll(/\bdeno[@:](\d+\.[\d.]*\d)|\bdeno-version: [\d.]+/g)) {
        count++;
        if (named !== version) different.push(`${file}: ${mention}`);
      }
    }
    assert(count > 60, `Only ${count} mentions found`);
    assertEquals(different, []);
  });
});

function read(file: string): Promise<string> {
  return Deno.readTextFile(new URL(file, ROOT));
}
