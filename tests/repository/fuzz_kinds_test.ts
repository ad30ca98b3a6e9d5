/** The kinds of faults in documents are those of `fuzz`. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KINDS } from "../../src/testing/fuzz/kinds/kinds.ts";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

const EXPECTED = KINDS.map(({ kind, meaning }) => `${kind}: ${meaning}`);

(granted("read") ? describe : describe.skip)("the kinds of faults of fuzz()", () => {
  it("are those of the table in the manual, in the same words", () => {
    const [, table = ""] = Deno.readTextFileSync(new URL(".github/manual/fuzzing.md", ROOT)).split(
      "| the rule that is broken",
    );
    const rows = [...table.split("\n\n", 1).join().matchAll(/^\| `(.+?)` +\| (.+?) +\|$/gm)];
    assertEquals(rows.map(([, kind, meaning]) => `${kind}: ${meaning}`), EXPECTED);
  });
});
