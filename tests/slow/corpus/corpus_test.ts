/**
 * Whether `fuzz` finds the faults of apps that were written for it, and of services that were not, each with all of its
 * faults at once, and nothing where there are none. A table says how many faults each seed misses.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fuzz } from "../../../src/testing/mod.ts";
import { CASES, missedBy } from "./apps/cases.ts";
import { SERVICES } from "./services/cases.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];

for (const [name, app] of Object.entries(CASES)) {
  Deno.test(`fuzz() finds all faults of the app ${name} with seed 1, and all but one at most with each of five others`, async () => {
    const missed: (readonly string[])[] = [];
    for (const seed of SEEDS) missed.push(await missedBy(app, seed));
    const faults = Object.keys(app.seeded).length;
    console.table(missed.map((names, index) => ({ seed: SEEDS[index], faults, missed: names.join() })));
    assertEquals(missed[0], []);
    assertEquals(missed.filter((names) => names.length > 1), []);
  });
}

for (const [name, service] of Object.entries(SERVICES)) {
  Deno.test(`fuzz() finds each fault of the service ${name}, with one of three seeds`, async () => {
    let missed: readonly string[] = Object.keys(service.seeded);
    for (const seed of SEEDS.slice(0, 3)) {
      const missedBySeed = missed.length > 0 ? await missedBy(service, seed) : [];
      missed = missed.filter((fault) => missedBySeed.includes(fault));
    }
    assertEquals(missed, []);
  });
}

for (const [name, app] of Object.entries({ ...CASES, ...SERVICES })) {
  Deno.test(`fuzz() finds nothing in the app ${name} without faults, with each of ${SEEDS.length} seeds`, async () => {
    for (const seed of SEEDS) {
      const faults = await fuzz(() => app.create(() => false), { fc, runs: 40, seed, ...app.options });
      assertEquals(faults, []);
      if (!Object.hasOwn(SERVICES, name)) continue;
      const unreached = Object.entries(faults.reached ?? {}).filter(([, statuses]) =>
        !Object.entries(statuses).some(([status, count]) => Number(status) < 300 && count > 0)
      );
      assertEquals(unreached, [], `A service succeeds at each endpoint, with seed ${seed}`);
    }
  });
}
