/** The programs of README in an npm project, made and started by the commands that README gives. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { samplesOf } from "../../support/readme_sample.ts";
import { ROOT } from "../../support/server_process.ts";
import { granted } from "../../support/granted.ts";
import { pack } from "../../tools/pack.ts";
import { BUN, findProgram, run } from "../runtimes/programs.ts";
import { startProgram } from "./start_program.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the first programs of README", () => {
  let project = "";
  let readme = "";
  before(async () => {
    project = await Deno.makeTempDir();
    readme = await Deno.readTextFile(new URL("README.md", ROOT));
    const [app = "", use = ""] = samplesOf(readme);
    await Deno.writeTextFile(`${project}/app.ts`, app);
    await Deno.writeTextFile(`${project}/use.ts`, use);
    for (const command of ["npm init --yes", "npm pkg set type=module"]) { // npm 11 makes a CommonJS package
      assert(readme.includes(`\`${command}\``), `README must give the command ${command}`);
      await run("npm", command.split(" ").slice(1), project);
    }
    const packages = [await pack(`${project}/npm`), "zod@4", "srvx@1", "fast-check@4"];
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], project);
  });
  after(() => Deno.remove(project, { recursive: true }));

  it("is served by Deno", () =>
    serves("deno serve --host 127.0.0.1 app.ts", Deno.execPath(), [
      "serve",
      "--host",
      "127.0.0.1",
      "--port",
      "0",
      "app.ts",
    ]));

  it("is served by Bun", async () => serves("bun app.ts", await findProgram(BUN, "bun"), ["app.ts"]));

  it("is served by Node.js, with srvx", async () => {
    const node = await findProgram("node@24", "node");
    await serves("npx srvx app.ts", node, ["node_modules/srvx/bin/srvx.mjs", "--port", "0", "app.ts"]);
  });

  it("gives a client, a document and a search for faults, on Node.js without a server", async () => {
    const node = await findProgram("node@24", "node");
    const printed = await run(node, ["use.ts"], project);
    assertEquals(printed.trim().split("\n"), ["Emma", "[ '/books/{id}' ]", "0"]);
  });

  /** Starts a server, and asks it for a book. */
  async function serves(quoted: string, program: string, args: readonly string[]): Promise<void> {
    assert(readme.includes(`\`${quoted}\``), `README must give the command ${quoted}`);
    await using server = await startProgram(program, args, { cwd: project });
    const response = await fetch(`http://127.0.0.1:${server.port}/books/1`);
    assertEquals([response.status, await response.json()], [200, { id: "1", title: "Emma" }]);
    const missing = await fetch(`http://127.0.0.1:${server.port}/books/2`);
    assertEquals([missing.status, await missing.text()], [404, ""]);
  }
});
