import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { replyEvents, replyLines } from "../../../src/events/mod.ts";
import { until } from "../../support/until.ts";

/** Hides the types of the arguments from the compiler, as JavaScript does. */
const untyped = replyEvents as (status: number, source: unknown, options?: object) => Response;

/** Reads the chunks of a response one by one, as text. */
function read(response: Response) {
  const reader = response.body?.getReader();
  return { next: async () => new TextDecoder().decode((await reader?.read())?.value), cancel: () => reader?.cancel() };
}

/** Reads a response to its end. Returns what has come, and the error that has broken it off. */
async function readAll(response: Response): Promise<readonly [text: string, error?: unknown]> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader?.read() ?? { done: true };
      if (done) return [text];
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    return [text, error];
  }
}

describe("replyEvents()", () => {
  it("sends events with name, id and data as JSON", async () => {
    const response = replyEvents(201, function* (_signal, event) {
      yield event("token", { text: "a\r\nb\u2028" });
      yield event("message", [1, null], { id: "7" });
      yield event(" data: x", "", { id: "" });
    });
    assertEquals(response.status, 201);
    assertEquals(Object.fromEntries(response.headers), {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    assertEquals(
      await response.text(),
      'event: token\ndata: {"text":"a\\r\\nb\u2028"}\n\n' +
        "id: 7\ndata: [1,null]\n\n" +
        'event:  data: x\nid: \ndata: ""\n\n',
    );
  });

  it("sends headers in place of its own, but no other media type", () => {
    const headers = { "Cache-Control": "no-cache", "Content-Type": "text/html", "x-a": "1" };
    const response = replyEvents(200, () => [], { headers });
    assertEquals(Object.fromEntries(response.headers), {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "x-a": "1",
    });
  });

  it("rejects an unknown option, as replyLines() does", () => {
    assertThrows(
      () => untyped(200, [], { heartBeat: 1000 }),
      TypeError,
      'Option "heartBeat" of replyEvents is unknown: did you mean heartbeat?',
    );
    // Only events have heartbeats.
    // @ts-expect-error at `heartbeat`: Object literal may only specify known properties, and 'heartbeat' does not exist
    //   in type 'WithHeaders<ReplyLinesOptions, Record<never, never>>'.
    const lines = () => replyLines(200, [], { heartbeat: 0.001 });
    assertThrows(
      lines,
      TypeError,
      'Option "heartbeat" of replyLines is unknown: the options are headers, signal, onError',
    );
    assertThrows(() => untyped(200, [], []), TypeError, "Options of replyEvents must be an object");
  });

  it("takes the next event when the client has read the last one, and none before it reads", async () => {
    let made = 0;
    const { next, cancel } = read(replyEvents(200, function* (_signal, event) {
      for (;;) yield event("message", ++made);
    }));
    await pauseShortly();
    assertEquals(made, 0);
    assertEquals([await next(), await next()], ["data: 1\n\n", "data: 2\n\n"]);
    await pauseShortly();
    assertEquals(made, 2);
    await cancel();
  });

  it("starts no generator for a response to HEAD, whose body nobody reads", async () => {
    let isStarted = false;
    const response = replyEvents(200, () => {
      isStarted = true;
      return [];
    });
    await pauseShortly();
    await response.body?.cancel();
    assertEquals(isStarted, false);
  });

  it("wakes a waiting generator by its signal, and runs its finally, when the client goes", async () => {
    const seen: unknown[] = [];
    const { next, cancel } = read(replyEvents(200, async function* (signal, event) {
      try {
        yield event("message", 1);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        seen.push("woken", signal.reason.name);
        yield event("message", 2);
      } finally {
        seen.push("finally");
      }
    }, { onError: (error) => seen.push(error) }));
    await next();
    next();
    await pauseShortly();
    await cancel();
    await until(() => seen.includes("finally"));
    assertEquals(seen, ["woken", "AbortError", "finally"]);
  });

  it("runs the finally of a generator that yields when the client goes", async () => {
    let isEnded = false;
    const reader = replyEvents(200, function* (_signal, event) {
      try {
        for (;;) yield event("message", 1);
      } finally {
        isEnded = true;
      }
    }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assertEquals(isEnded, true);
  });

  it("runs the finally of a generator that ignores the signal when what it awaits has settled", async () => {
    const seen: unknown[] = [];
    let settle = () => {};
    const reader = replyEvents(200, async function* (_signal, event) {
      try {
        yield event("message", 1);
        await new Promise<void>((resolve) => settle = resolve);
        seen.push("settled");
        yield event("message", 2);
        seen.push("went on");
      } finally {
        seen.push("finally");
      }
    }, { onError: (error) => seen.push(error) }).body?.getReader();
    await reader?.read();
    reader?.read().catch(() => {});
    await pauseShortly();
    await reader?.cancel();
    assertEquals(seen, []);
    settle();
    await until(() => seen.includes("finally"));
    assertEquals(seen, ["settled", "finally"]);
  });

  it("does not report that a generator was woken by an AbortError, and reports other errors after the end", async () => {
    const failure = new Error("The database is gone");
    const seen: unknown[] = [];
    const otherAbort = new DOMException("As of a library", "AbortError");
    for (const fail of [(signal: AbortSignal) => signal.reason, () => otherAbort, () => failure]) {
      const reader = replyEvents(200, async function* (signal, event) {
        yield event("message", 1);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        try {
          throw fail(signal);
        } finally {
          seen.push("finally");
        }
      }, { onError: (error) => seen.push(error) }).body?.getReader();
      await reader?.read();
      reader?.read().catch(() => {});
      await pauseShortly();
      await reader?.cancel();
    }
    await until(() => seen.includes(failure));
    assertEquals(seen, ["finally", "finally", "finally", failure]);
  });

  it("reports an error of a finally that runs when the client goes", async () => {
    const failure = new Error("The lock is gone");
    const seen: unknown[] = [];
    const reader = replyEvents(200, async function* (_signal, event) {
      try {
        for (;;) yield event("message", 1);
      } finally {
        await Promise.reject(failure);
      }
    }, {
      onError: (error) => {
        seen.push(error);
        throw new Error("onError fails, too");
      },
    }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await until(() => seen.length > 0);
    assertEquals(seen, [failure]);
  });

  it("breaks the stream off after an error of the generator, and gives it to onError", async () => {
    for (const failure of [new Error("The database is gone"), "text", undefined]) {
      const seen: unknown[] = [];
      let signal: AbortSignal | undefined;
      const [text, error] = await readAll(replyEvents(200, async function* (ending, event) {
        signal = ending;
        yield event("message", 1);
        await Promise.resolve();
        throw failure;
      }, { onError: (error) => seen.push(error) }));
      assertEquals([text, seen, signal?.aborted], ["data: 1\n\n", [failure], true]);
      assertStrictEquals(error, failure);
    }
  });

  it("breaks off without onError, and if onError throws or rejects", async () => {
    const failure = new Error("The database is gone");
    const gone = new Error("The log is gone");
    const failing = [{ onError: () => raise(gone) }, { onError: () => Promise.reject(gone) }];
    for (const options of [undefined, ...failing]) {
      const [, error] = await readAll(replyEvents(200, () => raise(failure), options));
      assertStrictEquals(error, failure);
    }
  });

  it("runs the finally of the generator after an event that cannot be sent", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const data of [undefined, () => {}, Symbol(), 1n, cycle, { toJSON: () => undefined }]) {
      const seen: unknown[] = [];
      const [text, error] = await readAll(replyEvents(200, function* (_signal, event) {
        try {
          yield event("message", 1);
          yield event("message", data);
          yield event("message", 3);
        } finally {
          seen.push("finally");
        }
      }, { onError: (error) => seen.push(error) }));
      assert(error instanceof TypeError);
      assertEquals([text, seen], ["data: 1\n\n", [error, "finally"]]);
    }
    const [, error] = await readAll(untyped(200, [{ data: undefined }]));
    assertEquals(`${error}`, "TypeError: Item must be JSON: received undefined");
  });

  it("sends retry before the first event, without waiting for it", async () => {
    const { next, cancel } = read(replyEvents(200, async function* (signal, event) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield event("message", 1);
    }, { retry: 3 }));
    assertEquals(await next(), "retry: 3000\n\n");
    await cancel();
    const response = replyEvents(200, function* (_signal, event) {
      yield event("message", 1);
    }, { retry: 0 });
    assertEquals(await response.text(), "retry: 0\n\ndata: 1\n\n");
  });

  it("sends a comment whenever a heartbeat is due, and the event that was awaited meanwhile once", async () => {
    let settle = () => {};
    let isTaken = 0;
    const { next, cancel } = read(replyEvents(200, async function* (_signal, event) {
      isTaken++;
      await new Promise<void>((resolve) => settle = resolve);
      yield event("message", 1);
      await new Promise<void>((resolve) => settle = resolve);
      yield event("message", 2);
      await new Promise<void>((resolve) => settle = resolve);
    }, { heartbeat: 0.001 }));
    assertEquals([await next(), isTaken], [":\n\n", 0]); // at once
    assertEquals([await next(), await next(), await next()], [":\n\n", ":\n\n", ":\n\n"]);
    assertEquals(isTaken, 1);
    const texts: unknown[] = [];
    for (let count = 0; count < 2; count++) {
      settle();
      let text = await next();
      while (text === ":\n\n") text = await next();
      texts.push(text);
      assertEquals(await next(), ":\n\n");
    }
    assertEquals(texts, ["data: 1\n\n", "data: 2\n\n"]);
    await cancel();
  });

  it("sends a heartbeat after as many seconds as it has", async () => {
    const { setTimeout } = globalThis;
    const waits: unknown[] = [];
    const { next, cancel } = read(replyEvents(200, async function* (signal, event) {
      yield event("message", 1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }, { heartbeat: 5 }));
    assertEquals([await next(), await next()], [":\n\n", "data: 1\n\n"]);
    Object.assign(globalThis, {
      setTimeout(run: () => void, wait: number) {
        waits.push(wait);
        return setTimeout(run, 0);
      },
    });
    try {
      assertEquals([await next(), waits], [":\n\n", [5000]]);
    } finally {
      Object.assign(globalThis, { setTimeout });
    }
    await cancel();
  });

  it("keeps no heartbeats for a client that does not read", async () => {
    const response = replyEvents(200, async function* (signal, event) {
      yield event("message", 1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }, { heartbeat: 0.001 });
    const reader = response.body?.getReader();
    for (let count = 0; count < 3; count++) await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 30));
    // A chunk that was kept would be read without waiting.
    let isKept = false;
    reader?.read().then(() => isKept = true);
    await Promise.resolve();
    await Promise.resolve();
    assertEquals(isKept, false);
    await reader?.cancel();
  });

  it("ends the stream, as if the generator had returned, when the signal of the options is aborted", async () => {
    const stopping = new AbortController();
    const seen: unknown[] = [];
    const source = async function* (signal: AbortSignal) {
      try {
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        yield { data: 1 };
      } finally {
        seen.push("finally");
      }
    };
    const options = { signal: stopping.signal, onError: (error: unknown) => seen.push(error), retry: 0.001 };
    const waiting = readAll(untyped(200, source, options));
    const unread = untyped(200, source, options);
    await pauseShortly();
    stopping.abort(new Error("The server stops"));
    assertEquals(await waiting, ["retry: 1\n\n"]);
    assertEquals(await readAll(unread), ["retry: 1\n\n"]);
    await until(() => seen.length > 0);
    assertEquals(seen, ["finally"]);
  });

  it("ends all streams of a signal, and does not report that their generators threw its reason", async () => {
    const stopping = new AbortController();
    const seen: unknown[] = [];
    const all = Array.from({ length: 20 }, () =>
      readAll(replyEvents(200, async function* (signal, event) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        yield event("message", await Promise.reject(signal.reason));
      }, { signal: stopping.signal, onError: (error) => seen.push(error) })));
    await pauseShortly();
    stopping.abort(new Error("The server stops"));
    assertEquals(await Promise.all(all), all.map(() => [""] as const));
    await pauseShortly();
    assertEquals(seen, []);
  });

  it("has one listener of a signal for all its streams, and none once they have ended", async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    const waiting = () => untyped(200, () => new ReadableStream(), { signal }).body?.getReader();
    for (let round = 0; round < 2; round++) {
      const readers = Array.from({ length: 20 }, waiting);
      for (const reader of readers) reader?.read().catch(() => {});
      await pauseShortly();
      assertEquals(listeners, 1);
      for (const reader of readers.slice(1)) await reader?.cancel();
      assertEquals(listeners, 1);
      await readers[0]?.cancel();
      assertEquals(listeners, 0);
    }
    // Nor does one that has ended by itself, has failed, or was never read leave one.
    const failing = () => {
      throw new Error("No items");
    };
    for (const source of [() => [{ data: 1 }], failing]) await readAll(untyped(200, source, { signal }));
    untyped(200, () => [{ data: 1 }], { signal });
    assertEquals(listeners, 0);
  });

  it("aborts the signal of the generator when it has returned", async () => {
    let signal: AbortSignal | undefined;
    await replyEvents(200, (ending) => {
      signal = ending;
      return [];
    }).text();
    assertEquals(signal?.aborted, true);
  });

  it("calls return() of an iterator once, and not after its end", async () => {
    for (const [count, isCancelled] of [[1, false], [5, true]] as const) {
      let left = count;
      let returns = 0;
      const iterator = {
        next: () => left-- > 0 ? { done: false, value: { data: left } } : { done: true, value: undefined },
        return: () => ({ done: true, value: ++returns }),
        [Symbol.iterator]: () => iterator,
      };
      const reader = untyped(200, iterator).body?.getReader();
      await reader?.read();
      if (isCancelled) await reader?.cancel();
      else await reader?.read();
      assertEquals(returns, isCancelled ? 1 : 0);
    }
  });

  it("ends an iterator once, and one that cannot be ended", async () => {
    const seen: unknown[] = [];
    const onError = (error: unknown) => seen.push(error);
    const bare = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: { data: 1 } }) }) };
    const reader = untyped(200, bare, { onError }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assertEquals(seen, []);

    let returns = 0;
    const failing = {
      next: () => ({ done: false, value: { data: undefined } }),
      return: () => ({ done: true, value: ++returns }),
      [Symbol.iterator]: () => failing,
    };
    const stopping = new AbortController();
    await readAll(untyped(200, failing, { onError, signal: stopping.signal }));
    stopping.abort();
    await pauseShortly();
    assertEquals([returns, seen.length], [1, 1]);
  });

  it("ends an iterator once that fails when the client has gone", async () => {
    let fail = (_error: Error) => {};
    let returns = 0;
    const waiting = {
      next: () => new Promise<never>((_, reject) => fail = reject),
      return: () => Promise.resolve({ done: true, value: ++returns }),
      [Symbol.asyncIterator]: () => waiting,
    };
    const seen: unknown[] = [];
    const reader = untyped(200, waiting, { onError: (error: unknown) => seen.push(error) }).body?.getReader();
    reader?.read().catch(() => {});
    await pauseShortly();
    await reader?.cancel();
    const failed = new Error("The database is gone");
    fail(failed);
    await pauseShortly();
    assertEquals([returns, seen], [1, [failed]]);
  });

  it("takes no second item while it awaits the first, however many heartbeats are sent", async () => {
    let taken = 0;
    const waiting = {
      next: () => {
        taken++;
        return new Promise<never>(() => {});
      },
      [Symbol.asyncIterator]: () => waiting,
    };
    const reader = untyped(200, waiting, { heartbeat: 0.001 }).body?.getReader();
    for (let count = 0; count < 5; count++) await reader?.read();
    assertEquals(taken, 1);
    await reader?.cancel();
  });

  it("rejects times that no timer has", () => {
    for (const heartbeat of [0, -1, 0.0001, NaN, Infinity, 301, 15_000, "1"]) {
      const { message } = assertThrows(() => untyped(200, [], { heartbeat }), TypeError);
      const received = heartbeat === "1" ? "a string" : heartbeat;
      assertEquals(message, `Option heartbeat of replyEvents must be seconds from 0.001 to 300: received ${received}`);
    }
    for (const retry of [-1, NaN, Infinity, 300.5, 3000, "1"]) {
      const { message } = assertThrows(() => untyped(200, [], { retry }), TypeError);
      const received = retry === "1" ? "a string" : retry;
      assertEquals(message, `Option retry of replyEvents must be seconds from 0 to 300: received ${received}`);
    }
    for (const options of [{ heartbeat: 0.001 }, { heartbeat: 300, retry: 300 }, { retry: 0 }]) {
      assertEquals(untyped(200, [], options).status, 200);
    }
  });
});

