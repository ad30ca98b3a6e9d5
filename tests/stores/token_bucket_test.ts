/** The rule of rate limits in memory and in SQLite. `tests/slow/stores/` has PostgreSQL and Redis. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { rateLimitStore, rateLimitTable } from "../../src/sqlite/mod.ts";
import { takeFrom } from "../../src/stores/token_bucket.ts";
import { assertTaken, TOKEN_BUCKETS } from "../support/token_buckets.ts";

describe("a request takes out of a bucket", () => {
  for (const bucket of TOKEN_BUCKETS) {
    const { about, state, time, quota, window } = bucket;
    it(`in memory, where ${about}`, () => {
      const before = state && { missing: state[0], at: state[1] };
      const taken = takeFrom(before, time, { quota, window });
      assertTaken(taken, bucket);
    });

    it(`in SQLite, where ${about}`, async () => {
      const db = new DatabaseSync(":memory:");
      db.exec(rateLimitTable());
      if (state) db.prepare("INSERT INTO fw_rate_limits VALUES ('k', ?, ?, 1e10, 1, 0)").run(...state);
      // The statements of the store, at a time that is given.
      const store = rateLimitStore({
        exec: (sql) => db.exec(sql),
        prepare: (sql) => db.prepare(sql.replaceAll("unixepoch('subsec')", `${time}`)),
      });
      const taken = await store.take("k", { quota, window });
      assertTaken(taken, bucket);
      const stored = db.prepare("SELECT missing, at FROM fw_rate_limits WHERE key = 'k'").get();
      assertEquals([stored?.missing, stored?.at], [taken.missing, time]);
    });
  }
});
