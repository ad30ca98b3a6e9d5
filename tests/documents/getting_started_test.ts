/** What the tutorial of the manual says: its files compile, and its tests pass. The code in documents checks the rest. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { LOCKED } from "../support/flags.ts";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("the tutorial", () => {
  let folder = "";
  /** The files in the order of the page: those of one name replace each other. */
  let files: readonly (readonly [name: string, text: string])[] = [];

  before(async () => {
    folder = await Deno.makeTempDir();
    const page = await Deno.readTextFile(new URL(".github/manual/getting-started.md", ROOT));
    files = [...page.matchAll(/^```ts.*\n\/\/ ([\w.]+)\n([^]*?)^```$/gm)].map((
      [, name = "", text = ""],
    ) => [name, text]);
  });
  after(() => Deno.remove(folder, { recursive: true }));

  const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);

  it("has three versions of the app, and a file for each other step", () => {
    const names = ["app.ts", "server.ts", "app.ts", "app.ts", "app.test.ts", "fuzz.test.ts", "shared.ts"];
    assertEquals(files.map(([name]) => name), names);
  });

  it("has files that compile, and quotes what the compiler says of a route that is left out", async () => {
    for (const [name, text] of files) await write(name, text);
    const [, app = ""] = files.filter(([name]) => name === "app.ts")[1] ?? [];
    const broken = app.replace("handlers: [addNote, showNote]", "handlers: [addNote]");
    assert(broken !== app);
    await write("broken.ts", broken);
    const { success, printed } = await deno("check", [folder]);
    await Deno.remove(`${folder}/broken.ts`);
    assertEquals(success, false);
    const places = [...printed.matchAll(/^ {4}at file:.*\/([\w.]+):\d+:\d+$/gm)].map(([, name]) => name);
    assertEquals(new Set(places), new Set(["broken.ts"]), printed);
    assertMatch(printed.replaceAll("\\", ""), /"No route of handlers implements "showNote""/);
  });

  it("has tests that pass", async () => {
    const { success, printed } = await deno("test", ["--no-check", "--allow-all", folder]);
    assert(success, printed);
    assertMatch(printed, /2 passed/);
  });

  it("signs in only the users that it lists, and no member of every object", async () => {
    const [, text = ""] = files.findLast(([name]) => name === "app.ts") ?? [];
    await write("app.ts", text);
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
    const { success, printed } = await deno("test", ["--no-check", "--allow-all", `${folder}/fuzz.test.ts`]);
    assertEquals(success, false);
    assertMatch(printed, /crosses owners/);
  });
});

async function deno(
  command: "check" | "test",
  args: readonly string[],
): Promise<{ readonly success: boolean; readonly printed: string }> {
  const own = ["--config=deno.json", `--import-map=${new URL("tests/import_map.json", ROOT).href}`, ...LOCKED];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [command, ...own, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, printed: `${out}${err}` };
}
