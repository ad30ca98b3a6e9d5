/** What the stores send, and what they make of results and errors. `tests/slow/stores/` runs them on a real server. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  deliveryStore,
  deliveryTable,
  idempotencyStore,
  idempotencyTable,
  type PostgresClient,
  rateLimitStore,
  sessionStore,
} from "../../../src/postgres/mod.ts";

const STORES = { sessionStore, rateLimitStore, idempotencyStore, deliveryStore };
const ADA = { digest: "a", user: "ada", begunAt: 1000, endsAt: 4000 };
const ONCE = { key: "k", client: "c", request: "r", owner: "o" };

/** Clients of both drivers that return these rows, and the messages that they were sent. */
function clientsFor(rows: readonly object[]) {
  const sent: (readonly [string, ...unknown[]])[] = [];
  const answer = (...message: [string, ...unknown[]]) => {
    sent.push(message);
    return Promise.resolve(rows);
  };
  const pg: PostgresClient = {
    async query(text, values) {
      const rows = await answer(text, ...values === undefined ? [] : [values]);
      // For several statements, the results are in an array.
      return values === undefined ? Object.assign([{ rows }], { rows: undefined as never }) : { rows };
    },
  };
  const postgres: PostgresClient = Object.assign(() => {}, { unsafe: answer });
  return { sent, clients: [pg, postgres] };
}

const reject = (error: unknown): PostgresClient => ({ query: () => Promise.reject(error) });

