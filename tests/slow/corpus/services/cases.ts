/** The services, with their faults, and how many runs find them. */

import type { Case } from "../apps/cases.ts";
import { ALBUMS, ALBUMS_ACTORS, ALBUMS_SHARED, createAlbums } from "./albums.ts";
import { ARTICLES, ARTICLES_ACTORS, ARTICLES_SHARED, createArticles } from "./articles.ts";
import { createDepot, DEPOT, DEPOT_ACTORS, DEPOT_SHARED } from "./depot.ts";
import { createRooms, ROOMS, ROOMS_ACTORS, ROOMS_LINKS, ROOMS_SHARED } from "./rooms.ts";

export const SERVICES: Readonly<Record<string, Case>> = {
  albums: {
    create: createAlbums,
    seeded: ALBUMS,
    options: { actors: ALBUMS_ACTORS, shared: ALBUMS_SHARED },
    runs: 60,
  },
  articles: {
    create: createArticles,
    seeded: ARTICLES,
    options: { actors: ARTICLES_ACTORS, shared: ARTICLES_SHARED },
    runs: 60,
  },
  depot: {
    create: createDepot,
    seeded: DEPOT,
    options: { actors: DEPOT_ACTORS, shared: DEPOT_SHARED },
    runs: 60,
  },
  rooms: {
    create: createRooms,
    seeded: ROOMS,
    options: { actors: ROOMS_ACTORS, shared: ROOMS_SHARED, links: ROOMS_LINKS },
    runs: 60,
  },
};
