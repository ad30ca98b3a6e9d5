/** The store of deliveries in a real SQLite, by `node:sqlite`. */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { deliveryStore, deliveryTable } from "../../src/sqlite/mod.ts";
import { storeCases } from "../../src/testing/mod.ts";

function open(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(deliveryTable());
  return db;
}

describe("the store of deliveries in SQLite", () => {
  for (const [name, run] of Object.entries(storeCases.deliveries)) {
    it(name, () => {
      const db = open();
      return run(
        deliveryStore(db),
        (seconds) => db.exec(`UPDATE fw_deliveries SET ends_at = ends_at - ${seconds * 1000}`),
      );
    });
  }

  it("says that the table is missing, with the statement that creates it", () => {
    const db = new DatabaseSync(":memory:");
    const create = "Create it:\nCREATE TABLE IF NOT EXISTS sent (";
    const { message } = assertThrows(() => deliveryStore(db, { name: "sent" }), Error, create);
    db.exec(message.slice(message.indexOf("CREATE")));
    assertEquals(deliveryStore(db, { name: "sent" }).take("ada", "a", 1), { position: null });
  });

  it("rejects what the engine would change", () => {
    const store = deliveryStore(open());
    for (const receiver of ["a\0b", "\ud800", "x".repeat(251)]) {
      assertThrows(() => store.take(receiver, "a", 1), TypeError, "Arguments of a store must be well-formed strings");
    }
  });
});
