import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { createSqliteStore } from "../../../examples/recipes/sessions/sqlite_store.ts";
import { storeCases } from "../../../examples/recipes/sessions/store_cases.ts";
import { granted } from "../serve.ts";

describe("a store of sessions in SQLite", () => {
  for (const [name, run] of Object.entries(storeCases)) {
    it(name, () => run(createSqliteStore(new DatabaseSync(":memory:"))));
  }

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