describe("an event", () => {
  const BREAKS = ["\n", "\r", "\r\n", "\0", "x\ny", "x\rdata: y\r\r", "\n\n", "x\n"];

  it("CVE-2026-29085: has no name and no id with CR, LF or NUL, which would begin another field", async () => {
    for (const text of BREAKS) {
      for (const [name, id] of [[text, "1"], ["message", text]] as const) {
        const seen: unknown[] = [];
        const [sent, error] = await readAll(replyEvents(200, function* (_signal, event) {
          yield event("message", 1);
          const refused = assertThrows(() => event(name, 2, { id }), TypeError);
          assertEquals(
            refused.message,
            "Event name and id must be strings without CR, LF and NUL: received string",
          );
          yield event(name, 2, { id });
        }, { onError: (error) => seen.push(error) }));
        assert(error instanceof TypeError);
        assertEquals([sent, seen], ["data: 1\n\n", [error]]);
        // An event that event() has not made.
        const [forged] = await readAll(untyped(200, [{ event: name, id, data: 1 }]));
        assertEquals(forged, "");
      }
    }
  });

  it("CVE-2026-33128: has data, and a retry, that cannot begin another field or another event", async () => {
    for (const text of BREAKS) {
      const response = replyEvents(200, function* (_signal, event) {
        yield event("message", { [text]: text });
      });
      assertEquals(await response.text(), `data: ${JSON.stringify({ [text]: text })}\n\n`);
      assertThrows(
        () => untyped(200, [], { retry: `1${text}` }),
        TypeError,
        "must be seconds from 0 to 300: received a string",
      );
    }
  });

  it("has a name and an id that are strings; an empty name is that of no name", async () => {
    assertEquals(await untyped(200, [{ event: "", data: 1 }]).text(), "data: 1\n\n");
    for (const event of [{ event: 1, data: 1 }, { id: 1, data: 1 }, { id: null, data: 1 }]) {
      const [text, error] = await readAll(untyped(200, [event]));
      assertEquals([text, error instanceof TypeError], ["", true]);
    }
  });
});

