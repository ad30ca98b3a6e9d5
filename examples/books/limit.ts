import { StoreUnavailable } from "./store_unavailable.ts";

/** How much may be under way, and how much may wait. */
export interface Limits {
  /** How many tasks run at a time. */
  readonly running: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
  /** How long a task waits for its turn, in milliseconds. */
  readonly patience: number;
}

/** Runs a task when it is its turn. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds how much is done at a time, so that overload ends in quick errors and not in an ever longer queue.
 *
 * @param limits The bounds.
 * @returns A function that runs tasks. It rejects with `StoreUnavailable` what finds the queue full or waits too long.
 */
export function createLimiter({ running, waiting, patience }: Limits): Limiter {
  const queue = new Set<() => void>();
  let free = running;

  function waitForTurn(): Promise<void> {
    if (queue.size >= waiting) throw new StoreUnavailable("Too many requests wait for the database");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      queue.delete(start);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.delete(start);
      reject(new StoreUnavailable("The database has too much to do"));
    }, patience);
    queue.add(start);
    return promise;
  }

  return async (task) => {
    // Who ends hands its place to the first in the queue, so `free` is not zero only if nobody waits.
    if (free > 0) free--;
    else await waitForTurn();
    try {
      return await task();
    } finally {
      const [next] = queue;
      if (next) next();
      else free++;
    }
  };
}
