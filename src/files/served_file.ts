/** A file that is about to be sent. */
export interface ServedFile {
  /** Its real path. With `precompressed`, it may be the path of the compressed file. */
  readonly path: string;
  /** Its length in bytes. */
  readonly size: number;
  /** When it changed; now, if its date is in the future. */
  readonly lastModified: Date;
  /**
   * A text that differs between any two versions of the file on this machine. `undefined` if it keeps changing, because
   * it may change again within one tick of the clock.
   */
  readonly version: string | undefined;
}
