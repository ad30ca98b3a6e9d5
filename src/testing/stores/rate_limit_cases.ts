import type { RateLimitStore, Taken } from "../../stores/stores.ts";
import { fail, type StoreCases } from "./store_case.ts";

/** The tests that a store of rate limits must pass. */
export const rateLimitCases: StoreCases<RateLimitStore> = {
  async "gives the quota of a key, and no request more"(store) {
    for (const missing of [1, 2, 3]) expect(await store.take("a", HOURLY), true, missing);
    expect(await store.take("a", HOURLY), false, 3);
    expect(await store.take("b", HOURLY), true, 1);
  },
  async "gives no request twice to those who ask at once"(store) {
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.take("a", HOURLY)));
    const allowed = taken.filter(({ allowed }) => allowed).map(({ missing }) => Math.round(missing));
    if (allowed.toSorted().join() !== "1,2,3") fail(`gave ${allowed.length} of 3 requests, missing ${allowed}`);
  },
  async "gives requests back evenly as time passes, up to the quota"(store, pass) {
    for (let turn = 0; turn < 4; turn++) await store.take("a", HOURLY);
    await pass(1100);
    expect(await store.take("a", HOURLY), false, 3 - 1100 / 1200);
    await pass(130);
    expect(await store.take("a", HOURLY), true, 4 - 1230 / 1200);
    await pass(1e6);
    expect(await store.take("a", HOURLY), true, 1);
  },
  async "lets nobody wait longer than the window if the clock goes back"(store, pass) {
    for (let turn = 0; turn < 3; turn++) await store.take("a", HOURLY);
    await pass(-1e6);
    expect(await store.take("a", HOURLY), false, 3);
    await pass(1210);
    expect(await store.take("a", HOURLY), true, 4 - 1210 / 1200);
  },
  async "takes any printable characters for a key"(store) {
    const keys = `__proto__ constructor Ada ada ' \\' \\ OR 1=1 -- % _ "a";q=3;w=60`.split(" ");
    for (const last of "ab") keys.push("x".repeat(249) + last);
    for (const key of keys) expect(await store.take(key, HOURLY), true, 1);
    for (const key of keys) expect(await store.take(key, HOURLY), true, 2);
  },
  async "counts thousands of requests in a second"(store) {
    for (let turn = 1; turn < 9; turn++) {
      const { allowed, missing } = await store.take("a", { quota: 5000, window: 1 });
      if (!allowed || missing < 1 || missing > turn) fail(`lacks ${missing} after ${turn} requests`);
    }
  },
};

/** One request comes back in 1200 seconds. */
const HOURLY = { quota: 3, window: 3600 };

/** Little time passes while a test runs. */
function expect({ allowed, missing }: Taken, isAllowed: boolean, lacks: number): void {
  const isNear = typeof missing === "number" && missing <= lacks + 1e-6 && missing > lacks - 0.02;
  if (allowed !== isAllowed || !isNear) fail(`returned ${JSON.stringify({ allowed, missing })}, lacking ${lacks}`);
}
