/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = 3;

/** Thrown if the tables of a database are not those that this program uses. */
export class SchemaMismatch extends Error {
  /** The name of the error. */
  override readonly name = "SchemaMismatch";
}

/**
 * Checks that this program can use the tables of a database.
 *
 * @param version The version of the tables.
 * @throws `SchemaMismatch` if it is a later version than that of this program.
 */
export function checkVersion(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new SchemaMismatch(
    `The tables of the database have version ${version}, but this program works with ${SCHEMA_VERSION}: update it`,
  );
}
