import type { BookStore } from "./store.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Checks that a store responds within a second. With this check, a load balancer sends no requests to an instance whose
 * database does not respond.
 *
 * @param store The store.
 * @throws `StoreUnavailable` if the store does not respond.
 */
export async function checkReady(store: BookStore): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("No answer within a second")), 1_000);
  try {
    await Promise.race([store.ping(), late]);
  } catch (error) {
    throw new StoreUnavailable("The store is not ready", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
