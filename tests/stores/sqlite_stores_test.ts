/** The stores in a real SQLite, by `node:sqlite`. */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { idempotencyStore, rateLimitStore, sessionStore, type SqliteClient } from "../../src/sqlite/mod.ts";
import { storeCases } from "../../src/testing/mod.ts";
import { granted } from "../support/granted.ts";

const NOW = Date.now();
const HOUR = 3_600_000;
const ADA = { digest: "a", user: "ada", begunAt: NOW, endsAt: NOW + HOUR };
const HOURLY = { quota: 3, window: 3600 };
const ONCE = { key: "k", client: "c", request: "r", owner: "o" };
const LIMITS = { lifetime: 3600, perClient: 3 };
const STORES = { sessionStore, rateLimitStore, idempotencyStore };

/** Creates the tables, by the statements that the errors print. */
function createTables(db: DatabaseSync): DatabaseSync {
  for (const make of Object.values(STORES)) {
    const { message } = assertThrows(
      () => make(db),
      Error,
      "A table of SQLite is missing, or of another version. Create",
    );
    db.exec(message.slice(message.indexOf("CREATE")));
  }
  return db;
}

const open = () => createTables(new DatabaseSync(":memory:"));

/** Lets time pass, for all rows. */
const passIn = (db: DatabaseSync) => (seconds: number) =>
  db.exec(`
    UPDATE fw_sessions SET ends_at = ends_at - ${seconds * 1000};
    UPDATE fw_rate_limits SET at = at - ${seconds}, ends_at = ends_at - ${seconds};
    UPDATE fw_idempotency SET ends_at = ends_at - ${seconds * 1000};
  `);

