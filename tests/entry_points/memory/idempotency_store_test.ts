import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import type { IdempotencyStore, Reserved } from "../../../src/idempotency/mod.ts";
import { idempotencyStore } from "../../../src/memory/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";
import { rejectTogether } from "../../support/reject_together.ts";

const clock = { time: 0 };
const { now } = performance;
const stopClock = () => {
  clock.time = 1e7;
  performance.now = () => clock.time;
};
const startClock = () => {
  performance.now = now;
};
const pass = (seconds: number) => void (clock.time += seconds * 1000);

const ONCE = { key: "k", client: "ada", request: "r", owner: "o" };
const LIMITS = { lifetime: 60, perClient: 3 };
const reserve = async (store: IdempotencyStore, key: string, other = {}) =>
  (await store.reserve({ ...ONCE, key, ...other }, LIMITS)).state;

describe("a store of idempotency keys in memory", () => {
  beforeEach(stopClock);
  afterEach(startClock);

  for (const [name, run] of Object.entries(storeCases.idempotency)) {
    it(name, () => run(idempotencyStore({ most: 100 }), pass));
  }

  it("has at most as many keys as it may, and makes room when their time is over", async () => {
    const store = idempotencyStore({ most: 2 });
    for (const key of ["a", "b"]) assertEquals(await reserve(store, key), "reserved");
    assertEquals(await reserve(store, "c", { client: "bob" }), "full");
    for (const key of ["a", "b"]) await store.keep({ ...ONCE, key }, "response");
    assertEquals(await reserve(store, "c", { client: "bob" }), "full");
    pass(60);
    for (const key of ["c", "d"]) assertEquals(await reserve(store, key, { client: "bob" }), "reserved");
    assertEquals(await reserve(store, "e", { client: "eve" }), "full");
  });

  it("keeps a key while its request runs, also beyond its lifetime, and makes room behind it", async () => {
    const store = idempotencyStore({ most: 3 });
    assertEquals(await reserve(store, "slow"), "reserved");
    for (let round = 0; round < 5; round++) {
      for (const key of ["a", "b"]) {
        assertEquals(await reserve(store, key), "reserved");
        await store.keep({ ...ONCE, key }, "response");
      }
      assertEquals(await reserve(store, "c"), "full");
      pass(60);
    }
    assertEquals(await reserve(store, "slow", { owner: "p" }), "running");
    await store.keep({ ...ONCE, key: "slow" }, "late");
    assertEquals(await reserve(store, "slow", { owner: "p" }), "reserved");
  });

  it("frees leased keys whose time is over, behind those that are kept", async () => {
    const store = idempotencyStore({ most: 3 });
    const lease = async (key: string, owner = "o") =>
      (await store.reserve({ ...ONCE, key, owner, client: key }, { ...LIMITS, lease: 2 })).state;
    assertEquals(await reserve(store, "slow"), "reserved");
    for (const key of ["a", "b"]) assertEquals(await lease(key), "reserved");
    assertEquals(await lease("c"), "full");
    pass(2);
    for (const key of ["c", "d"]) assertEquals(await lease(key), "reserved");
    assertEquals([await lease("e"), await lease("c", "p")], ["full", "running"]);
  });

  it("throws for a bound that is not a whole number", () => {
    for (const most of [0, -1, 1.5, NaN, 1_000_001, "5" as unknown as number]) {
      const message = `Option most of idempotencyStore must be a whole number from 1 to 1000000: received ${most}`;
      assertThrows(() => idempotencyStore({ most }), TypeError, message);
    }
    const max = { max: 5 } as unknown as { most: number };
    assertThrows(() => idempotencyStore(max), TypeError, 'Option "max" of idempotencyStore is unknown');
  });
});

