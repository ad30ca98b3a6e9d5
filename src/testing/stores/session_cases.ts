import type { SessionStore, StoredSession } from "../../stores/stores.ts";
import { fail, type StoreCases } from "./store_case.ts";

/** The tests that a store of sessions must pass. */
export const sessionCases: StoreCases<SessionStore> = {
  async "finds each session as it was added, and no other"(store) {
    await addAll(store, ADA, BOB);
    await expectFound(store, ADA, BOB);
    if (await store.find("x") !== undefined || await store.find("") !== undefined) fail("found an unknown digest");
  },
  async "ends one session, for good"(store) {
    await addAll(store, ADA, BOB, { ...ADA, digest: "c" });
    await store.end("a");
    await store.end("a");
    if (await store.renew("a", at(9000)) !== false) fail("renewed a session that was ended");
    await expectGone(store, "a");
    await expectFound(store, BOB, { ...ADA, digest: "c" });
  },
  async "renews a session, and never to an earlier end"(store) {
    await addAll(store, ADA, BOB);
    if (await store.renew("a", at(9000)) !== true) fail("did not find a session to renew");
    if (await store.renew("a", at(3000)) !== true) fail("did not find a session with a later end");
    await expectFound(store, { ...ADA, endsAt: at(9000) }, BOB);
  },
  async "ends the sessions of a user beyond the bound, those first that would end first, and nobody else's"(store) {
    await addAll(store, { ...ADA, endsAt: at(8000) }, BOB, { ...ADA, digest: "b2", begunAt: at(1500) });
    await store.add({ ...ADA, digest: "c", begunAt: at(2000), endsAt: at(5000) }, 2);
    await expectGone(store, "b2");
    await store.add({ ...ADA, digest: "d", begunAt: at(2000), endsAt: at(2001) }, 1);
    await expectGone(store, "a", "c");
    await expectFound(store, { ...ADA, digest: "d", begunAt: at(2000), endsAt: at(2001) }, BOB);
  },
  async "counts no session that was ended, and each with its latest end"(store) {
    const b2 = { ...ADA, digest: "b2", endsAt: at(4500) };
    const c = { ...ADA, digest: "c", endsAt: at(5000) };
    const d = { ...ADA, digest: "d", endsAt: at(4600) };
    await addAll(store, ADA, b2, c);
    await store.renew("a", at(9000));
    await store.end(c.digest);
    await store.add(d, 3);
    await expectFound(store, { ...ADA, endsAt: at(9000) }, b2, d);
    await store.add(c, 2);
    await expectFound(store, { ...ADA, endsAt: at(9000) }, c);
    await expectGone(store, b2.digest, d.digest);
  },
  async "keeps the bound of a user who signs in many times at once"(store) {
    const many = Array.from({ length: 8 }, (_, index) => ({ ...ADA, digest: `many ${index}` }));
    await Promise.all(many.map((session) => store.add(session, 3)));
    const left = await Promise.all(many.map(({ digest }) => store.find(digest)));
    if (left.filter(Boolean).length !== 3) fail("kept another number of sessions than 3");
  },
  async "ends the other sessions of a user, and nobody else's"(store) {
    const others = ["c", "d"].map((digest) => ({ ...ADA, digest }));
    await addAll(store, ADA, BOB, ...others);
    await store.endOthers("ada", "a");
    await expectGone(store, "c", "d");
    await expectFound(store, ADA, BOB);
    await store.endOthers("ada", "b");
    await expectGone(store, "a");
    await store.endOthers("bob", undefined);
    await expectGone(store, "b");
    await store.endOthers("carol", undefined);
  },
  async "removes no session that has not ended"(store) {
    await addAll(store, ADA, { ...BOB, endsAt: at(2500) });
    await addAll(store, { ...ADA, digest: "c", user: "carol", begunAt: at(2499), endsAt: at(9000) });
    await expectFound(store, ADA, { ...BOB, endsAt: at(2500) });
  },
  async "forgets nothing while time passes, until a session ends"(store, pass) {
    await addAll(store, ADA, { ...BOB, endsAt: at(2001) });
    await pass(1800);
    const [ada, bob] = [await store.find("a"), await store.find("b")];
    if (ada?.user !== "ada" || bob?.user !== "bob") fail("lost a session");
    if (await store.renew("b", at(5000)) !== true) fail("did not find a session to renew");
    await pass(3_600_000);
    if ((await store.find("b"))?.user !== "bob") fail("lost a session that was renewed");
  },
  async "keeps the data of a session until it ends, and no other session's"(store) {
    if (store.keepsData !== true) fail("does not say that it keeps data: its keepsData must be true");
    const texts = [
      '{"tenant":"north","role":"admin"}',
      '"\' \\\\ OR 1=1 -- \\u0000 \u00e9\u{1d49c}\\n"',
      `"${"x".repeat(4094)}"`,
    ];
    const sessions = texts.map((data, index) => ({ ...ADA, digest: `data ${index}`, data }));
    await addAll(store, ADA, ...sessions, BOB);
    await store.renew("data 0", at(9000));
    const [first, ...others] = sessions;
    await expectFound(store, ADA, { ...ADA, ...first, digest: "data 0", endsAt: at(9000) }, ...others, BOB);
    // A session that has ended leaves no data to one of its digest, however it has ended.
    const plain = texts.map((_, index) => ({ ...ADA, digest: `data ${index}` }));
    await store.end("data 0");
    await store.endOthers("ada", "data 2");
    await store.add({ ...ADA, digest: "data 3", data: "[]" }, 1);
    await expectGone(store, ...plain.map(({ digest }) => digest));
    await addAll(store, ...plain);
    await expectFound(store, ...plain, { ...ADA, digest: "data 3", data: "[]" }, BOB);
  },
  async "takes any string for a user"(store) {
    const users = "__proto__,constructor,Ada,' OR 1=1 --,\\' OR 1=1 --,%,\u00e9,e\u0301,\u{1d49c}, ada,{a} 1 2\n".split(
      ",",
    );
    users.push(`${"long ".repeat(2000)}end`);
    const sessions = users.map((user, index) => ({ ...ADA, user, digest: `user ${index}` }));
    await addAll(store, ADA, ...sessions);
    await expectFound(store, ADA, ...sessions);
    for (const user of users) await store.endOthers(user, undefined);
    await expectGone(store, ...sessions.map(({ digest }) => digest));
    await expectFound(store, ADA);
  },
};

