/**
 * What TypeScript prints at each error that the tests, the examples and the samples of code expect, and that it prints no
 * others: this checks the types of all that `deno task test` runs, in one program. After a change of a message, write
 * the comments again and review them: `deno test … tests/types/messages_test.ts -- --write`.
 */
import { assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import { expectsErrors, type Reported, reportedIn } from "../support/expected_errors.ts";
import { ROOT } from "../support/server_process.ts";
import { DOCUMENTED, PRODUCT } from "../tools/test_product.ts";

/** The programs in the templates of these are compiled by other tests, with other compilers. */
const ELSEWHERE = ["tests/slow/", "tests/tools/", "tests/types/messages_test.ts", "tests/support/expected_errors.ts"];

const granted = (["env", "read", "run", "write"] as const)
  .every((name) => Deno.permissions.querySync({ name }).state === "granted");

(granted ? describe : describe.skip)("each @ts-expect-error", () => {
  let reported: Reported = { sources: [], unexpected: [] };
  before(async () => {
    reported = await reportedIn(
      ["README.md", ...["examples", "src", "tests", ".github"].flatMap(expectingIn)],
      [...DOCUMENTED, ...PRODUCT],
    );
    if (!Deno.args.includes("--write")) return;
    for (const { path, written } of reported.sources) await Deno.writeTextFile(new URL(path, ROOT), written);
  });

  it("says where the compiler reports the error and what it prints there", () => {
    assertEquals(reported.sources.flatMap(({ differences }) => differences).join("\n\n"), "");
  });

  it("stands where an error is: there are no others in the package, in its tests and in samples of code", () => {
    assertEquals(reported.unexpected.join("\n"), "");
  });
});

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
