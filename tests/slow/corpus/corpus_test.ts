/**
 * How many faults of the corpus each of six seeds of `fuzz` misses, as a table: one of an app at most. And whether a seed
 * finds something in an app or a service without faults.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fuzz } from "../../../src/testing/mod.ts";
import { CASES, missedBy } from "../../entry_points/testing/corpus/cases.ts";
import { SERVICES } from "../../entry_points/testing/services/cases.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];

for (const [name, app] of Object.entries(CASES)) {
  Deno.test(`fuzz() finds all faults of the app ${name} but one at most, with each of ${SEEDS.length} seeds`, async () => {
    const missed: (readonly string[])[] = [];
    for (const seed of SEEDS) missed.push(await missedBy(app, seed));
    const faults = Object.keys(app.seeded).length;
    console.table(missed.map((names, index) => ({ seed: SEEDS[index], faults, missed: names.join() })));
    assertEquals(missed.filter((names) => names.length > 1), []);
  });
}

for (const [name, app] of Object.entries({ ...CASES, ...SERVICES })) {
  Deno.test(`fuzz() finds nothing in the app ${name} without faults, with each of ${SEEDS.length} seeds`, async () => {
    for (const seed of SEEDS) {
      assertEquals(await fuzz(() => app.create(() => false), { fc, runs: 40, seed, ...app.options }), []);
    }
  });
}
