/** What the log sends, and what it makes of results. `tests/slow/stores/` runs it on real servers. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventLog, type IoredisClient } from "../../../src/redis/mod.ts";
import { readLog } from "../../support/read_log.ts";

/** A client that returns this, and the keys and arguments that it was sent. */
function clientFor(...results: readonly unknown[]) {
  const sent: unknown[][] = [];
  const client: IoredisClient = {
    evalsha: (_digest, count, ...rest) => {
      sent.push([rest.slice(0, count), rest.slice(count)]);
      return Promise.resolve(results[sent.length - 1]);
    },
    eval: () => Promise.reject(new Error("not called")),
  };
  return { client, sent };
}

/** The first items after an id. */
const read = (client: IoredisClient, after: string | null, count: number) =>
  readLog(eventLog(client, { keep: 10 }), after, count);

describe("eventLog() in Redis", () => {
  it("adds a message as JSON, under its tag, and returns the id that the script makes", async () => {
    const { client, sent } = clientFor(["5-0-aa"]);
    assertEquals(await eventLog(client, { keep: 10, name: "mine" }).append({ a: 1 }), "5-0-aa");
    const [keys, [keep, tag, ...texts]] = sent[0] as [string[], string[]];
    assertEquals([keys, keep, texts], [["mine"], "11", ['{"a":1}']]);
    assertMatch(String(tag), /^[\da-f]{12}$/);
  });

  it("adds several messages by one script", async () => {
    const { client, sent } = clientFor(["5-0-aa", "5-1-aa"]);
    assertEquals(await eventLog(client, { keep: 10 }).appendAll(["a", "b"]), ["5-0-aa", "5-1-aa"]);
    assertEquals(sent.map(([, args]) => (args as string[]).slice(2)), [['"a"', '"b"']]);
  });

  it("begins after the latest id, and goes on with each page", async () => {
    const { client, sent } = clientFor(
      ["5-0-aa", []],
      ["7-0-aa", [["6-0-aa", '"a"'], ["7-0-aa", '"b"']]],
      ["8-0-aa", [["8-0-aa", '"c"']]],
    );
    assertEquals(await read(client, null, 3), [["6-0-aa", "a"], ["7-0-aa", "b"], ["8-0-aa", "c"]]);
    assertEquals(sent.map(([, args]) => args), [["latest"], ["5-0-aa"], ["7-0-aa"]]);
  });

  it("says what is missing, and never sends an id that Redis cannot read", async () => {
    for (const id of ["", "x", "5", "-1-0", "9".repeat(20) + "-0", "5-0 ", "'", "5-0-", "5-0-xx", "0-0-"]) {
      const { client, sent } = clientFor(["7-0-aa", null]);
      assertEquals(await read(client, id, 1), [["7-0-aa", undefined]]);
      assertEquals(sent, [[["fw_events"], ["unknown"]]]);
    }
    for (const id of ["5-0", "5-0-aa", "0-0", "0"]) {
      const { client, sent } = clientFor(["7-0-aa", null]);
      assertEquals(await read(client, id, 1), [["7-0-aa", undefined]]);
      assertEquals(sent[0]?.[1], [id]);
    }
  });
});
