/** What a route costs V8 beside its properties. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { bundle, findProgram, run } from "./programs.ts";
import { granted } from "../../support/granted.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("routes on Node.js 20", () => {
  it("share a hidden class with each other, where copies by a spread have one each", async () => {
    const directory = await Deno.makeTempDir();
    try {
      const program = await bundle("tests/slow/runtimes/hidden_classes.ts", directory);
      const node = await findProgram("node@20", "node");
      const { "that a spread copies": copies, ...routes } = JSON.parse(
        await run(node, ["--allow-natives-syntax", program]),
      );
      assertEquals(routes, { "of a method": 0, "with a schema": 0, "in a scope": 0, "of an endpoint": 0 });
      assert(copies > 20, `${copies} of 49 copies: this version of V8 does not need the test`);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
