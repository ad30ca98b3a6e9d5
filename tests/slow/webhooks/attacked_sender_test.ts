/** `publicSender` on each runtime, whose `node:http` is its own: what it connects to, and what ends a request. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";

const RUNTIMES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  "Deno": () => Promise.resolve([Deno.execPath(), "run", "--no-check", "--allow-all"]),
  "Bun": async () => [await findProgram(BUN, "bun")],
  "Node.js": () => Promise.resolve(["node"]),
  "Node.js 22": async () => [await findProgram("node@22", "node")],
  "Node.js 24": async () => [await findProgram("node@24", "node")],
};

for (const [name, find] of Object.entries(RUNTIMES)) {
  (granted("net", "read", "run", "write") ? describe : describe.skip)(`publicSender() on ${name}`, () => {
    it("connects to no private address, follows no redirect, and waits for no receiver without end", async () => {
      const directory = await Deno.makeTempDir();
      try {
        const file = await bundle("tests/slow/webhooks/attacked_sender.ts", directory);
        const [program = "", ...args] = await find();
        const { hosts, reached, outcomes, paths, resolved } = JSON.parse(await run(program, [...args, file]));
        assertEquals([hosts, reached], [["TypeError"], []]);
        const { "/garbage": garbage, "/closed": closed, ...others } = outcomes;
        assertEquals([typeof garbage, typeof closed], ["string", "string"]);
        assertEquals(others, {
          "/redirect": 307,
          "/hints": "AbortError",
          "/silent": "AbortError",
          "/headers": "AbortError",
          "/body": 200,
        });
        // One request for each path, none for the target of the redirect, and to the address that was checked.
        assertEquals(paths.toSorted(), Object.keys(outcomes).toSorted());
        assert(resolved.includes("127.0.0.1"));
      } finally {
        await Deno.remove(directory, { recursive: true });
      }
    });
  });
}
