import type { IdempotencyStore, Reservation } from "../stores/stores.ts";

/**
 * Remembers reservations for which no request runs: an engine that was away may still make them when it is back. They
 * are freed with the next requests, at most once a second, for a minute. Not by a timer, which would keep a process
 * alive.
 */
export function createOrphans(store: IdempotencyStore): {
  /** Remembers a reservation. At most 1,000, since no more calls wait for an engine. */
  readonly add: (reservation: Reservation) => void;
  /** Frees them, if it is time. Returns whether any are left. */
  readonly free: () => Promise<boolean>;
} {
  /** With the time from which a call to free them is the last one. */
  const orphans = new Map<Reservation, number>();
  let nextRound = 0;
  return {
    add(reservation) {
      if (orphans.size < 1000) orphans.set(reservation, Date.now() + 60_000);
    },
    async free() {
      const now = Date.now();
      if (now >= nextRound) {
        nextRound = now + 1000;
        await Promise.allSettled(Array.from(orphans, async ([own, last]) => {
          await store.free(own);
          if (now >= last) orphans.delete(own);
        }));
      }
      return orphans.size > 0;
    },
  };
}
