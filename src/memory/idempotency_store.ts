import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { Reservation, Reserved, SyncIdempotencyStore } from "../stores/stores.ts";

/**
 * Makes a store of idempotency keys in memory, for a single instance. The keys are lost with the process: a request
 * that is repeated after a restart runs again.
 *
 * A key without a lease is kept while its request runs, also beyond its lifetime. If all places are taken, `reserve`
 * returns `full`.
 *
 * @param options `most`: how many keys are kept, from 1 to 1,000,000. Each takes about 500 bytes, and its response.
 * @returns The store.
 * @throws A `TypeError` if `most` is not a whole number within these bounds.
 *
 * @example A store of 10,000 keys
 * ```ts
 * import { idempotencyStore } from "@fw/core/memory";
 *
 * const store = idempotencyStore({ most: 10_000 });
 * ```
 */
export function idempotencyStore(options: { readonly most: number }): SyncIdempotencyStore {
  requireOptions(options, "idempotencyStore", ["most"], []);
  const { most } = options;
  requireWhole(most, "Option most of idempotencyStore", 1e6);
  const entries = new Map<string, Entry>();
  /** The keys that are leased. The last to be renewed comes last. All leases of one app usually last as long. */
  const leased = new Set<string>();
  const counts = new Map<string, number>();

  function remove(key: string, { client }: Entry): void {
    entries.delete(key);
    leased.delete(key);
    const count = counts.get(client);
    if (count === 1) counts.delete(client);
    else counts.set(client, Number(count) - 1);
  }

  /** The entry of a key, unless its time is over. */
  function live(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.endsAt > performance.now()) return entry;
    remove(key, entry);
    return undefined;
  }

  /** Those that were reserved first come first. All of one app usually last as long. */
  function removeEnded(): void {
    for (const key of entries.keys()) {
      if (live(key)?.response !== undefined) break;
    }
    for (const key of leased) {
      if (live(key) !== undefined) break;
    }
  }

  /** The entry of a reservation, if it is still its owner's and has no response. */
  function own({ key, owner }: Reservation): Entry | undefined {
    const entry = entries.get(key);
    return entry?.owner === owner && entry.response === undefined ? entry : undefined;
  }

  return {
    reserve({ key, client, request, owner }, { lifetime, perClient, lease }): Reserved {
      const known = live(key);
      if (known !== undefined) {
        if (known.request !== request) return { state: "mismatch" };
        return known.response === undefined ? { state: "running" } : { state: "done", response: known.response };
      }
      removeEnded();
      const count = counts.get(client) ?? 0;
      if (entries.size >= most || count >= perClient) return { state: "full" };
      const endsAt = lease === undefined ? Infinity : inSeconds(lease);
      entries.set(key, { client, request, owner, keptUntil: inSeconds(lifetime), endsAt, response: undefined });
      if (lease !== undefined) leased.add(key);
      counts.set(client, count + 1);
      return { state: "reserved" };
    },
    keep(reservation, response, lifetime) {
      const entry = own(reservation);
      if (entry === undefined) return false;
      leased.delete(reservation.key);
      entry.response = response;
      entry.endsAt = lifetime === undefined ? entry.keptUntil : inSeconds(lifetime);
      return true;
    },
    renew(reservation, lease) {
      const entry = own(reservation);
      if (entry === undefined) return;
      entry.endsAt = inSeconds(lease);
      leased.delete(reservation.key);
      leased.add(reservation.key);
    },
    free(reservation) {
      const entry = own(reservation);
      if (entry !== undefined) remove(reservation.key, entry);
    },
  };
}

/** A time of the clock that nobody sets. */
function inSeconds(seconds: number): number {
  return performance.now() + seconds * 1000;
}

interface Entry {
  readonly client: string;
  readonly request: string;
  readonly owner: string;
  /** Until when a response is kept. */
  readonly keptUntil: number;
  /** When the key is free again: at the end of the lease, or of the lifetime once there is a response. */
  endsAt: number;
  response: string | undefined;
}
