/** What the log sends, and what it makes of results. `tests/slow/stores/` runs it on a real server. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventLog, type PostgresClient } from "../../../src/postgres/mod.ts";
import { readLog } from "../../support/read_log.ts";
import { until } from "../../support/until.ts";

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

/** What the server returns: its latest row, and the rows from the reader's last one on. */
const page = (last: Row, ...rows: readonly Row[]) => ({
  pg_is_in_recovery: false,
  last: JSON.stringify(last),
  page: rows.length === 0 ? null : JSON.stringify(rows),
});
type Row = readonly [number: string, tag: string, message?: string | null];

/** What the server is asked for where only its latest row is wanted. */
const NO_ROWS = Number.MAX_SAFE_INTEGER;

/** The first items after an id. */
const read = (client: PostgresClient, after: string | null, count: number) =>
  readLog(eventLog(client, { keep: 10 }), after, count);

describe("eventLog() in PostgreSQL", () => {
  it("adds a message as JSON, and returns its number and its tag", async () => {
    const { client, sent } = clientFor({ last: "5" });
    const id = await eventLog(client, { keep: 10, name: "mine" }).append({ a: 1 });
    assertMatch(id, /^5-[\da-f]{12}$/);
    assertEquals(sent, [[1, 10, id.slice(2), '["{\\"a\\":1}"]']]);
  });

  it("adds several messages by one call, with one tag", async () => {
    const { client, sent } = clientFor({ last: "7" });
    const ids = await eventLog(client, { keep: 2 }).appendAll(["a", "b", "c"]);
    const tag = ids[0]?.slice(2);
    assertEquals(ids, [`5-${tag}`, `6-${tag}`, `7-${tag}`]);
    assertEquals(sent.length, 1);
  });

  it("begins after the latest id, and goes on with each page", async () => {
    const { client, sent } = clientFor(
      page(["5", "aa"]),
      page(["7", "cc"], ["5", "aa", null], ["6", "bb", '"a"'], ["7", "cc", '"b"']),
      page(["8", "dd"], ["7", "cc", null], ["8", "dd", '"c"']),
    );
    assertEquals(await read(client, null, 3), [["6-bb", "a"], ["7-cc", "b"], ["8-dd", "c"]]);
    assertEquals(sent.slice(1), [[5, 10], [7, 10]]);
  });

  it("begins with the first message of an empty log, and tells of it where it is no longer kept", async () => {
    const empty = { pg_is_in_recovery: false, last: null, page: null };
    assertEquals(await read(clientFor(empty, page(["1", "aa"], ["1", "aa", '"a"'])).client, null, 1), [["1-aa", "a"]]);
    const rows: readonly Row[] = [["1", "aa", null], ["2", "bb", '"b"']];
    assertEquals(await read(clientFor(empty, page(["2", "bb"], ...rows)).client, null, 2), [
      ["1-aa", undefined],
      ["2-bb", "b"],
    ]);
  });

  it("says what is missing: after an unknown id, and where the row of the id is gone or another one", async () => {
    for (const id of ["", "x", "1.5", "-1", "9".repeat(19), "9", "'", "0-aa", "7", "7-", "7-aa "]) {
      assertEquals(await read(clientFor(page(["7", "aa"])).client, id, 1), [["7-aa", undefined]]);
    }
    const rows: readonly Row[] = [["5", "aa", null], ["6", "bb", "1"]];
    assertEquals(await read(clientFor(page(["6", "bb"], ...rows)).client, "4-ff", 1), [["6-bb", undefined]]);
    assertEquals(await read(clientFor(page(["6", "bb"], ...rows)).client, "5-ff", 1), [["6-bb", undefined]]);
    assertEquals(await read(clientFor(page(["6", "bb"], ...rows)).client, "5", 1), [["6-bb", undefined]]);
    assertEquals(await read(clientFor(page(["6", "bb"], ...rows)).client, "5-aa", 1), [["6-bb", 1]]);
  });

  it("goes on after a row of a version without tags by the id that it had there", async () => {
    const rows: readonly Row[] = [["5", "", null], ["6", "", "1"]];
    assertEquals(await read(clientFor(page(["6", ""], ...rows)).client, "5", 1), [["6", 1]]);
    assertEquals(await read(clientFor(page(["6", ""], ...rows)).client, "5-aa", 1), [["6", undefined]]);
  });

  it("asks twice for the latest id, however many readers begin at once", async () => {
    const asked: unknown[] = [];
    const client: PostgresClient = {
      query(_text, [number] = []) {
        asked.push(number);
        return Promise.resolve({ rows: [page(["6", "bb"], ["5", "aa", null], ["6", "bb", "1"])] });
      },
    };
    const log = eventLog(client, { keep: 10 });
    const ending = new AbortController();
    const readers = Array.from({ length: 1500 }, () => log.read(null, ending.signal)[Symbol.asyncIterator]().next());
    await until(() => asked.length >= 3);
    ending.abort();
    assertEquals((await Promise.allSettled(readers)).filter(({ status }) => status === "rejected"), []);
    assertEquals(asked.filter((number) => number === NO_ROWS).length, 2);
  });

  it("gives a reader no message of before it began, though others have asked for the latest id", async () => {
    const calls: { readonly number: unknown; readonly answer: (row: object) => void }[] = [];
    const client: PostgresClient = {
      query: (_text, [number] = []) =>
        new Promise((resolve) => calls.push({ number, answer: (row) => resolve({ rows: [row] }) })),
    };
    const log = eventLog(client, { keep: 10 });
    const ending = new AbortController();
    const begin = () => log.read(null, ending.signal)[Symbol.asyncIterator]().next();
    const early = begin();
    const late = begin(); // a message was added since the early one has asked
    assertEquals(calls.length, 1);
    calls[0]?.answer(page(["5", "aa"]));
    await until(() => calls.length === 3);
    const answerTo = (number: number) => calls.slice(1).find((call) => call.number === number)?.answer;
    answerTo(NO_ROWS)?.(page(["6", "bb"]));
    await until(() => calls.length === 4);
    answerTo(5)?.(page(["7", "cc"], ["5", "aa", null], ["6", "bb", "6"], ["7", "cc", "7"]));
    answerTo(6)?.(page(["7", "cc"], ["6", "bb", null], ["7", "cc", "7"]));
    assertEquals([(await early).value, (await late).value], [["6-bb", 6], ["7-cc", 7]]);
    ending.abort();
  });

  it("has 100 calls at most, however many readers come back at once, each with another id", async () => {
    let [running, most, calls] = [0, 0, 0];
    const client: PostgresClient = {
      async query(_text, [number] = []) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        calls++;
        return { rows: [page(["9999", "ff"], [`${number}`, "aa", null], [`${Number(number) + 1}`, "bb", "1"])] };
      },
    };
    const log = eventLog(client, { keep: 10_000 });
    const readers = Array.from({ length: 1500 }, (_, index) => readLog(log, `${index + 1}-aa`, 1));
    const found = await Promise.all(readers);
    assertEquals(found.map(([item]) => item?.[0]), readers.map((_, index) => `${index + 2}-bb`));
    assertEquals([most, calls], [100, 1500]);
  });

  it("fails those that wait for their turn with the call that fails, and serves who comes later", async () => {
    let isAway = true;
    const client: PostgresClient = {
      async query() {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (isAway) throw new Error("away");
        return { rows: [page(["2", "bb"], ["1", "aa", null], ["2", "bb", "1"])] };
      },
    };
    const log = eventLog(client, { keep: 10_000 });
    const readers = Array.from({ length: 1500 }, (_, index) => readLog(log, `${index + 1}-aa`, 1));
    const settled = await Promise.allSettled(readers);
    const reasons = settled.map((one) => one.status === "rejected" && one.reason.message);
    assertEquals([...new Set(reasons)], ["away"]);
    isAway = false;
    assertEquals<unknown>(await readLog(log, "1-aa", 1), [["2-bb", 1]]);
  });
});
