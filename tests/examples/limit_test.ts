import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createLimiter } from "../../examples/books/limit.ts";
import { StoreUnavailable } from "../../examples/books/store_unavailable.ts";

describe("createLimiter()", () => {
  /** Tasks that end when they are told to. */
  function createTasks() {
    const ends: (() => void)[] = [];
    const task = (): Promise<void> => new Promise((end) => ends.push(end));
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    return { ends, task, turn };
  }

  it("runs so many tasks at a time, the others in the order they came", async () => {
    const inTurn = createLimiter({ running: 2, waiting: 3, patience: 60_000 });
    const { ends, task, turn } = createTasks();
    const order: number[] = [];
    const all = Promise.all([0, 1, 2, 3, 4].map((index) => inTurn(() => (order.push(index), task()))));
    for (const started of [2, 3, 4, 5, 5, 5]) {
      await turn();
      assertEquals(order, [0, 1, 2, 3, 4].slice(0, started));
      ends.shift()?.();
    }
    await all;
  });

  it("rejects a task that finds the queue full, and runs others when there is room again", async () => {
    const inTurn = createLimiter({ running: 1, waiting: 1, patience: 60_000 });
    const { ends, task, turn } = createTasks();
    const first = inTurn(task);
    const second = inTurn(task);
    await assertRejects(() => inTurn(task), StoreUnavailable);
    ends[0]?.();
    await first;
    await turn();
    const third = inTurn(task);
    ends[1]?.();
    await second;
    await turn();
    ends[2]?.();
    await third;
  });

  it("rejects a task that waits too long, and never runs it", async () => {
    const inTurn = createLimiter({ running: 1, waiting: 1, patience: 5 });
    const { ends, task } = createTasks();
    const first = inTurn(task);
    let ran = false;
    await assertRejects(
      () =>
        inTurn(() => {
          ran = true;
          return Promise.resolve();
        }),
      StoreUnavailable,
    );
    ends[0]?.();
    await first;
    assertEquals([ran, await inTurn(() => Promise.resolve("free again"))], [false, "free again"]);
  });

  it("goes on after a task that throws or rejects", async () => {
    const inTurn = createLimiter({ running: 1, waiting: 10, patience: 60_000 });
    const failing = () => Promise.reject(new Error("Broken"));
    const throwing = () => {
      throw new Error("Broken");
    };
    const results = await Promise.allSettled([inTurn(failing), inTurn(throwing), inTurn(failing)]);
    assertEquals(results.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
    assertEquals(await inTurn(() => Promise.resolve(1)), 1);
  });
});
