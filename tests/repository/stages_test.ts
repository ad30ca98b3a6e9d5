/** The stages of a request have the same names, in the same order, wherever they are listed. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { ROOT } from "../support/server_process.ts";

const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));

(granted("read") ? describe : describe.skip)("the stages of a request", () => {
  it("have the names of Stage in lifecycle.ts, README and src/README.md", async () => {
    const [, type = ""] = /export type Stage =([^;]*);/.exec(await read("src/core/guards/context.ts")) ?? [];
    const stages = namesIn(type, /"(\w+)"/g);
    const diagram = /```\nrequest\n[^]*?```/.exec(await read("README.md"))?.[0] ?? "";
    assertEquals(namesIn(diagram, /^ {4}(\w+) ─|► (onResponse) ─► response$/gm).slice(0, stages.length), stages);
    assertEquals(namesIn(await read("src/README.md"), /^\| `(\w+)` +\|/gm).slice(0, stages.length), stages);
    assertEquals(namesIn(await read("src/core/lifecycle.ts"), /^ +\/\/ `(\w+)`:/gm), stages);
  });

  it("name functions of lifecycle.ts in src/README.md", async () => {
    const rows = namesIn(await read("src/README.md"), /^\| `\w+` +\| (`[^|]*)\|/gm);
    const named = rows.flatMap((row) => namesIn(row, /`(\w+)`/g));
    assert(named.length > 8, `${named}`);
    const known = new Set(namesIn(await read("src/core/lifecycle.ts"), /^ *function (\w+)/gm));
    assertEquals(named.filter((name) => !known.has(name)), []);
  });
});

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name, other]) => name ?? other ?? "");
}
