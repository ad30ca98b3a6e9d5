/** The first samples of README. `tests/types/messages_test.ts` checks the errors that README quotes. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { samplesOf } from "../support/readme_sample.ts";
import { ROOT } from "../support/server_process.ts";
import { granted } from "../support/granted.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("README", () => {
  let folder = "";
  let readme = "";

  before(async () => {
    folder = await Deno.makeTempDir();
    readme = await Deno.readTextFile(new URL("README.md", ROOT));
    const [app = "", use = ""] = samplesOf(readme);
    await Deno.writeTextFile(`${folder}/app.ts`, app);
    await Deno.writeTextFile(`${folder}/use.ts`, use);
  });
  after(() => Deno.remove(folder, { recursive: true }));

  it("begins with a sample of at most 20 lines", () => {
    const [first = ""] = samplesOf(readme);
    assert(first.includes("endpoints: api") && first.trim().split("\n").length <= 20);
  });

  it("shows what the client, the document and fuzz make of the app that it begins with", async () => {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", ...FLAGS, `${folder}/use.ts`],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
    }).output();
    const [title, paths, faults] = new TextDecoder().decode(stdout).trim().split("\n");
    assertEquals([title, paths, faults], ["Emma", '[ "/books/{id}" ]', "0"], new TextDecoder().decode(stderr));
  });

  it("begins with the sample that the doc of mod.ts begins with", async () => {
    const [, doc = ""] = /^\/\*\*\n([^]*?) \*\/$/m.exec(await Deno.readTextFile(new URL("mod.ts", ROOT))) ?? [];
    assertEquals(samplesOf(doc.replaceAll(/^ \* ?/gm, ""))[0], samplesOf(readme)[0]);
  });
});

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the description of the package", () => {
  it("names each runtime, and has at most 250 characters", async () => {
    const { description } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
    for (const runtime of ["Deno", "Bun", "Node.js", "Workers"]) assert(description.includes(runtime));
    assert(description.length <= 250);
  });
});

/** What resolves the imports of a sample, wherever it is. */
const FLAGS = ["--config=deno.json", "--import-map=tests/import_map.json"];
