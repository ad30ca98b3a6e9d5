/** How many faults of the corpus each of six seeds of `fuzz` misses, as a table: one of an app at most. */

import { assertEquals } from "@std/assert";
import { CASES, missedBy } from "../../entry_points/testing/corpus/cases.ts";

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
