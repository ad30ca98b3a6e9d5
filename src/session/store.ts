/** Where sessions are kept. Types only. */

/**
 * A session, as a store keeps it. It has no id: whoever reads the store cannot use a session. Times are in milliseconds
 * since 1970.
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
}

/**
 * Keeps sessions. {@linkcode createMemoryStore} makes one for a single instance. Instances that share their sessions
 * need one in a database: each method is one statement or one transaction, and may return a promise. If a method fails,
 * the request fails: nobody is let in.
 *
 * A store needs no clock. The guards ignore a session that has ended.
 */
export interface SessionStore {
  /**
   * Adds a session. If the user now has more than `perUser`, ends those of the same user that would end first, and
   * never the new one. May also remove sessions that have ended when the new one begins. Must leave all others alone.
   */
  add(session: StoredSession, perUser: number): void | Promise<void>;
  /** Finds a session. */
  find(digest: string): StoredSession | undefined | Promise<StoredSession | undefined>;
  /**
   * Moves the end of a session, if the new end is later. Must not add a session that is not there: it has been ended
   * meanwhile.
   *
   * @returns Whether there is such a session.
   */
  renew(digest: string, endsAt: number): boolean | Promise<boolean>;
  /** Ends a session, if it is there. */
  end(digest: string): void | Promise<void>;
  /** Ends all sessions of a user, except one. */
  endOthers(user: string, exceptDigest: string | undefined): void | Promise<void>;
}
