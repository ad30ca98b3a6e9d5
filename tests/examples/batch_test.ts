import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBatcher } from "../../examples/books/batch.ts";
import { type Deadline, startDeadline } from "../../examples/books/deadline.ts";
import { pause, until } from "../support/until.ts";
import { Overloaded } from "../../examples/shared/queue.ts";

describe("createBatcher()", () => {
  /** Creates batches that the test ends. */
  function createBatches(maxWaiting = 100) {
    let ended = 0;
    const batches: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
    const addUntil = createBatcher<number, string>((items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      const end = (error?: Error) => {
        ended++;
        if (error) reject(error);
        else resolve(items.map((item) => `result ${item}`));
      };
      batches.push({ items, end });
      return promise;
    }, maxWaiting);
    const add = (item: number) => addUntil(item, startDeadline());
    return { batches, add, addUntil, turn: () => until(() => batches.length > ended) };
  }

  it("createBatcher() runs the first item immediately, and the items that arrive meanwhile in one batch", async () => {
    const { batches, add, turn } = createBatches();
    const results = Promise.all([1, 2, 3, 4].map(add));
    assertEquals(batches.map(({ items }) => items), [[1]]);
    batches[0]?.end();
    await turn();
    const late = add(5);
    assertEquals(batches.map(({ items }) => items), [[1], [2, 3, 4]]);
    batches[1]?.end();
    assertEquals(await results, ["result 1", "result 2", "result 3", "result 4"]);
    await turn();
    batches[2]?.end();
    assertEquals(await late, "result 5");
  });

  it("createBatcher() runs clients that repeat their items in full batches, not in small and large ones by turns", async () => {
    const sizes: number[] = [];
    const add = createBatcher<number, number>(async (items) => {
      sizes.push(items.length);
      await pause(40);
      return items;
    }, 100);
    await Promise.all([1, 2, 3, 4].map(async (client) => {
      for (let turn = 0; turn < 4; turn++) {
        await add(client, startDeadline());
        // The response and the next request.
        await pause(1);
      }
    }));
    // Usually 1, 4, 4, 4, 3. A machine that stops between two timers can split one of them.
    assert(sizes.filter((size) => size === 4).length >= 2, String(sizes));
  });

  it("createBatcher() runs a batch until the earliest deadline of its items", async () => {
    const deadlines: Deadline[] = [];
    const run = createBatcher<number, number>((items, deadline) => {
      deadlines.push(deadline);
      return Promise.resolve(items);
    }, 100);
    const soon = startDeadline();
    await Promise.all([run(1, soon + 1), run(2, soon + 3), run(3, soon + 2), run(4, soon + 4)]);
    assertEquals(deadlines, [soon + 1, soon + 2]);
  });

  it("createBatcher() rejects items that would start too late for their deadline, and runs the others", async () => {
    const { batches, addUntil, turn } = createBatches();
    const results = Promise.allSettled([
      addUntil(1, startDeadline()),
      addUntil(2, performance.now()),
      addUntil(3, startDeadline()),
      addUntil(4, performance.now()),
    ]);
    batches[0]?.end();
    await turn();
    batches[1]?.end();
    assertEquals((await results).map(({ status }) => status), ["fulfilled", "rejected", "fulfilled", "rejected"]);
    assertEquals(batches.map(({ items }) => items), [[1], [3]]);
    await assertRejects(() => addUntil(5, performance.now()), Overloaded);
    assertEquals(batches.length, 2);
  });

  it("createBatcher() rejects only the items of the batch that fails", async () => {
    const { batches, add, turn } = createBatches();
    const results = Promise.allSettled([1, 2, 3].map(add));
    batches[0]?.end();
    await turn();
    batches[1]?.end(new Error("Broken"));
    assertEquals((await results).map(({ status }) => status), ["fulfilled", "rejected", "rejected"]);
    const next = add(4);
    await turn();
    batches[2]?.end();
    assertEquals(await next, "result 4");
  });

  it("createBatcher() rejects an item if too many are waiting, and accepts new ones when there is room again", async () => {
    const { batches, add, turn } = createBatches(2);
    const taken = [1, 2, 3].map(add);
    await assertRejects(() => add(4), Overloaded);
    batches[0]?.end();
    await turn();
    taken.push(add(5));
    batches[1]?.end();
    await turn();
    batches[2]?.end();
    assertEquals(await Promise.all(taken), ["result 1", "result 2", "result 3", "result 5"]);
    assertEquals(batches.map(({ items }) => items), [[1], [2, 3], [5]]);
  });
});
