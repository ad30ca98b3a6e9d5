/** What the tutorial of the manual says: its tests pass. `tests/types/messages_test.ts` checks its types. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { LOCKED } from "../support/flags.ts";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";
import { tutorialFiles } from "../support/tutorial.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the tutorial", () => {
  let folder = "";
  /** The files in the order of the page: those of one name replace each other. */
  let files: readonly (readonly [name: string, text: string])[] = [];

  before(async () => {
    folder = await Deno.makeTempDir();
    files = await tutorialFiles();
    for (const [name, text] of files) await write(name, text);
  });
  after(() => Deno.remove(folder, { recursive: true }));

  const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);

  it("has three versions of the app, and a file for each other step", () => {
    const names = ["app.ts", "server.ts", "app.ts", "app.ts", "app.test.ts", "fuzz.test.ts", "shared.ts"];
    assertEquals(files.map(([name]) => name), names);
  });

  it("has tests that pass", async () => {
    const { success, printed } = await denoTest(folder);
    assert(success, printed);
    assertMatch(printed, /2 passed/);
  });

  it("signs in only the users that it lists, and no member of every object", async () => {
    const { default: app } = await import(`file://${folder}/app.ts`);
    for (const authorization of Object.getOwnPropertyNames(Object.prototype)) {
      const { status } = await app.fetch(new Request("http://localhost/notes/1", { headers: { authorization } }));
      assertEquals([authorization, status], [authorization, 401]);
    }
  });

  it("shows what fuzz reports of a note that is shown to everybody", async () => {
    const [, app = ""] = files.findLast(([name]) => name === "app.ts") ?? [];
    const broken = app.replace("found?.owner !== c.locals.user", "found === undefined");
    assert(broken !== app);
    await write("app.ts", broken);
    const { success, printed } = await denoTest(`${folder}/fuzz.test.ts`);
    assertEquals(success, false);
    assertMatch(printed, /crosses owners/);
  });
});

async function denoTest(path: string): Promise<{ readonly success: boolean; readonly printed: string }> {
  const own = ["--config=deno.json", `--import-map=${new URL("tests/import_map.json", ROOT).href}`, ...LOCKED];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--allow-all", ...own, path],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, printed: `${out}${err}` };
}
