import { requireOptions, requireThat } from "../core/values/assert.ts";
import type { Reservation, Reserved } from "./stores.ts";

/**
 * Returns the name of a store's table, or the prefix of its keys.
 *
 * @param options `name`: the name, if it is not the usual one, such as `fw_sessions`.
 * @param kind What it stores.
 * @returns The name. It is safe in a statement.
 * @throws A `TypeError` if it is not 1 to 40 lowercase letters, digits and `_`.
 */
export function storeName(options: StoreOptions, kind: StoreKind): string {
  requireOptions(options, "a store", [], ["name"]);
  const { name = `fw_${kind}` } = options;
  const isName = typeof name === "string" && /^[a-z_][a-z\d_]{0,39}$/.test(name);
  requireThat(isName, "Option name of a store", "1 to 40 lowercase letters, digits and _, no digit first", name);
  return name;
}

/** What a store may store. */
type StoreKind = "sessions" | "rate_limits" | "idempotency" | "deliveries" | "events";

/** The options of a store. */
export interface StoreOptions {
  /** The name of its table, or the prefix of its keys: 1 to 40 lowercase letters, digits and `_`, no digit first. */
  readonly name?: string | undefined;
}

/**
 * Rejects arguments that an engine would change or cut off, so that no user, key or session becomes another one.
 *
 * @param store A store that relies on its arguments.
 * @param longest How long a string may be.
 * @returns The store. Its methods throw a `TypeError` for a string that is longer, is not well-formed or has a NUL, and
 * for a number that is not finite.
 */
export function checked<Store extends object>(store: Store, longest: number = Infinity): Store {
  const check = (value: unknown): void => {
    if (typeof value === "string") {
      const isText = value.length <= longest && value.isWellFormed() && !value.includes("\0");
      requireThat(isText, OWNER, `well-formed strings without NUL, of at most ${longest} characters`, value);
    } else if (typeof value === "number") requireThat(Number.isFinite(value), OWNER, "finite numbers", value);
    else Object.values(value ?? {}).forEach(check);
  };
  const checkedMethod = (method: (...args: readonly unknown[]) => unknown) => (...args: readonly unknown[]) => {
    args.forEach(check);
    return method(...args);
  };
  const entries = Object.entries(store)
    .map(([name, value]) => [name, typeof value === "function" ? checkedMethod(value) : value]);
  return Object.fromEntries(entries);
}

const OWNER = "Arguments of a store";

/**
 * What came of a reservation.
 *
 * @param found The request, the owner and the response that are stored under its key now; empty if there is no place.
 * @param reservation The reservation.
 * @returns What came of it.
 */
export function reservedBy([request, owner, response]: readonly unknown[], reservation: Reservation): Reserved {
  if (owner === undefined) return { state: "full" };
  if (owner === reservation.owner) return { state: "reserved" };
  if (request !== reservation.request) return { state: "mismatch" };
  return typeof response === "string" ? { state: "done", response } : { state: "running" };
}
