/** The apps of the corpus, and what `fuzz` misses of their faults. */

import fc from "fast-check";
import type { App } from "@fw/core";
import { fuzz, type FuzzOptions } from "../../../../src/testing/mod.ts";
import { CALENDAR, CALENDAR_ACTORS, createCalendar } from "./calendar.ts";
import { createNotes, NOTES, NOTES_ACTORS } from "./notes.ts";
import type { Has, Seeded } from "./seeded.ts";
import { createShop, SHOP, SHOP_ACTORS } from "./shop.ts";
import { createTeam, TEAM, TEAM_ACTORS, TEAM_SHARED } from "./team.ts";

/** An app with faults. */
export interface Case {
  readonly create: (has: Has) => App;
  readonly seeded: Readonly<Record<string, Seeded>>;
  readonly options: Pick<FuzzOptions, "actors" | "shared" | "links">;
  /** How many runs find its faults. */
  readonly runs: number;
}

export const CASES: Readonly<Record<string, Case>> = {
  shop: { create: createShop, seeded: SHOP, options: { actors: SHOP_ACTORS }, runs: 60 },
  notes: { create: createNotes, seeded: NOTES, options: { actors: NOTES_ACTORS }, runs: 100 },
  calendar: { create: createCalendar, seeded: CALENDAR, options: { actors: CALENDAR_ACTORS }, runs: 40 },
  team: { create: createTeam, seeded: TEAM, options: { actors: TEAM_ACTORS, shared: TEAM_SHARED }, runs: 100 },
};

/**
 * Lists the faults that one seed misses. All faults are switched on at once, so some hide others.
 *
 * @param app The app.
 * @param seed The seed.
 * @returns The names of the faults.
 */
export async function missedBy({ create, seeded, options, runs }: Case, seed: number): Promise<readonly string[]> {
  const faults = await fuzz(() => create(() => true), { fc, seed, runs, ...options });
  return Object.entries(seeded).filter(([, { kind, at }]) =>
    !faults.some((found) => found.kind === kind && at.includes(found.endpoint))
  ).map(([name]) => name);
}
