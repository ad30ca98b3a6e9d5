import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { eventLog, eventTable } from "../../src/sqlite/mod.ts";
import { publishNow, type Webhook } from "../../src/webhooks/mod.ts";
import { readLog } from "../support/read_log.ts";

const schemas = { "order.paid": z.object({ id: z.string() }) };

describe("publishNow()", () => {
  it("adds a webhook if the transaction is committed, and else none", async () => {
    const db = new DatabaseSync(":memory:");
    db.exec(eventTable());
    const log = eventLog<Webhook<typeof schemas>>(db, { keep: 10 });
    for (const end of ["ROLLBACK", "COMMIT"]) {
      db.exec("BEGIN");
      publishNow(log, "order.paid", { id: end });
      db.exec(end);
    }
    const [[, webhook] = []] = await readLog(log, "0", 1);
    const { type, timestamp, data } = webhook ?? {};
    assertEquals([type, data], ["order.paid", { id: "COMMIT" }]);
    assertEquals(Number.isNaN(Date.parse(String(timestamp))), false);
    assertEquals(db.prepare("SELECT count(*) AS count FROM fw_events").get()?.count, 1);
  });
});
