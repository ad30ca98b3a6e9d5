import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { IdempotencyStore, Reservation, Reserved } from "../stores/stores.ts";

/**
 * Makes a store of idempotency keys in memory, for a single instance. The keys are lost with the process: a request
 * that is repeated after a restart runs again.
 *
 * A key is kept while its request runs, also beyond its lifetime. If all places are taken, `reserve` returns `full`.
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
export function idempotencyStore(options: { readonly most: number }): IdempotencyStore {
  requireOptions(options, "idempotencyStore", ["most"], []);
  const { most } = options;
  requireWhole(most, "Option most of idempotencyStore", 1e6);
  const entries = new Map<string, Entry>();
  const counts = new Map<string, number>();

  function remove(key: string, { client }: Entry): void {
    entries.delete(key);
    const count = counts.get(client);
    if (count === 1) counts.delete(client);
    else counts.set(client, Number(count) - 1);
  }

  /** The entry of a key, unless its time is over. */
  function live(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.response === undefined || entry.endsAt > performance.now()) return entry;
    remove(key, entry);
    return undefined;
  }

  /** Those that were reserved first come first. All of one app usually last as long. */
  function removeEnded(): void {
    for (const key of entries.keys()) {
      if (live(key)?.response !== undefined) break;
    }
  }

  const own = ({ key, owner }: Reservation) => entries.get(key)?.owner === owner ? entries.get(key) : undefined;

  return {
    reserve({ key, client, request, owner }, { lifetime, perClient }): Reserved {
      const known = live(key);
      if (known !== undefined) {
        if (known.request !== request) return { state: "mismatch" };
        return known.response === undefined ? { state: "running" } : { state: "done", response: known.response };
      }
      removeEnded();
      const count = counts.get(client) ?? 0;
      if (entries.size >= most || count >= perClient) return { state: "full" };
      const endsAt = performance.now() + lifetime * 1000; // nobody sets this clock
      entries.set(key, { client, request, owner, endsAt, response: undefined });
      counts.set(client, count + 1);
      return { state: "reserved" };
    },
    keep(reservation, response) {
      const entry = own(reservation);
      if (entry !== undefined) entry.response = response;
    },
    free(reservation) {
      const entry = own(reservation);
      if (entry !== undefined) remove(reservation.key, entry);
    },
  };
}

interface Entry {
  readonly client: string;
  readonly request: string;
  readonly owner: string;
  readonly endsAt: number;
  response: string | undefined;
}
