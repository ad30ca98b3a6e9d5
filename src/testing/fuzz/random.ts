/** Chooses by a seed: the same seed, the same choices. */
export interface Random {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** Whether something happens that has this probability. */
  chance(probability: number): boolean;
  /** An item of a list. */
  of<Item>(items: readonly Item[]): Item | undefined;
}

/**
 * Creates a source of choices.
 *
 * @param seed The seed.
 * @returns The source.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  // Mulberry32: a few operations on 32 bits, good enough for choices.
  const next = () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    of: (items) => items[Math.floor(next() * items.length)],
  };
}

/** The items in another order. */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items.map((item) => ({ item, place: random.next() })).toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
