/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = 3;

/** Thrown if the tables of a database are not those that this program uses. */
export class SchemaMismatch extends Error {
  /** The name of the error. */
  override readonly name = "SchemaMismatch";
}

/**
 * Checks that a database has the tables of its version. Call it before any change.
 *
 * @param version The version of the database, 0 if it is new.
 * @param columns The existing columns of the tables in `TABLES`, each as `table.column`.
 * @throws `SchemaMismatch` if the tables are of a later version or of another program.
 */
export function checkSchema(version: number, columns: readonly string[]): void {
  if (version > SCHEMA_VERSION) {
    throw new SchemaMismatch(
      `The tables of the database have version ${version}, but this program works with ${SCHEMA_VERSION}: update it`,
    );
  }
  const missing = COLUMNS.filter(({ since, name }) => since <= version && !columns.includes(name));
  if (missing.length > 0) {
    throw new SchemaMismatch(
      `The tables of the database are not those of version ${version} of the books: ` +
        `there is no ${missing.map(({ name }) => name).join(", ")}`,
    );
  }
  if (version === 0 && columns.length > 0) {
    throw new SchemaMismatch(`The database has tables of another program: ${columns.join(", ")}`);
  }
}

/** The columns, each with the version that added it. */
const COLUMNS = [
  { since: 1, name: "authors.id" },
  { since: 1, name: "authors.name" },
  { since: 1, name: "books.id" },
  { since: 1, name: "books.title" },
  { since: 1, name: "books.author_id" },
  { since: 1, name: "books.created_at" },
  { since: 1, name: "clock.last" },
  { since: 2, name: "books.top" },
  { since: 3, name: "idempotency_keys.key" },
  { since: 3, name: "idempotency_keys.id" },
  { since: 3, name: "idempotency_keys.title" },
  { since: 3, name: "idempotency_keys.author_id" },
  { since: 3, name: "idempotency_keys.created_at" },
];

/** The names of the tables. */
export const TABLES: readonly string[] = [...new Set(COLUMNS.map(({ name }) => name.replace(/\..*/, "")))];