describe("the stores in PostgreSQL", () => {
  it("take a client of pg or postgres, and nothing else", () => {
    const bun = { query() {}, prepare() {}, exec() {} };
    const mysql = { query() {}, execute() {} };
    for (const client of [undefined, null, {}, bun, mysql, { evalsha() {}, eval() {} }]) {
      for (const make of Object.values(STORES)) {
        assertThrows(
          () => make(client as unknown as PostgresClient),
          TypeError,
          "Client of a store in PostgreSQL must be a pool of pg, with the method query, or what postgres() returns, " +
            "with the method unsafe",
        );
      }
    }
  });

  it("take no answer of a standby, which may not know that a session was ended", async () => {
    for (
      const client of clientsFor([{ pg_is_in_recovery: true, user_id: "ada", begun_at: 1000, ends_at: 4000 }]).clients
    ) {
      await assertRejects(async () => await sessionStore(client).find("a"), Error, "connect to the primary");
    }
  });

  it("use the table of keys that version 0.1 began with, so apps of several versions share it", () => {
    assertEquals(
      idempotencyTable({ name: "keys" }),
      `CREATE TABLE IF NOT EXISTS keys (
  key text PRIMARY KEY, client text NOT NULL, request text NOT NULL, owner text NOT NULL, response text,
  ends_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS keys_client ON keys (client, ends_at);
CREATE INDEX IF NOT EXISTS keys_ends_at ON keys (ends_at);`,
    );
  });

  it("have names that are safe in a statement", () => {
    const [client] = clientsFor([]).clients;
    assert(client !== undefined);
    for (const name of ["", "A", "a b", "a;", "1a", "a".repeat(41), 5 as unknown as string]) {
      assertThrows(() => sessionStore(client, { name }), TypeError, "Option name of a store must be 1 to 40 lowercase");
    }
    const table = { table: "x" } as unknown as { name: string };
    assertThrows(() => sessionStore(client, table), TypeError, 'Option "table" of a store is unknown');
  });

  it("send each call as one message, and prepare those with values", async () => {
    const { sent, clients } = clientsFor([]);
    for (const client of clients) {
      const [sessions, keys] = [sessionStore(client, { name: "mine" }), idempotencyStore(client)];
      await sessions.add({ ...ADA, user: "' OR 1=1 --" }, 3);
      await sessions.add({ ...ADA, data: "{}" }, 3);
      assertEquals(await sessions.find("a"), undefined);
      assertEquals(await sessions.renew("a", 5000), false);
      await sessions.end("a");
      await sessions.endOthers("' OR 1=1 --", undefined);
      await keys.keep(ONCE, "response");
      await keys.free(ONCE);
      assertEquals(await keys.reserve(ONCE, { lifetime: 60, perClient: 3 }), { state: "full" });
      await keys.reserve(ONCE, { lifetime: 60, perClient: 3, lease: 2 });
      assertEquals(await keys.keep(ONCE, "response", 60), false);
      await keys.renew?.(ONCE, 2);
    }
    assertEquals(sent.length, 24);
    assertEquals(sent[1]?.[0].includes("begun_at, ends_at, data) VALUES"), true);
    assertEquals(sent.filter(([text]) => text.includes("OR 1=1")), []);
    assertEquals(sent.map(([, values]) => values ?? "none").slice(0, 12), [
      "none",
      "none",
      ["a"],
      ["a", 5000],
      ["a"],
      "none",
      ["k", "o", "response"],
      ["k", "o"],
      ["k", "c", "r", "o", 60, 3],
      ["k", "c", "r", "o", 2, 3],
      ["k", "o", "response", 60],
      ["k", "o", 2],
    ]);
    // Without values, `postgres` sends what is not prepared.
    assertEquals(sent.slice(12).map(([, values]) => values)[0], []);
    assertEquals(sent.slice(12).map(([, , options]) => options), Array(12).fill({ prepare: true }));
  });

  it("ask for a receiver of deliveries, and return its last message", async () => {
    for (
      const [rows, taken] of [
        [[], undefined],
        [[{ receiver: "ada", position: null }], { position: null }],
        [[{ receiver: "ada", position: "7-x" }], { position: "7-x" }],
      ] as const
    ) {
      const { sent, clients } = clientsFor(rows);
      for (const client of clients) {
        const store = deliveryStore(client, { name: "mine" });
        assertEquals(await store.take("ada", "o", 2.5), taken);
        assertEquals(await store.advance("ada", "o", "8-x"), taken !== undefined);
        await store.release("ada", "o");
        await store.remove("ada");
      }
      const values = [["ada", "o", 2500], ["ada", "o", "8-x"], ["ada", "o"], ["ada"]];
      assertEquals(sent.map(([, values]) => values), [...values, ...values]);
    }
    assertEquals(
      deliveryTable(),
      `CREATE TABLE IF NOT EXISTS fw_deliveries (
  receiver text PRIMARY KEY, owner text NOT NULL, ends_at bigint NOT NULL, position text
);`,
    );
  });

  it("remove buckets with the first call of a rate limit, and with every eighth one after it", async () => {
    const { sent, clients: [client] } = clientsFor([{ missing: 1, allowed: true }]);
    assert(client !== undefined);
    const store = rateLimitStore(client);
    for (let call = 0; call < 17; call++) await store.take("ada", { quota: 20, window: 60 });
    const removing = sent.flatMap(([text], call) => text.includes("DELETE") ? [call] : []);
    assertEquals(removing, [0, 8, 16]);
  });

  it("return what a row has, whether its numbers are strings or not", async () => {
    for (
      const client of clientsFor([{ pg_is_in_recovery: false, user_id: "ada", begun_at: "1000", ends_at: 4000 }])
        .clients
    ) {
      assertEquals(await sessionStore(client).find("a"), ADA);
      assertEquals(await sessionStore(client).renew("a", 5000), true);
    }
    const row = { pg_is_in_recovery: false, user_id: "ada", begun_at: "1000", ends_at: 4000, data: "{}" };
    for (const client of clientsFor([row]).clients) {
      assertEquals(await sessionStore(client).find("a"), { ...ADA, data: "{}" });
    }
    for (const client of clientsFor([{ missing: "1.5", allowed: true }]).clients) {
      assertEquals(await rateLimitStore(client).take("a", { quota: 3, window: 60 }), { allowed: true, missing: 1.5 });
    }
    for (
      const [row, reserved] of [
        [{ request: "r", owner: "o", response: null }, { state: "reserved" }],
        [{ request: "r", owner: "p", response: null }, { state: "running" }],
        [{ request: "x", owner: "p", response: "text" }, { state: "mismatch" }],
        [{ request: "r", owner: "p", response: "text" }, { state: "done", response: "text" }],
      ] as const
    ) {
      for (const client of clientsFor([row]).clients) {
        assertEquals(await idempotencyStore(client).reserve(ONCE, { lifetime: 60, perClient: 3 }), reserved);
      }
    }
  });

  it("print the statements that create a table if it is missing, or of another version", async () => {
    for (const code of ["42P01", "42703"]) {
      const cause = Object.assign(new Error("missing"), { code });
      const limits = rateLimitStore(reject(cause), { name: "mine" });
      const error = await assertRejects(
        async () => await limits.take("a", { quota: 3, window: 60 }),
        Error,
        "A table of PostgreSQL is missing, or of another version. Create it:\n" +
          "CREATE UNLOGGED TABLE IF NOT EXISTS mine (",
      );
      assertEquals(error.cause, cause);
    }
  });

  it("reject with any other error as it is, and with that of a driver that throws", async () => {
    for (const cause of [new Error("away"), Object.assign(new Error("denied"), { code: "42501" })]) {
      const error = await assertRejects(async () => await sessionStore(reject(cause)).find("a"));
      assertEquals(error, cause);
    }
    const throwing: PostgresClient = {
      query() {
        throw new RangeError("closed");
      },
    };
    await assertRejects(async () => await sessionStore(throwing).find("a"), RangeError, "closed");
  });

  it("reject arguments that the database would change", () => {
    const { sent, clients } = clientsFor([]);
    for (const client of clients) {
      const [sessions, limits, keys] = [sessionStore(client), rateLimitStore(client), idempotencyStore(client)];
      const [text, number] = ["Arguments of a store must be well-formed strings without NUL", "finite numbers"];
      for (const bad of ["a\0", "a\ud800", "\udc00"]) {
        assertThrows(() => sessions.add({ ...ADA, user: bad }, 3), TypeError, text);
        assertThrows(() => sessions.find(bad), TypeError, text);
        assertThrows(() => sessions.endOthers("ada", bad), TypeError, text);
        assertThrows(() => limits.take(bad, { quota: 3, window: 60 }), TypeError, text);
        assertThrows(() => keys.free({ ...ONCE, key: bad }), TypeError, text);
        assertThrows(() => keys.keep(ONCE, bad), TypeError, text);
      }
      for (const bad of [NaN, Infinity]) {
        assertThrows(() => sessions.renew("a", bad), TypeError, number);
        assertThrows(() => limits.take("a", { quota: bad, window: 60 }), TypeError, number);
      }
      assertThrows(
        () => limits.take("x".repeat(10_000), { quota: 3, window: 60 }),
        TypeError,
        "at most 250 characters",
      );
    }
    assertEquals(sent, []);
  });

  for (const kind of ["objects", "numbers"]) {
    describe(`where timers are ${kind}`, () => {
      it("reject a call without an answer after 2 seconds, and at once if 1000 wait", () =>
        withTimers(kind, async (timers) => {
          const answers: ((result: { rows: object[] }) => void)[] = [];
          const stuck: PostgresClient = { query: () => new Promise((resolve) => answers.push(resolve)) };
          const store = sessionStore(stuck);
          const calls = Array.from(
            { length: 1001 },
            () => Promise.resolve(store.find("a")).then(() => "found", String),
          );
          assertEquals(await calls[1000], "Error: More than 1000 calls wait for PostgreSQL");
          timers.pass(1999);
          assertEquals(await stateOf(calls[0]), "waits");
          timers.pass(501);
          assertEquals(await calls[0], "Error: PostgreSQL did not answer within 2 seconds");
          // The driver has still got it.
          await assertRejects(async () => await store.find("a"), Error, "More than 1000 calls wait");
          answers.forEach((answer) => answer({ rows: [] }));
          assertEquals(await stateOf(new Promise(() => {})), "waits");
          assertEquals(await calls[1], "Error: PostgreSQL did not answer within 2 seconds");
          const next = store.find("a");
          answers.at(-1)?.({ rows: [{ pg_is_in_recovery: false, user_id: "ada", begun_at: 1, ends_at: 2 }] });
          assertEquals((await next)?.user, "ada");
        }));

      it("share a timer, and give each call its own 2 seconds", () =>
        withTimers(kind, async (timers) => {
          const store = sessionStore({ query: () => new Promise(() => {}) });
          const call = () => Promise.resolve(store.find("a")).catch(() => "late");
          const first = call();
          timers.pass(1500);
          const second = call();
          timers.pass(1000);
          assertEquals(await stateOf(first), "late");
          assertEquals(timers.held(), 1);
          timers.pass(999);
          assertEquals(await stateOf(second), "waits");
          timers.pass(501);
          assertEquals(await second, "late");
          assertEquals(timers.held(), 0);
        }));

      it("keep a process alive only while a call waits", () =>
        withTimers(kind, async (timers) => {
          let answer = (_: { rows: object[] }) => {};
          const store = sessionStore({ query: () => new Promise((resolve) => answer = resolve) });
          for (let turn = 0; turn < 3; turn++) {
            const found = store.find("a");
            assertEquals(timers.held(), 1);
            answer({ rows: [] });
            assertEquals(await found, undefined);
            assertEquals(timers.held(), 0);
          }
          timers.pass(1000);
          assertEquals(timers.held(), 0);
        }));
    });
  }
});

