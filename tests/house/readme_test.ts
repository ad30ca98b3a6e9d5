/** What the samples of README do not show by running as tests: the first server, and the errors that TypeScript prints. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { ROOT, startServer } from "../support/server_process.ts";

const granted = (["env", "net", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("README", () => {
  let folder = "";
  let readme = "";
  /** What `deno check` prints for each module, without the place: nothing if it compiles. */
  const errors = new Map<string, string>();

  before(async () => {
    folder = await Deno.makeTempDir();
    readme = await Deno.readTextFile(new URL("README.md", ROOT));
    const guarded = sampleWith(readme, "guards: [authenticated, adminOnly]");
    const modules = {
      "hello.ts": sampleWith(readme, "Deno.serve("),
      "guarded.ts": guarded,
      "unguarded.ts": guarded.replace("[authenticated, adminOnly]", "[adminOnly]"),
      "reversed.ts": guarded.replace("[authenticated, adminOnly]", "[adminOnly, authenticated]"),
      "undeclared.ts": sampleWith(readme, "reply(404)").replace("reply(404)", "reply(418)"),
    };
    for (const [name, code] of Object.entries(modules)) await Deno.writeTextFile(`${folder}/${name}`, code);
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", ...FLAGS, folder],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
    }).output();
    for (const [, error = "", name = ""] of new TextDecoder().decode(stderr).matchAll(ERROR)) {
      errors.set(name, `${errors.get(name) ?? ""}${error}`);
    }
  });
  after(() => Deno.remove(folder, { recursive: true }));

  /** Asserts that README has a text, whatever its lines are. */
  function assertQuoted(text: string) {
    const [whole, quoted] = [readme, text].map((text) => text.replaceAll(/\s+/g, " ").trim());
    assert(quoted && whole?.includes(quoted), `README must quote: ${text}`);
  }

  it("begins with a server of six lines, which answers", async () => {
    assertEquals(sampleWith(readme, "Deno.serve(").trim().split("\n").length, 6);
    const args = ["run", "--no-check", "--allow-net", ...FLAGS, `${folder}/hello.ts`];
    const server = await startServer(Deno.execPath(), args, { DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0" });
    try {
      assertEquals(await (await fetch(`${server.origin}/hello/Ada`)).text(), "Hello, Ada!");
    } finally {
      await server.stop();
    }
  });

  it("has samples that compile", () => {
    assertEquals([errors.get("hello.ts"), errors.get("guarded.ts")], [undefined, undefined]);
  });

  it("quotes what TypeScript prints if a guard is missing", () => assertQuoted(errors.get("unguarded.ts") ?? ""));

  it("is right that the guards do not compile in another order", () => {
    assertMatch(errors.get("reversed.ts") ?? "", /The order of the guards is wrong/);
  });

  it("quotes what TypeScript prints if a status is not declared", () => {
    assertQuoted(/Argument of .*'(?=\.$)/m.exec(errors.get("undeclared.ts") ?? "")?.[0] ?? "");
  });
});

/** What resolves the imports of a sample, wherever it is. */
const FLAGS = ["--config=deno.json", "--import-map=tests/import_map.json"];

/** An error of `deno check`, and the file that it is in. */
const ERROR = /^(TS\d+ \[ERROR\]: [^]*?)^ *at file:.*\/(\w+\.ts):/gm;

/** Returns the sample that has this text. */
function sampleWith(readme: string, text: string): string {
  const samples = [...readme.matchAll(/^```ts.*\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
  const sample = samples.find((code) => code.includes(text));
  assert(sample, `No sample has ${text}`);
  return sample;
}
