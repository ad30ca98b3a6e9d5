import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { createSqliteSessions, createSqliteStore } from "../../../examples/recipes/sessions/sqlite_store.ts";
import { storeCases } from "../../../examples/recipes/sessions/store_cases.ts";
import { createSessions, LIFETIME, type Sessions } from "../../../examples/recipes/sessions/store.ts";
import { granted } from "../serve.ts";

const STORES: Readonly<Record<string, (now: () => number) => Sessions>> = {
  "memory": (now) => createSessions(now),
  "SQLite": (now) => createSqliteSessions(new DatabaseSync(":memory:"), now),
};

for (const [name, create] of Object.entries(STORES)) {
  describe(`sessions in ${name}`, () => {
    it(`sessions in ${name} are found by their id until they are deleted`, async () => {
      const sessions = create(() => 0);
      await sessions.add("a", "ada");
      await sessions.add("b", "bob");
      assertEquals(await Promise.all(["a", "b", "c", "", undefined].map((id) => sessions.find(id))), [
        "ada",
        "bob",
        ...[undefined, undefined, undefined],
      ]);
      await sessions.delete("a");
      await sessions.delete(undefined);
      assertEquals([await sessions.find("a"), await sessions.find("b")], [undefined, "bob"]);
    });

    it(`sessions in ${name} end after their lifetime`, async () => {
      let time = 0;
      const sessions = create(() => time);
      await sessions.add("a", "ada");
      time = LIFETIME - 1;
      assertEquals(await sessions.find("a"), "ada");
      time = LIFETIME;
      assertEquals(await sessions.find("a"), undefined);
    });
  });
}

describe("sessions in SQLite", () => {
  it("sessions in SQLite are kept without their ids, and removed once they have ended", async () => {
    let time = 0;
    const db = new DatabaseSync(":memory:");
    const sessions = createSqliteSessions(db, () => time);
    await sessions.add("secret id", "ada");
    assert(!JSON.stringify(db.prepare("SELECT * FROM sessions").all()).includes("secret id"));
    time = LIFETIME;
    await sessions.add("another id", "bob");
    assertEquals(db.prepare("SELECT user FROM sessions").all().map(({ user }) => user), ["bob"]);
  });
});

describe("a store of sessions in SQLite", () => {
  for (const { name, run } of storeCases) it(name, () => run(createSqliteStore(new DatabaseSync(":memory:"))));

  it("has no ids, and removes sessions that have ended", async () => {
    const db = new DatabaseSync(":memory:");
    const store = createSqliteStore(db);
    await store.add({ digest: "a", user: "ada", begunAt: 1000, endsAt: 2000 }, 9);
    await store.add({ digest: "b", user: "bob", begunAt: 1999, endsAt: 5000 }, 9);
    assertEquals(db.prepare("SELECT digest FROM user_sessions").all().map(({ digest }) => digest), ["a", "b"]);
    await store.add({ digest: "c", user: "bob", begunAt: 2000, endsAt: 5000 }, 9);
    assertEquals(db.prepare("SELECT digest FROM user_sessions").all().map(({ digest }) => digest), ["b", "c"]);
  });

  (granted("read", "write") ? it : it.skip)("outlives the process, and is one for several processes", async () => {
    const file = await Deno.makeTempFile();
    try {
      const [one, other] = [1, 2].map(() => createSqliteStore(new DatabaseSync(file)));
      await one?.add({ digest: "a", user: "ada", begunAt: 1000, endsAt: 2000 }, 9);
      assertEquals((await other?.find("a"))?.user, "ada");
      await other?.end("a");
      assertEquals(await one?.find("a"), undefined);
    } finally {
      await Deno.remove(file);
    }
  });
});
