import type { IdempotencyStore, Reservation, ReservationLimits, Reserved } from "../../stores/stores.ts";
import { fail, type StoreCases } from "./store_case.ts";

/** The tests that a store of idempotency keys must pass. */
export const idempotencyCases: StoreCases<IdempotencyStore> = {
  async "gives a key once, and the response to each repeat"(store) {
    await expectState(store, by("a"), "reserved");
    await expectState(store, by("b"), "running");
    await store.keep(by("a"), RESPONSE);
    for (const owner of ["b", "c"]) await expectDone(store, by(owner));
    await expectState(store, by("d", { key: "other" }), "reserved");
  },
  async "gives a key once to those who ask at once"(store) {
    const owners = Array.from({ length: 8 }, (_, index) => `owner ${index}`);
    const states = await Promise.all(owners.map(async (owner) => (await store.reserve(by(owner), LIMITS)).state));
    if (states.filter((state) => state === "reserved").length !== 1) fail("reserved a key for several, or for nobody");
    if (states.filter((state) => state === "running").length !== 7) fail(`returned ${states}`);
  },
  async "gives nothing to another request"(store) {
    await expectState(store, by("a"), "reserved");
    await expectState(store, by("b", { request: "other" }), "mismatch");
    await store.keep(by("a"), RESPONSE);
    await expectState(store, by("b", { request: "other" }), "mismatch");
    await expectDone(store, by("c"));
  },
  async "frees a key for its owner only"(store) {
    await expectState(store, by("a"), "reserved");
    await store.free(by("b"));
    await expectState(store, by("b"), "running");
    await store.free(by("a"));
    await store.keep(by("a"), "late");
    await expectState(store, by("b", { request: "other" }), "reserved");
    await store.keep(by("a"), "late");
    await store.free(by("a"));
    await expectState(store, by("c", { request: "other" }), "running");
  },
  async "keeps a response for the lifetime, from the reservation on, and no longer"(store, pass) {
    await expectState(store, by("a"), "reserved");
    await pass(1800);
    await store.keep(by("a"), RESPONSE);
    await pass(1700);
    await expectDone(store, by("b"));
    await pass(200);
    await expectState(store, by("c", { request: "other" }), "reserved");
    await expectState(store, by("d", { request: "other" }), "running");
  },
  async "keeps no more keys of a client than it may have"(store, pass) {
    for (const key of ["1", "2", "3"]) await expectState(store, by("a", { key }), "reserved");
    await expectState(store, by("a", { key: "4" }), "full");
    await expectState(store, by("b", { key: "3" }), "running");
    await expectState(store, by("a", { key: "5", client: "bob" }), "reserved");
    await store.free(by("b", { key: "2" }));
    await expectState(store, by("a", { key: "4" }), "full");
    for (let turn = 0; turn < 2; turn++) await store.free(by("a", { key: "2" }));
    await expectState(store, by("a", { key: "4" }), "reserved");
    await expectState(store, by("a", { key: "6" }), "full");
    await store.keep(by("a", { key: "1" }), RESPONSE);
    await store.keep(by("a", { key: "3" }), RESPONSE);
    await store.keep(by("a", { key: "4" }), RESPONSE);
    await pass(3700);
    for (const key of ["6", "7", "8"]) await expectState(store, by("a", { key }), "reserved");
    await expectState(store, by("a", { key: "9" }), "full");
  },
  async "keeps one response, and frees no key that has one"(store) {
    await expectState(store, by("a"), "reserved");
    await store.keep(by("b"), "of another owner");
    await expectState(store, by("b"), "running");
    await store.keep(by("a"), RESPONSE);
    await store.keep(by("a"), "another");
    await store.free(by("a"));
    await expectDone(store, by("b"));
  },
  async "frees a key at the end of its lease, which its owner may renew"(store, pass) {
    if (store.renew === undefined) return;
    await expectState(store, by("a"), "reserved", LEASED);
    await pass(25);
    await store.renew(by("a"), 60);
    await store.renew(by("b"), 600);
    await pass(25);
    await expectState(store, by("b"), "running", LEASED);
    await pass(50);
    await expectState(store, by("b", { request: "other" }), "reserved", LEASED);
    await store.renew(by("a"), 600);
    await store.free(by("a"));
    await expectKept(store, by("a"), false);
    await expectState(store, by("c", { request: "other" }), "running", LEASED);
    await pass(50);
    await expectState(store, by("c"), "reserved", LEASED);
  },
  async "keeps the response to a leased key for the lifetime, from then on, and says so"(store, pass) {
    if (store.renew === undefined) return;
    await expectState(store, by("a"), "reserved", LEASED);
    await expectKept(store, by("b"), false);
    await expectKept(store, by("a", { key: "other" }), false);
    await expectKept(store, by("a"), true);
    await expectKept(store, by("a"), false);
    await store.renew(by("a"), 60);
    await pass(3500);
    await expectDone(store, by("b"));
    await pass(200);
    await expectKept(store, by("a"), false);
    await expectState(store, by("b", { request: "other" }), "reserved", LEASED);
  },
  async "keeps no more leased keys of a client than it may have"(store, pass) {
    if (store.renew === undefined) return;
    for (const key of ["1", "2", "3"]) await expectState(store, by("a", { key }), "reserved", LEASED);
    await expectState(store, by("a", { key: "4" }), "full", LEASED);
    await expectKept(store, by("a", { key: "1" }), true);
    await store.renew(by("a", { key: "2" }), 600);
    await pass(60);
    await expectState(store, by("a", { key: "4" }), "reserved", LEASED);
    await expectState(store, by("a", { key: "5" }), "full", LEASED);
    await expectState(store, by("b", { key: "2" }), "running", LEASED);
    await expectDone(store, by("b", { key: "1" }));
  },
  async "keeps any response as it is"(store) {
    const responses = ["", "[]", "' OR 1=1 --", "\\' $1 ?1 %s {a}\n", "\u00e9e\u0301\u{1d49c}", "long ".repeat(20_000)];
    for (const [index, response] of responses.entries()) {
      const reservation = by("a", { key: `key ${index}`, client: `client ${index}` });
      await expectState(store, reservation, "reserved");
      await store.keep(reservation, response);
      await expectDone(store, { ...reservation, owner: "b" }, response);
    }
  },
};

