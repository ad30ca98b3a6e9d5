/**
 * Whether `fuzz` finds the faults of the corpus, and no others: each of its apps has all of its faults at once, and one
 * seed must find each of them. `deno task slow corpus` asks six seeds.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { fuzz } from "../../../src/testing/mod.ts";
import { CASES, missedBy } from "./corpus/cases.ts";

for (const [name, app] of Object.entries(CASES)) {
  describe(`fuzz() of the app ${name}`, () => {
    it("finds each of its faults with seed 1", async () => {
      assertEquals(await missedBy(app, 1), []);
    });

    it("finds nothing without faults", async () => {
      assertEquals(await fuzz(() => app.create(() => false), { fc, runs: 40, ...app.options }), []);
    });
  });
}