describe("the stores in SQLite", () => {
  for (const [name, run] of Object.entries(storeCases.sessions)) {
    it(`a store of sessions ${name}`, () => {
      const db = open();
      return run(sessionStore(db), passIn(db));
    });
  }
  for (const [name, run] of Object.entries(storeCases.rateLimits)) {
    it(`a store of rate limits ${name}`, () => {
      const db = open();
      return run(rateLimitStore(db), passIn(db));
    });
  }
  for (const [name, run] of Object.entries(storeCases.idempotency)) {
    it(`a store of idempotency keys ${name}`, () => {
      const db = open();
      return run(idempotencyStore(db), passIn(db));
    });
  }

  it("remove rows whose time is over in small batches, and no others", async () => {
    const db = open();
    const count = (table: string) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
    for (let n = 0; n < 150; n++) {
      db.exec(`INSERT INTO fw_sessions VALUES (${n}, ${n}, 0, ${n + 1})`);
      if (n < 5) db.exec(`INSERT INTO fw_rate_limits VALUES (${n}, 1, 0, ${n}, 1, 0)`);
      if (n < 15) db.exec(`INSERT INTO fw_idempotency VALUES (${n}, ${n}, ${n}, ${n}, NULL, ${n})`);
    }
    await sessionStore(db).add(ADA, 3);
    await rateLimitStore(db).take("ada", HOURLY);
    await rateLimitStore(db).take("ada", HOURLY);
    await idempotencyStore(db).reserve(ONCE, LIMITS);
    assertEquals(["fw_sessions", "fw_rate_limits", "fw_idempotency"].map(count), [51, 4, 6]);
    await sessionStore(db).add({ ...ADA, digest: "b" }, 3);
    for (const key of ["bob", "carol"]) await rateLimitStore(db).take(key, HOURLY);
    await idempotencyStore(db).reserve({ ...ONCE, key: "other" }, LIMITS);
    assertEquals(["fw_sessions", "fw_rate_limits", "fw_idempotency"].map(count), [2, 3, 2]);
    assertEquals((await sessionStore(db).find("a"))?.user, "ada");
  });

  it("use the table of keys that version 0.1 began with, so apps of several versions share it", async () => {
    const db = new DatabaseSync(":memory:");
    db.exec(`CREATE TABLE fw_idempotency (
      key TEXT PRIMARY KEY, client TEXT NOT NULL, request TEXT NOT NULL, owner TEXT NOT NULL, response TEXT,
      ends_at INTEGER NOT NULL
    ) STRICT`);
    db.exec(
      "INSERT INTO fw_idempotency VALUES ('k', 'c', 'r', 'old', 'kept', 9e15), ('l', 'c', 'r', 'old', NULL, 9e15)",
    );
    const store = idempotencyStore(db);
    assertEquals(await store.reserve(ONCE, LIMITS), { state: "done", response: "kept" });
    assertEquals(await store.reserve({ ...ONCE, key: "l" }, { ...LIMITS, lease: 2 }), { state: "running" });
    assertEquals(await store.reserve({ ...ONCE, key: "m" }, { ...LIMITS, lease: 2 }), { state: "reserved" });
    assertEquals(store.keep({ ...ONCE, key: "m" }, "new", 60), true);
  });

  it("find, renew and reserve nothing of a session or a key whose time is over", async () => {
    const db = open();
    const [sessions, keys] = [sessionStore(db), idempotencyStore(db)];
    await sessions.add(ADA, 3);
    await keys.reserve(ONCE, LIMITS);
    await keys.keep(ONCE, "response");
    passIn(db)(3700);
    assertEquals([await sessions.find("a"), await sessions.renew("a", NOW + 2 * HOUR)], [undefined, false]);
    assertEquals(await keys.reserve({ ...ONCE, owner: "p" }, LIMITS), { state: "reserved" });
  });

  it("change nothing if a statement fails, also in a transaction of the application", async () => {
    const db = open();
    const store = sessionStore(db);
    await store.add(ADA, 3);
    const addAgain = () => store.add({ ...ADA, user: "eve", endsAt: ADA.endsAt + 1 }, 1);
    assertThrows(addAgain, Error, "UNIQUE");
    db.exec("BEGIN");
    assertThrows(addAgain, Error, "UNIQUE");
    await store.add({ ...ADA, digest: "b" }, 3);
    db.exec("ROLLBACK");
    assertEquals([(await store.find("a"))?.user, await store.find("b")], ["ada", undefined]);
  });

  it("print the statements for a table of another version, whatever it lacks", () => {
    const db = new DatabaseSync(":memory:");
    db.exec("CREATE TABLE fw_sessions (digest TEXT); CREATE TABLE fw_rate_limits (key TEXT PRIMARY KEY)");
    db.exec(
      "CREATE TABLE fw_idempotency (key TEXT PRIMARY KEY, request TEXT, owner TEXT, response TEXT, ends_at INTEGER)",
    );
    for (const make of Object.values(STORES)) assertThrows(() => make(db), Error, "of another version. Create it:");
  });

  it("work with a database that returns whole numbers as a bigint", async () => {
    const db = open();
    const client: SqliteClient = {
      exec: (sql) => db.exec(sql),
      prepare(sql) {
        const statement = db.prepare(sql);
        statement.setReadBigInts(true);
        return statement;
      },
    };
    assertEquals(await rateLimitStore(client).take("ada", HOURLY), { allowed: true, missing: 1 });
    await sessionStore(client).add(ADA, 1);
    assertEquals(await sessionStore(client).find("a"), ADA);
    assertEquals(await sessionStore(client).renew("a", NOW + 2 * HOUR), true);
    assertEquals(await idempotencyStore(client).reserve(ONCE, LIMITS), { state: "reserved" });
    db.exec("INSERT INTO fw_rate_limits VALUES ('old', 1, 0, 1, 1, 0)");
    await rateLimitStore(client).take("bob", HOURLY);
    assertEquals(db.prepare("SELECT key FROM fw_rate_limits ORDER BY key").all().map(({ key }) => key), ["ada", "bob"]);
  });

  (granted("read", "write") ? it : it.skip)("leave no transaction open that cannot be committed", async () => {
    const directory = await Deno.makeTempDir();
    try {
      const [own, other] = [1, 2].map(() => new DatabaseSync(`${directory}/db`)) as [DatabaseSync, DatabaseSync];
      createTables(own);
      const [sessions, keys] = [sessionStore(own), idempotencyStore(own)];
      // Without a write-ahead log, nobody commits while another process reads.
      other.exec("BEGIN");
      other.prepare("SELECT * FROM fw_sessions").get();
      assertThrows(() => sessions.add(ADA, 1), Error, "database is locked");
      assertThrows(() => keys.reserve(ONCE, LIMITS), Error, "database is locked");
      other.exec("COMMIT");
      assertEquals(await sessions.find("a"), undefined);
      await sessions.add(ADA, 1);
      assertEquals((await sessionStore(other).find("a"))?.user, "ada");
      assertEquals(await idempotencyStore(other).reserve(ONCE, LIMITS), { state: "reserved" });
      own.close();
      other.close();
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });

  it("fail with the error that has ended a transaction", () => {
    const db = open();
    const client: SqliteClient = {
      exec: (sql) => db.exec(sql),
      prepare(sql) {
        const statement = db.prepare(sql);
        return {
          get(...values) {
            if (!sql.includes("LIMIT -1")) return statement.get(...values);
            db.exec("ROLLBACK"); // as SQLite does if the disk is full
            throw new Error("database or disk is full");
          },
        };
      },
    };
    assertThrows(() => sessionStore(client).add(ADA, 1), Error, "database or disk is full");
  });

  it("are separate under other names", async () => {
    const db = open();
    const named = { name: "tokens" };
    const { message } = assertThrows(() => sessionStore(db, named), Error, "CREATE TABLE IF NOT EXISTS tokens (");
    db.exec(message.slice(message.indexOf("CREATE")));
    await sessionStore(db).add(ADA, 1);
    await sessionStore(db, named).add({ ...ADA, digest: "b" }, 1);
    assertEquals((await sessionStore(db).find("a"))?.user, "ada");
    assertEquals(await sessionStore(db).find("b"), undefined);
  });

  it("keep sessions with data beside the table of a version without data, and instances of that version", async () => {
    const db = new DatabaseSync(":memory:");
    db.exec(`CREATE TABLE fw_sessions (
      digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, begun_at INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT`);
    /** As that version did it. */
    const addBefore = (digest: string) =>
      db.exec(`INSERT INTO fw_sessions VALUES ('${digest}', 'ada', 1, ${ADA.endsAt})`);
    const withData = { ...ADA, digest: "b", data: '{"role":"admin"}' };
    const before = sessionStore(db);
    addBefore("old");
    await before.add(ADA, 9);
    assertEquals([(await before.find("old"))?.user, await before.find("a")], ["ada", ADA]);
    const { message } = assertThrows(() => before.add(withData, 9), Error, "Create it:");
    assertEquals(await before.find("b"), undefined);
    for (let turn = 0; turn < 2; turn++) db.exec(message.slice(message.indexOf("CREATE")));
    await before.add({ ...withData, digest: "c" }, 9);
    const store = sessionStore(db);
    await store.add(withData, 9);
    addBefore("late");
    assertEquals([await store.find("b"), (await store.find("c"))?.data], [withData, withData.data]);
    assertEquals((await store.find("late"))?.data, undefined);
    db.exec("DELETE FROM fw_sessions WHERE user_id = 'ada'");
    assertEquals(db.prepare("SELECT count(*) AS count FROM fw_sessions_data").get()?.count, 0);
  });

  it("say that a table is missing, or of another version, also if it goes later", () => {
    const db = open();
    const store = sessionStore(db);
    db.exec("DROP TABLE fw_sessions; CREATE TABLE fw_sessions (digest TEXT)");
    assertThrows(() => store.find("a"), Error, "Create it:\nCREATE TABLE IF NOT EXISTS fw_sessions (");
    assertThrows(() => store.find("\0"), TypeError, "well-formed strings without NUL");
  });

  it("fail with the error of the database, whatever else is wrong", () => {
    const db = open();
    const store = sessionStore(db);
    db.close();
    const { message } = assertThrows(() => store.find("a"), Error);
    assertMatch(message, /finalized|not open/);
  });

  it("take a database, and nothing else", () => {
    const own = { prepare() {}, exec() {} };
    const others = [{ ...own, pragma() {} }, { ...own, each() {} }]; // better-sqlite3, sqlite3
    for (const client of [undefined, null, {}, { prepare() {} }, { exec() {} }, { query() {} }, ...others]) {
      for (const make of Object.values(STORES)) {
        assertThrows(
          () => make(client as SqliteClient),
          TypeError,
          "Client of a store in SQLite must be a database with the methods prepare and exec, of node:sqlite or bun:sqlite",
        );
      }
    }
  });

  (granted("read", "write") ? it : it.skip)("outlive the process, and are shared by several", async () => {
    const directory = await Deno.makeTempDir();
    try {
      const databases = [1, 2].map(() => new DatabaseSync(`${directory}/db`));
      databases.forEach((db) => db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000"));
      createTables(databases[0] as DatabaseSync);
      const [one, other] = databases.map((db) => sessionStore(db));
      await one?.add(ADA, 9);
      assertEquals((await other?.find("a"))?.user, "ada");
      await other?.end("a");
      assertEquals(await one?.find("a"), undefined);
      const [limit, sameLimit] = databases.map((db) => rateLimitStore(db));
      for (const store of [limit, sameLimit, limit]) assertEquals((await store?.take("ada", HOURLY))?.allowed, true);
      assertEquals((await sameLimit?.take("ada", HOURLY))?.allowed, false);
      databases.forEach((db) => db.close());
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