const RESPONSE = "the first response";

/** In seconds: an hour. */
const LIMITS: ReservationLimits = { lifetime: 3600, perClient: 3 };

/** In seconds: an hour, and half a minute. */
const LEASED: ReservationLimits = { lifetime: 3600, perClient: 3, lease: 30 };

function by(owner: string, other: Partial<Reservation> = {}): Reservation {
  return { key: "key", client: "ada", request: "request", owner, ...other };
}

async function expectState(
  store: IdempotencyStore,
  reservation: Reservation,
  state: Reserved["state"],
  limits = LIMITS,
): Promise<void> {
  const reserved = await store.reserve(reservation, limits);
  if (reserved.state !== state) fail(`returned ${JSON.stringify(reserved)} where the state is ${state}`);
}

async function expectDone(store: IdempotencyStore, reservation: Reservation, response = RESPONSE): Promise<void> {
  const reserved = await store.reserve(reservation, LIMITS);
  if (reserved.state !== "done" || reserved.response !== response) {
    fail(`returned ${JSON.stringify(reserved).slice(0, 100)} where the request is done`);
  }
}

async function expectKept(store: IdempotencyStore, reservation: Reservation, expected: boolean): Promise<void> {
  const isKept = await store.keep(reservation, RESPONSE, LIMITS.lifetime);
  if (isKept !== expected) fail(`returned ${isKept} where keep returns ${expected}`);
}
