/**
 * Whether `fuzz` finds faults of services that were not written for it, and nothing in those without faults. `deno task
 * slow corpus` asks six seeds.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { fuzz } from "../../../src/testing/mod.ts";
import { missedBy } from "./corpus/cases.ts";
import { SERVICES } from "./services/cases.ts";

for (const [name, service] of Object.entries(SERVICES)) {
  describe(`fuzz() of the service ${name}`, () => {
    it("finds nothing without faults, and succeeds at each endpoint", async () => {
      const faults = await fuzz(() => service.create(() => false), { fc, runs: 40, seed: 1, ...service.options });
      assertEquals(faults, []);
      const unreached = Object.entries(faults.reached ?? {}).filter(([, statuses]) =>
        !Object.entries(statuses).some(([status, count]) => Number(status) < 300 && count > 0)
      );
      assertEquals(unreached, []);
    });

    it("finds its faults, all at once, with one of three seeds", async () => {
      let missed = Object.keys(service.seeded);
      for (let seed = 1; seed <= 3 && missed.length > 0; seed++) {
        const missedBySeed = await missedBy(service, seed);
        missed = missed.filter((fault) => missedBySeed.includes(fault));
      }
      assertEquals(missed, []);
    });
  });
}
