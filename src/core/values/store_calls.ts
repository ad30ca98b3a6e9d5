import { requireOptions, requireThat } from "./assert.ts";
import type { Reservation, Reserved } from "./stores.ts";

/**
 * Returns the name of a store's table, or the prefix of its keys.
 *
 * @param options `name`: the name, if it is not the usual one.
 * @param usual The usual name.
 * @returns The name. It is safe in a statement.
 * @throws A `TypeError` if it is not 1 to 40 lowercase letters, digits and `_`.
 */
export function storeName(options: StoreOptions, usual: string): string {
  requireOptions(options, "a store", [], ["name"]);
  const { name = usual } = options;
  const isName = typeof name === "string" && /^[a-z_][a-z\d_]{0,39}$/.test(name);
  requireThat(isName, "Option name of a store", "1 to 40 lowercase letters, digits and _, no digit first", name);
  return name;
}

/** What a store may be told. */
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
    if (typeof value === "object" && value !== null) Object.values(value).forEach(check);
    if (typeof value === "string") {
      const isText = value.length <= longest && value.isWellFormed() && !value.includes("\0");
      requireThat(isText, OWNER, `well-formed strings without NUL, of at most ${longest} characters`, value);
    }
    if (typeof value === "number") requireThat(Number.isFinite(value), OWNER, "finite numbers", value);
  };
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...args: readonly unknown[]) => {
      args.forEach(check);
      return method(...args);
    },
  ]);
  return Object.fromEntries(methods);
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

/**
 * Gives every call a bound: an engine that does not answer must not hold a request for ever.
 *
 * @param engine The engine, as messages name it.
 * @returns A function that makes a call. It rejects if there is no answer within 2 seconds, and at once if 1,000 calls
 * wait.
 */
export function boundedCalls(engine: string): <Result>(call: () => PromiseLike<Result>) => Promise<Result> {
  let waiting = 0;
  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting >= 1000) throw new Error(`More than 1000 calls wait for ${engine}`);
      waiting++;
      const timer = setTimeout(() => reject(new Error(`${engine} did not answer within 2 seconds`)), 2000);
      // A driver may queue a call for longer than anybody waits for it. It counts until the driver settles it.
      const ending = <Value>(settle: (value: Value) => void) => (value: Value) => {
        waiting--;
        clearTimeout(timer);
        settle(value);
      };
      (async () => await call())().then(ending(resolve), ending(reject));
    });
}
