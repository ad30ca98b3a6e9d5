import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBatcher } from "../../examples/books/batch.ts";
import { Overloaded } from "../../examples/shared/queue.ts";

describe("createBatcher()", () => {
  /** Creates batches that the test ends. */
  function createBatches(maxWaiting = 100) {
    const batches: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
    const add = createBatcher<number, string>((take) => {
      const items = take();
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      batches.push({ items, end: (error) => error ? reject(error) : resolve(items.map((item) => `result ${item}`)) });
      return promise;
    }, maxWaiting);
    return { batches, add, turn: () => new Promise((resolve) => setTimeout(resolve)) };
  }

  it("runs the first item immediately, and the items that arrive meanwhile in one batch", async () => {
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

  it("runs all items that arrive until the batch takes its items", async () => {
    const start = Promise.withResolvers<void>();
    const add = createBatcher<number, number>(async (take) => {
      await start.promise;
      const items = take();
      return items.map((item) => 100 * items.length + item);
    }, 100);
    const results = [1, 2, 3].map(add);
    start.resolve();
    assertEquals(await Promise.all(results), [301, 302, 303]);
  });

  it("rejects all waiting items if a batch fails before it takes them, and runs later ones", async () => {
    let failing = true;
    const add = createBatcher<number, number>(async (take) => {
      await Promise.resolve();
      if (failing) throw new Error("Broken");
      return take();
    }, 100);
    const results = await Promise.allSettled([1, 2].map(add));
    assertEquals(results.map(({ status }) => status), ["rejected", "rejected"]);
    failing = false;
    assertEquals(await Promise.all([3, 4].map(add)), [3, 4]);
  });

  it("gives no later items to a batch that has failed", async () => {
    let takeLate: (() => readonly number[]) | undefined;
    const add = createBatcher<number, number>(async (take) => {
      await Promise.resolve();
      if (takeLate !== undefined) return take();
      takeLate = take;
      throw new Error("Broken");
    }, 100);
    await assertRejects(() => add(1));
    const later = add(2);
    assertThrows(() => takeLate?.());
    assertEquals(await later, 2);
  });

  it("rejects only the items of the batch that fails", async () => {
    const { batches, add, turn } = createBatches();
    const results = Promise.allSettled([1, 2, 3].map(add));
    batches[0]?.end();
    await turn();
    batches[1]?.end(new Error("Broken"));
    assertEquals((await results).map(({ status }) => status), ["fulfilled", "rejected", "rejected"]);
    const next = add(4);
    batches[2]?.end();
    assertEquals(await next, "result 4");
  });

  it("rejects an item if too many are waiting, and accepts new ones when there is room again", async () => {
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
