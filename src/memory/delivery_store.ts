import type { DeliveryStore } from "../stores/delivery.ts";

/**
 * Makes a store of deliveries in memory, for a single instance. After a restart, each receiver starts at its
 * `begin` again.
 *
 * @returns The store. It keeps about 200 bytes for each receiver, until `remove`.
 *
 * @example Two owners
 * ```ts
 * import { deliveryStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const store = deliveryStore();
 * assertEquals(await store.take("ada", "instance 1", 30), { position: null });
 * assertEquals(await store.take("ada", "instance 2", 30), undefined);
 * ```
 */
export function deliveryStore(): DeliveryStore {
  const receivers = new Map<string, { owner: string; endsAt: number; position: string | null }>();
  const own = (receiver: string, owner: string) => {
    const found = receivers.get(receiver);
    return found?.owner === owner ? found : undefined;
  };
  return {
    take(receiver, owner, seconds) {
      const now = performance.now(); // nobody sets this clock
      const found = receivers.get(receiver);
      if (found !== undefined && found.owner !== owner && found.endsAt > now) return undefined;
      const position = found?.position ?? null;
      receivers.set(receiver, { owner, endsAt: now + seconds * 1000, position });
      return { position };
    },
    advance(receiver, owner, position) {
      const found = own(receiver, owner);
      if (found !== undefined) found.position = position;
      return found !== undefined;
    },
    release(receiver, owner) {
      const found = own(receiver, owner);
      if (found !== undefined) found.endsAt = 0;
    },
    remove: (receiver) => void receivers.delete(receiver),
  };
}
