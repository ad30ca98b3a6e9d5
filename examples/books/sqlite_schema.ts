import type { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import { checkVersion, migrationsOf, SCHEMA_VERSION } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and processes that start at the same time wait for its end. Tables of another program, or of a
 * later version, make it fail.
 */
export function migrate(db: DatabaseSync, seed: Seed): void {
  transact(db, () => {
    const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
    checkVersion(version);
    for (const statements of migrationsOf(seed).slice(version)) db.exec(statements);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
