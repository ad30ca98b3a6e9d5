import { Overloaded } from "../shared/queue.ts";

/**
 * Runs items in batches. Where the time that a batch takes hardly depends on its size, many clients are served in the
 * time of one.
 *
 * @param run Runs a batch. It calls `take` as late as it can: all items that have come until then are the batch. It
 * returns a result for each of them, in the same order.
 * @param maxWaiting How many items may wait for the next batch.
 * @returns A function that runs an item in the next batch. It rejects with what `run` rejects with, and with
 * `Overloaded` where too many wait.
 */
export function createBatcher<Item, Result>(
  run: (take: () => readonly Item[]) => Promise<readonly Result[]>,
  maxWaiting: number,
): (item: Item) => Promise<Result> {
  let running = false;
  let waiting: Waiting<Item, Result>[] = [];

  async function runBatch(): Promise<void> {
    let batch: readonly Waiting<Item, Result>[] | undefined;
    const take = () => {
      // A batch that timed out may still be running. It must not take the items of the next batch.
      if (batch !== undefined) throw new Error("A batch must call take() only once");
      batch = waiting;
      waiting = [];
      return batch.map(({ item }) => item);
    };
    try {
      const results = await run(take);
      results.forEach((result, index) => batch?.[index]?.resolve(result));
    } catch (error) {
      // A batch that failed before it took its items has failed for all waiting items.
      if (batch === undefined) take();
      for (const { reject } of batch ?? []) reject(error);
    }
  }

  async function runAll(): Promise<void> {
    running = true;
    while (waiting.length > 0) await runBatch();
    running = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (waiting.length < maxWaiting) waiting.push({ item, resolve, reject });
    else reject(new Overloaded("Too many items are waiting"));
    if (!running) runAll();
    return promise;
  };
}

/** An item of the next batch. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
