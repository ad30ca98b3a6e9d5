/** `idempotent` with a `lease`: the response is kept in the transaction of the work. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Context, reply, route, setup } from "../../../mod.ts";
import {
  type IdempotencyStore,
  idempotent,
  type Key,
  KeyLost,
  type Reservation,
  type SyncIdempotencyStore,
} from "../../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../../src/memory/mod.ts";
import { until } from "../../support/until.ts";

const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;

/** What a test may change of an app. */
interface Setting {
  readonly store?: IdempotencyStore;
  readonly maxResponseBytes?: number;
}

type Work = (key: Key, turn: number, c: Context) => Response | Promise<Response>;

/** An app whose route runs `work`, and what it was told. */
function createApp(work: Work, { store = idempotencyStore({ most: 99 }), ...setting }: Setting = {}) {
  const failures: unknown[] = [];
  let runs = 0;
  const once = idempotent({
    client: () => "ada",
    lifetime: 3600,
    lease: 2,
    perClient: 9,
    store,
    refuse: (_c, why) => reply(STATUSES[why], why),
    whenStoreFails: (error) => {
      failures.push(error);
      return reply(503, "store");
    },
    ...setting,
  });
  const app = setup({
    handlers: [route.post("/", { resolve: once((c, key) => work(key, ++runs, c)) })],
    onError: ({ error }) => new Response(String(error), { status: 500 }),
  });
  const post = async (key: string) => {
    const init = { method: "POST", headers: { "idempotency-key": key } };
    const response = await app.fetch(new Request("http://localhost/", init));
    return [response.status, await response.text()] as const;
  };
  return { post, failures, runs: () => runs };
}

/** A store like that of a database: what is kept in a transaction is there after its commit. */
function createDatabase() {
  const store = idempotencyStore({ most: 99 });
  const transaction = () => {
    const writes: (() => unknown)[] = [];
    return {
      store: {
        ...store,
        keep(...args: readonly [Reservation, string, number?]) {
          writes.push(() => store.keep(...args));
          return Promise.resolve(true);
        },
      },
      commit: () => writes.forEach((write) => write()),
    };
  };
  return { store, transaction };
}

