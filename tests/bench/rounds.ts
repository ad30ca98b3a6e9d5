/** One of those that do the same work. */
export interface Entry {
  readonly name: string;
  /** Does the work so many times. */
  run(times: number): void | Promise<void>;
  /** How many operations one time of it is. */
  readonly operations: number;
}

/** How long an entry took. */
export interface Timing {
  readonly name: string;
  /** Nanoseconds per operation, round by round. */
  readonly rounds: readonly number[];
}

/** How much to measure. */
export interface Effort {
  readonly rounds: number;
  /** How long an entry works in one round, in milliseconds. */
  readonly batch: number;
  /** How long an entry works before the first round, in milliseconds. */
  readonly warmup: number;
}

/**
 * Lets all entries work by turns, in rounds: whatever slows the machine down slows all of them down, so that entries can be
 * compared round by round. Each round has an order of its own.
 *
 * @param entries Those to compare.
 * @param effort How much to measure.
 * @returns The timings, in the order of the entries.
 */
export async function measure(entries: readonly Entry[], { rounds, batch, warmup }: Effort): Promise<Timing[]> {
  const runners = [];
  for (const entry of entries) {
    const perTime = await warmUp(entry, warmup);
    runners.push({
      entry,
      times: Math.max(1, Math.round(batch / perTime)),
      slow: perTime > 10 * batch,
      timing: { name: entry.name, rounds: [] as number[] },
    });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { entry, times, timing, slow } of shuffle(runners)) {
      if (slow && round >= ROUNDS_OF_THE_SLOW) continue;
      timing.rounds.push(await time(entry, times) / times / entry.operations * 1e6);
    }
  }
  return runners.map(({ timing }) => timing);
}

/** Nobody has to wait for what takes ten times its turn. */
const ROUNDS_OF_THE_SLOW = 3;

/** Works until the time is over. Gives the milliseconds that one time takes, by the last and longest run. */
async function warmUp(entry: Entry, duration: number): Promise<number> {
  const end = performance.now() + duration;
  for (let times = 1;;) {
    const elapsed = await time(entry, times);
    if (performance.now() >= end) return elapsed / times;
    if (elapsed < duration / 4) times *= 2;
  }
}

async function time(entry: Entry, times: number): Promise<number> {
  const start = performance.now();
  const working = entry.run(times);
  if (working !== undefined) await working;
  return performance.now() - start;
}

function shuffle<T>(items: readonly T[]): readonly T[] {
  return items.map((item) => ({ item, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
