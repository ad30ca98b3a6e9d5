/** A store that cannot respond now, but may in a moment: its database is out of reach, or short of time or space. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
