/** The stores in SQLite by the driver of each runtime, from the least version that the documentation names. */
import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { storeCases } from "../../../src/testing/mod.ts";
import { bundle, findProgram, run } from "../runtimes/programs.ts";

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "node@22.13.0": [],
  "node@24.0.0": [],
  "deno@2.2.3": ["run", "--allow-all", "--no-config"],
  "deno@2.9.6": ["run", "--allow-all", "--no-config"],
  "bun@1.1.0": [],
  "bun@1.4.5": [],
};

for (const [spec, flags] of Object.entries(RUNTIMES)) {
  it(`the stores in SQLite pass all their cases on ${spec}`, async () => {
    const directory = await Deno.makeTempDir();
    try {
      const program = await bundle("tests/slow/stores/sqlite_program.ts", directory);
      const printed = await run(await findProgram(spec, spec.replace(/@.*/, "")), [...flags, program]);
      const count = Object.values(storeCases).flatMap((cases) => Object.keys(cases)).length;
      assertEquals(printed.trim(), `${count} passed`);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
}
