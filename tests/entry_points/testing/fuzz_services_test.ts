/** Whether `fuzz` finds faults of services that were not written for it, and nothing in those without faults. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { App } from "../../../mod.ts";
import { fuzz, type FuzzOptions } from "../../../src/testing/mod.ts";
import type { Has, Seeded } from "./corpus/seeded.ts";
import { ALBUMS, ALBUMS_ACTORS, ALBUMS_SHARED, createAlbums } from "./services/albums.ts";
import { ARTICLES, ARTICLES_ACTORS, ARTICLES_SHARED, createArticles } from "./services/articles.ts";
import { createDepot, DEPOT, DEPOT_ACTORS, DEPOT_SHARED } from "./services/depot.ts";
import { createRooms, ROOMS, ROOMS_ACTORS, ROOMS_LINKS, ROOMS_SHARED } from "./services/rooms.ts";

interface Service extends Pick<FuzzOptions, "actors" | "shared" | "links"> {
  readonly create: (has: Has) => App;
  readonly seeded: Readonly<Record<string, Seeded>>;
}

const SERVICES: Readonly<Record<string, Service>> = {
  albums: {
    create: createAlbums,
    seeded: ALBUMS,
    actors: ALBUMS_ACTORS,
    shared: ALBUMS_SHARED,
  },
  articles: { create: createArticles, seeded: ARTICLES, actors: ARTICLES_ACTORS, shared: ARTICLES_SHARED },
  depot: { create: createDepot, seeded: DEPOT, actors: DEPOT_ACTORS, shared: DEPOT_SHARED },
  rooms: {
    create: createRooms,
    seeded: ROOMS,
    actors: ROOMS_ACTORS,
    shared: ROOMS_SHARED,
    links: ROOMS_LINKS,
  },
};

for (const [name, { create, seeded, ...options }] of Object.entries(SERVICES)) {
  describe(`fuzz() of the service ${name}`, () => {
    it("finds nothing without faults, and succeeds at each endpoint", async () => {
      for (const seed of [1, 2, 3]) {
        const faults = await fuzz(() => create(() => false), { fc, runs: 40, seed, ...options });
        assertEquals(faults, []);
        const unreached = Object.entries(faults.reached ?? {}).filter(([, statuses]) =>
          !Object.entries(statuses).some(([status, count]) => Number(status) < 300 && count > 0)
        );
        assertEquals(unreached, []);
      }
    });

    it("finds its faults, all at once, with one of three seeds", async () => {
      const missed = new Set(Object.keys(seeded));
      for (const seed of [1, 2, 3]) {
        const faults = await fuzz(() => create(() => true), { fc, runs: 60, seed, ...options });
        for (const fault of missed) {
          const { kind, at } = seeded[fault] as Seeded;
          if (faults.some((found) => found.kind === kind && at.includes(found.endpoint))) missed.delete(fault);
        }
        if (missed.size === 0) break;
      }
      assertEquals([...missed], []);
    });
  });
}
