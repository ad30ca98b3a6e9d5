/**
 * What TypeScript prints at each error that the tests, the examples and the samples of code expect, and where README and
 * the tutorial quote it, and that it prints no others: this checks the types of all that `deno task test` runs, in one
 * program. After a change of a message, write the comments again and review them:
 * `deno test … tests/types/messages_test.ts -- --write`.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import { expectsErrors, type Reported, reportedIn } from "../support/expected_errors.ts";
import { granted } from "../support/granted.ts";
import { assertQuoted, README_MISTAKES, readmeModules, samplesOf } from "../support/readme_sample.ts";
import { ROOT } from "../support/server_process.ts";
import { TUTORIAL, tutorialModules } from "../support/tutorial.ts";
import { DOCUMENTED, PRODUCT } from "../tools/test_product.ts";

/** The programs in the templates of these are compiled by other tests, with other compilers. */
const ELSEWHERE = ["tests/slow/", "tests/tools/", "tests/types/messages_test.ts", "tests/support/expected_errors.ts"];

(granted("env", "read", "run", "write") ? describe : describe.skip)("the compiler", () => {
  let reported: Reported = { sources: [], unexpected: [], quoted: new Map() };
  let readme = "";
  let tutorial = "";
  before(async () => {
    tutorial = await Deno.readTextFile(TUTORIAL);
    readme = await Deno.readTextFile(new URL("README.md", ROOT));
    const [app = "", use = ""] = samplesOf(readme);
    reported = await reportedIn(
      ["README.md", ...["examples", "src", "tests", ".github"].flatMap(expectingIn)],
      [...DOCUMENTED, ...PRODUCT],
      {
        ...inFolder("readme", { ...readmeModules(readme), "app.ts": app, "use.ts": use }),
        ...inFolder("tutorial", await tutorialModules()),
      },
    );
    if (!Deno.args.includes("--write")) return;
    for (const { path, written } of reported.sources) await Deno.writeTextFile(new URL(path, ROOT), written);
  });

  it("reports an error where each @ts-expect-error says, and prints what it says", () => {
    assertEquals(reported.sources.flatMap(({ differences }) => differences).join("\n\n"), "");
  });

  it("reports no others in the package, in its tests and in samples of code", () => {
    assertEquals(reported.unexpected.join("\n"), "");
  });

  it("prints what README quotes for each of the mistakes in its first sample, and nothing for the samples", () => {
    const printed = [...reported.quoted].filter(([name]) => name.startsWith("readme/"));
    assertEquals(printed.map(([name]) => name.replace("readme/", "")).toSorted(), [...README_MISTAKES].toSorted());
    for (const name of README_MISTAKES) assertQuoted(readme, name, reported.quoted.get(`readme/${name}`) ?? "");
  });

  it("prints what the tutorial quotes of a route that is left out, and nothing for its files", () => {
    const printed = [...reported.quoted].filter(([name]) => name.startsWith("tutorial/"));
    assertEquals(printed.map(([name]) => name), ["tutorial/broken.ts"]);
    const [, quoted = "no quotation"] = /^The error says `(.*)`\./m.exec(tutorial) ?? [];
    assertStringIncludes(printed.join().replaceAll("\\", ""), quoted);
  });
});

function inFolder(folder: string, modules: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(modules).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** The files below a folder that expect errors, and all tests of types. */
function expectingIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (ELSEWHERE.some((start) => `${path}/`.startsWith(start) || path === start)) return [];
    if (isDirectory) return expectingIn(path);
    // The types without an expected error are checked here, too: they are no tests that Deno would find.
    if (/^tests\/types\/\w+_types\.ts$/.test(path)) return [path];
    return /\.(ts|md)$/.test(name) && expectsErrors(Deno.readTextFileSync(new URL(path, ROOT))) ? [path] : [];
  });
}
