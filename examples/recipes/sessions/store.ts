/** How long a session lasts from sign-in, in milliseconds. */
export const LIFETIME = 8 * 60 * 60 * 1000;

/** How many sessions there may be. Beyond that, the oldest one ends, so that memory is bounded. */
const MAX_SESSIONS = 100_000;

/** The sessions that have not ended. With many instances, keep them in a table with the same three columns. */
export interface Sessions {
  /** Finds the user of a session. What a client sends as an id may be anything. */
  find(id: string | undefined): Promise<string | undefined>;
  /** Begins a session of a user. The id must be random. */
  add(id: string, user: string): Promise<void>;
  /** Ends a session. */
  delete(id: string | undefined): Promise<void>;
}

/**
 * Creates a store of sessions, in memory. It keeps a digest of each id: whoever reads the store cannot use a session.
 *
 * @param now The time in milliseconds.
 * @param max How many sessions there may be.
 * @returns The store.
 */
export function createSessions(now: () => number = Date.now, max: number = MAX_SESSIONS): Sessions {
  // In the order in which they end, as all of them last as long.
  const sessions = new Map<string, { readonly user: string; readonly endsAt: number }>();

  return {
    async find(id = "") {
      const session = sessions.get(await digest(id));
      return session !== undefined && session.endsAt > now() ? session.user : undefined;
    },
    async add(id, user) {
      const key = await digest(id);
      for (const [oldest, { endsAt }] of sessions) {
        if (endsAt > now() && sessions.size < max) break;
        sessions.delete(oldest);
      }
      sessions.set(key, { user, endsAt: now() + LIFETIME });
    },
    async delete(id = "") {
      sessions.delete(await digest(id));
    },
  };
}

/** SHA-256 is enough for a random id. A password takes a slow hash. */
async function digest(id: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))).join();
}