/** An hour for each number. 2000 is when this module was loaded. No engine's expiry is near. */
function at(hour: number): number {
  return LOADED_AT + (hour - 2000) * 3_600_000;
}

const LOADED_AT = /* @__PURE__ */ Date.now();
const ADA = /* @__PURE__ */ session("a", "ada");
const BOB = /* @__PURE__ */ session("b", "bob");

function session(digest: string, user: string): StoredSession {
  return { digest, user, begunAt: at(1000), endsAt: at(4000) };
}

async function addAll(store: SessionStore, ...sessions: readonly StoredSession[]): Promise<void> {
  for (const session of sessions) await store.add(session, 100);
}

async function expectFound(store: SessionStore, ...sessions: readonly StoredSession[]): Promise<void> {
  for (const { digest, user, begunAt, endsAt, data } of sessions) {
    const found = await store.find(digest);
    const received = [found?.digest, found?.user, found?.begunAt, found?.endsAt, found?.data];
    if ([digest, user, begunAt, endsAt, data].some((value, index) => value !== received[index])) {
      fail(`found ${JSON.stringify(found)} for ${JSON.stringify(digest)}`);
    }
  }
}

async function expectGone(store: SessionStore, ...digests: readonly string[]): Promise<void> {
  for (const digest of digests) {
    if (await store.find(digest) !== undefined) fail(`found ${JSON.stringify(digest)}, which has ended`);
  }
}
