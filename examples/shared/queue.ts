/** Thrown when too many tasks are waiting: answer 503. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/** The limits of a queue. */
export interface QueueOptions {
  /** How many tasks may run at once. */
  readonly running: number;
  /** How many more may wait. */
  readonly waiting: number;
}

/**
 * Creates a function that runs a limited number of tasks at once, in the order in which they come.
 *
 * @param options How many tasks may run, and how many may wait.
 * @returns Runs a task and returns its result. Rejects with `Overloaded` when too many are waiting.
 */
export function createQueue(
  { running, waiting }: QueueOptions,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let active = 0;
  const queue: (() => void)[] = [];
  return async (task) => {
    if (active < running) active++;
    else if (queue.length === waiting) throw new Overloaded("Too many tasks are waiting");
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      // The next task takes over the place, if one is waiting.
      const next = queue.shift();
      if (next === undefined) active--;
      else next();
    }
  };
}
