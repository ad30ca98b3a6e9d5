import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import type { RateLimitStore, Taken } from "../../../src/rate_limit/mod.ts";
import { rateLimitStore } from "../../../src/memory/mod.ts";
import { storeCases as allCases } from "../../../src/testing/mod.ts";
import { rejectTogether } from "../../support/reject_together.ts";

const storeCases = allCases.rateLimits;

const clock = { time: 0 };
const now = performance.now;

function stopClock(): void {
  clock.time = 1e7;
  performance.now = () => clock.time;
}

function startClock(): void {
  performance.now = now;
}

function pass(seconds: number): void {
  clock.time += seconds * 1000;
}

describe("a store of rate limits in memory", () => {
  beforeEach(stopClock);
  afterEach(startClock);

  for (const [name, run] of Object.entries(storeCases)) it(name, () => run(rateLimitStore({ most: 100 }), pass));

  it("has at most as many keys as it may, and forgets the one that was used least recently", async () => {
    const store = rateLimitStore({ most: 2 });
    const missing = async (key: string) => (await store.take(key, { quota: 10, window: 60 })).missing;
    assertEquals([await missing("a"), await missing("b"), await missing("a"), await missing("c")], [1, 1, 2, 1]);
    assertEquals([await missing("a"), await missing("b"), await missing("c")], [3, 1, 1]);
  });

  it("gives nothing back when somebody sets the clock", async () => {
    const { now } = Date;
    const store = rateLimitStore({ most: 2 });
    const take = async () => (await store.take("a", { quota: 1, window: 3600 })).allowed;
    try {
      assertEquals(await take(), true);
      for (const shift of [7_200_000, -7_200_000]) {
        Date.now = () => now() + shift;
        assertEquals(await take(), false);
      }
    } finally {
      Date.now = now;
    }
  });

  it("throws for a bound that is not a whole number", () => {
    for (const most of [0, -1, 1.5, NaN, 10_000_001, "5" as unknown as number]) {
      assertThrows(
        () => rateLimitStore({ most }),
        TypeError,
        `Option most of rateLimitStore must be a whole number from 1 to 10000000: received ${most}`,
      );
    }
    rateLimitStore({ most: 1e7 });
    const max = { max: 5 } as unknown as { most: number };
    assertThrows(() => rateLimitStore(max), TypeError, 'Option "max" of rateLimitStore is unknown');
  });
});

/** Stores that make one mistake each. */
const BROKEN: Readonly<Record<string, (store: RateLimitStore) => RateLimitStore["take"]>> = {
  "allows everything": (store) => async (...args) => ({ ...await store.take(...args), allowed: true }),
  "allows nothing": (store) => async (...args) => ({ ...await store.take(...args), allowed: false }),
  "allows one more": (store) => (key, { quota, window }) => store.take(key, { quota: quota + 1, window }),
  "has one bucket for all": (store) => (_, quota) => store.take("all", quota),
  "ignores case": (store) => (key, quota) => store.take(key.toLowerCase(), quota),
  "returns strings": (store) => async (...args) => {
    const { allowed, missing } = await store.take(...args);
    return { allowed, missing: String(missing) } as unknown as Taken;
  },
  "counts what it denies": (store) => async (...args) => {
    const taken = await store.take(...args);
    return taken.allowed ? taken : { allowed: false, missing: taken.missing + 1 };
  },
  "fills up at once": () => () => ({ allowed: true, missing: 1 }),
  "never fills up": (store) => {
    const stopped = clock.time;
    return (...args) => {
      performance.now = () => stopped;
      try {
        return store.take(...args);
      } finally {
        performance.now = () => clock.time;
      }
    };
  },
  "gives a request twice": (store) => {
    let turn = 0;
    return async (...args) => {
      await Promise.resolve();
      return store.take(`${args[0]} ${turn++ % 2}`, args[1]);
    };
  },
};

describe("storeCases of rate limits", () => {
  beforeEach(stopClock);
  afterEach(startClock);

  for (const [name, breakStore] of Object.entries(BROKEN)) {
    it(`finds a store that ${name}`, async () => {
      const all = async () => {
        await rejectTogether(
          Object.values(storeCases).map((run) => () => run({ take: breakStore(rateLimitStore({ most: 100 })) }, pass)),
        );
      };
      await assertRejects(all, Error, "The store ");
    });
  }

  it("finds a store that lets clients wait longer if the clock goes back", async () => {
    const buckets = new Map<string, number>();
    const take: RateLimitStore["take"] = (key, { quota, window }) => {
      const fullAt = Math.max(buckets.get(key) ?? 0, clock.time);
      const missing = (fullAt - clock.time) / 1000 * quota / window;
      if (missing + 1 > quota + 1e-6) return { allowed: false, missing: Math.min(missing, quota) };
      buckets.set(key, fullAt + window * 1000 / quota);
      return { allowed: true, missing: missing + 1 };
    };
    const [, run] = Object.entries(storeCases).find(([name]) => name.includes("clock goes back")) ?? [];
    await assertRejects(async () => await run?.({ take }, pass), Error, "The store returned");
  });
});
