import { idempotencyTable as postgresTable } from "../../../../src/postgres/mod.ts";
import { idempotencyTable as sqliteTable } from "../../../../src/sqlite/mod.ts";

/** The lease of the instances, in seconds. */
export const LEASE = 2;

/** The tables of each engine. */
export const TABLE = {
  postgres: `CREATE TABLE orders (id serial PRIMARY KEY, name text NOT NULL); ${postgresTable()}`,
  sqlite: `CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, name TEXT NOT NULL); ${sqliteTable()}`,
} as const;