/** Stores that make one mistake each. */
const BROKEN: Readonly<Record<string, (store: IdempotencyStore) => Partial<IdempotencyStore>>> = {
  "reserves everything": () => ({ reserve: (): Reserved => ({ state: "reserved" }) }),
  "reserves nothing": () => ({ reserve: (): Reserved => ({ state: "running" }) }),
  "gives one key twice": (store) => {
    let turn = 0;
    return { reserve: (one, limits) => store.reserve({ ...one, key: `${one.key} ${turn++ % 2}` }, limits) };
  },
  "has one key for all": (store) => ({ reserve: (one, limits) => store.reserve({ ...one, key: "all" }, limits) }),
  "ignores the request": (store) => ({ reserve: (one, limits) => store.reserve({ ...one, request: "r" }, limits) }),
  "ignores the client": (store) => ({ reserve: (one, limits) => store.reserve({ ...one, client: "c" }, limits) }),
  "has no bound per client": (store) => ({
    reserve: (one, limits) => store.reserve(one, { ...limits, perClient: 1000 }),
  }),
  "has a bound of one more": (store) => ({
    reserve: (one, limits) => store.reserve(one, { ...limits, perClient: limits.perClient + 1 }),
  }),
  "takes a repeat for another request": (store) => ({
    async reserve(one, limits): Promise<Reserved> {
      const reserved = await store.reserve(one, limits);
      return reserved.state === "running" ? { state: "mismatch" } : reserved;
    },
  }),
  "keeps nothing": () => ({ keep: () => {} }),
  "keeps another response": (store) => ({ keep: (one, response) => store.keep(one, response.trim()) }),
  "frees nothing": () => ({ free: () => {} }),
  "forgets early": (store) => ({ reserve: (one, limits) => store.reserve(one, { ...limits, lifetime: 3000 }) }),
  "forgets late": (store) => ({ reserve: (one, limits) => store.reserve(one, { ...limits, lifetime: 4000 }) }),
  "keeps a second response": (store) => {
    const responses = new Map<string, string>();
    return {
      keep(one, response) {
        if (store.keep(one, response) !== false || responses.has(one.key)) responses.set(one.key, response);
        return true;
      },
      async reserve(one, limits) {
        const reserved = await store.reserve(one, limits);
        return reserved.state === "done" ? { ...reserved, response: responses.get(one.key) ?? "" } : reserved;
      },
    };
  },
  "frees a key that has a response": (store) => {
    const freed = new Set<string>();
    return {
      free(one) {
        store.free(one);
        freed.add(one.key);
      },
      reserve: (one, limits) => freed.has(one.key) ? { state: "reserved" } : store.reserve(one, limits),
    };
  },
  "knows no lease": (store) => ({ reserve: (one, limits) => store.reserve(one, { ...limits, lease: undefined }) }),
  "renews nothing": () => ({ renew: () => {} }),
  "lets anybody renew a key": (store) => {
    let owner = "";
    return {
      async reserve(one, limits) {
        const reserved = await store.reserve(one, limits);
        if (reserved.state === "reserved") owner = one.owner;
        return reserved;
      },
      renew: (one, lease) => store.renew?.({ ...one, owner }, lease),
    };
  },
  "keeps a response until the lease is over": (store) => ({ keep: (one, response) => store.keep(one, response, 30) }),
  "keeps a response for a week": (store) => ({ keep: (one, response) => store.keep(one, response, 604_800) }),
  "says that it has kept what it has not": (store) => ({
    async keep(...args) {
      await store.keep(...args);
      return true;
    },
  }),
  "says nothing of what it has kept": (store) => ({
    async keep(...args) {
      await store.keep(...args);
    },
  }),
  "lets anybody free a key": (store) => {
    let owner = "";
    return {
      async reserve(one, limits) {
        const reserved = await store.reserve(one, limits);
        if (reserved.state === "reserved") owner = one.owner;
        return reserved;
      },
      free: (one) => store.free({ ...one, owner }),
    };
  },
};

describe("storeCases of idempotency keys", () => {
  beforeEach(stopClock);
  afterEach(startClock);

  it("take a store that knows no leases", async () => {
    for (const run of Object.values(storeCases.idempotency)) {
      const { reserve, keep, free } = idempotencyStore({ most: 100 });
      await run({ reserve, keep: (...args) => void keep(...args), free }, pass);
    }
  });

  for (const [name, breakStore] of Object.entries(BROKEN)) {
    it(`finds a store that ${name}`, async () => {
      const all = async () => {
        await rejectTogether(
          Object.values(storeCases.idempotency).map((run) => {
            const store = idempotencyStore({ most: 100 });
            return () => run({ ...store, ...breakStore(store) }, pass);
          }),
        );
      };
      await assertRejects(all, Error, "The store ");
    });
  }
});
