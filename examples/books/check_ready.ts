import { setTimeout as pause } from "node:timers/promises";
import type { BookStore } from "./store.ts";
import { StoreUnavailable } from "./store_unavailable.ts";

/**
 * Throws `StoreUnavailable` if the store does not respond within a second: a load balancer then sends no requests to
 * this instance.
 */
export async function checkReady(store: BookStore): Promise<void> {
  try {
    const late = pause(1_000, "late", { ref: false });
    if (await Promise.race([store.ping(), late]) === "late") throw new Error("No answer within a second");
  } catch (error) {
    throw new StoreUnavailable("The store is not ready", { cause: error });
  }
}
