/** What the log sends, and what it makes of results. `tests/slow/stores/` runs it on a real server. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventLog, type PostgresClient } from "../../../src/postgres/mod.ts";
import { readLog } from "../../support/read_log.ts";

/** A client that returns these rows, one for each call, and the values that it was sent. */
function clientFor(...rows: readonly object[]) {
  const sent: unknown[] = [];
  const client: PostgresClient = {
    query(_text, values) {
      sent.push(values);
      return Promise.resolve({ rows: [rows[sent.length - 1]] });
    },
  };
  return { client, sent };
}

const page = (last: string, ...texts: readonly (readonly [string, string])[]) => ({
  pg_is_in_recovery: false,
  last,
  page: JSON.stringify(texts),
});

/** The first items after an id. */
const read = (client: PostgresClient, after: string | null, count: number) =>
  readLog(eventLog(client, { keep: 10 }), after, count);

describe("eventLog() in PostgreSQL", () => {
  it("adds a message as JSON, and returns its id", async () => {
    const { client, sent } = clientFor({ id: "5" });
    assertEquals(await eventLog(client, { keep: 10, name: "mine" }).append({ a: 1 }), "5");
    assertEquals(sent, [[10, '{"a":1}']]);
  });

  it("begins after the latest id, and goes on with each page", async () => {
    const { client, sent } = clientFor(page("5"), page("7", ["6", '"a"'], ["7", '"b"']), page("8", ["8", '"c"']));
    assertEquals(await read(client, null, 3), [["6", "a"], ["7", "b"], ["8", "c"]]);
    assertEquals(sent.slice(1), [["5"], ["7"]]);
  });

  it("says what is missing: after an unknown id, and where the next message is no longer kept", async () => {
    for (const id of ["", "x", "1.5", "-1", "9".repeat(19), "9", "'"]) {
      assertEquals(await read(clientFor(page("7")).client, id, 1), [["7", undefined]]);
    }
    assertEquals(await read(clientFor(page("7", ["5", "1"])).client, "3", 1), [["7", undefined]]);
    assertEquals(await read(clientFor(page("7", ["5", "1"])).client, "4", 1), [["5", 1]]);
    assertEquals(await read(clientFor(page("7", ["5", "1"])).client, "0", 1), [["5", 1]]);
  });
});
