/** What the stores of sessions, rate limits and idempotency keys do. Types only: the stores are in several entry points. */

/**
 * A session, as a store keeps it. It has no id, so nobody who reads the store can use the session. Times are in
 * milliseconds since 1970.
 */
export interface StoredSession {
  /** The SHA-256 digest of the cookie, `name=id`: 64 hexadecimal digits. */
  readonly digest: string;
  /** The user, as `begin` received it. */
  readonly user: string;
  /** When the session began. */
  readonly begunAt: number;
  /** When it ends, unless it is renewed. */
  readonly endsAt: number;
  /** The data that the app keeps with the session, as JSON: at most 4,096 bytes. */
  readonly data?: string | undefined;
}

/**
 * Keeps sessions. `sessionStore` of `@fw/core/memory` makes one for a single instance. Instances that share their
 * sessions need one of `@fw/core/sqlite`, `/postgres` or `/redis`, or one of your own: each method is atomic, and may
 * return a promise. If a method fails, the request fails: nobody is let in.
 *
 * A store needs no clock. The guards ignore a session that has ended.
 */
export interface SessionStore {
  /** Whether `find` returns the data with which a session was added. `createSessions` with the option `data` needs it. */
  readonly keepsData?: true;
  /**
   * Adds a session. If the user then has more than `perUser` sessions, ends the sessions of this user that would end
   * first, but never the new one. May also remove sessions that have ended. Must leave all others alone.
   */
  add(session: StoredSession, perUser: number): void | Promise<void>;
  /** Finds a session. A session that has ended may be missing. */
  find(digest: string): StoredSession | undefined | Promise<StoredSession | undefined>;
  /**
   * Moves the end of a session, if the new end is later. Must not add a session that no longer exists: it was ended in
   * the meantime.
   *
   * @returns Whether there is such a session.
   */
  renew(digest: string, endsAt: number): boolean | Promise<boolean>;
  /** Ends a session, if it exists. */
  end(digest: string): void | Promise<void>;
  /** Ends all sessions of a user, except one. */
  endOthers(user: string, exceptDigest: string | undefined): void | Promise<void>;
}

/** A bucket of `quota` requests, which fills up evenly within `window` seconds. */
export interface Quota {
  /** How many requests at once. */
  readonly quota: number;
  /** After how many seconds an empty bucket is full again. */
  readonly window: number;
}

/** The result of one request. */
export interface Taken {
  /** Whether there was a whole request left to take. */
  readonly allowed: boolean;
  /** How many requests the bucket lacks now, from 0 to `quota`. It may be a fraction. */
  readonly missing: number;
}

/**
 * Keeps a bucket for each key. `rateLimitStore` of `@fw/core/memory` makes one for a single instance. Instances that
 * share their limits need one of `@fw/core/sqlite`, `/postgres` or `/redis`, or one of your own.
 */
export interface RateLimitStore {
  /**
   * Takes one request out of the bucket of a key, if a whole one is left. Must be atomic: two calls never take the same
   * request.
   *
   * @param key The key: printable ASCII, at most 250 characters. It contains the policy of the limit.
   * @param quota The size of the bucket. A key always comes with the same quota.
   * @returns The result, or a promise of it.
   */
  take(key: string, quota: Quota): Taken | Promise<Taken>;
}

/** A request that is to run once. All parts are short printable ASCII. */
export interface Reservation {
  /** A digest of the client and its key. */
  readonly key: string;
  /** A digest of the client. */
  readonly client: string;
  /** A digest of the request. */
  readonly request: string;
  /** A random id of this attempt: only its owner keeps a response or frees the key. */
  readonly owner: string;
}

/** The bounds of a store of idempotency keys. */
export interface ReservationLimits {
  /** After how many seconds a key is free again, counted from the reservation. */
  readonly lifetime: number;
  /** How many keys of one client are kept. */
  readonly perClient: number;
  /**
   * After how many seconds a key without a response is free again, instead of after `lifetime`. The owner renews it
   * while it works: if its process dies, nobody waits longer than this.
   */
  readonly lease?: number | undefined;
}

/**
 * What came of a reservation.
 *
 * - `reserved`: the key was free, and is the caller's.
 * - `running`: another request has the key, and no response yet.
 * - `done`: the first request has ended with this response.
 * - `mismatch`: the key belongs to a request with another digest.
 * - `full`: the client has as many keys as it may have.
 */
export type Reserved =
  | { readonly state: "reserved" | "running" | "mismatch" | "full" }
  | { readonly state: "done"; readonly response: string };

/**
 * Keeps idempotency keys and the responses to their requests. `idempotencyStore` of `@fw/core/memory` makes one for a single instance.
 * Instances that share their keys need one of `@fw/core/sqlite`, `/postgres` or `/redis`, or one of your own.
 */
export interface IdempotencyStore {
  /** Reserves a key, unless it is taken. Must be atomic: of several calls with a free key, one gets it. */
  reserve(reservation: Reservation, limits: ReservationLimits): Reserved | Promise<Reserved>;
  /**
   * Keeps the response, if the key is still the owner's and has none. Must be atomic. In SQL, a store made from the
   * client of a transaction writes it in that transaction.
   *
   * @param reservation The reservation.
   * @param response The response.
   * @param lifetime For how many seconds from now; for the rest of the lifetime if it is `undefined`.
   * @returns Whether the response is kept. A store that returns nothing cannot be used with a `lease`.
   */
  keep(
    reservation: Reservation,
    response: string,
    lifetime?: number,
  ): boolean | void | Promise<boolean | void>;
  /**
   * Moves the end of the lease: so many seconds from now, if the key is still the owner's and has no response. A store
   * without this method cannot be used with a `lease`.
   */
  renew?(reservation: Reservation, lease: number): void | Promise<void>;
  /** Makes the key free again, if it is still the owner's and has no response. */
  free(reservation: Reservation): void | Promise<void>;
}

/** A store whose `keep` does not wait, in SQLite or in memory. A transaction of SQLite must not wait, either. */
export interface SyncIdempotencyStore extends IdempotencyStore {
  /** As in {@linkcode IdempotencyStore}. */
  keep(reservation: Reservation, response: string, lifetime?: number): boolean;
}
