/** Whether `fuzz` finds the faults of the corpus, and no others. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { App } from "../../../mod.ts";
import { type Fault, fuzz } from "../../../src/testing/mod.ts";
import { CALENDAR, CALENDAR_ACTORS, createCalendar } from "./corpus/calendar.ts";
import { createNotes, NOTES, NOTES_ACTORS } from "./corpus/notes.ts";
import type { Has, Seeded } from "./corpus/seeded.ts";
import { createShop, SHOP, SHOP_ACTORS } from "./corpus/shop.ts";
import { createTeam, TEAM, TEAM_ACTORS, TEAM_SHARED } from "./corpus/team.ts";

interface Case {
  readonly create: (has: Has) => App;
  readonly seeded: Readonly<Record<string, Seeded>>;
  readonly actors: { readonly [name: string]: HeadersInit };
  readonly shared?: readonly string[];
  /** How many runs find them. */
  readonly runs: number;
  /** How many may be missed by one seed: with all faults switched on, some hide others. */
  readonly most: number;
}

const CASES: Readonly<Record<string, Case>> = {
  shop: {
    create: createShop,
    seeded: SHOP,
    actors: SHOP_ACTORS,
    runs: 60,
    most: 1,
  },
  notes: { create: createNotes, seeded: NOTES, actors: NOTES_ACTORS, runs: 100, most: 1 },
  calendar: {
    create: createCalendar,
    seeded: CALENDAR,
    actors: CALENDAR_ACTORS,
    runs: 40,
    most: 1,
  },
  team: { create: createTeam, seeded: TEAM, actors: TEAM_ACTORS, shared: TEAM_SHARED, runs: 100, most: 0 },
};

const isOf = ({ kind, endpoint }: Fault, seeded: Seeded | undefined) =>
  seeded !== undefined && kind === seeded.kind && seeded.at.includes(endpoint);

for (const [name, { create, seeded, actors, shared = [], runs, most }] of Object.entries(CASES)) {
  const look = (has: Has, runs: number) => fuzz(() => create(has), { fc, runs, actors, shared });

  describe(`fuzz() of the app ${name}`, () => {
    it("finds its faults", async () => {
      const faults = await look(() => true, runs);
      const missed = Object.keys(seeded).filter((fault) => !faults.some((found) => isOf(found, seeded[fault])));
      assert(missed.length <= most, `missed: ${missed.join("; ")}`);
    });

    it("finds nothing without faults", async () => {
      assertEquals(await look(() => false, 40), []);
    });
  });
}
