import type { EventLog } from "../../stores/event_log.ts";
import { fail, type StoreCases } from "./store_case.ts";

/** The tests that a log of messages must pass. Each gets a log that keeps 10 messages. */
export const eventLogCases: StoreCases<EventLog<unknown>> = {
  async "gives a reader the messages that are added from then on, in their order"(log) {
    await log.append("before");
    await reading(log, null, async (read) => {
      const [first, second] = [read(), read()];
      await settled();
      const ids = [await log.append("one"), await log.append({ two: [2, null, "ü😀\u0000"] })];
      expect(await first, [ids[0], "one"]);
      expect(await second, [ids[1], { two: [2, null, "ü😀\u0000"] }]);
    });
  },
  async "continues after any message that is kept"(log) {
    const ids = ["0"];
    for (let number = 1; number <= 5; number++) ids.push(await log.append(number));
    for (const [number, id] of ids.entries()) {
      await reading(log, id, async (read) => {
        for (let next = number + 1; next <= 5; next++) expect(await read(), [ids[next], next]);
      });
    }
  },
  async "gives every reader every message once"(log) {
    const readAll = async (after: string, numbers: readonly number[]): Promise<string> => {
      let last = "";
      await reading(log, after, async (read) => {
        for (const number of numbers) {
          const [id, message] = await read();
          expect(message, number);
          last = id;
        }
      });
      return last;
    };
    let positions = Array.from({ length: 20 }, () => "0");
    for (let first = 0; first < 50; first += 5) {
      const numbers = Array.from({ length: 5 }, (_, index) => first + index);
      const readers = positions.map((position) => readAll(position, numbers));
      for (const number of numbers) await log.append(number);
      positions = await Promise.all(readers);
    }
  },
  async "gives each reader a message of its own"(log) {
    await reading(log, null, async (read) => {
      await reading(log, null, async (readOther) => {
        const [one, other] = [read(), readOther()];
        await settled();
        await log.append({ to: ["ada"] });
        const [, message] = await one;
        if (typeof message === "object" && message !== null && "to" in message) message.to = undefined;
        expect((await other)[1], { to: ["ada"] });
      });
    });
  },
  async "tells a reader that messages are missing, and goes on from there"(log) {
    const old = await log.append("old");
    for (let number = 0; number < 500; number++) await log.append(number);
    const unknown = ["", "x", "-1", "1.5", `${old}0000`, "9".repeat(15), "9".repeat(400), `${old} `, "'; DROP", "0-1"];
    for (const id of [old, ...unknown]) {
      await reading(log, id, async (read) => {
        const [position, message] = await read();
        expect(message, undefined);
        const next = read();
        await settled();
        const added = await log.append("new");
        expect(await next, [added, "new"]);
        await reading(log, position, async (read) => expect(await read(), [added, "new"]));
      });
    }
  },
  async "tells a reader that messages are missing, also one that has come when there were none"(log) {
    let position = "";
    await reading(log, "unknown", async (read) => {
      const [id, message] = await read();
      expect(message, undefined);
      position = id;
    });
    const first = await log.append("first");
    await reading(log, position, async (read) => expect(await read(), [first, "first"]));
    for (let number = 0; number < 500; number++) await log.append(number);
    await reading(log, position, async (read) => expect((await read())[1], undefined));
  },
  async "gives what is kept to who begins with 0"(log) {
    for (let number = 1; number <= 500; number++) await log.append(number);
    await reading(log, "0", async (read) => {
      let number = Number((await read())[1]);
      if (!(number > 250 && number <= 491)) fail(`began with message ${number} of 500, and must keep 10`);
      while (number < 500) {
        const [, next] = await read();
        expect(next, ++number);
      }
    });
  },
  async "ends when the signal says so, also while it waits"(log) {
    const ending = new AbortController();
    const iterator = log.read(null, ending.signal)[Symbol.asyncIterator]();
    const next = iterator.next();
    await settled();
    ending.abort();
    expect((await next).done, true);
    expect((await log.read("0", ending.signal)[Symbol.asyncIterator]().next()).done, true);
  },
  async "gives what follows the message before the oldest that is kept"(log) {
    const ids: string[] = [];
    for (let number = 0; number <= 10; number++) ids.push(await log.append(number));
    await reading(log, idAt(ids, 0), async (read) => {
      for (let number = 1; number <= 10; number++) expect(await read(), [ids[number], number]);
    });
  },
  async "adds several messages by one call, in their order"(log) {
    if (typeof log.appendAll !== "function") fail("has no method appendAll");
    const first = await log.append("first");
    await reading(log, null, async (read) => {
      const next = read();
      await settled();
      expect(await log.appendAll([]), []);
      const messages = ["one", { two: [2, null, "ü😀\u0000"] }, "3"];
      const ids = await log.appendAll(messages);
      expect([ids.length, new Set(ids).size], [3, 3]);
      expect(await next, [ids[0], messages[0]]);
      for (const number of [1, 2]) expect(await read(), [ids[number], messages[number]]);
      await reading(log, idAt(ids, 1), async (readAgain) => expect(await readAgain(), [ids[2], "3"]));
    });
    await reading(log, first, async (read) => expect((await read())[1], "one"));
  },
  async "adds all messages of a call, or none"(log) {
    const before = await log.append("before");
    const isRejected = await log.appendAll(["one", undefined]).then(() => false, () => true);
    if (!isRejected) fail("added a message without a JSON form");
    const id = await log.append("after");
    await reading(log, before, async (read) => expect(await read(), [id, "after"]));
  },
  async "lets no message come between those of a call"(log) {
    const before = await log.append("before");
    const calls = [0, 1, 2].map((call) => log.appendAll([`${call} a`, `${call} b`, `${call} c`]));
    await Promise.all(calls);
    await reading(log, before, async (read) => {
      for (let call = 0; call < 3; call++) {
        const [, first] = await read();
        const name = String(first).slice(0, 1);
        expect([first, (await read())[1], (await read())[1]], [`${name} a`, `${name} b`, `${name} c`]);
      }
    });
  },
  async "keeps the latest of more messages than it keeps"(log) {
    const ids = await log.appendAll(Array.from({ length: 500 }, (_, number) => number));
    expect(new Set(ids).size, 500);
    await reading(log, idAt(ids, 0), async (read) => expect((await read())[1], undefined));
    await reading(log, idAt(ids, 489), async (read) => {
      for (let number = 490; number < 500; number++) expect(await read(), [ids[number], number]);
    });
  },
  async "lets 1,500 readers begin at once"(log) {
    const ids = await log.appendAll(["a", "b", "c"]);
    const ending = new AbortController();
    let begun = 0;
    const readers = Array.from({ length: 1500 }, async (_, number) => {
      const after = [null, "0", ...ids][number % 5] ?? null;
      const { value } = await log.read(after, ending.signal)[Symbol.asyncIterator]().next();
      begun++;
      return value;
    });
    const all = Promise.all(readers);
    all.catch(() => {}); // awaited below
    try {
      // Some wait for the next message, and the engine may take a while to answer all.
      for (let turn = 0; turn < 50 && begun < readers.length; turn++) {
        await settled();
        await log.append("d");
      }
      if (begun < readers.length) ending.abort();
      for (const item of await all) if (item?.[1] === undefined) fail("gave a reader that begins no message");
    } finally {
      ending.abort();
    }
  },
  async "gives messages that are added at once ids of their own"(log) {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, number) => log.append(number)));
    expect(new Set(ids).size, 50);
  },
  async "gives a reader each message that is added at once with others"(log) {
    await reading(log, await log.append("before"), async (read) => {
      const ids = await Promise.all(Array.from({ length: 10 }, (_, number) => log.append(number)));
      const found: string[] = [];
      for (let turn = 0; turn < 10; turn++) {
        const [id, number] = await read();
        found[Number(number)] = id;
      }
      expect(found, ids);
    });
  },
};

/** Reads a log, until the function that is passed has ended. */
async function reading(
  log: EventLog<unknown>,
  after: string | null,
  use: (read: () => Promise<readonly [string, unknown]>) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const iterator = log.read(after, ending.signal)[Symbol.asyncIterator]();
  try {
    await use(() => {
      const item = iterator.next().then(({ done, value }) => done ? fail("ended before its signal") : value);
      item.catch(() => {}); // a test may await it later
      return item;
    });
  } finally {
    ending.abort();
    await iterator.return?.(undefined);
  }
}

/** The id of a message that was added. */
function idAt(ids: readonly string[], index: number): string {
  return ids[index] ?? fail("returned no id");
}

/** Lets a reader ask the engine. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

function expect(actual: unknown, expected: unknown): void {
  const [is, must] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== must) fail(`returned ${is} in place of ${must}`);
}
