/** What the samples of README do not show by running as tests: the errors that TypeScript prints. */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { ROOT } from "../support/server_process.ts";

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
    const modules = mistakesOf(sampleWith(readme, "endpoints: api"));
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

  it("begins with a sample of at most 25 lines, which compiles", () => {
    const [first = ""] = samplesOf(readme);
    assert(first.includes("endpoints: api") && first.trim().split("\n").length <= 25);
    assertEquals(errors.get("correct.ts"), undefined);
  });

  it("quotes what TypeScript prints for each of the four mistakes in it", () => {
    const quoted = [...readme.matchAll(/^\| .*? +\| `(.*)` *\|$/gm)].map(([, text = ""]) =>
      text.replaceAll("\\|", "|")
    );
    for (const name of MISTAKES) {
      const error = (errors.get(name) ?? "").replaceAll('\\"', '"');
      assert(quoted.some((text) => error.includes(text)), `README must quote: ${error}`);
    }
  });

  it("has at most 200 lines and 1,300 words", () => {
    assert(readme.trimEnd().split("\n").length <= 200);
    assert(readme.split(/\s+/).filter((word) => /\w/.test(word)).length <= 1300);
  });
});

/** What resolves the imports of a sample, wherever it is. */
const FLAGS = ["--config=deno.json", "--import-map=tests/import_map.json"];

/** An error of `deno check`, and the file that it is in. */
const ERROR = /^(TS\d+ \[ERROR\]: [^]*?)^ *at file:.*\/(\w+\.ts):/gm;

/** The modules with a mistake. */
const MISTAKES = ["guard.ts", "status.ts", "body.ts", "endpoint.ts"] as const;

/** The first sample, and the same with each of the mistakes that README lists. */
function mistakesOf(sample: string): Readonly<Record<"correct.ts" | typeof MISTAKES[number], string>> {
  const change = (from: string, to: string) => {
    assert(sample.includes(from), `The sample must have ${from}`);
    return sample.replace(from, to);
  };
  return {
    "correct.ts": sample,
    "guard.ts": change("  guards: [signedIn],\n", ""),
    "status.ts": change("reply(404);", "reply(410);"),
    "body.ts": change("reply(200, { id: row.id, text: row.text })", "reply(200, row)"),
    "endpoint.ts": change("[showNote, health]", "[showNote]"),
  };
}

/** Returns the sample that has this text. */
function sampleWith(readme: string, text: string): string {
  const sample = samplesOf(readme).find((code) => code.includes(text));
  assert(sample, `No sample has ${text}`);
  return sample;
}

function samplesOf(readme: string): readonly string[] {
  return [...readme.matchAll(/^```ts.*\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
}
