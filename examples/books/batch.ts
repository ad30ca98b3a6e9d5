import { setTimeout as pause } from "node:timers/promises";
import { Overloaded } from "../shared/queue.ts";
import { type Deadline, timeToStart } from "./deadline.ts";

/**
 * Runs items in batches. Where the time that a batch takes hardly depends on its size, many clients are served in the
 * time of one. The items that arrive while a batch runs are the next one. It starts after a short pause, so that
 * clients whose items were in the last batch can send another one. Otherwise, large batches would alternate with small
 * ones.
 *
 * `run` returns a result for each item, in the same order. An item rejects with what `run` rejects with, and with
 * `Overloaded` if too many items wait, or the batch would start too late for its deadline.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[], deadline: Deadline) => Promise<readonly Result[]>,
  maxWaiting: number,
): (item: Item, deadline: Deadline) => Promise<Result> {
  let running = false;
  const waiting: Waiting<Item, Result>[] = [];

  /** Takes the items that wait, except those that have too little time. */
  function take(): readonly Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    for (const item of waiting.splice(0)) {
      if (timeToStart(item.deadline) >= 0) batch.push(item);
      else item.reject(new Overloaded("An item has waited too long"));
    }
    return batch;
  }

  /** Runs a batch. Returns its size. */
  async function runBatch(): Promise<number> {
    const batch = take();
    if (batch.length === 0) return 0;
    try {
      const results = await run(batch.map(({ item }) => item), Math.min(...batch.map(({ deadline }) => deadline)));
      results.forEach((result, index) => batch[index]?.resolve(result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    return batch.length;
  }

  async function runAll(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const from = performance.now();
      const size = await runBatch();
      // A client that sends one item after another need not wait.
      if (size + waiting.length > 1) await pause(Math.min((performance.now() - from) / 4, MAX_PAUSE));
    }
    running = false;
  }

  return (item, deadline) => {
    const result = Promise.withResolvers<Result>();
    if (waiting.length < maxWaiting) waiting.push({ item, deadline, ...result });
    else result.reject(new Overloaded("Too many items are waiting"));
    if (!running) runAll();
    return result.promise;
  };
}

/** In milliseconds. */
const MAX_PAUSE = 50;

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item; readonly deadline: Deadline };
