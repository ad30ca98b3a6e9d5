import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createQueue, Overloaded } from "../../examples/shared/queue.ts";

describe("createQueue()", () => {
  /** Tasks that end when they are told to. */
  function createTasks() {
    const ends: (() => void)[] = [];
    const task = (): Promise<void> => new Promise((end) => ends.push(end));
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    return { ends, task, turn };
  }

  it("createQueue() runs a limited number of tasks at once, in order of arrival, and returns their results", async () => {
    const inTurn = createQueue({ running: 2, waiting: 3, maxWait: 60_000 });
    const { ends, task, turn } = createTasks();
    const begun: number[] = [];
    const results = Promise.all([0, 1, 2, 3, 4].map((index) =>
      inTurn(async () => {
        begun.push(index);
        await task();
        return 10 * index;
      })
    ));
    for (const count of [2, 3, 4, 5, 5]) {
      await turn();
      assertEquals(begun, [0, 1, 2, 3, 4].slice(0, count));
      ends.shift()?.();
    }
    assertEquals(await results, [0, 10, 20, 30, 40]);
  });

  it("createQueue() rejects a task with Overloaded if too many are waiting, and accepts new ones later", async () => {
    const inTurn = createQueue({ running: 1, waiting: 1, maxWait: 60_000 });
    const { ends, task, turn } = createTasks();
    const first = inTurn(task);
    const second = inTurn(task);
    await assertRejects(() => inTurn(task), Overloaded);
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

  it("createQueue() rejects with Overloaded a task that waits too long, and never runs it", async () => {
    const inTurn = createQueue({ running: 1, waiting: 1, maxWait: 5 });
    const { ends, task } = createTasks();
    const first = inTurn(task);
    let ran = false;
    const late = () => {
      ran = true;
      return Promise.resolve();
    };
    await assertRejects(() => inTurn(late), Overloaded);
    ends[0]?.();
    await first;
    assertEquals([ran, await inTurn(() => Promise.resolve("free again"))], [false, "free again"]);
  });

  it("createQueue() rejects with Overloaded a task that waits longer than its own limit, but runs it if it need not wait", async () => {
    const inTurn = createQueue({ running: 1, waiting: 3, maxWait: 60_000 });
    const { ends, task } = createTasks();
    const first = inTurn(task, 0);
    for (const limit of [5, 0, -5]) await assertRejects(() => inTurn(task, limit), Overloaded);
    ends[0]?.();
    await first;
    assertEquals(ends.length, 1);
  });

  it("createQueue() goes on after tasks that reject or throw, whose errors it hands on", async () => {
    const inTurn = createQueue({ running: 1, waiting: 10, maxWait: 60_000 });
    const error = new TypeError("Broken");
    const throwing = () => {
      throw error;
    };
    const results = await Promise.allSettled([() => Promise.reject(error), throwing].map((task) => inTurn(task)));
    assertEquals(results, Array(2).fill({ status: "rejected", reason: error }));
    assertEquals(await inTurn(() => Promise.resolve("next")), "next");
  });
});
