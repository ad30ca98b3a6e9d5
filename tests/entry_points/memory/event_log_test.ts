import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { EventLog } from "../../../src/events/mod.ts";
import { eventLog } from "../../../src/memory/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";

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
    const log = eventLog({ keep: 10 });
    await assertRejects(
      async () => await log.appendAll(Array.from({ length: 1001 }, () => 1)),
      TypeError,
      "appendAll takes at most 1000 messages: received 1001. Call it several times",
    );
    await assertRejects(
      async () => await log.appendAll(Array.from({ length: 17 }, () => "x".repeat(262_142))),
      TypeError,
      "Messages of appendAll must have at most 4194304 characters of JSON together: received 4456448",
    );
    await assertRejects(
      async () => await log.appendAll("ab" as unknown as string[]),
      TypeError,
      "Messages of appendAll must be an array: received a string",
    );
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
  "has no appendAll": () => ({ appendAll: undefined as unknown as EventLog<unknown>["appendAll"] }),
  "adds the last message first": (log) => ({
    appendAll: async (messages) => (await log.appendAll(messages.toReversed())).toReversed(),
  }),
  "adds one of several messages": (log) => ({
    appendAll: async (messages) => (await log.appendAll(messages.slice(0, 1))),
  }),
  "returns the ids of appendAll in another order": (log) => ({
    appendAll: async (messages) => (await log.appendAll(messages)).toReversed(),
  }),
  "adds messages one by one until one fails": (log) => ({
    async appendAll(messages) {
      const ids: string[] = [];
      for (const message of messages) ids.push(await log.append(message));
      return ids;
    },
  }),
  "lets others come between the messages": (log) => {
    const checked: { appendAll: EventLog<unknown>["appendAll"] } = {
      async appendAll(messages) {
        messages.forEach((message) => JSON.stringify(message).length);
        const ids: string[] = [];
        for (const message of messages) ids.push(await log.append(message));
        return ids;
      },
    };
    return checked;
  },
  "tells a reader that is at the oldest message that it keeps that some are missing": () => eventLog({ keep: 9 }),
  "rejects readers beyond the thousandth": (log) => {
    let readers = 0;
    return {
      read(after, signal) {
        if (++readers > 1000) throw new Error("The store has too many readers");
        return log.read(after, signal);
      },
    };
  },
  "returns no id": (log) => ({
    async append(message) {
      await log.append(message);
      return undefined as unknown as string;
    },
  }),
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
      // At once: a reader of a broken log may wait for what never comes, until it is late.
      const outcomes = await Promise.allSettled(
        Object.values(storeCases.eventLogs).map((run) => {
          const log = eventLog({ keep: 10 });
          const late = new Promise<never>((_, reject) =>
            setTimeout(() => reject(new Error("The store is late")), 1000)
          );
          return Promise.race([run({ ...log, ...breakLog(log) }, () => {}), late]);
        }),
      );
      const found = outcomes.map((outcome) => outcome.status === "rejected" ? `${outcome.reason}` : "");
      assert(found.some((error) => error.startsWith("Error: The store ")), found.join("\n"));
    });
  }
});
