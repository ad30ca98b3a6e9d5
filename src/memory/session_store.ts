import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { SessionStore, StoredSession } from "../stores/stores.ts";

/**
 * Makes a store of sessions in memory, for a single instance. The sessions end with the process.
 *
 * A sign-in and `endOthers` look at all sessions, which takes about a millisecond for 100,000 of them.
 *
 * @param options `most`: how many sessions there may be, from 1 to 1,000,000. Each takes about 400 bytes. Beyond that,
 * the session that was not renewed for the longest time ends.
 * @returns The store.
 * @throws A `TypeError` if `most` is not a whole number within these bounds.
 *
 * @example A store of 100,000 sessions
 * ```ts
 * import { sessionStore } from "@fw/core/memory";
 *
 * const store = sessionStore({ most: 100_000 });
 * ```
 */
export function sessionStore(options: { readonly most: number }): SessionStore {
  requireOptions(options, "sessionStore", ["most"], []);
  const { most } = options;
  requireWhole(most, "Option most of sessionStore", 1e6);
  // The last to be renewed comes last, so the first ones are those to remove.
  const sessions = new Map<string, StoredSession>();
  const sessionsOf = (user: string) => [...sessions.values()].filter((session) => session.user === user);
  return {
    keepsData: true,
    add(session, perUser) {
      // Of several that end in the same millisecond, the first ones end.
      const others = sessionsOf(session.user).reverse().toSorted((a, b) => b.endsAt - a.endsAt);
      for (const { digest } of others.slice(perUser - 1)) sessions.delete(digest);
      for (const { digest, endsAt } of sessions.values()) {
        if (endsAt > session.begunAt && sessions.size < most) break;
        sessions.delete(digest);
      }
      sessions.set(session.digest, session);
    },
    find: (digest) => sessions.get(digest),
    renew(digest, endsAt) {
      const session = sessions.get(digest);
      if (session === undefined) return false;
      if (endsAt > session.endsAt) {
        sessions.delete(digest);
        sessions.set(digest, { ...session, endsAt });
      }
      return true;
    },
    end: (digest) => void sessions.delete(digest),
    endOthers(user, exceptDigest) {
      for (const { digest } of sessionsOf(user)) {
        if (digest !== exceptDigest) sessions.delete(digest);
      }
    },
  };
}
