/** Thrown when too many tasks are waiting, or one has waited too long: respond with 503. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
}

/** How many tasks may run at once, how many more may wait, and for how long, in milliseconds. */
type QueueOptions = Readonly<Record<"running" | "waiting" | "maxWait", number>>;

/**
 * Creates a function that runs a limited number of tasks at once, in the order in which they come. Overload ends in
 * quick errors, not in a queue that grows: it rejects with `Overloaded` when too many tasks are waiting, or when the
 * task has waited too long. A task may have a limit of its own, if that is less than `maxWait`.
 */
export function createQueue({ running, waiting, maxWait }: QueueOptions) {
  const queue = new Set<() => void>();
  let free = running;

  function waitForTurn(limit: number): Promise<void> {
    if (queue.size >= waiting) throw new Overloaded("Too many tasks are waiting");
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        queue.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        reject(new Overloaded("A task has waited too long"));
      }, limit);
      queue.add(start);
    });
  }

  return async <Result>(task: () => Promise<Result>, limit = maxWait): Promise<Result> => {
    if (free > 0) free--;
    else await waitForTurn(Math.max(0, Math.min(limit, maxWait)));
    try {
      return await task();
    } finally {
      // The next task takes over the place, if one is waiting: `free` is above 0 only if none is.
      const [next] = queue;
      if (next) next();
      else free++;
    }
  };
}
