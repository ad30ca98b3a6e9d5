import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { EventLog } from "../../../src/events/mod.ts";
import { eventLog } from "../../../src/memory/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { rejectTogether } from "../../support/reject_together.ts";

describe("eventLog()", () => {
  for (const [name, run] of Object.entries(storeCases.eventLogs)) {
    it(`a log in memory ${name}`, () => run(eventLog({ keep: 10 }), () => {}));
  }

  it("knows no ids of another log", async () => {
    const ending = new AbortController();
    const id = await eventLog<string>({ keep: 10 }).append("x");
    const [item] = [await eventLog({ keep: 10 }).read(id, ending.signal)[Symbol.asyncIterator]().next()];
    assertEquals(item?.value?.[1], undefined);
    ending.abort();
  });

  it("gives the latest messages that it keeps, and no others", async () => {
    const log = eventLog({ keep: 3 });
    const ids = ["0"];
    for (let message = 1; message <= 250; message++) {
      ids.push(await log.append(message));
      const ending = new AbortController();
      const first = async (after: string) =>
        (await log.read(after, ending.signal)[Symbol.asyncIterator]().next()).value?.[1];
      assertEquals(await first("0"), Math.max(message - 2, 1));
      if (message > 3) assertEquals(await first(ids[message - 3] ?? ""), message - 2);
      if (message > 4) assertEquals(await first(ids[message - 4] ?? ""), undefined);
      ending.abort();
    }
  });

  it("gives no further message once the signal is aborted", async () => {
    const log = eventLog({ keep: 10 });
    for (const message of [1, 2, 3]) await log.append(message);
    const ending = new AbortController();
    const reading = log.read("0", ending.signal)[Symbol.asyncIterator]();
    assertEquals((await reading.next()).value?.[1], 1);
    ending.abort();
    assertEquals((await reading.next()).done, true);
  });

  it("rejects a message without a JSON form, and wrong options", async () => {
    await assertRejects(
      async () => await eventLog({ keep: 10 }).append(undefined),
      TypeError,
      "must have a JSON form",
    );
    await assertRejects(
      async () => await eventLog({ keep: 10 }).append("x".repeat(262_143)),
      TypeError,
      "A message of a log must have a JSON form of at most 262144 characters: received 262145",
    );
    for (const keep of [0, 1.5, 1e7, NaN]) {
      assertThrows(() => eventLog({ keep }), TypeError, "Option keep of eventLog");
    }
    const misspelt = { keeps: 10, keep: 10 };
    assertThrows(() => eventLog(misspelt), TypeError, "did you mean keep?");
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
  "gives all readers one message": (log) => {
    const shared = new Map<string, unknown>();
    return {
      async *read(after, signal) {
        for await (const [id, message] of log.read(after, signal)) {
          if (!shared.has(id)) shared.set(id, message);
          yield [id, shared.get(id)];
        }
      },
    };
  },
  "keeps everything": () => eventLog({ keep: 1000 }),
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
        const log = eventLog({ keep: 10 });
        // A test that waits for what never comes would be stopped by its runner.
        const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("The store is late")), 1000));
        await Promise.race([run({ ...log, ...breakLog(log) }, () => {}), late]);
      });
      await assertRejects(() => rejectTogether(runs), Error, "The store ");
    });
  }
});
