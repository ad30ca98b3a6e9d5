/** Runs the cases of the stores in SQLite on Deno, Bun or Node.js, with the driver of the runtime. Prints how many passed. */
import {
  deliveryStore,
  deliveryTable,
  eventLog,
  eventTable,
  idempotencyStore,
  idempotencyTable,
  rateLimitStore,
  rateLimitTable,
  sessionStore,
  sessionTable,
  type SqliteClient,
} from "../../../src/sqlite/mod.ts";
import { storeCases } from "../../../src/testing/mod.ts";

// Not as a constant: a bundler would look for the module of the other runtime.
const [driver, name] = "Bun" in globalThis ? ["bun:sqlite", "Database"] : ["node:sqlite", "DatabaseSync"];
const { [name]: Database } = await import(driver);

let passed = 0;
/** Runs each case with a new database, in which time can pass. */
async function runAll<Store>(
  cases: { readonly [title: string]: (store: Store, pass: (seconds: number) => void) => Promise<void> },
  create: (db: SqliteClient) => Store,
): Promise<void> {
  for (const [title, run] of Object.entries(cases)) {
    const db = new Database(":memory:");
    db.exec(sessionTable() + rateLimitTable() + idempotencyTable() + deliveryTable() + eventTable());
    const pass = (seconds: number) =>
      db.exec(`UPDATE fw_sessions SET ends_at = ends_at - ${seconds * 1000};
        UPDATE fw_rate_limits SET at = at - ${seconds}, ends_at = ends_at - ${seconds};
        UPDATE fw_deliveries SET ends_at = ends_at - ${seconds * 1000};
        UPDATE fw_idempotency SET ends_at = ends_at - ${seconds * 1000}`);
    try {
      await run(create(db), pass);
    } catch (error) {
      throw new Error(title, { cause: error });
    }
    db.close();
    passed++;
  }
}

await runAll(storeCases.sessions, (db) => sessionStore(db));
await runAll(storeCases.rateLimits, (db) => rateLimitStore(db));
await runAll(storeCases.idempotency, (db) => idempotencyStore(db));
await runAll(storeCases.deliveries, (db) => deliveryStore(db));
await runAll(storeCases.eventLogs, (db) => eventLog(db, { keep: 10, interval: 0.02 }));
console.log(`${passed} passed`);
