// @ts-types="@types/pg"
import type pg from "pg";
import { transact } from "./postgres_transact.ts";
import { migrationsOf } from "./schema.ts";
import type { Seed } from "./store.ts";

/**
 * Creates the tables, or migrates those of an earlier version. This happens in one transaction: others never see an
 * incomplete migration, and instances that start at the same time wait for its end. Tables of another program make it
 * fail. Returns the version that the tables have now.
 */
export async function migrate(client: pg.ClientBase, seed: Seed): Promise<number> {
  const [, , , , versions] = await transact(
    client,
    `
      -- Migrations take turns.
      SELECT pg_advisory_xact_lock(hashtext('create the tables of books'));
      -- ALTER TABLE waits until no transaction uses the table, and blocks all others meanwhile: not for long.
      SET LOCAL lock_timeout = '2s';
      -- In the string literals of the seed, a backslash is a backslash.
      SET LOCAL standard_conforming_strings = on;
      DO ${client.escapeLiteral(migrationSql(seed))};
      SELECT version FROM books_version;
    `,
  );
  return Number(versions?.[0]?.version);
}

/** Version 1 did not store its number. */
function migrationSql(seed: Seed): string {
  const steps = migrationsOf(seed).map((statements, version) => `
    IF (SELECT version FROM books_version) = ${version} THEN
      ${statements}
      UPDATE books_version SET version = ${version + 1};
    END IF;
  `);
  return `BEGIN
    IF to_regclass('books_version') IS NULL THEN
      CREATE TABLE books_version (version integer NOT NULL);
      INSERT INTO books_version SELECT CASE WHEN to_regclass('clock') IS NULL THEN 0 ELSE 1 END;
    END IF;
    ${steps.join("")}
  END`;
}