describe("idempotent() with a lease", () => {
  it("gives a repeat the response that was kept with the work, whatever came of the first request", async () => {
    const { store, transaction } = createDatabase();
    const { post, runs } = createApp(async (key, turn) => {
      const { store: inside, commit } = transaction();
      const headers = [["x-turn", `${turn}`], ["set-cookie", "a=1"], ["set-cookie", "b=2"]] as const;
      const response = await key.keep(inside, reply(201, { turn }, { headers }));
      assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
      commit();
      if (turn === 1) throw new Error("The answer to the commit is lost");
      return response;
    }, { store });
    assertEquals(await post("a"), [500, "Error: The answer to the commit is lost"]);
    assertEquals([await post("a"), await post("a"), runs()], [[201, '{"turn":1}'], [201, '{"turn":1}'], 1]);
    assertEquals([await post("b"), await post("b"), runs()], [[201, '{"turn":2}'], [201, '{"turn":2}'], 2]);
  });

  it("frees the key if the transaction is rolled back", async () => {
    const { store, transaction } = createDatabase();
    const { post, runs } = createApp(async (key, turn) => {
      const { store: inside, commit } = transaction();
      const response = await key.keep(inside, reply(201, { turn }));
      if (turn === 1) throw new Error("The disk is full");
      if (turn === 2) return reply(409, "taken");
      commit();
      return response;
    }, { store });
    assertEquals([await post("a"), await post("a")], [[500, "Error: The disk is full"], [409, '"taken"']]);
    assertEquals([await post("a"), await post("a"), runs()], [[201, '{"turn":3}'], [201, '{"turn":3}'], 3]);
  });

  it("keeps the response of a transaction that was begun again", async () => {
    const { store, transaction } = createDatabase();
    const { post } = createApp(async (key) => {
      await key.keep(transaction().store, reply(201, "rolled back"));
      const { store: inside, commit } = transaction();
      const response = await key.keep(inside, reply(201, "committed"));
      commit();
      return response;
    }, { store });
    assertEquals([await post("a"), await post("a")], [[201, '"committed"'], [201, '"committed"']]);
  });

  it("frees the key of a request that has done nothing: a status of 400 or above, and an error", async () => {
    for (const status of [400, 409, 499, 500, 503]) {
      const { post, runs } = createApp((key, turn) =>
        turn === 1 ? new Response(null, { status }) : key.keep(idempotencyStoreOf(key), reply(201))
      );
      assertEquals([(await post("a"))[0], runs()], [status, 1]);
      await post("a");
      assertEquals(runs(), 2);
    }
  });

  it("rejects another response than the kept one, and each repeat: nobody knows what was done", async () => {
    const store = idempotencyStore({ most: 99 });
    const message =
      "With a lease, a handler must return what key.keep() or key.keepNow() returned, or a status of 400 " +
      'or above: received another response for route POST "/"';
    const other: Work = () => reply(200, "other");
    const copy: Work = async (key) => {
      const { transaction } = createDatabase();
      return new Response((await key.keep(transaction().store, reply(201, "kept"))).body);
    };
    for (const work of [other, copy]) {
      const { post, runs } = createApp(work, { store: idempotencyStore({ most: 9 }) });
      assertEquals(await post("a"), [500, `TypeError: ${message}`]);
      assertEquals(
        (await post("a"))[1],
        `Error: The response to this Idempotency-Key could not be kept: TypeError: ${message}`,
      );
      assertEquals(runs(), 1);
    }
    // For the lifetime, not for the lease.
    const lifetimes: unknown[] = [];
    const keep = (...[own, response, lifetime]: Parameters<SyncIdempotencyStore["keep"]>) => {
      lifetimes.push(lifetime);
      return store.keep(own, response, lifetime);
    };
    await createApp(other, { store: { ...store, keep } }).post("b");
    assertEquals(lifetimes, [3600]);
    const committed = createApp(async (key) => {
      await key.keep(store, reply(201, "kept"));
      return reply(200, "other");
    }, { store });
    assertEquals([(await committed.post("a"))[0], await committed.post("a")], [500, [201, '"kept"']]);
  });

  it("refuses a request that has lost its key, which was rolled back, and says so to whenStoreFails", async () => {
    const store = idempotencyStore({ most: 99 });
    const lost = { ...store, keep: () => false };
    const { post, failures } = createApp(async (key, turn) => {
      try {
        return await key.keep(turn === 1 ? lost : store, reply(201, { turn }));
      } catch (error) {
        assert(error instanceof KeyLost && error.name === "KeyLost");
        throw error;
      }
    }, { store });
    assertEquals(await post("a"), [409, '"running"']);
    assertEquals(failures.map((error) => error instanceof KeyLost), [true]);
    assert(/took longer than its lease.*another table than that of idempotent/.test(String(failures[0])));
    assertEquals(await post("a"), [201, '{"turn":2}']);
  });

  it("lets another request run when the lease is over, and the first one lose its key", async () => {
    const time = withTime();
    try {
      const store = idempotencyStore({ most: 99 });
      const gates = [createGate(), createGate()];
      const { post, runs } = createApp(async (key, turn) => {
        await gates[turn - 1]?.opened;
        return await key.keep(store, reply(201, { turn }));
      }, { store: { ...store, renew: () => {} } });
      const first = post("a");
      await until(() => runs() === 1);
      assertEquals(await post("a"), [409, '"running"']);
      time.pass(2000);
      const second = post("a");
      await until(() => runs() === 2);
      gates[1]?.open();
      assertEquals(await second, [201, '{"turn":2}']);
      gates[0]?.open();
      assertEquals([await first, await post("a"), runs()], [[409, '"running"'], [201, '{"turn":2}'], 2]);
    } finally {
      time.restore();
    }
  });

  it("renews the lease while the handler runs, also after a failure, and not for longer than the lifetime", async () => {
    const time = withTime();
    try {
      const store = idempotencyStore({ most: 99 });
      const gate = createGate();
      let calls = 0;
      const renew = (...args: readonly [Reservation, number]) => {
        if (++calls % 2 === 1) throw new Error("away");
        return store.renew?.(...args);
      };
      const { post, runs } = createApp(async (key) => {
        await gate.opened;
        return await key.keep(store, reply(201, "slow"));
      }, { store: { ...store, renew } });
      const first = post("a");
      await until(() => runs() === 1);
      for (let third = 0; third < 30; third++) {
        time.pass(2000 / 3);
        await Promise.resolve();
      }
      time.pass(1);
      assertEquals([calls, await post("a")], [30, [409, '"running"']]);
      time.pass(3600 * 1000);
      assertEquals([calls, time.intervals()], [30, 0]);
      gate.open();
      assertEquals((await first)[0], 201);
    } finally {
      time.restore();
    }
  });

  it("makes one call at a time to renew the lease: while a transaction has the key, it waits", async () => {
    const time = withTime();
    try {
      let calls = 0;
      const renew = () => {
        calls++;
        return new Promise<void>(() => {});
      };
      const { post, runs } = createApp(() => new Promise(() => {}), {
        store: { ...idempotencyStore({ most: 99 }), renew },
      });
      void post("a");
      await until(() => runs() === 1);
      for (let third = 0; third < 5; third++) {
        time.pass(2000 / 3);
        await Promise.resolve();
      }
      assertEquals(calls, 1);
    } finally {
      time.restore();
    }
  });

  it("ends the renewal with the handler", async () => {
    const time = withTime();
    try {
      const store = idempotencyStore({ most: 99 });
      const { post } = createApp((key, turn) => turn === 1 ? reply(400) : key.keep(store, reply(201)), { store });
      for (let turn = 0; turn < 2; turn++) await post("a");
      assertEquals(time.intervals(), 0);
    } finally {
      time.restore();
    }
  });

  it("keeps nothing that is too long, and frees the key: the transaction is rolled back", async () => {
    const store = idempotencyStore({ most: 99 });
    const works: readonly Work[] = [
      (key, turn) => key.keep(store, reply(201, "x".repeat(turn === 1 ? 99 : 98))),
      (key, turn) => key.keepNow(store, 201, "x".repeat(turn === 1 ? 99 : 98)),
      (key, turn) => key.keepNow(store, 200, "\u20ac".repeat(turn === 1 ? 34 : 33), { contentType: "text/plain" }),
    ];
    for (const [index, work] of works.entries()) {
      const { post, runs } = createApp(work, { store, maxResponseBytes: 100 });
      assertEquals(await post(`${index}`), [500, "Error: An idempotent response must have at most 100 bytes"]);
      assertEquals([[200, 201].includes((await post(`${index}`))[0]), runs()], [true, 2]);
    }
  });

  it("keeps what reply makes, without a pause, by keepNow", async () => {
    const store = idempotencyStore({ most: 99 });
    const works: readonly (readonly [(key: Key) => Response, () => Response])[] = [
      [(key) => key.keepNow(store, 201, { a: ["\u20ac\0", null] }), () => reply(201, { a: ["\u20ac\0", null] })],
      [(key) => key.keepNow(store, 204, undefined), () => reply(204)],
      [
        (key) => key.keepNow(store, 303, undefined, { headers: { location: "/a" } }),
        () => reply(303, undefined, { headers: { location: "/a" } }),
      ],
      [
        (key) => key.keepNow(store, 200, "<p>\u00fc", { contentType: "text/html" }),
        () => reply(200, "<p>\u00fc", { contentType: "text/html" }),
      ],
      [
        (key) => key.keepNow(store, 400, { title: "?" }, { contentType: "application/problem+json" }),
        () => reply(400, { title: "?" }, { contentType: "application/problem+json" }),
      ],
    ];
    for (const [index, [keep, make]] of works.entries()) {
      const { post, runs } = createApp((key) => {
        const response = keep(key);
        const expected = make();
        assertEquals([response.status, [...response.headers]], [expected.status, [...expected.headers]]);
        return response;
      }, { store });
      const expected = make();
      const sent = [expected.status, await expected.text()];
      assertEquals([await post(`${index}`), await post(`${index}`), runs()], [sent, sent, 1]);
    }
  });

  it("rejects what keepNow cannot send", async () => {
    const store = idempotencyStore({ most: 99 });
    const works: readonly (readonly [Work, string])[] = [
      [
        (key) => key.keepNow(store, 201, new Response("x") as unknown as string),
        "TypeError: keepNow() must have a value to send: use keep() for a ready Response",
      ],
      [(key) => key.keepNow(store, 204, "body"), "TypeError: reply(204) must not have a body"],
      [(key) => key.keepNow(store, 200, 5 as unknown as string, { contentType: "text/plain" }), "must have a string"],
      [
        (key) => key.keepNow({ ...store, keep: (() => Promise.reject(new Error("x"))) as never }, 201, 1),
        "TypeError: keepNow() must have a store that does not wait, as in SQLite: write await key.keep(…)",
      ],
    ];
    for (const [index, [work, message]] of works.entries()) {
      const { post, runs } = createApp(work, { store });
      const [status, text] = await post(`${index}`);
      assert(status === 500 && text.includes(message), text);
      await post(`${index}`);
      assertEquals(runs(), 2);
    }
  });

  it("requires a store that keeps, renews and says whether it has kept", async () => {
    const memory = idempotencyStore({ most: 99 });
    const old: IdempotencyStore = { reserve: memory.reserve, keep: () => {}, free: memory.free };
    const options = {
      client: () => "ada",
      lifetime: 60,
      perClient: 9,
      store: memory,
      refuse: () => reply(400),
      whenStoreFails: () => reply(503),
    };
    const wrong: readonly (readonly [object, string])[] = [
      [{ lease: 2, store: old }, "Option store of idempotent with a lease must be a store with the method renew"],
      [{ lease: 0 }, "Option lease of idempotent must be a whole number from 1 to 60: received 0"],
      [{ lease: 61 }, "Option lease of idempotent must be a whole number from 1 to 60: received 61"],
      [{ lease: 601, lifetime: 3600 }, "Option lease of idempotent must be a whole number from 1 to 600"],
    ];
    for (const [other, message] of wrong) {
      assertThrows(() => idempotent({ ...options, lease: 2, ...other }), TypeError, message);
    }
    for (const store of [undefined, {}, old]) {
      const { post } = createApp((key) => key.keep(store as SyncIdempotencyStore, reply(201)));
      const [status, text] = await post("a");
      const message = store === old
        ? "keep() of the store of a Key must be a function that returns a boolean: received undefined"
        : "Store of a Key must be an idempotencyStore of the transaction: received";
      assert(status === 500 && text.includes(message), text);
    }
  });

  it("passes extra arguments after the key", async () => {
    const store = idempotencyStore({ most: 9 });
    const once = idempotent({
      client: () => "ada",
      lifetime: 60,
      lease: 2,
      perClient: 9,
      store,
      refuse: () => reply(400),
      whenStoreFails: () => reply(503),
    });
    const app = setup({
      handlers: [route.post("/", { resolve: once((_c, key, port: number) => key.keepNow(store, 200, port)) })],
    });
    const init = { method: "POST", headers: { "idempotency-key": "a" } };
    assertEquals(await (await app.fetch(new Request("http://localhost/", init), 8000)).json(), 8000);
  });
});

/** What a handler waits for. */
function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => open = resolve);
  return { opened, open };
}

/** A store for a response that nobody asks for again. */
function idempotencyStoreOf(_key: Key): IdempotencyStore {
  return { ...idempotencyStore({ most: 1 }), keep: () => true };
}

/** Lets time pass for clocks and intervals when a test says so. */
function withTime() {
  const { setInterval, clearInterval } = globalThis;
  const { now } = performance;
  const intervals = new Map<number, { readonly run: () => void; readonly each: number; next: number }>();
  let [time, last] = [1e6, 0];
  performance.now = () => time;
  Object.assign(globalThis, {
    setInterval(run: () => void, each: number) {
      intervals.set(++last, { run, each, next: time + each });
      return last;
    },
    clearInterval: (id: number) => intervals.delete(id),
  });
  return {
    pass(milliseconds: number) {
      time += milliseconds;
      for (const interval of intervals.values()) {
        if (interval.next > time + 1e-6) continue;
        interval.next = time + interval.each;
        interval.run();
      }
    },
    intervals: () => intervals.size,
    restore() {
      performance.now = now;
      Object.assign(globalThis, { setInterval, clearInterval });
    },
  };
}