describe("replyLines()", () => {
  it("sends one JSON value per line, with the headers that are given", async () => {
    const response = replyLines(206, [{ a: "x\ny" }, [1], null, "é"], { headers: { "x-a": "1", "x-b": undefined } });
    assertEquals(response.status, 206);
    assertEquals(Object.fromEntries(response.headers), { "content-type": "application/jsonl", "x-a": "1" });
    assertEquals(await response.text(), '{"a":"x\\ny"}\n[1]\nnull\n"é"\n');
  });

  it("takes items of any iterable, and of a function that returns one", async () => {
    async function* items() {
      yield await Promise.resolve(1);
      yield 2;
    }
    for (const source of [[1, 2], new Set([1, 2]), items(), items, () => [1, 2]]) {
      assertEquals(await replyLines<200, number>(200, source).text(), "1\n2\n");
    }
    assertEquals(await replyLines(200, []).text(), "");
  });

  it("takes one item for each chunk that the client reads, and one batch", async () => {
    let made = 0;
    const { next, cancel } = read(replyLines(200, function* (_signal, batch) {
      for (;;) {
        yield ++made;
        yield batch([++made, ++made]);
      }
    }));
    assertEquals([await next(), await next(), await next()], ["1\n", "2\n3\n", "4\n"]);
    assertEquals(made, 4);
    await cancel();
  });

  it("sends nothing for an empty batch, and takes the next", async () => {
    const chunks: number[] = [];
    const response = replyLines(200, function* (_signal, batch) {
      yield batch([]);
      yield batch([1, 2]);
      yield batch([]);
    });
    for await (const { length } of response.body ?? []) chunks.push(length);
    assertEquals(chunks, [4]);
  });

  it("ends a source of empty batches when the client goes", async () => {
    let isEnded = false;
    const reader = replyLines(200, async function* (_signal, batch) {
      try {
        for (;;) {
          await pauseShortly();
          yield batch([]);
        }
      } finally {
        isEnded = true;
      }
    }).body?.getReader();
    reader?.read().catch(() => {});
    await pauseShortly();
    await reader?.cancel();
    await until(() => isEnded);
  });

  it("breaks the stream off after an item that is not JSON, alone or in a batch", async () => {
    for (const item of [1, 2]) {
      const seen: unknown[] = [];
      const [text, error] = await readAll(replyLines<200, unknown>(200, function* (_signal, batch) {
        yield 1;
        yield item === 1 ? undefined : batch([2, undefined]);
      }, { onError: (error) => seen.push(error) }));
      assert(error instanceof TypeError);
      assertEquals([text, seen], ["1\n", [error]]);
    }
  });
});

function raise(error: Error): never {
  throw error;
}

/** Lets everything run that waits for nothing. */
function pauseShortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
