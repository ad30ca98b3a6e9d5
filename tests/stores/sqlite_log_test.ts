/** The log of messages in a real SQLite, by `node:sqlite`. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { eventLog, eventTable } from "../../src/sqlite/mod.ts";
import { storeCases } from "../../src/testing/mod.ts";

function open(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(eventTable());
  return db;
}

describe("eventLog() in SQLite", () => {
  for (const [name, run] of Object.entries(storeCases.eventLogs)) {
    it(`a log ${name}`, () => run(eventLog(open(), { keep: 10, interval: 0.02 }), () => {}));
  }

  it("gives messages of another connection to the same file", async () => {
    const file = await Deno.makeTempFile();
    const [own, other] = [new DatabaseSync(file), new DatabaseSync(file)];
    own.exec(eventTable());
    const ending = new AbortController();
    try {
      const next = eventLog(own, { keep: 10, interval: 0.02 }).read("0", ending.signal)[Symbol.asyncIterator]().next();
      await eventLog(other, { keep: 10 }).append("hello");
      assertEquals((await next).value, ["1", "hello"]);
    } finally {
      ending.abort();
      own.close();
      other.close();
      await Deno.remove(file);
    }
  });

  it("keeps the latest messages only", async () => {
    const db = open();
    const log = eventLog(db, { keep: 3 });
    for (let number = 1; number <= 9; number++) await log.append(number);
    assertEquals(db.prepare("SELECT count(*) AS count FROM fw_events").get()?.count, 3);
  });

  it("prints the statement for a table that is missing", () => {
    const { message } = assertThrows(() => eventLog(new DatabaseSync(":memory:"), { keep: 3 }), Error, "Create it:");
    assertEquals(message.slice(message.indexOf("CREATE")), eventTable());
  });

  it("rejects wrong options", () => {
    const db = open();
    for (const keep of [0, 1.5, 1e7]) assertThrows(() => eventLog(db, { keep }), TypeError, "Option keep of eventLog");
    for (const interval of [0, NaN, 61]) {
      assertThrows(() => eventLog(db, { keep: 1, interval }), TypeError, "Option interval of eventLog");
    }
    assertThrows(() => eventLog(db, { keep: 1, name: "a b" }), TypeError, "Option name of a store");
    const misspelt = { keep: 1, intervall: 1 };
    assertThrows(() => eventLog(db, misspelt), TypeError, "did you mean interval?");
  });

  it("ends the iteration with the error if the database fails", async () => {
    const db = open();
    const log = eventLog(db, { keep: 3, interval: 0.02 });
    const reading = log.read("0", new AbortController().signal)[Symbol.asyncIterator]().next();
    db.exec("DROP TABLE fw_events");
    await assertRejects(async () => await reading, Error, "Create it:");
    await assertRejects(async () => await log.append(1), Error, "Create it:");
  });
});