const { setTimeout, clearTimeout } = globalThis;

/** What a promise settles with, unless it waits for something. */
function stateOf<Result>(promise: Promise<Result> | undefined): Promise<Result | "waits" | undefined> {
  return Promise.race([promise, new Promise<"waits">((resolve) => setTimeout(resolve, 0, "waits"))]);
}

/** Runs a test with timers of its own, which are objects or numbers. */
async function withTimers(kind: string, test: (timers: Timers) => Promise<void>): Promise<void> {
  const timers = new Map<unknown, { readonly run: () => void; readonly at: number; isHeld: boolean }>();
  let [now, last] = [0, 0];
  const set = (run: () => void, wait: number) => {
    const timer = { run, at: now + wait, isHeld: true };
    const hold = (isHeld: boolean) => () => {
      timer.isHeld = isHeld;
      return id;
    };
    const id: unknown = kind === "numbers" ? ++last : { ref: hold(true), unref: hold(false) };
    timers.set(id, timer);
    return id;
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: (id: unknown) => timers.delete(id) });
  try {
    await test({
      pass(milliseconds) {
        const end = now + milliseconds;
        for (;;) {
          const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
          if (next === undefined) break;
          const [id, { run, at }] = next;
          timers.delete(id);
          now = at;
          run();
        }
        now = end;
      },
      held: () => [...timers.values()].filter(({ isHeld }) => isHeld).length,
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}

interface Timers {
  /** Lets time pass. */
  readonly pass: (milliseconds: number) => void;
  /** How many timers keep the process alive. */
  readonly held: () => number;
}
