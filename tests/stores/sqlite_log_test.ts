/** The log of messages in a real SQLite, by `node:sqlite`. */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { eventLog, eventTable, type SqliteClient } from "../../src/sqlite/mod.ts";
import { storeCases } from "../../src/testing/mod.ts";
import { granted } from "../support/granted.ts";
import { readLog } from "../support/read_log.ts";
import { pause } from "../support/until.ts";

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
      const id = await eventLog(other, { keep: 10 }).append("hello");
      assertMatch(id, /^1-[\da-f]{12}$/);
      assertEquals((await next).value, [id, "hello"]);
    } finally {
      ending.abort();
      own.close();
      other.close();
      await Deno.remove(file);
    }
  });

  it("keeps the latest messages only, and the row before them for its tag", async () => {
    const db = open();
    const log = eventLog(db, { keep: 3 });
    const count = () => db.prepare("SELECT count(*) AS count FROM fw_events").get()?.count;
    for (let number = 1; number <= 9; number++) await log.append(number);
    assertEquals(count(), 4);
    await log.appendAll([10, 11, 12, 13, 14, 15]);
    assertEquals(count(), 4);
    assertEquals<unknown>((await readLog(log, "0", 3)).map(([, message]) => message), [13, 14, 15]);
  });

  it("gives no more than it keeps once that is less than before", async () => {
    const db = open();
    await eventLog(db, { keep: 1000 }).appendAll(Array.from({ length: 300 }, (_, index) => index));
    assertEquals<unknown>((await readLog(eventLog(db, { keep: 2 }), "0", 2)).map(([, message]) => message), [298, 299]);
  });

  (granted("read", "write") ? it : it.skip)("tells readers whose last message a restored backup lacks", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/db`;
    let db = new DatabaseSync(path);
    try {
      db.exec(eventTable());
      const ids = [...await eventLog<string>(db, { keep: 10 }).appendAll(["one", "two"])];
      await Deno.copyFile(path, `${directory}/backup`);
      ids.push(...await eventLog<string>(db, { keep: 10 }).appendAll(["three", "four"]));
      db.close();
      await Deno.copyFile(`${directory}/backup`, path);
      db = new DatabaseSync(path);
      const log = eventLog<string>(db, { keep: 10 });
      assertEquals<unknown>(await readLog(log, ids[3] ?? "", 1), [[ids[1], undefined]]);
      const again = await log.appendAll(["THREE", "FOUR", "FIVE"]);
      for (const lost of [ids[2], ids[3]]) {
        assertEquals<unknown>(await readLog(log, lost ?? "", 1), [[again[2], undefined]]);
      }
      const rest = ["THREE", "FOUR", "FIVE"].map((message, index) => [again[index], message]);
      assertEquals<unknown>(await readLog(log, ids[1] ?? "", 3), rest);
      assertEquals(new Set([...ids, ...again]).size, 7);
    } finally {
      db.close();
      await Deno.remove(directory, { recursive: true });
    }
  });

  it("tells a reader that is connected that its last message is gone, and gives it what follows", async () => {
    const db = open();
    const log = eventLog<string>(db, { keep: 10, interval: 0.02 });
    const [, , lost] = await log.appendAll(["one", "two", "three"]);
    const ending = new AbortController();
    const reading = log.read(lost ?? "", ending.signal)[Symbol.asyncIterator]();
    const told = reading.next();
    await pause(50);
    // As a backup of before "three", with the messages that have come since: one call adds them for all connections.
    db.exec(`DELETE FROM fw_events WHERE id = 3;
      INSERT INTO fw_events (tag, message) VALUES ('aa', '"THREE"'), ('bb', '"FOUR"')`);
    const { value } = await told;
    assertEquals(value?.[1], undefined);
    const next = reading.next();
    const id = await log.append("five");
    assertEquals((await next).value, [id, "five"]);
    ending.abort();
  });

  it("tells readers that the table was emptied", async () => {
    for (
      const statement of ["DELETE FROM fw_events", `DROP TABLE fw_events; ${eventTable()}`]
    ) {
      const db = open();
      const lost = await eventLog<string>(db, { keep: 10 }).append("one");
      db.exec(statement);
      const log = eventLog<string>(db, { keep: 10, interval: 0.02 });
      assertEquals<unknown>(await readLog(log, lost, 1), [["00", undefined]]);
      const id = await log.append("ONE");
      assertEquals<unknown>([await readLog(log, lost, 1), await readLog(log, "00", 1)], [[[id, undefined]], [[
        id,
        "ONE",
      ]]]);
    }
  });

  it("goes on with the table of a version without tags, beside instances of that version", async () => {
    const db = new DatabaseSync(":memory:");
    db.exec("CREATE TABLE fw_events (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;");
    /** As that version did it. */
    const appendBefore = (message: string) =>
      String(db.prepare("INSERT INTO fw_events (message) VALUES (?) RETURNING id").get(JSON.stringify(message))?.id);
    const first = appendBefore("one");
    const second = appendBefore("two");
    db.exec(eventTable());
    const log = eventLog<string>(db, { keep: 10, interval: 0.02 });
    assertEquals<unknown>(await readLog(log, first, 1), [[second, "two"]]);
    assertEquals((await readLog(log, "0", 2)).map(([id]) => id), ["1", "2"]);
    const third = await log.append("three");
    const fourth = appendBefore("four");
    for (const instance of [log, eventLog<string>(db, { keep: 10, interval: 0.02 })]) {
      assertEquals<unknown>(await readLog(instance, second, 2), [[third, "three"], [fourth, "four"]]);
      assertEquals<unknown>(await readLog(instance, third, 1), [[fourth, "four"]]);
      // That version has told its readers "3", as if there were no tag.
      assertEquals<unknown>(await readLog(instance, "3", 1), [[fourth, undefined]]);
    }
    // That version reads by numbers.
    const rows = db.prepare("SELECT message FROM fw_events WHERE id > 2 ORDER BY id").all();
    assertEquals(rows.map(({ message }) => message), ['"three"', '"four"']);
  });

  it("lets several processes give the table of a version without tags its column", async () => {
    const file = await Deno.makeTempFile();
    const [own, other] = [new DatabaseSync(file), new DatabaseSync(file)];
    try {
      own.exec("CREATE TABLE fw_events (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;");
      const late: SqliteClient = {
        exec(sql) {
          other.exec(sql); // the other process is faster
          return own.exec(sql);
        },
        prepare: (sql) => own.prepare(sql),
      };
      const id = await eventLog(own, { keep: 10 }).append("one").catch(() => undefined);
      assertMatch(id ?? "", /^1-/);
      own.exec("DROP TABLE fw_events; CREATE TABLE fw_events (id INTEGER PRIMARY KEY, message TEXT NOT NULL) STRICT;");
      eventLog(late, { keep: 10 });
      assertThrows(
        () => {
          own.exec("DROP TABLE fw_events; CREATE VIEW fw_events AS SELECT 1 AS id, '' AS message");
          eventLog(own, { keep: 10 });
        },
        Error,
        "Cannot add a column to a view",
      );
    } finally {
      own.close();
      other.close();
      await Deno.remove(file);
    }
  });

  it("adds a message in a transaction, or not, with the rest of it", async () => {
    const db = open();
    db.exec("CREATE TABLE orders (id TEXT PRIMARY KEY) STRICT");
    const log = eventLog<string>(db, { keep: 10 });
    const ending = new AbortController();
    const reading = log.read("0", ending.signal)[Symbol.asyncIterator]();
    const first = reading.next();
    const create = (id: string, ends: "COMMIT" | "ROLLBACK") => {
      db.exec("BEGIN IMMEDIATE");
      db.prepare("INSERT INTO orders VALUES (?)").run(id);
      const added = log.appendNow(id);
      db.exec(ends);
      return added;
    };
    const undone = create("emma", "ROLLBACK");
    const done = create("persuasion", "COMMIT");
    // The reader was woken, and saw nothing of the transaction that was rolled back.
    assertEquals((await first).value, [done, "persuasion"]);
    assertEquals(undone.split("-")[0], done.split("-")[0]);
    assertEquals<unknown>(await readLog(log, undone, 1), [[done, undefined]]);
    assertEquals(db.prepare("SELECT id FROM orders").all().map(({ id }) => id), ["persuasion"]);
    ending.abort();
  });

  it("leaves nothing of a call in a transaction that fails, and says so at once", () => {
    const db = open();
    const log = eventLog<unknown>(db, { keep: 10 });
    assertThrows(() => log.appendNow(undefined), TypeError, "must have a JSON form");
    db.exec("BEGIN; ALTER TABLE fw_events RENAME TO other");
    assertThrows(() => log.appendNow("x"), Error, "Create it:");
    db.exec("ROLLBACK");
    assertEquals(db.prepare("SELECT count(*) AS count FROM fw_events").get()?.count, 0);
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
