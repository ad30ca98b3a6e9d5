/** The version of the tables that this program uses. */
export const SCHEMA_VERSION = 3;

/** Thrown if the tables of a database are not those that this program uses. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

/** Throws `SchemaMismatch` if the tables are of a later version than this program. */
export function checkVersion(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new SchemaMismatch(
    `The tables of the database have version ${version}, but this program works with ${SCHEMA_VERSION}: update it`,
  );
}
