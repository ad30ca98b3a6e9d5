import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type EventLog, memoryLog } from "../../../src/events/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { rejectTogether } from "../../support/reject_together.ts";

describe("memoryLog()", () => {
  for (const [name, run] of Object.entries(storeCases.eventLogs)) {
    it(`a log in memory ${name}`, () => run(memoryLog({ keep: 10 }), () => {}));
  }

  it("knows no ids of another log", async () => {
    const ending = new AbortController();
    const id = await memoryLog<string>({ keep: 10 }).append("x");
    const [item] = [await memoryLog({ keep: 10 }).read(id, ending.signal)[Symbol.asyncIterator]().next()];
    assertEquals(item?.value?.[1], undefined);
    ending.abort();
  });

  it("gives no further message once the signal is aborted", async () => {
    const log = memoryLog({ keep: 10 });
    for (const message of [1, 2, 3]) await log.append(message);
    const ending = new AbortController();
    const reading = log.read("0", ending.signal)[Symbol.asyncIterator]();
    assertEquals((await reading.next()).value?.[1], 1);
    ending.abort();
    assertEquals((await reading.next()).done, true);
  });

  it("rejects a message without a JSON form, and wrong options", async () => {
    await assertRejects(
      async () => await memoryLog({ keep: 10 }).append(undefined),
      TypeError,
      "must have a JSON form",
    );
    for (const keep of [0, 1.5, 1e7, NaN]) {
      assertThrows(() => memoryLog({ keep }), TypeError, "Option keep of memoryLog");
    }
    const misspelt = { keeps: 10, keep: 10 };
    assertThrows(() => memoryLog(misspelt), TypeError, "did you mean keep?");
  });
});

/** Logs with one fault each. */
const BROKEN: Readonly<Record<string, (log: EventLog<unknown>) => Partial<EventLog<unknown>>>> = {
  "begins with an older message": (log) => ({ read: (after, signal) => log.read(after ?? "0", signal) }),
  "begins anew after every id": (log) => ({ read: (_after, signal) => log.read(null, signal) }),
  "gives messages twice": (log) => ({
    async *read(after, signal) {
      for await (const item of log.read(after, signal)) yield* [item, item];
    },
  }),
  "ends early": () => ({ async *read() {} }),
  "does not say what is missing": (log) => ({
    async *read(after, signal) {
      for await (const item of log.read(after, signal)) if (item[1] !== undefined) yield item;
    },
  }),
  "keeps everything": () => memoryLog({ keep: 1000 }),
  "gives all messages one id": (log) => ({
    async append(message) {
      await log.append(message);
      return "1";
    },
  }),
};

describe("storeCases", () => {
  for (const [name, breakLog] of Object.entries(BROKEN)) {
    it(`finds a log that ${name}`, async () => {
      const runs = Object.values(storeCases.eventLogs).map((run) => async () => {
        const log = memoryLog({ keep: 10 });
        // A test that waits for what never comes would be stopped by its runner.
        const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("The store is late")), 1000));
        await Promise.race([run({ ...log, ...breakLog(log) }, () => {}), late]);
      });
      await assertRejects(() => rejectTogether(runs), Error, "The store ");
    });
  }
});
