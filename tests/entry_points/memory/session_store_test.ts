import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SessionStore, StoredSession } from "../../../src/session/mod.ts";
import { sessionStore } from "../../../src/memory/mod.ts";
import { storeCases as allCases } from "../../../src/testing/mod.ts";
import { rejectTogether } from "../../support/reject_together.ts";

const storeCases = allCases.sessions;

/** Nothing passes: a store in memory has no clock. */
const pass = () => {};

const ADA: StoredSession = { digest: "a", user: "ada", begunAt: 1000, endsAt: 2000 };

async function left(store: SessionStore, ...digests: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(digests.map((digest) => store.find(digest)));
  return found.flatMap((session) => session?.digest ?? []);
}

describe("a store of sessions in memory", () => {
  for (const [name, run] of Object.entries(storeCases)) it(name, () => run(sessionStore({ most: 100 }), pass));

  it("has at most as many sessions as it may, and removes those first that were not renewed for longest", async () => {
    const store = sessionStore({ most: 3 });
    for (const digest of ["a", "b", "c"]) await store.add({ ...ADA, digest, user: digest }, 9);
    await store.renew("a", 3000);
    await store.add({ ...ADA, digest: "d", user: "d" }, 9);
    assertEquals(await left(store, "a", "b", "c", "d"), ["a", "c", "d"]);
    await store.end("c");
    await store.add({ ...ADA, digest: "e", user: "e" }, 9);
    assertEquals(await left(store, "a", "b", "c", "d", "e"), ["a", "d", "e"]);
  });

  it("removes sessions that have ended when one is added", async () => {
    const store = sessionStore({ most: 100 });
    for (const digest of ["a", "b"]) await store.add({ ...ADA, digest }, 9);
    await store.add({ ...ADA, digest: "c", begunAt: 1999, endsAt: 5000 }, 9);
    assertEquals(await left(store, "a", "b", "c"), ["a", "b", "c"]);
    await store.add({ ...ADA, digest: "d", begunAt: 2000, endsAt: 5000 }, 9);
    assertEquals(await left(store, "a", "b", "c", "d"), ["c", "d"]);
  });

  it("counts a user's sessions after some of them have ended", async () => {
    const store = sessionStore({ most: 100 });
    for (const digest of ["a", "b"]) await store.add({ ...ADA, digest }, 2);
    await store.end("a");
    await store.end("b");
    for (const digest of ["c", "d"]) await store.add({ ...ADA, digest }, 2);
    assertEquals(await left(store, "a", "b", "c", "d"), ["c", "d"]);
  });

  it("keeps the latest of a user's sessions if all of them end in the same millisecond", async () => {
    const store = sessionStore({ most: 100 });
    for (const digest of ["a", "b", "c"]) await store.add({ ...ADA, digest }, 2);
    assertEquals(await left(store, "a", "b", "c"), ["b", "c"]);
  });

  it("throws for a bound that is not a whole number", () => {
    for (const most of [0, -1, 1.5, NaN, 1_000_001, "5" as unknown as number]) {
      assertThrows(
        () => sessionStore({ most }),
        TypeError,
        `Option most of sessionStore must be a whole number from 1 to 1000000: received ${most}`,
      );
    }
    sessionStore({ most: 1e6 });
    const max = { max: 5 } as unknown as { most: number };
    assertThrows(() => sessionStore(max), TypeError, 'Option "max" of sessionStore is unknown');
  });
});

