/** The tables of a database are not those that this program works with. */
export class SchemaMismatch extends Error {
  /** The name of the error. */
  override readonly name = "SchemaMismatch";
}
