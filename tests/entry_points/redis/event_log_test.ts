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
  it("adds a message as JSON, and returns the id that Redis gives", async () => {
    const { client, sent } = clientFor("5-0");
    assertEquals(await eventLog(client, { keep: 10, name: "mine" }).append({ a: 1 }), "5-0");
    assertEquals(sent, [[["mine"], ["10", '{"a":1}']]]);
  });

  it("begins after the latest id, and goes on with each page", async () => {
    const { client, sent } = clientFor(["5-0", []], ["7-0", [["6-0", '"a"'], ["7-0", '"b"']]], ["8-0", [[
      "8-0",
      '"c"',
    ]]]);
    assertEquals(await read(client, null, 3), [["6-0", "a"], ["7-0", "b"], ["8-0", "c"]]);
    assertEquals(sent.map(([, args]) => args), [[""], ["5-0"], ["7-0"]]);
  });

  it("says what is missing, and never sends an id that Redis cannot read", async () => {
    for (const id of ["", "x", "5", "-1-0", "9".repeat(20) + "-0", "5-0 ", "'"]) {
      const { client, sent } = clientFor(["7-0", null]);
      assertEquals(await read(client, id, 1), [["7-0", undefined]]);
      assertEquals(sent, [[["fw_events"], ["?"]]]);
    }
    const { client, sent } = clientFor(["7-0", null]);
    assertEquals(await read(client, "5-0", 1), [["7-0", undefined]]);
    assertMatch(String(sent[0]?.[1]), /^5-0$/);
  });
});
