/** How much a key has used. Types only. */

/** A bucket of `quota` requests, which fills up evenly within `window` seconds. */
export interface Quota {
  /** How many requests at once. */
  readonly quota: number;
  /** After how many seconds an empty bucket is full again. */
  readonly window: number;
}

/** What came of one request. */
export interface Taken {
  /** Whether there was a whole request left to take. */
  readonly allowed: boolean;
  /** How many requests the bucket lacks now, from 0 to `quota`. It may be a fraction. */
  readonly missing: number;
}

/**
 * Keeps a bucket for each key. {@linkcode createMemoryStore} makes one for a single instance. Instances that share
 * their limits need one in a database.
 */
export interface RateLimitStore {
  /**
   * Takes one request out of the bucket of a key, if a whole one is left. Must be atomic: no two calls take the same.
   *
   * @param key The key: printable ASCII, at most 250 characters. It contains the policy of the limit.
   * @param quota The size of the bucket. A key always comes with the same.
   * @returns What came of it, or a promise of that.
   */
  take(key: string, quota: Quota): Taken | Promise<Taken>;
}