/** Stores that make one mistake each. */
const BROKEN: Readonly<Record<string, (store: SessionStore) => Partial<SessionStore>>> = {
  "finds nothing": () => ({ find: () => undefined }),
  "finds something for any digest": (store) => ({ find: async (digest) => await store.find(digest) ?? ADA }),
  "changes a user": (store) => ({ add: (session, most) => store.add({ ...session, user: "eve" }, most) }),
  "changes a digest": (store) => ({ find: async (digest) => await store.find(digest) && ADA }),
  "loses when a session began": (store) => ({ add: (session, most) => store.add({ ...session, begunAt: 0 }, most) }),
  "returns times as strings": (store) => ({
    find: async (digest) => {
      const found = await store.find(digest);
      return found && ({ ...found, endsAt: String(found.endsAt) } as unknown as StoredSession);
    },
  }),
  "does not say that it keeps data": () => ({ keepsData: undefined as unknown as true }),
  "loses data": (store) => ({ add: ({ data: _, ...session }, most) => store.add(session, most) }),
  "loses data when it renews": (store) => ({
    async renew(digest, endsAt) {
      const found = await store.find(digest);
      if (found?.data === undefined) return await store.renew(digest, endsAt);
      const { data: _, ...session } = found;
      await store.end(digest);
      await store.add({ ...session, endsAt }, 100);
      return true;
    },
  }),
  "keeps data of a session that has ended": (store) => {
    const all = new Map<string, string>();
    return {
      add({ data, ...session }, most) {
        if (data !== undefined) all.set(session.digest, data);
        return store.add(session, most);
      },
      async find(digest) {
        const [found, data] = [await store.find(digest), all.get(digest)];
        return found && data !== undefined ? { ...found, data } : found;
      },
    };
  },
  "cuts off data": (store) => ({
    add: ({ data = "", ...session }, most) =>
      store.add(data ? { ...session, data: data.slice(0, 4095) } : session, most),
  }),
  "does not end": () => ({ end: () => {} }),
  "renews what is not there": (store) => ({
    async renew(digest, endsAt) {
      if (await store.find(digest) === undefined) await store.add({ ...ADA, digest, endsAt }, 100);
      return true;
    },
  }),
  "adds what it renews": (store) => ({
    async renew(digest, endsAt) {
      const there = await store.renew(digest, endsAt);
      if (!there) await store.add({ ...ADA, digest, endsAt }, 100);
      return there;
    },
  }),
  "does not renew": () => ({ renew: () => true }),
  "ends what it renews": (store) => ({
    async renew(digest, endsAt) {
      const there = await store.renew(digest, endsAt);
      await store.end(digest);
      return there;
    },
  }),
  "says that it does not renew": (store) => ({
    async renew(digest, endsAt) {
      await store.renew(digest, endsAt);
      return false;
    },
  }),
  "does not find a session that ends later": (store) => ({
    renew: async (digest, endsAt) =>
      endsAt > ((await store.find(digest))?.endsAt ?? 0) && await store.renew(digest, endsAt),
  }),
  "renews to an earlier end": (store) => ({
    async renew(digest, endsAt) {
      const found = await store.find(digest);
      if (found === undefined) return false;
      await store.end(digest);
      await store.add({ ...found, endsAt }, 100);
      return true;
    },
  }),
  "has no bound per user": (store) => ({ add: (session) => store.add(session, 1000) }),
  "has a bound of one more": (store) => ({ add: (session, most) => store.add(session, most + 1) }),
  "has a bound for all users": (store) => ({
    async add(session, most) {
      if (most < 100) await store.endOthers("bob", undefined);
      await store.add(session, most);
    },
  }),
  "does not add beyond the bound": (store) => ({
    async add(session, most) {
      if (most === 1) return;
      await store.add(session, most);
    },
  }),
  "keeps a user's sessions that would end first": (store) => ({
    add: (session, most) => most === 2 ? store.end("a") : store.add(session, most),
  }),
  "ends no others": () => ({ endOthers: () => {} }),
  "ends all of a user": (store) => ({ endOthers: (user) => store.endOthers(user, undefined) }),
  "ends the others of all users": (store) => ({
    async endOthers(user, digest) {
      await store.endOthers(user, digest);
      await store.endOthers(user === "ada" ? "bob" : "ada", undefined);
    },
  }),
  "removes what has not ended": (store) => ({
    async add(session, most) {
      if (session.user === "carol") await store.end("b");
      await store.add(session, most);
    },
  }),
  "ignores case": (store) => ({
    add: (session, most) => store.add({ ...session, user: session.user.toLowerCase() }, most),
  }),
  "normalizes users": (store) => ({
    endOthers: (user, digest) => store.endOthers(user.normalize("NFC"), digest),
  }),
  "ends the sessions of similar users": (store) => ({
    async endOthers(user, digest) {
      await store.endOthers(user, digest);
      await store.endOthers(user.trim(), digest);
    },
  }),
};

describe("storeCases", () => {
  for (const [name, breakStore] of Object.entries(BROKEN)) {
    it(`finds a store that ${name}`, async () => {
      const all = async () => {
        await rejectTogether(
          Object.values(storeCases).map((run) => {
            const store = sessionStore({ most: 100 });
            return () => run({ ...store, ...breakStore(store) }, pass);
          }),
        );
      };
      await assertRejects(all, Error, "The store ");
    });
  }

  it("finds a store that counts a user's sessions before it adds one", async () => {
    const [, run] = Object.entries(storeCases).find(([name]) => name.includes("many times at once")) ?? [];
    const store = sessionStore({ most: 100 });
    const racing: SessionStore = {
      ...store,
      async add(session, most) {
        await Promise.resolve();
        store.add(session, most === 3 ? 8 : most);
      },
    };
    await assertRejects(
      async () => await run?.(racing, pass),
      Error,
      "The store kept another number of sessions than 3",
    );
  });
});
