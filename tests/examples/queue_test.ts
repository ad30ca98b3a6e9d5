import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createQueue, Overloaded } from "../../examples/shared/queue.ts";
import { pause } from "../until.ts";

describe("a queue", () => {
  it("runs as many tasks at once as it may, in the order in which they came, and gives each its result", async () => {
    const inTurn = createQueue({ running: 2, waiting: 8 });
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) =>
      inTurn(async () => {
        begun.push(index);
        most = Math.max(most, ++running);
        await pause(1);
        running--;
        return index;
      })));
    assertEquals(results, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assertEquals([begun, most], [results, 2]);
  });

  it("rejects with Overloaded what comes when as many are waiting as may, and takes others once there is room", async () => {
    const inTurn = createQueue({ running: 1, waiting: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const tasks = [1, 2, 3].map(() => inTurn(() => promise));
    await assertRejects(() => inTurn(() => promise), Overloaded);
    resolve();
    await Promise.all(tasks);
    assertEquals(await inTurn(() => Promise.resolve("done")), "done");
  });

  it("goes on after a task that fails, whose error it hands on", async () => {
    const inTurn = createQueue({ running: 1, waiting: 1 });
    const error = new TypeError("broken");
    const failing = assertRejects(() => inTurn(() => Promise.reject(error)), TypeError, "broken");
    assertEquals(await inTurn(() => Promise.resolve("next")), "next");
    await failing;
  });
});
